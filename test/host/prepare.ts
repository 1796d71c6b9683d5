/**
 * node test/host/prepare.ts [package] [build] [server]: makes what tests in
 * windows share, before these run side by side. The package comes first,
 * because it has a build of its own in the same folder.
 */
import { ensureBrowser } from './browser.ts';
import { ensureServer } from './fetchServer.ts';
import { root } from './paths.ts';
import { npm, run } from './processes.ts';
import { main, step } from './steps.ts';

const needed = process.argv.slice(2);

await main(async () => {
  if (needed.includes('package')) {
    await step('Making the package', () =>
      npm(
        ['run', 'package'],
        root,
        'Run "npm run package" to see what is wrong.',
      ),
    );
  }
  if (needed.includes('build')) {
    await step('Building the extension', () =>
      run(process.execPath, ['esbuild.mjs'], 'Fix the errors above.', {
        cwd: root,
      }),
    );
  }
  if (needed.includes('server')) {
    await ensureServer();
    await ensureBrowser();
  }
  return 0;
});
