import assert from 'node:assert/strict';
import { ESLint } from 'eslint';
import { globSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../host/paths.ts';
import { circlesIn } from '../support/circles.ts';

/**
 * The import rules need no type information, and the files do not have to
 * exist.
 */
const eslint = new ESLint({
  cwd: root,
  overrideConfig: {
    languageOptions: { parserOptions: { projectService: false } },
  },
  ruleFilter: ({ ruleId }) => ruleId.startsWith('no-restricted-'),
});

/** The numbers of the lines that the rules refuse. */
async function refusedLines(
  file: string,
  text: string,
): Promise<readonly number[]> {
  const [result] = await eslint.lintText(`${text}\n`, {
    filePath: join(root, file),
  });
  return result?.messages.map(({ line }) => line) ?? [];
}

async function complaints(file: string, line: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${line}\n`, {
    filePath: join(root, file),
  });
  return result?.messages.map(({ message }) => message) ?? [];
}

describe('the lint configuration', () => {
  it('allows vscode only in src/editor and src/extension.ts', async () => {
    for (const room of [
      'base',
      'service',
      'mcp',
      'files',
      'probe',
      'state',
      'demo',
      'terminal',
      'protocol',
      'webview',
    ]) {
      for (const line of [
        "import { window } from 'vscode';",
        "import type { Uri } from 'vscode';",
        "export * from 'vscode';",
        "await import('vscode');",
        "export type U = import('vscode').Uri;",
      ]) {
        const [complaint, ...others] = await complaints(
          `src/${room}/x.ts`,
          line,
        );
        assert.match(
          complaint ?? '',
          /Only src\/editor\/ and src\/extension\.ts may import vscode/,
          `${room}: ${line}`,
        );
        assert.deepEqual(others, []);
      }
    }
    assert.notDeepEqual(await complaints('src/cli.ts', "import 'vscode';"), []);
    assert.deepEqual(
      await complaints(
        'src/editor/ui/x.ts',
        "import { window } from 'vscode';",
      ),
      [],
    );
    assert.deepEqual(
      await complaints('src/extension.ts', "import { window } from 'vscode';"),
      [],
    );
  });

  it('keeps vscode out of src/editor/words', async () => {
    for (const folder of ['words', 'words/conversations', 'words/mcpServers']) {
      const [complaint] = await complaints(
        `src/editor/${folder}/x.ts`,
        "import { l10n } from 'vscode';",
      );
      assert.match(complaint ?? '', /must not import vscode/);
    }
  });

  it('allows only messages.ts to show messages', async () => {
    const line = "void window.showErrorMessage('[link](command:x)');";
    const [complaint] = await complaints('src/editor/services/x.ts', line);
    assert.match(
      complaint ?? '',
      /Only src\/editor\/ui\/messages\.ts shows messages/,
    );
    assert.deepEqual(await complaints('src/editor/ui/messages.ts', line), []);
  });

  it('forbids timers in tests, except in the helper that waits for a condition and in started programs', async () => {
    const timers = [
      'setTimeout(() => undefined, 10);',
      'setInterval(() => undefined, 10);',
      'globalThis.setTimeout(() => undefined, 10);',
      "import { setTimeout } from 'node:timers/promises';",
      "import { setTimeout as sleep } from 'timers/promises';",
      "import { setInterval } from 'node:timers/promises';",
      "import { setTimeout } from 'node:timers';",
      "import timers from 'node:timers/promises';",
      "import * as timers from 'node:timers/promises';",
      'await page.waitForTimeout(10);',
      'await ask({ signal: AbortSignal.timeout(10) });',
    ];
    for (const line of timers) {
      for (const suite of [
        'unit/base',
        'integration',
        'ui',
        'package',
        'soak',
        'real',
        'support',
        'mutants',
      ]) {
        const [complaint, ...others] = await complaints(
          `test/${suite}/x.ts`,
          line,
        );
        assert.match(
          complaint ?? '',
          /Tests wait for a condition/,
          `${suite}: ${line}`,
        );
        assert.deepEqual(others, []);
      }
      for (const file of [
        'support/eventually',
        'support/servers/x',
        'support/files/killing',
        'host/x',
        'bench/x',
      ]) {
        assert.deepEqual(
          await complaints(`test/${file}.ts`, line),
          [],
          `${file}: ${line}`,
        );
      }
    }
    const nextTurn =
      "import { setImmediate } from 'node:timers/promises';\nawait setImmediate();";
    assert.deepEqual(await complaints('test/unit/base/x.ts', nextTurn), []);
  });

  it('forbids imports against the order of the folders', async () => {
    const forbidden: readonly (readonly [string, string])[] = [
      ['src/base/x.ts', '../service/client.ts'],
      ['src/service/x.ts', '../mcp/editText.ts'],
      ['src/mcp/x.ts', '../service/client.ts'],
      ['src/mcp/x.ts', '../files/configPath.ts'],
      ['src/mcp/deep/x.ts', '../../files/configPath.ts'],
      ['src/files/x.ts', '../state/servers.ts'],
      ['src/probe/x.ts', '../files/read.ts'],
      ['src/probe/x.ts', '../state/switchboard.ts'],
      ['src/files/x.ts', '../probe/probe.ts'],
      ['src/state/x.ts', '../editor/manifest.ts'],
      ['src/takeOver/x.ts', '../state/switchboard.ts'],
      ['src/demo/x.ts', '../state/servers.ts'],
      ['src/terminal/x.ts', '../editor/manifest.ts'],
      ['src/terminal/x.ts', '../state/servers.ts'],
      ['src/editor/services/x.ts', '../../terminal/showServers.ts'],
      ['src/editor/x.ts', '../extension.ts'],
      ['src/base/x.ts', './masks/redact.ts'],
      ['src/service/model/x.ts', '../http/transport.ts'],
      ['src/service/records/x.ts', '../v1/sandboxes.ts'],
      ['src/service/agentServer/x.ts', '../v1/agents.ts'],
      ['src/service/v1/x.ts', '../client.ts'],
      ['src/demo/world/x.ts', '../agentServer/script.ts'],
      ['src/webview/x.ts', '../editor/words/facts.ts'],
      ['src/webview/x.ts', '../base/l10n.ts'],
      ['src/editor/conversations/x.ts', '../../webview/dom.ts'],
      ['src/protocol/x.ts', '../webview/dom.ts'],
      ['src/protocol/x.ts', '../editor/words/facts.ts'],
      ['src/mcp/text/x.ts', '../format/entry.ts'],
      ['src/mcp/edit/x.ts', '../pasted/json.ts'],
      ['src/mcp/format/x.ts', '../../files/configPath.ts'],
      ['src/state/transcript/x.ts', '../conversation/liveSlots.ts'],
      ['src/state/conversation/x.ts', '../steering/answering.ts'],
      ['src/state/lists/x.ts', '../switchboard.ts'],
      ['src/editor/x.ts', './ui/icons.ts'],
      ['src/editor/words/x.ts', '../../cli.ts'],
      ['src/editor/words/x.ts', '../ui/icons.ts'],
      ['src/editor/words/x.ts', './conversations/startWords.ts'],
      ['src/editor/words/conversations/x.ts', '../mcpServers/toolWords.ts'],
      ['src/editor/ui/x.ts', '../services/connector.ts'],
      ['src/editor/conversations/new/x.ts', '../page/drafts.ts'],
      ['src/editor/conversations/page/x.ts', '../steeringCommands.ts'],
      ['src/editor/changes/x.ts', '../takeOver/undo.ts'],
      ['src/editor/mcpServers/ofFile/x.ts', '../add/draft.ts'],
      ['src/editor/services/x.ts', '../start/registerViews.ts'],
      ['src/editor/background/x.ts', '../start/registerViews.ts'],
    ];
    for (const [file, target] of forbidden) {
      for (const line of [
        `import '${target}';`,
        `import type { X } from '${target}';`,
        `await import('${target}');`,
      ]) {
        assert.equal(
          (await complaints(file, line)).length,
          1,
          `${file}: ${line}`,
        );
      }
    }
  });

  it('allows imports from the same folder and from lower ones', async () => {
    for (const [file, target] of [
      ['src/service/x.ts', '../base/errors.ts'],
      ['src/files/x.ts', '../mcp/editText.ts'],
      ['src/state/x.ts', '../service/client.ts'],
      ['src/state/x.ts', '../probe/probe.ts'],
      ['src/probe/x.ts', '../mcp/server.ts'],
      ['src/takeOver/x.ts', '../service/fileChanges.ts'],
      ['src/editor/takeOver/x.ts', '../../takeOver/plan.ts'],
      ['src/editor/services/x.ts', '../../state/servers.ts'],
      ['src/editor/services/x.ts', '../manifest.ts'],
      ['src/terminal/x.ts', '../files/configPath.ts'],
      ['src/extension.ts', './editor/manifest.ts'],
      ['src/webview/x.ts', '../protocol/pageMessages.ts'],
      ['src/editor/conversations/x.ts', '../../protocol/pageMessages.ts'],
      ['src/mcp/format/x.ts', '../text/nodes.ts'],
      ['src/service/x.ts', './v0/service.ts'],
      ['src/service/v0/x.ts', '../v1/service.ts'],
      ['src/service/v1/x.ts', '../agentServer/agents.ts'],
      ['src/state/x.ts', './steering/answering.ts'],
      ['src/state/steering/x.ts', '../conversation/liveSlots.ts'],
      ['src/editor/words/x.ts', './times.ts'],
      ['src/editor/words/x.ts', '../manifest.ts'],
      ['src/editor/words/conversations/x.ts', '../times.ts'],
      ['src/editor/words/conversations/x.ts', '../../../takeOver/plan.ts'],
      ['src/editor/ui/x.ts', '../words/conversations/startWords.ts'],
      ['src/editor/conversations/x.ts', './page/drafts.ts'],
      ['src/editor/conversations/page/x.ts', '../new/gitChoices.ts'],
      ['src/editor/changes/x.ts', '../conversations/page/drafts.ts'],
      ['src/editor/mcpServers/x.ts', './add/draft.ts'],
      ['src/editor/start/x.ts', '../mcpServers/ofServices/send.ts'],
    ] as const) {
      assert.deepEqual(
        await complaints(file, `import '${target}';`),
        [],
        `${file}: ${target}`,
      );
    }
  });

  it('allows imports in at most one direction between two folders of a room', async () => {
    for (const room of ['base', 'service', 'demo', 'mcp', 'state', 'editor']) {
      const files = globSync('**/*.ts', { cwd: join(root, 'src', room) });
      const folders = [
        ...new Set(
          files.map((file) => posix.dirname(file.replaceAll('\\', '/'))),
        ),
      ];
      assert.ok(folders.length > 1, room);
      const allowed = new Map<string, readonly string[]>();
      for (const folder of folders) {
        const others = folders.filter((other) => other !== folder);
        const paths = others.map((other) =>
          posix.relative(folder, other).replace(/^(?!\.)/, './'),
        );
        const imports = paths
          .map((path) => `import '${path}/x.ts';`)
          .join('\n');
        const refused = new Set(
          await refusedLines(posix.join('src', room, folder, 'x.ts'), imports),
        );
        allowed.set(
          folder,
          others.filter((_, index) => !refused.has(index + 1)),
        );
      }
      assert.deepEqual(circlesIn(allowed), [], room);
    }
  });
});
