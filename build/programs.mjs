// How the extension and the command-line program are built: together, because much is the same in both. The test of the
// command-line program builds them in the same way.
import * as esbuild from 'esbuild';
import { leaveTheClient } from './mcpClient.mjs';
import { inFewFiles } from './chunks.mjs';
import { leaveWs } from './ws.mjs';

/**
 * Makes CommonJS of the modules, which are what esbuild can split: the editor and Node load it sooner, and its `require`
 * gives `ws` the editor's proxy and certificates. For a build with `write: false`.
 * @type {import('esbuild').Plugin}
 */
const asCommonJs = {
  name: 'as-common-js',
  setup(build) {
    const { minify, sourcemap, target, logLevel } = build.initialOptions;
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const file of outputFiles) {
        const { code } = await esbuild.transform(file.text, {
          format: 'cjs',
          supported: { 'dynamic-import': false },
          ...{ minify, sourcemap, target, logLevel },
        });
        file.contents = Buffer.from(code);
      }
    });
  },
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
const starts = [{ files: ['editor/running.ts'] }, { files: ['cli.ts'] }, { files: ['cli.ts'], later: true }];

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
      entryPoints: { running: 'src/editor/running.ts', cli: 'src/cli.ts' },
      bundle: true,
      splitting: true,
      format: 'esm',
      outExtension: { '.js': '.cjs' },
      platform: 'node',
      // That of the terminal; the editor's own Node is newer.
      target: 'node20',
      define: { 'import.meta.dirname': '__dirname' },
      // The "main" of jsonc-parser is UMD, which does not bundle.
      mainFields: ['module', 'main'],
      external: ['vscode'],
      logLevel: 'warning',
      plugins: [leaveTheClient, leaveWs, ...(options.plugins ?? [])],
    },
    { together, starts },
  );
  return { ...built, write: false, plugins: [...built.plugins, asCommonJs] };
}
