import assert from 'node:assert/strict';
import {
  chmod,
  link,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  commands,
  env,
  TreeItemCheckboxState,
  window,
  workspace,
} from 'vscode';
import { Desk, hurried } from './desk.ts';
import { replace } from './person.ts';
import { until } from '../support/eventually.ts';
import { itOnPosix } from '../support/posix.ts';

const path = join(homedir(), '.agent', 'mcp.json');

const text = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "files"], "env": { "TOKEN": "canary" } },
    "search": {
      "url": "https://example.com/mcp?key=canary",
      "transport": "http",
      "enabled": false
    }
  }
}
`;

describe('the MCP Servers view', () => {
  let desk: Desk;

  const write = async (what: string) => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, what, { mode: 0o600 });
  };
  const disk = () => readFile(path, 'utf8');
  const rows = () =>
    desk.trees.servers.getChildren().map((row) => {
      const { label, description, checkboxState } =
        desk.trees.servers.getTreeItem(row);
      const checked =
        typeof checkboxState === 'object' ? checkboxState.state : checkboxState;
      const mark =
        checked === undefined
          ? ''
          : checked === TreeItemCheckboxState.Checked
            ? '[x] '
            : '[ ] ';
      return `${mark}${typeof label === 'string' ? label : ''} · ${String(description)}`;
    });
  const shows = (...expected: string[]) =>
    until(() => JSON.stringify(rows()) === JSON.stringify(expected));
  const files = '[x] files · stdio · npx -y files';
  const search = '[ ] search · http · https://example.com/mcp?key=••••••';

  before(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    await desk.open();
  });

  after(async () => {
    await desk.clear();
  });

  beforeEach(async () => {
    await write(text);
    await desk.servers.refresh();
    await shows(files, search);
  });

  afterEach(async () => {
    desk.person.forget();
    await commands.executeCommand('workbench.action.closeAllEditors');
    await rm(dirname(path), { recursive: true, force: true });
    await desk.servers.refresh();
  });

  it('shows each server with a check box, transport and target but no secret', () => {
    for (const row of desk.trees.servers.getChildren()) {
      assert.doesNotMatch(
        JSON.stringify(desk.trees.servers.getTreeItem(row)),
        /canary/,
      );
    }
  });

  it('follows changes to the file by other programs', async () => {
    await write('{"mcpServers":{"other":{"command":"x"}}}');
    await shows('[x] other · stdio · x');
    await rm(path);
    await shows();
    await write(text);
    await shows(files, search);
  });

  it('keeps its rows when the file is broken, explains why, and opens it at the error', async () => {
    await write('{\n  "mcpServers": {\n    "files" {} } }');
    await until(() => rows().length === 3);
    assert.deepEqual(rows(), [
      'Refused: agents get no servers · Line 3, column 13: a colon is missing.',
      files,
      search,
    ]);
    await desk.run('switchboard.mcp.openConfig');
    const { active } = window.activeTextEditor?.selection ?? {};
    assert.deepEqual([active?.line, active?.character], [2, 12]);
  });

  it('reports a refused file in the first row and each tooltip, and opens it at the error', async () => {
    await write(text.replace('["-y", "files"]', '"-y"'));
    const refused =
      'Refused: agents get no servers · Line 3, column 42: "args" must be a list of strings.';
    await shows(refused, '[x] files · stdio · npx', search);
    const all = desk.trees.servers
      .getChildren()
      .map((row) => desk.trees.servers.getTreeItem(row));
    const said = 'This file is invalid, so agents load none of its servers.';
    assert((all[0]?.tooltip as string).startsWith(said));
    assert.match(
      all[0]?.accessibilityInformation?.label ?? '',
      /^This file is invalid/,
    );
    for (const { tooltip } of all.slice(1))
      assert(
        (tooltip as string).includes(`Refused: ${said} Line 3, column 42:`),
      );
    await desk.run('switchboard.mcp.openConfig');
    const { active } = window.activeTextEditor?.selection ?? {};
    assert.deepEqual([active?.line, active?.character], [2, 41]);
    await write(text.replace('"mcpServers"', '// mine\n"mcpServers"'));
    await shows(
      'Refused: agents get no servers · Line 2, column 3: A comment makes the program refuse the whole file. Remove it.',
      files,
      search,
    );
  });

  it('marks entries that are not servers', async () => {
    await write('{"mcpServers":{"odd":{"type":"x"},"worse":5}}');
    await shows(
      'Refused: agents get no servers · Line 1, column 16: "odd" has neither a command nor a URL. Add "command" or "url".',
      '[x] odd · not a server',
      '[x] worse · not a server',
    );
    const [, odd] = desk.trees.servers.getChildren();
    assert(odd);
    assert.match(
      desk.trees.servers.getTreeItem(odd).contextValue ?? '',
      /faulty/,
    );
  });

  it('disables, enables and removes servers, and restores the file on Undo', async () => {
    await desk.run('switchboard.mcp.disable', 'files');
    await shows(files.replace('[x]', '[ ]'), search);
    assert.equal(
      await disk(),
      text.replace('"canary" } }', '"canary" }, "enabled": false }'),
    );
    assert.match(
      desk.person.heard[0] ?? '',
      /^Disabled "files"\. This takes effect when the OpenHands command line/,
    );

    desk.person.presses.add('Undo');
    await desk.run('switchboard.mcp.enable', 'search');
    assert.match(desk.person.heard[1] ?? '', /^Enabled "search"\./);
    await until(async () => (await disk()).includes('"enabled": false\n'));

    desk.person.presses.clear();
    await desk.run('switchboard.mcp.enable', 'files');
    desk.person.presses.add('Undo');
    const before = await disk();
    await desk.run('switchboard.mcp.remove', 'files', 'search');
    assert.match(desk.person.heard.at(-1) ?? '', /^Removed 2 MCP servers\./);
    await until(async () => (await disk()) === before);
  });

  it('does not promise that a change takes effect while the file is refused', async () => {
    await write(text.replace('["-y", "files"]', '"-y"'));
    await desk.run('switchboard.mcp.disable', 'files');
    assert.equal(
      desk.person.heard[0],
      'Disabled "files". This file is invalid, so agents load none of its servers.',
    );
  });

  it('does not undo if the file has changed since, and says so', async () => {
    const theirs = text.replace('npx', 'uvx');
    const restore = replace(window, 'showInformationMessage', async () => {
      await write(theirs);
      return 'Undo';
    });
    try {
      await desk.run('switchboard.mcp.disable', 'files');
      await until(() => desk.person.heard[0]);
    } finally {
      restore();
    }
    assert.match(
      desk.person.heard[0] ?? '',
      /has been changed since, so this change cannot be undone automatically/,
    );
    assert.equal(await disk(), theirs);
  });

  it('warns that hard links to the file keep the old text', async () => {
    const other = join(dirname(path), 'other.json');
    await link(path, other);
    await desk.run('switchboard.mcp.disable', 'files');
    assert.match(
      desk.person.heard[0] ?? '',
      /^Disabled "files"\. .* The file had other names \(hard links\)/,
    );
    assert.equal(await readFile(other, 'utf8'), text);
  });

  it('asks for a server if none is named, says who reads the list, and offers only matching ones', async () => {
    desk.person.answers.push('search');
    await desk.run('switchboard.mcp.get');
    assert.deepEqual(desk.person.offered, [['files', 'search']]);
    desk.person.answers.push('search');
    await desk.run('switchboard.mcp.enable');
    assert.deepEqual(desk.person.offered[1], ['search']);
    const readers =
      'Read by the OpenHands command line here, not by conversations in the list.';
    assert.deepEqual(desk.person.titles, [readers, readers]);
    assert.match(desk.person.heard[0] ?? '', /^Enabled "search"\./);
    await until(
      () => window.tabGroups.activeTabGroup.activeTab?.label === 'search',
    );
  });

  it('changes the file of an open editor, where you can undo it', async () => {
    await desk.run('switchboard.mcp.reveal', 'search');
    const editor = window.activeTextEditor;
    assert(editor);
    assert.equal(editor.selection.active.line, 3);
    await desk.run('switchboard.mcp.enable', 'search');
    assert.match(
      desk.person.heard[0] ?? '',
      /takes effect when the OpenHands command line/,
    );
    const changed = text.replace('"enabled": false', '"enabled": true');
    assert.equal(await disk(), changed);
    await until(() => editor.document.getText() === changed);
    assert.equal(editor.document.isDirty, false);
    await commands.executeCommand('undo');
    assert.equal(editor.document.getText(), text);
    assert.equal(await editor.document.save(), true);
    assert.equal(await disk(), text);
  });

  it('changes what another program has just written, before the open editor has read it', async () => {
    await desk.run('switchboard.mcp.reveal', 'search');
    const editor = window.activeTextEditor;
    assert(editor);
    // The same lines in another size: an editor that has not read them would
    // refuse to save.
    const theirs = text.replaceAll('\n', '\r\n');
    await write(theirs);
    await desk.run('switchboard.mcp.enable', 'search');
    assert.match(
      desk.person.heard[0] ?? '',
      /takes effect when the OpenHands command line/,
    );
    const changed = theirs.replace('"enabled": false', '"enabled": true');
    assert.equal(await disk(), changed);
    await until(() => editor.document.getText() === changed);
    assert.equal(editor.document.isDirty, false);
  });

  it('saves simultaneous changes of the file of an open editor', async () => {
    await desk.run('switchboard.mcp.reveal', 'files');
    await Promise.all([
      desk.run('switchboard.mcp.disable', 'files'),
      desk.run('switchboard.mcp.enable', 'search'),
    ]);
    await shows(files.replace('[x]', '[ ]'), search.replace('[ ]', '[x]'));
    await until(() => window.activeTextEditor?.document.isDirty === false);
    assert.match(
      await disk(),
      /"canary" \}, "enabled": false.*"enabled": true/s,
    );
    assert.equal(
      desk.person.heard.filter((message) => /^(Dis|En)abled/.test(message))
        .length,
      2,
    );
  });

  it('changes an editor with unsaved changes but does not save it, and says so', async () => {
    await desk.run('switchboard.mcp.reveal', 'files');
    const editor = window.activeTextEditor;
    assert(editor);
    await editor.edit((edit) => {
      edit.replace(
        editor.document.positionAt(text.indexOf('"mcpServers"')),
        ' ',
      );
    });
    await desk.run('switchboard.mcp.disable', 'files');
    assert.equal(editor.document.isDirty, true);
    assert.equal(await disk(), text);
    assert.match(desk.person.heard[0] ?? '', /The file has unsaved changes/);
    await shows(files.replace('[x]', '[ ]'), search);
    await commands.executeCommand('workbench.action.files.revert');
    await shows(files, search);
  });

  it('copies a server as a command without its secrets, and as JSON', async () => {
    await desk.run('switchboard.mcp.copyAsCommand', 'files');
    const command = await env.clipboard.readText();
    assert.match(
      command,
      /mcp add .*files.* --transport stdio|mcp add --transport stdio/,
    );
    assert.doesNotMatch(command, /canary/);
    await desk.run('switchboard.mcp.copyJson', 'files');
    const json = JSON.parse(await env.clipboard.readText()) as {
      readonly files: { readonly command: string };
    };
    assert.equal(json.files.command, 'npx');
  });

  it('reports an unknown server and suggests a similar name', async () => {
    await desk.run('switchboard.mcp.disable', 'fiels');
    await until(() => desk.person.heard[0]);
    assert.equal(
      desk.person.heard[0],
      'There is no server "fiels". Did you mean "files"?',
    );
    assert.equal(await disk(), text);
  });

  it('moves servers from the root into "mcpServers"', async () => {
    await write('{"a":{"command":"x"}}');
    await shows('[x] a · stdio · x');
    await desk.run('switchboard.mcp.wrap');
    assert.equal(await disk(), '{"mcpServers": {"a":{"command":"x"}}}');
  });

  itOnPosix(
    'changes the target of a symbolic link and keeps the link',
    async () => {
      const target = join(dirname(path), 'dotfiles.json');
      await rename(path, target);
      await symlink(target, path);
      await desk.run('switchboard.mcp.enable', 'search');
      assert.equal(
        await readFile(target, 'utf8'),
        text.replace('"enabled": false', '"enabled": true'),
      );
      assert.equal(await readlink(path), target);
    },
  );

  itOnPosix('makes a file private if others can read it', async () => {
    await chmod(path, 0o644);
    await desk.run('switchboard.mcp.makePrivate');
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it('asks conversations for their servers when the status is shown, and only then', async () => {
    await desk.connect({ clock: hurried() });
    await desk.loaded();
    await desk.run('switchboard.mcp.enable', 'search');
    assert.equal(desk.activeServers.asOf, undefined);
    await desk.run('switchboard.mcp.status');
    const title = 'MCP Servers of Running Conversations';
    await until(
      () => window.tabGroups.activeTabGroup.activeTab?.label === title,
    );
    await until(() =>
      desk.activeServers.conversations.some(({ kind }) => kind === 'known'),
    );
    await desk.connectTo();
  });

  it('reads another file if the settings name one', async () => {
    const other = join(homedir(), '.agent', 'other.json');
    await writeFile(other, '{"mcpServers":{"o":{"url":"https://o"}}}');
    await desk.configure({ 'mcp.file': other });
    await shows('[x] o · http · https://o');
    await desk.configure({ 'mcp.file': '' });
    await shows(files, search);
    assert.equal(workspace.getConfiguration('switchboard').get('mcp.file'), '');
  });
});
