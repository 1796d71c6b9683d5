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
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import manifest from '../../package.json' with { type: 'json' };
import { rememberShown } from '../../src/editor/restored.ts';
import { Apart } from './apart.ts';
import { Desk } from './desk.ts';
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
    folder = join(await mkdtemp(join(tmpdir(), 'switchboard-loading-')), '.agent');
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
    await window.showTextDocument(await workspace.openTextDocument(Uri.file(path)));
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
      const all = await commands.executeCommand<CodeAction[]>('vscode.executeCodeActionProvider', uri, place);
      return all.filter(({ title }) => title === 'Let an agent fix this').length;
    };
    // The window has the extension itself, and the one that is apart.
    assert.equal(await fixes(), 0);
    await desk.connect();
    await until(async () => (await fixes()) === 2);
    assert.equal(apart.access.isLoaded(), false);
    problems.dispose();
  });

  it('registers to restore pages and changes only if some were shown or everything is loaded', async () => {
    const ready = ({ holds }: Apart) =>
      holds.filter(
        (what) => what === 'registerWebviewPanelSerializer' || what === 'registerFileSystemProvider',
      ).length;
    assert.equal(ready(apart), 0);
    await apart.insight;
    assert.equal(ready(apart), 2);
    const memory = new Map<string, unknown>();
    rememberShown({
      get: (name) => memory.get(name),
      update: (name, value) => Promise.resolve(void memory.set(name, value)),
    });
    await apart.deactivate();
    apart = new Apart(memory, false);
    assert.equal(ready(apart), 2);
    assert.equal(apart.access.isLoaded(), false);
    await apart.insight;
    assert.equal(ready(apart), 2);
  });

  const all = manifest.contributes.commands.map(({ command }) => command).sort();
  const { commandPalette } = manifest.contributes.menus;
  const hidden = commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command);
  const forServices = commandPalette
    .filter(({ when }) => when.includes('config.switchboard.services'))
    .map(({ command }) => command);
  const missing = () => all.filter((id) => !apart.commands.includes(id));

  it('registers only the palette commands that need no service until everything is loaded', async () => {
    assert.ok(hidden.includes('switchboard.conversations.openChangedFile'));
    assert.ok(forServices.includes('switchboard.conversations.copyId'));
    assert.deepEqual(missing(), [...hidden, ...forServices].sort());
    await apart.insight;
    // The editor offers no command whose id begins with an underscore.
    assert.deepEqual(apart.commands.filter((id) => !id.startsWith('_')).sort(), all);
  });

  it('registers all palette commands when a service is added to the settings', async () => {
    await desk.connect();
    await until(() => missing().length === hidden.length);
    assert.deepEqual(missing(), [...hidden].sort());
    assert.equal(apart.access.isLoaded(), false);
  });

  it('registers all palette commands immediately on activation with a service in the settings', async () => {
    await desk.connect();
    await apart.deactivate();
    apart = new Apart(new Map(), false);
    assert.deepEqual(missing(), [...hidden].sort());
  });

  it('registers all palette commands when no service in the settings is valid', async () => {
    await desk.configure({ services: [{ url: 'ftp://example.com' }] });
    await until(() => missing().length === hidden.length);
    assert.deepEqual(missing(), [...hidden].sort());
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
    const items = () => apart.holds.filter((what) => what === 'createStatusBarItem').length;
    assert.equal(items(), 0);
    await desk.connect();
    await until(() => items() === 1);
    assert.equal(apart.access.isLoaded(), false);
    // What is loaded has an item of its own.
    await apart.insight;
    assert.equal(items(), 1);
  });
});

/** Returns how to show them again. */
function hideDocuments(hidden: readonly TextDocument[]): () => void {
  const original = Object.getOwnPropertyDescriptor(workspace, 'textDocuments') ?? {};
  Object.defineProperty(workspace, 'textDocuments', {
    configurable: true,
    get: () =>
      (original.get?.call(workspace) as readonly TextDocument[]).filter((each) => !hidden.includes(each)),
  });
  return () => {
    Object.defineProperty(workspace, 'textDocuments', original);
  };
}
