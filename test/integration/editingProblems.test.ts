import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import {
  commands,
  DiagnosticSeverity,
  languages,
  Uri,
  workspace,
} from 'vscode';
import { Editing, EditingDesk, elsewhere, withSchema } from './editingDesk.ts';
import { until } from '../support/eventually.ts';
import { programFile } from '../support/programFile.ts';

/** Uses `node`, which is on the PATH wherever these tests run. */
const local = (more = '') =>
  `{\n  "mcpServers": {\n    "files": { "command": "node"${more} }\n  }\n}\n`;

const closeAll = () =>
  commands.executeCommand('workbench.action.closeAllEditors');

describe('a problem in a configuration file', () => {
  let desk: EditingDesk;

  beforeEach(async () => {
    desk = await EditingDesk.setUp();
  });

  afterEach(async () => {
    await desk.clear();
  });

  const both = [
    ['with our schema', withSchema],
    ['at another configured path', elsewhere],
  ] as const;

  for (const [which, end] of both) {
    it(`has a code, a message and a quick fix in a file ${which}`, async () => {
      const text = `{\n  // why\n  "mcpServers": {\n    "web": { "serverUrl": "https://example.com", "disabled": true },\n  }\n}\n`;
      const editing = await desk.open(text, end);
      const others = [
        'disabledForEnabled: "disabled"',
        'foreignTarget: "serverUrl"',
      ];
      // In the language "json", the editor itself reports the first two.
      if (end === withSchema)
        await editing.reported(
          'comment: // why',
          'trailingComma: ,',
          ...others,
        );
      else await editing.reported(...others);
      for (const { message } of editing.diagnostics)
        assert.match(message, /^[A-Z"].*/);
      const titles = (await editing.actions('"disabled"')).map(
        ({ title }) => title,
      );
      assert.ok(
        titles.includes('Change to "enabled": false'),
        titles.join(', '),
      );
      await editing.fix('// why', 'Remove the comment');
      await editing.fix('"serverUrl"', 'Rename to "url"');
      await editing.fix('"disabled"', 'Change to "enabled": false');
      await editing.fix(',\n  }', 'Remove the comma');
      await editing.reported();
      assert.equal(
        editing.text,
        `{\n  "mcpServers": {\n    "web": { "url": "https://example.com", "enabled": false }\n  }\n}\n`,
      );
      await until(() => editing.diagnostics.length === 0);
      assert.equal(
        await readFile(editing.uri.fsPath, 'utf8'),
        text,
        'Only the user saves.',
      );
      for (let i = 0; i < 4; i++) await commands.executeCommand('undo');
      assert.equal(editing.text, text);
    });
  }

  it('appears when a key is duplicated and points to the key that counts', async () => {
    const editing = await desk.open(local());
    await editing.write(local(', "args": ["a"], "args": ["b"]'));
    await editing.reported('duplicateKey: "args"');
    const ours = editing.diagnostics.find(
      ({ source }) => source === 'Agent Switchboard',
    );
    assert.match(ours?.message ?? '', /only the last one counts/);
    const [related] = ours?.relatedInformation ?? [];
    assert.equal(
      related?.location.range.start.character,
      local(', "args": ["a"], ').split('\n')[2]?.indexOf(' }'),
    );
    await editing.fix('"args"', 'Remove "args"');
    await editing.reported();
    assert.equal(editing.text, local(', "args": ["b"]'));
  });

  it('shows as an error only where the file is refused, even if the editor only warns', async () => {
    const editing = await desk.open(
      local(', "args": "a", "env": { "PORT": 80 }, "timeout": null'),
    );
    await editing.reported('badValue: "a"', 'variableIsNoString: 80');
    await until(() => editing.theirs.length === 1);
    const severities = editing.diagnostics.map(({ code, severity }) => [
      code,
      severity,
    ]);
    assert.deepEqual(
      severities
        .filter(
          ([code]) => code === 'badValue' || code === 'variableIsNoString',
        )
        .sort(),
      [
        ['badValue', DiagnosticSeverity.Error],
        ['variableIsNoString', DiagnosticSeverity.Warning],
      ],
    );
    assert.equal(editing.theirs[0]?.severity, DiagnosticSeverity.Warning);
    await editing.fix('80', 'Put it in double quotes');
    await editing.fix('"a"', 'Put it into a list');
    assert.equal(
      editing.text,
      local(', "args": ["a"], "env": { "PORT": "80" }, "timeout": null'),
    );
    await until(() => editing.diagnostics.length === 0);
  });

  it('does not appear in a file that the program wrote', async () => {
    const written = await desk.open(
      programFile.replaceAll('"npx"', '"node"').replaceAll('"x"', '"node"'),
    );
    // Once problems are shown in a file that was opened later, it is certain
    // that there are none in this one.
    const wrong = await desk.open(local(', "disabled": true'));
    await wrong.reported('disabledForEnabled: "disabled"');
    assert.deepEqual(languages.getDiagnostics(written.uri), []);
  });

  it('shows as a hint for an unset variable without a default', async () => {
    const editing = await desk.open(
      local(
        ', "args": ["${NO_SUCH_VARIABLE}", "${NO_SUCH_VARIABLE:-x}", "${PATH}"]',
      ),
    );
    await editing.reported('variableNotSet: ${NO_SUCH_VARIABLE}');
    assert.equal(editing.diagnostics[0]?.severity, DiagnosticSeverity.Hint);
  });

  it('comes from the extension if the editor has no schema', async () => {
    const wrong = local(
      ', "args": "a", "transport": "htp", "env": { "PORT": 80 }',
    );
    const editing = await desk.open(wrong, elsewhere);
    await editing.reported(
      'badValue: "a"',
      'unknownTransport: "htp"',
      'variableIsNoString: 80',
    );
    assert.deepEqual(editing.theirs, []);
    const [first] = editing.diagnostics;
    assert.equal(first?.severity, DiagnosticSeverity.Error);
  });

  it('comes only from the editor if the text is not JSON', async () => {
    const editing = await desk.open('{ "mcpServers": { "a" } }');
    await until(() => editing.theirs.length > 0);
    assert.deepEqual(editing.ours, []);
  });

  it('shows as a hint for a command that is not on the PATH', async () => {
    const editing = await desk.open(
      local().replace('"node"', '"no-such-program-here"'),
    );
    await editing.reported('commandNotFound: "no-such-program-here"');
    assert.equal(editing.diagnostics[0]?.severity, DiagnosticSeverity.Hint);
    await editing.write(local());
    await editing.reported();
  });

  it('appears for a byte order mark and offers to save with another encoding', async () => {
    const editing = await desk.open(`\uFEFF${local()}`);
    await editing.reported('byteOrderMark: {');
    const titles = (await editing.actions('{')).map(({ title }) => title);
    assert.ok(
      titles.includes('Save with another encoding…'),
      titles.join(', '),
    );
  });

  it('disappears with Fix All if its fix is certain, in one step that you can undo', async () => {
    const text = local(', "disabled": true, "env": { "PORT": 80 },  ').replace(
      '  }\n}',
      '  },\n}',
    );
    const editing = await desk.open(text);
    const actions = await editing.actions('"mcpServers"', 'source.fixAll');
    assert.deepEqual(
      actions.map(({ kind }) => kind?.value),
      ['source.fixAll.switchboard'],
    );
    await editing.fix('"disabled"', 'Apply all safe fixes');
    assert.equal(
      editing.text,
      local(', "enabled": false, "env": { "PORT": "80" }  '),
    );
    await commands.executeCommand('undo');
    assert.equal(editing.text, text);
  });

  it('follows the settings and disappears when the file is closed', async () => {
    const wrong = local(', "disabled": true');
    const editing = await desk.open(wrong, elsewhere);
    await editing.reported('disabledForEnabled: "disabled"');
    await desk.desk.configure({ 'mcp.file': '' });
    await editing.reported();
    await desk.desk.configure({ 'mcp.file': editing.uri.fsPath });
    await editing.reported('disabledForEnabled: "disabled"');
    await closeAll();
    await until(() => languages.getDiagnostics(editing.uri).length === 0);
  });

  it('disappears and returns with the tab while the editor keeps the document', async () => {
    const problem = 'disabledForEnabled: "disabled"';
    const { uri: first } = await desk.open(local(), elsewhere);
    const uri = Uri.joinPath(first, '..', 'kept.json');
    await writeFile(uri.fsPath, local(', "disabled": true'));
    await desk.desk.configure({ 'mcp.file': uri.fsPath });
    // The editor keeps for minutes what an extension has opened.
    const editing = new Editing(
      await workspace.openTextDocument(uri),
      undefined,
    );
    for (let round = 0; round < 2; round++) {
      await commands.executeCommand('vscode.open', uri);
      await editing.reported(problem);
      await closeAll();
      await until(() => languages.getDiagnostics(uri).length === 0);
      assert.ok(!editing.document.isClosed);
    }
  });

  it('contains no secret in its messages and fixes', async () => {
    const canary = 'canary-4711';
    const editing = await desk.open(
      `{"mcpServers": {"a": {"url": "htp://${canary}@x?key=${canary}", "headers": {"A b": "${canary}"}, "auth": 1, "type": "${canary}"}, "b": {"command": ["${canary}"], "env": {"A": ["${canary}"]}, "args": "${canary}"}}}`,
      elsewhere,
    );
    await until(() => editing.ours.length > 4);
    for (const { message, relatedInformation = [] } of editing.diagnostics) {
      assert.ok(
        !JSON.stringify([message, relatedInformation]).includes(canary),
        message,
      );
    }
    const all = await Promise.all(
      ['htp:', '"A b"', '1,', '"type"', '["can'].map((words) =>
        editing.actions(words),
      ),
    );
    const titles = all.flat().map(({ title }) => title);
    assert.ok(titles.length > 0);
    assert.ok(!titles.join().includes(canary), titles.join());
  });
});
