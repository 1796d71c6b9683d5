import assert from 'node:assert/strict';
import {
  commands,
  type Disposable,
  languages,
  type TextDocument,
  workspace,
} from 'vscode';
import { registerConfigurationHelp } from '../../src/editor/mcpJson/register.ts';
import { EditingDesk, withSchema } from './editingDesk.ts';
import { type Anything, replace } from './person.ts';
import { until } from '../support/eventually.ts';

const wrong =
  '{"mcpServers": {"a": {"command": "x", "args": 5, "disabled": true}}}';

/**
 * Records the disposables of the editor that are in use, by the names of the
 * functions that returned them.
 */
class Account {
  readonly held: string[] = [];
  readonly #restore: (() => void)[];

  constructor() {
    this.#restore = [languages, workspace].flatMap((namespace) =>
      Object.keys(namespace)
        .filter((name) => /^(?:register|onDid|createDiagnostic)/.test(name))
        .map((name) => {
          const original = (Reflect.get(namespace, name) as Anything).bind(
            namespace,
          );
          return replace(namespace, name, (...args) =>
            this.#hold(name, original(...args) as Disposable),
          );
        }),
    );
  }

  end(): void {
    for (const restore of this.#restore) restore();
  }

  #hold(name: string, disposable: Disposable): Disposable {
    this.held.push(name);
    const dispose = disposable.dispose.bind(disposable);
    disposable.dispose = () => {
      const index = this.held.indexOf(name);
      if (index >= 0) this.held.splice(index, 1);
      dispose();
    };
    return disposable;
  }
}

/**
 * The editor keeps documents for minutes after their tabs were closed. Until it
 * is restored, it is as if it did not.
 */
function forgetDocuments(): () => void {
  const name = 'textDocuments';
  const original = Object.getOwnPropertyDescriptor(workspace, name) ?? {};
  const all = () => original.get?.call(workspace) as readonly TextDocument[];
  const kept = new Set(all());
  const get = () => all().filter((document) => !kept.has(document));
  Object.defineProperty(workspace, name, { configurable: true, get });
  return () => {
    Object.defineProperty(workspace, name, original);
  };
}

describe('the help for configuration files', () => {
  let desk: EditingDesk;
  let remember: () => void;
  let account: Account;
  const helps: Disposable[] = [];

  beforeEach(async () => {
    desk = await EditingDesk.setUp();
    // The extension in this window has loaded its own help before that.
    const editing = await desk.open(wrong, withSchema, false);
    await until(() => editing.ours.length > 0);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await until(() => editing.ours.length === 0);
    remember = forgetDocuments();
    account = new Account();
  });

  afterEach(async () => {
    for (const help of helps.splice(0)) help.dispose();
    account.end();
    remember();
    await desk.clear();
  });

  function register() {
    const help = registerConfigurationHelp();
    helps.push(help);
    return help;
  }

  it('loads only when a configuration file is open, and leaves nothing when disposed', async () => {
    const help = register();
    assert.deepEqual(account.held, [
      'onDidOpenTextDocument',
      'onDidChangeConfiguration',
    ]);
    const editing = await desk.open(wrong, withSchema, false);
    await until(() => account.held.includes('registerRenameProvider'));
    await until(() => editing.ours.length > 0);
    await editing.write('{');
    help.dispose();
    assert.deepEqual(account.held, []);
  });

  it('leaves nothing when disposed while loading', async () => {
    await desk.open(wrong, withSchema, false);
    const help = register();
    help.dispose();
    await until(() => account.held.length === 0);
    // The first would be loaded before another one.
    const other = register();
    await until(() => account.held.includes('registerRenameProvider'));
    assert.equal(
      account.held.filter((name) => name === 'registerRenameProvider').length,
      1,
    );
    other.dispose();
    assert.deepEqual(account.held, []);
  });
});
