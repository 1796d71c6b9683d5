import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { extensionId } from '../../src/editor/manifest.ts';
import { gallerySettings, openGallery } from '../host/gallery.ts';
import { root, vsix } from '../host/paths.ts';
import {
  installExtension,
  type Server,
  startServer,
} from '../host/vscodeServer.ts';
import { makeWebOnly } from '../host/webOnly.ts';
import { openWindow } from '../host/window.ts';
import manifest from '../../package.json' with { type: 'json' };
import {
  activityIcon,
  openSideBar,
  takePicture,
  typeInPalette,
  view,
} from '../ui/support.ts';

describe('the package', () => {
  let scratch: string;
  let extensions: string;
  const servers: Server[] = [];

  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'switchboard-package-'));
    extensions = join(scratch, 'extensions');
    const userData = join(scratch, 'user-data');
    const home = join(scratch, 'home');
    await Promise.all(
      [extensions, userData, home].map((folder) => mkdir(folder)),
    );
    await installExtension(vsix, extensions, userData);
    servers.push(
      await startServer({
        userData,
        extensions,
        whole: true,
        env: { HOME: home, USERPROFILE: home },
      }),
    );
  });

  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(scratch, { recursive: true, force: true });
  });

  it('contains only the bundle, the pictures and the documents', async () => {
    const folder = join(extensions, `${extensionId}-${manifest.version}`);
    const files = (
      await readdir(folder, { recursive: true, withFileTypes: true })
    )
      .filter((entry) => entry.isFile())
      .map((entry) =>
        relative(folder, join(entry.parentPath, entry.name)).replaceAll(
          '\\',
          '/',
        ),
      )
      .map((file) =>
        file.replace(/^dist\/chunks\/.+\.cjs$/, 'dist/chunks/*.cjs'),
      )
      .map((file) =>
        file.replace(
          /^media\/walkthrough\/.+\.webp$/,
          'media/walkthrough/*.webp',
        ),
      );
    assert.deepEqual([...new Set(files)].sort(), [
      // Added by VS Code when it installs a package.
      '.vsixmanifest',
      'LICENSE.txt',
      'changelog.md',
      'dist/ThirdPartyNotices.txt',
      'dist/bin/switchboard',
      'dist/bin/switchboard.cmd',
      'dist/chunks/*.cjs',
      'dist/cli.cjs',
      'dist/extension.cjs',
      'dist/mcp.schema.de.json',
      'dist/mcp.schema.json',
      'dist/runtime.cjs',
      'dist/webview/page.css',
      'dist/webview/page.js',
      'l10n/bundle.l10n.de.json',
      'media/icon.png',
      'media/switchboard.svg',
      'media/walkthrough/*.webp',
      'package.json',
      'package.nls.de.json',
      'package.nls.json',
      'readme.md',
    ]);
  });

  it('includes the licence text of every bundled package', async () => {
    const folder = join(extensions, `${extensionId}-${manifest.version}`);
    const text = await readFile(
      join(folder, 'dist/ThirdPartyNotices.txt'),
      'utf8',
    );
    const usual = {
      absWorkingDir: root,
      bundle: true,
      outdir: 'dist',
      mainFields: ['module', 'main'],
      external: ['vscode'],
      metafile: true as const,
      write: false as const,
    };
    const alias = { entities: './src/webview/htmlEntities.ts' };
    const builds = await Promise.all([
      esbuild.build({
        ...usual,
        entryPoints: ['src/editor/start/runtime.ts', 'src/cli.ts'],
        platform: 'node',
        format: 'esm',
      }),
      esbuild.build({
        ...usual,
        entryPoints: ['src/webview/page.ts'],
        platform: 'browser',
        alias,
      }),
    ]);
    const paths = builds.flatMap(({ metafile }) =>
      Object.values(metafile.outputs).flatMap(({ inputs }) =>
        Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
          bytesInOutput > 0 ? [path] : [],
        ),
      ),
    );
    const names = new Set(
      paths.flatMap(
        (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
      ),
    );
    assert.ok(names.size > 10);
    for (const name of names) {
      const from = join(root, 'node_modules', name);
      const licence =
        (await readdir(from)).find((file) => /^licen[cs]e/i.test(file)) ??
        assert.fail(name);
      const [, said = ''] = text.split(
        new RegExp(`^={80}\\n${name} \\d\\S* \\(\\S+\\)\\n={80}\\n`, 'm'),
      );
      const words = (await readFile(join(from, licence), 'utf8'))
        .replaceAll('\r\n', '\n')
        .trim();
      assert.ok(said.trimStart().startsWith(words), name);
    }
  });

  it('contains a command-line program that runs', async () => {
    const folder = join(extensions, `${extensionId}-${manifest.version}`);
    const { stdout } = await promisify(execFile)(
      join(folder, 'dist/bin/switchboard'),
      ['--version'],
      {
        env: { ...process.env, SWITCHBOARD_NODE: process.execPath },
        shell: process.platform === 'win32',
      },
    );
    assert.equal(stdout, `${manifest.version}\n`);
  });

  it('shows its icon, views and palette commands in a clean VS Code', async () => {
    const [server] = servers;
    assert.ok(server);
    const { page, close } = await openWindow(server, {});
    await activityIcon(page).waitFor();
    await openSideBar(page);
    for (const title of ['Conversations', 'MCP Servers']) {
      await view(page, title)
        .locator('.welcome-view-content')
        .first()
        .waitFor();
    }
    for (const title of [
      'Connect to a Service',
      'Try the Demo Service',
      'Open Configuration File',
      'Show Log',
    ]) {
      const rows = await typeInPalette(page, `Switchboard: ${title}`);
      await rows.getByText(`Switchboard: ${title}`).first().waitFor();
      await page.keyboard.press('Escape');
    }
    await typeInPalette(page, 'Switchboard: ');
    await takePicture(page, 'package');
    await close();
  });

  it('cannot be installed in a web-only window, which explains why', async () => {
    const web = await startServer({
      userData: join(scratch, 'web'),
      extensions: join(scratch, 'none'),
      env: { EXTENSIONS_GALLERY: gallerySettings },
    });
    servers.push(web);
    const { page, close } = await openWindow(web, {
      prepare: async (page) => {
        await makeWebOnly(page);
        await openGallery(
          page,
          join(extensions, `${extensionId}-${manifest.version}`),
        );
      },
    });
    await page.keyboard.press('Control+Shift+X');
    const offer = page
      .locator('.extension-list-item')
      .filter({ hasText: manifest.displayName });
    await offer.click();
    const header = page.locator('.extension-editor .header');
    await header
      .getByText("The 'Agent Switchboard' extension is not available in")
      .waitFor();
    await header.getByText('Learn Why').waitFor();
    await takePicture(page, 'web-only');
    assert.equal(
      await header
        .getByRole('button', { name: 'Install', disabled: false })
        .count(),
      0,
    );
    assert.equal(await activityIcon(page).count(), 0);
    await close();
  });
});
