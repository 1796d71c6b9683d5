import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type CodeAction,
  commands,
  Diagnostic,
  languages,
  Range,
  type StatusBarItem,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import manifest from '../../package.json' with { type: 'json' };
import { Apart } from './apart.ts';
import { Desk } from './desk.ts';
import { type Anything, replace } from './person.ts';
import { until } from '../support/eventually.ts';

describe('a window without visible views', () => {
  let desk: Desk;
  let apart: Apart;
  let folder: string;
  let showAll: () => void;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    // The editor keeps documents for minutes after their tabs were closed.
    showAll = hideDocuments(workspace.textDocuments);
    folder = join(
      await mkdtemp(join(tmpdir(), 'switchboard-loading-')),
      '.agent',
    );
    await mkdir(folder);
    apart = new Apart(new Map(), false);
    await until(() => apart.views.size === 3);
  });

  afterEach(async () => {
    await apart.deactivate();
    await desk.clear();
    showAll();
    await rm(dirname(folder), { recursive: true });
  });

  async function open(path: string): Promise<void> {
    await writeFile(path, '{}');
    await window.showTextDocument(
      await workspace.openTextDocument(Uri.file(path)),
    );
  }

  it('loads nothing when other JSON files are opened', async () => {
    await mkdir(join(folder, 'other'));
    await open(join(folder, 'other', 'mcp.json'));
    await open(join(folder, 'package.json'));
    assert.equal(apart.access.isLoaded(), false);
  });

  it('offers to let an agent fix a problem if there is a service, without loading anything', async () => {
    const path = join(folder, 'notes.txt');
    await writeFile(path, 'a mistake');
    const { uri } = await workspace.openTextDocument(Uri.file(path));
    const place = new Range(0, 2, 0, 9);
    const problems = languages.createDiagnosticCollection();
    problems.set(uri, [new Diagnostic(place, 'A mistake')]);
    const fixes = async () => {
      const all = await commands.executeCommand<CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        place,
      );
      return all.filter(({ title }) => title === 'Let an agent fix this')
        .length;
    };
    // The window has the extension itself, and the one that is apart.
    assert.equal(await fixes(), 0);
    await desk.connect();
    await until(async () => (await fixes()) === 2);
    assert.equal(apart.access.isLoaded(), false);
    problems.dispose();
  });

  it('registers commands, pages, changed files and their restoration at once, without loading anything', async () => {
    await apart.deactivate();
    apart = new Apart(new Map(), false);
    const all = manifest.contributes.commands
      .map(({ command }) => command)
      .sort();
    assert.deepEqual(apart.commands.toSorted(), all);
    const ready = apart.holds.filter((what) =>
      /^registerWebviewPanelSerializer|^registerFileSystem/.test(what),
    );
    assert.equal(ready.length, 2);
    assert.equal(apart.access.isLoaded(), false);
    await apart.insight;
    // The editor offers no command whose id begins with an underscore.
    assert.deepEqual(
      apart.commands.filter((id) => !id.startsWith('_')).sort(),
      all,
    );
  });

  it('loads everything when a view requests its rows', async () => {
    await apart.views.get('switchboard.servers')?.getChildren();
    assert.equal(apart.access.isLoaded(), true);
  });

  it('loads everything when a command runs', async () => {
    await apart.run('switchboard.showLog');
    assert.equal(apart.access.isLoaded(), true);
  });

  it('loads everything when a configuration file is opened', async () => {
    await open(join(folder, 'mcp.json'));
    await until(() => apart.access.isLoaded());
  });

  it('loads everything when the settings change to name an open file', async () => {
    const path = join(folder, 'servers.json');
    await open(path);
    assert.equal(apart.access.isLoaded(), false);
    await desk.configure({ 'mcp.file': path });
    await until(() => apart.access.isLoaded());
  });

  it('loads everything on startup when the file in the settings is open', async () => {
    const path = join(folder, 'servers.json');
    await open(path);
    await desk.configure({ 'mcp.file': path });
    await apart.deactivate();
    apart = new Apart(new Map(), false);
    await until(() => apart.access.isLoaded());
    assert.ok(await apart.insight);
  });

  it('runs its first command with the service in the settings', async () => {
    const demo = await desk.connect();
    await apart.run('switchboard.conversations.refresh');
    const { switchboard } = await apart.insight;
    assert.equal(switchboard.services[0]?.address, demo.url);
    assert.notEqual(switchboard.conversations.rows.size, 0);
  });

  it('shows one status bar item for the service in the settings, before and after loading', async () => {
    const items = () =>
      apart.holds.filter((what) => what === 'createStatusBarItem').length;
    assert.equal(items(), 0);
    await desk.connect();
    await until(() => items() === 1);
    assert.equal(apart.access.isLoaded(), false);
    await apart.insight;
    assert.equal(items(), 1);
  });

  it('lists only services that it will connect in the status bar, and claims no connection before one answered or after it failed', async () => {
    const items: StatusBarItem[] = [];
    const create = window.createStatusBarItem.bind(window) as Anything;
    await apart.deactivate();
    const restore = replace(window, 'createStatusBarItem', (...args) => {
      const item = create(...args) as StatusBarItem;
      items.push(item);
      return item;
    });
    try {
      const demo = await desk.connect();
      const { url } = demo;
      await desk.configure({
        services: [
          { name: 'One', url },
          { name: 'Off', url: 'http://127.0.0.1:1', enabled: false },
          {
            name: 'Wrong',
            url: 'http://127.0.0.1:2',
            authentication: 'beaver' as 'bearer',
          },
        ],
      });
      apart = new Apart(new Map(), false);
      const item = await until(() => items[0]);
      const words = () => item.accessibilityInformation?.label;
      assert.equal(item.text, '$(plug) One');
      assert.equal(words(), `Agent Switchboard: Not connected to ${url} yet`);
      const { switchboard } = await apart.insight;
      await until(() => switchboard.services[0]);
      await switchboard.conversations.refresh();
      assert.match(words() ?? '', /^Agent Switchboard: Connected to /);
      demo.misbehave({ unauthorized: true });
      await switchboard.conversations.refresh();
      assert.match(words() ?? '', / did not accept the key/);
      assert.doesNotMatch(words() ?? '', /Connected to /);
      // Markdown would break the lines within words.
      assert.equal(typeof item.tooltip, 'string');
    } finally {
      await apart.deactivate();
      restore();
      apart = new Apart(new Map(), false);
    }
  });
});

/** Returns how to show them again. */
function hideDocuments(hidden: readonly TextDocument[]): () => void {
  const original =
    Object.getOwnPropertyDescriptor(workspace, 'textDocuments') ?? {};
  Object.defineProperty(workspace, 'textDocuments', {
    configurable: true,
    get: () =>
      (original.get?.call(workspace) as readonly TextDocument[]).filter(
        (each) => !hidden.includes(each),
      ),
  });
  return () => {
    Object.defineProperty(workspace, 'textDocuments', original);
  };
}
