/**
 * node test/host/runInVSCode.ts [PATTERN]: runs the integration tests, or only
 * the files that match PATTERN, inside a real VS Code with its own home folder.
 * Set SWITCHBOARD_TEST_VSCODE to use another version of VS Code, such as
 * 1.103.2.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import { ensureBrowser } from './browser.ts';
import { download, hasDisplay } from './desktop.ts';
import { ensureServer, versionVariable } from './fetchServer.ts';
import { filesVariable } from './mocha.ts';
import { cache, root } from './paths.ts';
import { main } from './steps.ts';

const version = process.env[versionVariable];

await main(async () => {
  const vscodeExecutablePath =
    (hasDisplay(process) ? await download(version) : undefined) ??
    (await dropIn());
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-integration-'));
  const home = join(scratch, 'home');
  const workspace = join(scratch, 'workspace');
  try {
    await mkdir(home);
    await mkdir(workspace);
    return await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: root,
      extensionTestsPath: join(cache, 'integration/index.js'),
      launchArgs: [
        workspace,
        `--user-data-dir=${join(scratch, 'user-data')}`,
        `--extensions-dir=${join(scratch, 'extensions')}`,
      ],
      extensionTestsEnv: {
        HOME: home,
        USERPROFILE: home,
        [filesVariable]: process.argv[2],
      },
    });
  } catch (error) {
    if (error instanceof TestRunFailedError) return 1;
    throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
});

/**
 * Downloads what the drop-in needs while the home folder is still the user's
 * own, with the npm configuration.
 */
async function dropIn(): Promise<string> {
  await ensureServer(version);
  await ensureBrowser();
  return join(root, 'test/host/code.ts');
}
