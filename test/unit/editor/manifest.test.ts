import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import manifest from '../../../package.json' with { type: 'json' };
import nls from '../../../package.nls.json' with { type: 'json' };
import {
  container,
  contextKeys,
  conversationPage,
  extensionId,
  settings,
  views,
} from '../../../src/editor/manifest.ts';
import { serviceInterfaces } from '../../../src/service/abilities/agentService.ts';
import { root } from '../../host/paths.ts';

const { contributes } = manifest;
const properties: Readonly<
  Record<string, { default: unknown; scope: string }>
> = contributes.configuration.properties;

/** The keys of `Commands`, which exists only as a type. */
function declaredIds(): string[] {
  const path = join(root, 'src/editor/manifest.ts');
  const { statements } = ts.createSourceFile(
    path,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
  );
  const [commands] = statements.filter(ts.isInterfaceDeclaration);
  assert.equal(commands?.name.text, 'Commands');
  return commands.members.map(({ name }) =>
    name && ts.isStringLiteral(name) ? name.text : '',
  );
}

describe('package.json', () => {
  const commandIds = declaredIds();

  it('declares the extension, its container and its views under the names in the code', () => {
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

  it('declares exactly the commands in the code, all in one category', () => {
    assert.deepEqual(
      contributes.commands.map(({ command }) => command).sort(),
      [...commandIds].sort(),
    );
    for (const { category } of contributes.commands)
      assert.equal(category, 'Switchboard');
  });

  it('declares exactly the settings in the code with their defaults, all at machine scope', () => {
    assert.deepEqual(
      Object.entries(properties).map(([id, setting]) => [id, setting.default]),
      Object.entries(settings).map(([key, value]) => [
        `switchboard.${key}`,
        value,
      ]),
    );
    for (const setting of Object.values(properties))
      assert.equal(setting.scope, 'machine');
  });

  it('offers every kind of service in the settings', () => {
    const { interface: setting } =
      contributes.configuration.properties['switchboard.services'].items
        .properties;
    assert.deepEqual(setting.enum, ['auto', ...serviceInterfaces]);
  });

  it('enables all but five commands in a new window with a configured service', () => {
    // That there are servers is kept from the window before.
    const known = [
      "config.switchboard.services != '[]'",
      contextKeys.hasServers,
    ];
    const enabled = (condition: string) =>
      condition
        .replaceAll(/[()]/g, '')
        .split(' || ')
        .some((part) =>
          part
            .split(' && ')
            .every((key) => key.startsWith('!') || known.includes(key)),
        );
    const never = contributes.commands.filter(
      (command) => 'enablement' in command && !enabled(command.enablement),
    );
    assert.deepEqual(
      never.map(({ command }) => command),
      // There is no demo service yet, nothing else to notify, no filter, and no
      // file that was read.
      [
        'switchboard.stopDemo',
        'switchboard.sendTestNotification',
        'switchboard.conversations.clearFilters',
        'switchboard.mcp.wrap',
        'switchboard.mcp.makePrivate',
      ],
    );
  });

  it('offers at most 57 commands in the palette with a service, and at most 10 without', () => {
    const everything = {
      "config.switchboard.services != '[]'": true,
      'config.switchboard.onAttention.url': true,
      editorHasSelection: true,
      ...Object.fromEntries(
        Object.values(contextKeys).map((key) => [
          key,
          !key.includes('.lacks') && key !== contextKeys.demo,
        ]),
      ),
    };
    const withService = offered(everything);
    assert.ok(
      withService.length <= 57,
      `${String(withService.length)}: ${withService.join(', ')}`,
    );
    for (const words of [
      'Add',
      'Check',
      'Edit',
      'Enable',
      'Disable',
      'Remove',
    ]) {
      const ids = withService.filter((title) =>
        title.startsWith(`${words} MCP Server`),
      );
      assert.deepEqual(
        ids,
        words === 'Add'
          ? ['Add MCP Server', 'Add MCP Server from Text']
          : [ids[0]],
        words,
      );
    }
    const without = offered({});
    assert.ok(without.length <= 10, without.join(', '));
    assert.ok(
      without.includes('Connect to a Service') &&
        without.includes('Add MCP Server'),
    );
  });

  for (const [typed, title] of [
    ['approve', 'Approve or Reject Action…'],
    ['new chat', 'New Conversation (Agent Chat)'],
    ['new conversation', 'New Conversation (Agent Chat)'],
    ['agent', 'New Conversation (Agent Chat)'],
    ['agent', 'Stop Agent'],
    ['model', 'Switch Model…'],
    ['switch', 'Switch Model…'],
    ['review', 'Mark All as Reviewed'],
    ['review', 'Send Review'],
    ['diff', 'Show Changes (Diff)'],
    ['compact', 'Compact Conversation'],
    ['fork', 'Fork Conversation'],
    ['mcp status', 'Show MCP Status'],
  ] as const) {
    it(`offers "${title}" in the palette on the page of a conversation when "${typed}" is typed`, () => {
      const titles = offered({
        ["config.switchboard.services != '[]'"]: true,
        [`activeWebviewPanelId == '${conversationPage}'`]: true,
      });
      const matches = titles.filter((offer) =>
        typed.split(' ').every((word) => offer.toLowerCase().includes(word)),
      );
      assert.ok(matches.includes(title), matches.join(', '));
    });
  }

  it('registers every promised command that only menus offer, so that keys can run it', () => {
    // Commands with the condition "false" are registered only when a view, page
    // or comment is shown.
    const late = contributes.menus.commandPalette.filter(
      ({ when }) => when === 'false',
    );
    const promised = [
      'clearApiKey',
      'conversations.loadMore',
      'conversations.clearFilters',
    ];
    promised.push(
      'conversations.copyId',
      'sandboxes.refresh',
      'sandboxes.copyId',
    );
    promised.push('mcp.checkAll', 'mcp.list', 'mcp.copyAsCommand');
    assert.deepEqual(
      late.filter(({ command }) =>
        promised.some((id) => command === `switchboard.${id}`),
      ),
      [],
    );
  });

  it('uses only existing commands in welcome views and walkthroughs', () => {
    const known: readonly unknown[] = [
      ...commandIds,
      ...Object.values(views).map((view) => `${view}.focus`),
    ];
    const texts = [
      ...contributes.viewsWelcome.map(({ contents }) => contents),
      ...contributes.walkthroughs.flatMap(({ steps }) =>
        steps.map(({ description }) => description),
      ),
    ];
    for (const text of texts) {
      const words =
        Object.entries(nls).find(([key]) => `%${key}%` === text)?.[1] ?? '';
      const targets = [...words.matchAll(/\(command:([^)?]+)/g)].map(
        ([, id]) => id,
      );
      // A text about something that cannot be changed has no link.
      assert.equal(targets.length > 0, !text.endsWith('.none%'), text);
      assert.ok(
        targets.every((id) => known.includes(id)),
        words,
      );
    }
  });

  it('has what the marketplaces show', () => {
    const {
      description,
      keywords,
      pricing,
      qna,
      homepage,
      bugs,
      repository,
      badges,
    } = manifest;
    assert.equal(description, '%description%');
    for (const name of [
      'OpenHands Agent Server',
      'Agent Canvas',
      'web application',
      'OpenHands Cloud',
    ])
      assert.ok(nls.description.includes(name), name);
    assert.ok(keywords.includes('openhands') && keywords.length <= 30);
    assert.equal(pricing, 'Free');
    for (const url of [
      qna,
      homepage,
      bugs.url,
      repository.url,
      ...badges.flatMap(({ url, href }) => [url, href]),
    ])
      assert.match(url, /^https:/);
  });

  it('ticks each step of the walkthrough with an event of its own, which is not the opening of a view', () => {
    const steps = contributes.walkthroughs.flatMap(({ steps }) => steps);
    const events = steps.flatMap(({ completionEvents }) => completionEvents);
    assert.equal(events.length, steps.length);
    assert.equal(new Set(events).size, steps.length);
    for (const event of events)
      assert.match(event, /^on(?:Context|Command):switchboard\.\w+(?:\.\w+)*$/);
  });

  it('uses every context key that the extension sets', () => {
    const text = JSON.stringify(manifest);
    for (const key of Object.values(contextKeys))
      assert.ok(text.includes(key), key);
  });

  it('limits every row action to certain views', () => {
    for (const { command, when } of contributes.menus['view/item/context']) {
      assert.match(when, /\bview (==|=~) /, command);
    }
  });

  it('repeats every inline button of a row in its context menu', () => {
    for (const [view, item] of rows) {
      const actions = contributes.menus['view/item/context'].filter(
        ({ when }) => holds(when, view, item),
      );
      const [buttons, menu] = [true, false].map((inline) =>
        actions
          .filter(({ group }) => group.startsWith('inline') === inline)
          .map(({ command }) => command),
      );
      assert.ok(buttons && menu && buttons.length > 0, item);
      assert.deepEqual(
        buttons.filter((command) => !menu.includes(command)),
        [],
        item,
      );
    }
  });

  it('pins the VS Code types to the oldest supported version', () => {
    assert.equal(
      manifest.engines.vscode,
      `^${manifest.devDependencies['@types/vscode']}`,
    );
  });

  it('refers only to images that exist', () => {
    const text = JSON.stringify(manifest);
    for (const [path] of text.matchAll(/media\/[\w./-]+/g))
      readFileSync(join(root, path));
  });
});

function said(title: string): string {
  return Object.entries(nls).find(([key]) => `%${key}%` === title)?.[1] ?? '';
}

/** The titles in the palette where these conditions hold, and no others. */
function offered(
  conditions: Readonly<Record<string, boolean>>,
): readonly string[] {
  const isTrue = (when: string): boolean => {
    const inner = /\(([^()]*)\)/.exec(when);
    if (inner)
      return isTrue(when.replace(inner[0], String(isTrue(inner[1] ?? ''))));
    return when
      .split(' || ')
      .some((part) =>
        part
          .split(' && ')
          .every((key) =>
            key.startsWith('!')
              ? !isTrue(key.slice(1))
              : key === 'true' || conditions[key] === true,
          ),
      );
  };
  return contributes.commands.flatMap((command) => {
    const inPalette = contributes.menus.commandPalette.find(
      (item) => item.command === command.command,
    );
    const needed = [
      inPalette?.when,
      'enablement' in command ? command.enablement : undefined,
    ];
    return needed.every((when) => when === undefined || isTrue(when))
      ? [said(command.title)]
      : [];
  });
}

/** Rows that have buttons: their views, and what the views say of them. */
const rows = [
  [views.conversations, 'conversation link pull paused'],
  [views.conversations, 'requested failed'],
  [views.conversations, 'filter'],
  [views.conversations, 'problem'],
  [views.conversations, 'group service'],
  [views.conversations, 'conversation editable forkable answerable'],
  [views.conversations, 'conversation editable forkable answerable acceptable'],
  [views.conversations, 'conversation editable forkable stoppable'],
  [views.sandboxes, 'sandbox running'],
  [views.sandboxes, 'sandbox paused'],
  [views.sandboxes, 'exposed'],
  [views.servers, 'server enabled'],
  [views.servers, 'server disabled'],
  [views.servers, 'server enabled tools'],
] as const;

/** True if a menu's condition holds for a row. */
function holds(when: string, view: string, item: string): boolean {
  return when.split(' && ').every((part) => {
    const [, key = '', operator = '', value = ''] =
      /^(\w+) (==|=~) (.+)$/.exec(part) ?? [];
    assert.ok(['view', 'viewItem'].includes(key), part);
    const actual = key === 'view' ? view : item;
    return operator === '=='
      ? actual === value.replaceAll("'", '')
      : new RegExp(value.slice(1, -1)).test(actual);
  });
}
