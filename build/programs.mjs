// How the extension and the command-line program are built: together, because much is the same in both. The test of the
// command-line program builds them in the same way.
import { readFile } from 'node:fs/promises';
import { leaveTheClient } from './mcpClient.mjs';
import { inFewFiles } from './chunks.mjs';
import { asScripts } from './scripts.mjs';
import { leaveWs } from './ws.mjs';

/**
 * Replaces imports of Node modules with `getBuiltinModule`. In the terminal, an import would read every export at once,
 * and for `node:fs` that loads all of its streams, which takes as long as the rest of `mcp list`.
 * @param {string} text
 */
function lazyBuiltins(text) {
  return text.replace(
    /^import (?:\* as )?(\w+|\{[^}]*\}) from ('node:[\w/]+');$/gm,
    (_, names, specifier) => {
      const values = names.replace(/\btype \w+,?/g, '').replace(/ as /g, ': ');
      return `const ${values} = process.getBuiltinModule(${specifier});`;
    },
  );
}

/** Of the terminal; the editor's own is newer. */
const target = 'node20';

/**
 * What the terminal starts: in one file, because only what it loads is kept compiled.
 * @type {import('esbuild').BuildOptions}
 */
export const terminalStart = {
  entryPoints: ['src/cli.ts'],
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target,
  logLevel: 'warning',
  metafile: true,
  plugins: [
    {
      name: 'leave-the-rest',
      setup(build) {
        build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
          loader: 'ts',
          contents: lazyBuiltins(await readFile(path, 'utf8')),
        }));
        build.onResolve({ filter: /\/runOnNode\.ts$/ }, () => ({ path: './runOnNode.cjs', external: true }));
      },
    },
  ],
};

/** What is loaded when it is used, and what is used with it. */
const together = [
  ['files/read.ts', 'mcp/document.ts', 'editor/views/serversTree.ts'],
  ['files/update.ts', 'mcp/editText.ts'],
  ['editor/sync/notifications.ts', 'editor/lookout/claim.ts', 'editor/lookout/sharedMemory.ts'],
  [
    'editor/commands/run.ts',
    'editor/commands/openConversationLink.ts',
    'state/untilSandboxIs.ts',
    'editor/asking/messageEditor.ts',
    'editor/asking/tellAnswered.ts',
    'editor/pages/serverPages.ts',
    'service/findServices.ts',
  ],
  [
    'editor/commands/addServer/confirm.ts',
    'editor/commands/addServer/flow.ts',
    'editor/commands/addServer/textFlow.ts',
    'mcp/commandLine.ts',
  ],
  [
    'editor/checks.ts',
    'editor/commands/checks/changeUrl.ts',
    'editor/commands/checks/checkServers.ts',
    'editor/commands/checks/chooseTools.ts',
    'editor/sync/checkBoxes.ts',
  ],
  [
    'editor/commands/serviceServers/atService.ts',
    'editor/commands/serviceServers/copy.ts',
    'editor/commands/serviceServers/editServiceServer.ts',
    'editor/commands/serviceServers/send.ts',
    'editor/commands/serviceServers/servicePlace.ts',
  ],
  ['service/agentServer/listedFiles.ts', 'service/agentServer/readSides.ts'],
  ['demo/demoService.ts', 'demo/agentServer/sockets.ts'],
  // What `mcp list` does without.
  [
    'terminal/asking.ts',
    'terminal/serverChanges.ts',
    'terminal/check.ts',
    'terminal/checkServer.ts',
    'terminal/helpTexts.ts',
    'terminal/otherFormat.ts',
    'terminal/tools.ts',
  ],
];

/** The last has no part of the editor. */
const starts = [
  { files: ['editor/running.ts'] },
  { files: ['terminal/runOnNode.ts'] },
  { files: ['terminal/runOnNode.ts'], later: true },
];

/**
 * For a build that writes nothing itself.
 * @param {import('esbuild').BuildOptions} options the rest of them
 */
export async function programs(options) {
  const built = await inFewFiles(
    {
      outdir: 'dist',
      chunkNames: 'chunks/[name]-[hash]',
      ...options,
      entryPoints: { running: 'src/editor/running.ts', runOnNode: 'src/terminal/runOnNode.ts' },
      bundle: true,
      splitting: true,
      format: 'esm',
      outExtension: { '.js': '.cjs' },
      platform: 'node',
      target,
      // The "main" of jsonc-parser is UMD, which does not bundle.
      mainFields: ['module', 'main'],
      external: ['vscode'],
      logLevel: 'warning',
      plugins: [leaveTheClient, leaveWs, ...(options.plugins ?? [])],
    },
    { together, starts, change: lazyBuiltins },
  );
  return { ...built, write: false, plugins: [...built.plugins, asScripts] };
}
