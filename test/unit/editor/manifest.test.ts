import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import manifest from '../../../package.json' with { type: 'json' };
import nls from '../../../package.nls.json' with { type: 'json' };
import { container, contextKeys, extensionId, settings, views } from '../../../src/editor/manifest.ts';
import { root } from '../../host/paths.ts';

const { contributes } = manifest;
const properties: Readonly<Record<string, { default: unknown; scope: string }>> =
  contributes.configuration.properties;

/** The keys of `Commands`, which exists only as a type. */
function declaredIds(): string[] {
  const path = join(root, 'src/editor/manifest.ts');
  const { statements } = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const [commands] = statements.filter(ts.isInterfaceDeclaration);
  assert.equal(commands?.name.text, 'Commands');
  return commands.members.map(({ name }) => (name && ts.isStringLiteral(name) ? name.text : ''));
}

describe('package.json', () => {
  const commandIds = declaredIds();

  it('declares the extension, its container and its views under the names in the table', () => {
    assert.equal(`${manifest.publisher}.${manifest.name}`, extensionId);
    assert.deepEqual(
      contributes.viewsContainers.activitybar.map(({ id }) => id),
      [container],
    );
    assert.deepEqual(
      contributes.views[container].map(({ id }) => id),
      Object.values(views),
    );
  });

  it('declares the commands in the table, no more and no fewer, all in one category', () => {
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), [...commandIds].sort());
    for (const { category } of contributes.commands) assert.equal(category, 'Switchboard');
  });

  it('declares the settings in the table with their defaults, and none that a workspace could change', () => {
    assert.deepEqual(
      Object.entries(properties).map(([id, setting]) => [id, setting.default]),
      Object.entries(settings).map(([key, value]) => [`switchboard.${key}`, value]),
    );
    for (const setting of Object.values(properties)) assert.equal(setting.scope, 'machine');
  });

  it('offers each command in a window in which nothing has run yet, if there is a service for it', () => {
    // That there are servers is kept from the window before.
    const known = ["config.switchboard.services != '[]'", contextKeys.hasServers];
    const enabled = (condition: string) =>
      condition
        .replaceAll(/[()]/g, '')
        .split(' || ')
        .some((part) => part.split(' && ').every((key) => key.startsWith('!') || known.includes(key)));
    const never = contributes.commands.filter(
      (command) => 'enablement' in command && !enabled(command.enablement),
    );
    assert.deepEqual(
      never.map(({ command }) => command),
      // There is no demo service yet, no filter, and no file that was read.
      [
        'switchboard.stopDemo',
        'switchboard.conversations.clearFilters',
        'switchboard.mcp.wrap',
        'switchboard.mcp.makePrivate',
      ],
    );
  });

  it('offers no button that does nothing when it is pressed', () => {
    const known: readonly unknown[] = [...commandIds, ...Object.values(views).map((view) => `${view}.focus`)];
    const texts = [
      ...contributes.viewsWelcome.map(({ contents }) => contents),
      ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ description }) => description)),
    ];
    for (const text of texts) {
      const words = Object.entries(nls).find(([key]) => `%${key}%` === text)?.[1] ?? '';
      const targets = [...words.matchAll(/\(command:([^)?]+)/g)].map(([, id]) => id);
      // What cannot be changed is only told.
      assert.equal(targets.length > 0, !text.endsWith('.none%'), text);
      assert.ok(
        targets.every((id) => known.includes(id)),
        words,
      );
    }
  });

  it('asks for each key that the extension sets', () => {
    const text = JSON.stringify(manifest);
    for (const key of Object.values(contextKeys)) assert.ok(text.includes(key), key);
  });

  it('offers what is for its own rows in its own views only', () => {
    for (const { command, when } of contributes.menus['view/item/context']) {
      assert.match(when, /\bview (==|=~) /, command);
    }
  });

  it('has each button of a row in the menu of the row as well, where the keyboard reaches it', () => {
    for (const [view, item] of rows) {
      const actions = contributes.menus['view/item/context'].filter(({ when }) => holds(when, view, item));
      const [buttons, menu] = [true, false].map((inline) =>
        actions.filter(({ group }) => group.startsWith('inline') === inline).map(({ command }) => command),
      );
      assert.ok(buttons && menu && buttons.length > 0, item);
      assert.deepEqual(
        buttons.filter((command) => !menu.includes(command)),
        [],
        item,
      );
    }
  });

  it('asks for a type declaration of the editor that is as old as the oldest editor', () => {
    assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
  });

  it('names only pictures that exist', () => {
    const text = JSON.stringify(manifest);
    for (const [path] of text.matchAll(/media\/[\w./-]+/g)) readFileSync(join(root, path));
  });
});

/** Rows that have buttons: their views, and what the views say of them. */
const rows = [
  [views.conversations, 'conversation link pull paused'],
  [views.conversations, 'requested failed'],
  [views.conversations, 'filter'],
  [views.conversations, 'group service'],
  [views.conversations, 'conversation editable forkable answerable'],
  [views.conversations, 'conversation editable forkable stoppable'],
  [views.sandboxes, 'sandbox running'],
  [views.sandboxes, 'sandbox paused'],
  [views.sandboxes, 'exposed'],
  [views.servers, 'server enabled'],
  [views.servers, 'server disabled'],
  [views.servers, 'server enabled tools'],
] as const;

/** Whether a condition of a menu holds for a row. */
function holds(when: string, view: string, item: string): boolean {
  return when.split(' && ').every((part) => {
    const [, key = '', operator = '', value = ''] = /^(\w+) (==|=~) (.+)$/.exec(part) ?? [];
    assert.ok(['view', 'viewItem'].includes(key), part);
    const actual = key === 'view' ? view : item;
    return operator === '=='
      ? actual === value.replaceAll("'", '')
      : new RegExp(value.slice(1, -1)).test(actual);
  });
}
