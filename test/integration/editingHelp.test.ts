import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { EditingDesk, elsewhere, withSchema } from './editingDesk.ts';
import { until } from '../support/eventually.ts';

const text = `{
  "mcpServers": {
    "files": {
      "command": "node",
      "args": ["canary-1"],
      "env": { "TOKEN": "canary-2" }
    },
    "web": {
      "url": "https://example.com/mcp?key=canary-3",
      "transport": "sse",
      "enabled": false
    },
    "odd": 1
  }
}
`;

describe('the help in a configuration file', () => {
  let desk: EditingDesk;

  beforeEach(async () => {
    desk = await EditingDesk.setUp();
  });

  afterEach(async () => {
    await desk.clear();
  });

  for (const [which, end] of [
    ['with our schema', withSchema],
    ['at another configured path', elsewhere],
  ] as const) {
    it(`explains keys, values and servers on hover in a file ${which}`, async () => {
      const editing = await desk.open(text, end);
      const explained = async (words: string, what: RegExp) => {
        await until(async () => what.test(await editing.hover(words)));
      };
      await explained('"mcpServers"', /MCP servers by name/);
      await explained('"files"', /Local MCP server/);
      await explained('"args"', /arguments of the program/);
      await explained('"transport"', /means `sse`/);
      await explained('"sse"', /older transport/);
      await explained('"enabled"', /without this key is enabled/);
    });

    it(`completes keys and values in a file ${which}`, async () => {
      const keys = await desk.open(
        text.replace('"env": { "TOKEN": "canary-2" }', '"|"'),
        end,
      );
      const offered = await until(
        () => keys.completions(),
        (found) => found.has('cwd'),
      );
      assert.ok(
        offered.has('env') && offered.has('timeout'),
        [...offered.keys()].join(),
      );
      assert.ok(
        !offered.has('headers') && !offered.has('command'),
        [...offered.keys()].join(),
      );
      await keys.document.save();
      await commands.executeCommand('workbench.action.closeActiveEditor');
      const values = await desk.open(text.replace('"sse"', '"|"'), end);
      const choices = await until(
        () => values.completions(),
        (found) => found.has('"streamable-http"'),
      );
      assert.deepEqual(
        [...choices.keys()].filter((label) => label.startsWith('"')).sort(),
        ['"http"', '"sse"', '"streamable-http"'],
      );
    });

    it(`offers a snippet for each kind of server, with and without its name, in a file ${which}`, async () => {
      const named = await desk.open('{"mcpServers": {"a": | }}', end);
      const kinds = [
        'Local server',
        'Local server with a variable',
        'Remote server',
        'Remote server over server-sent events',
        'Remote server with a header',
        'Remote server with OAuth',
      ];
      const offered = await until(
        () => named.completions(),
        (found) => found.has('Local server'),
      );
      for (const kind of kinds) assert.ok(offered.has(kind), kind);
      await commands.executeCommand('workbench.action.closeActiveEditor');
      const free = await desk.open('{"mcpServers": {|}}', end);
      const whole = await until(
        () => free.completions(),
        (found) => found.has('Local server'),
      );
      for (const kind of kinds)
        assert.match(whole.get(kind) ?? '', /^"\$\{1:name\}": \{/, kind);
    });

    it(`shows actions above each server in a file ${which}`, async () => {
      const editing = await desk.open(text, end);
      assert.deepEqual(
        await until(
          () => editing.lenses(),
          (found) => found.length > 0,
        ),
        [
          '0 Add Server',
          '2 Disable files',
          '2 Check files',
          '2 Remove files',
          '2 Copy as Command files',
          '7 Enable web',
          '7 Check web',
          '7 Remove web',
          '7 Copy as Command web',
          '12 Remove odd',
        ],
      );
    });

    it(`lists the servers in the outline without their values in a file ${which}`, async () => {
      const editing = await desk.open(text, end);
      const symbols = await until(async () => {
        const all = await editing.symbols();
        const found = all.filter(({ detail }) => detail !== '');
        return found.some(({ detail }) => detail === 'stdio')
          ? found
          : undefined;
      });
      assert.deepEqual(
        symbols
          .filter(({ name }) => name !== 'mcpServers')
          .map(({ name, detail }) => `${name}: ${detail}`),
        ['files: stdio', 'web: sse, disabled', 'odd: not a server'],
      );
      assert.deepEqual(
        symbols[0]?.children.map(({ name }) => name),
        ['command', 'args', 'env'],
      );
      assert.ok(!JSON.stringify(symbols).includes('canary'));
    });

    it(`renames a server but no other key in a file ${which}`, async () => {
      const editing = await desk.open(text, end);
      await editing.rename('"web"', 'the "web"');
      assert.equal(editing.text, text.replace('"web"', '"the \\"web\\""'));
      assert.ok(editing.document.isDirty);
      await commands.executeCommand('undo');
      assert.equal(editing.text, text);
      await assert.rejects(
        editing.rename('"web"', 'files'),
        /already a server "files"\. Choose another name/,
      );
      await assert.rejects(
        editing.rename('"url"', 'x'),
        /Only the names of servers/,
      );
      assert.equal(editing.text, text);
    });
  }

  it('shows actions and the outline despite an error elsewhere in the file', async () => {
    const editing = await desk.open(text.replace('"odd": 1', '"odd": '));
    const lenses = await until(
      () => editing.lenses(),
      (found) => found.length > 0,
    );
    assert.ok(
      lenses.includes('2 Disable files') && lenses.includes('7 Enable web'),
      lenses.join(),
    );
    const details = (await editing.symbols()).map(({ detail }) => detail);
    assert.ok(
      details.includes('stdio') && details.includes('sse, disabled'),
      details.join(),
    );
    await assert.rejects(
      editing.rename('"web"', 'net'),
      /not valid JSON\. Correct it before/,
    );
  });

  it('disables a server in the editor, offers Enable above it, and undoes it', async () => {
    const editing = await desk.open(text);
    // The editor does not watch a file that it has only just opened.
    await until(
      () => editing.lenses(),
      (found) => found.includes('2 Disable files'),
    );
    await desk.desk.run('switchboard.mcp.disable', 'files');
    await until(() =>
      editing.text.includes('"TOKEN": "canary-2" },\n      "enabled": false'),
    );
    await until(
      () => editing.lenses(),
      (found) => found.includes('2 Enable files'),
    );
    await commands.executeCommand('undo');
    assert.equal(editing.text, text);
  });

  it('removes its actions when the settings no longer name the file', async () => {
    const editing = await desk.open(text);
    await until(
      () => editing.lenses(),
      (found) => found.length > 0,
    );
    await desk.desk.configure({ 'mcp.file': '' });
    await until(
      () => editing.lenses(),
      (found) => found.length === 0,
    );
  });
});
