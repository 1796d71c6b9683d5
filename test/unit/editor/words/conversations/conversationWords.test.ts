import assert from 'node:assert/strict';
import { Secret } from '../../../../../src/base/secret.ts';
import {
  conversationDescription,
  conversationLabel,
  conversationTooltip,
  factsOf,
  requestedProblem,
  requestedTitle,
  requestedWord,
  rowTitle,
  titleOf,
} from '../../../../../src/editor/words/conversations/conversationWords.ts';
import { factLines } from '../../../../../src/editor/words/facts.ts';
import type { WaitingAction } from '../../../../../src/state/transcript/waiting.ts';
import { conversation } from '../../../state/support.ts';

const now = new Date(2026, 0, 15, 10, 42).getTime();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const facts = (change: Parameters<typeof conversation>[0]) =>
  new Map(factsOf(conversation(change), now));

describe('a title', () => {
  const id = '0123456789abcdef0123456789abcdef';

  it('repeats the title that the service gives', () => {
    assert.equal(titleOf({ title: 'Fix it', id }), 'Fix it');
    assert.equal(
      titleOf({ title: 'Conversation about abc', id }),
      'Conversation about abc',
    );
  });

  it('shows the start of the ID without a title or with a placeholder', () => {
    const dashed = '01234567-89ab-cdef-0123-456789abcdef';
    for (const title of [
      '',
      `Conversation ${id}`,
      `conversation ${dashed}`,
      `Conversation ${id.toUpperCase()}`,
    ]) {
      assert.equal(titleOf({ title, id }), 'Untitled 01234567');
    }
  });

  it('shows only visible characters of an ID', () => {
    assert.doesNotMatch(
      titleOf({ title: '', id: 'a\u202Eb\nc\u0007' }),
      /[\p{Cc}\u202E]/u,
    );
    assert.doesNotMatch(
      factLines(factsOf(conversation({ id: 'a\u202Eb\u0007' }), now)),
      /[\u0007\u202E]/,
    );
  });

  it('shows the first line of the message of a requested conversation, cut to 80 characters', () => {
    const title = (message: string) =>
      requestedTitle({
        id: '1',
        address: '',
        wanted: { message },
        begunAt: 0,
      });
    assert.equal(title('\n  Fix it\r\nand more'), 'Fix it');
    assert.equal(title('a\u202Eb'), 'a b');
    assert.equal(title(' \n '), 'New conversation');
    assert.equal(Array.from(title('😀'.repeat(200))).length, 80);
    assert.match(title('😀'.repeat(200)), /^(😀)+…$/u);
  });
});

describe('a requested conversation', () => {
  const start = {
    id: '1',
    address: '',
    wanted: { message: 'Fix it' },
    begunAt: 0,
  };
  const task = {
    id: 't',
    stage: 'working',
    conversationId: undefined,
    sandboxId: undefined,
    detail: undefined,
  } as const;
  const error = 'Because.';

  it('says “Not created” only when that is certain', () => {
    assert.equal(requestedWord(start), 'Sending');
    assert.equal(requestedWord({ ...start, task }), 'Beginning');
    assert.equal(requestedWord({ ...start, error }), 'Not created');
    assert.equal(
      requestedWord({ ...start, error, unknown: true }),
      'May have been created',
    );
    assert.equal(
      requestedWord({ ...start, error, unknown: true, cancelled: true }),
      'Canceled',
    );
  });

  it('warns before another try when it may have been created', () => {
    assert.equal(requestedProblem(start), undefined);
    assert.equal(
      requestedProblem({ ...start, error }),
      'The conversation “Fix it” was not created: Because.',
    );
    assert.equal(
      requestedProblem({ ...start, error, unknown: true }),
      'The conversation “Fix it” may have been created. Look for it in the list before you try again. Because.',
    );
  });
});

describe('the row of a conversation', () => {
  const full = conversation({
    title: 'Fix it',
    execution: 'running',
    repository: 'octo/shop',
    branch: 'main',
    createdAt: now - day,
    updatedAt: now - 5 * minute,
  });

  it('shows age, repository and branch after its title', () => {
    assert.equal(
      conversationDescription(full, now),
      '5 min · octo/shop · main',
    );
  });

  it('shows how much is left to review in place of the number of files', () => {
    const beside = { files: 8, review: { left: 3, all: 8 } };
    const shown = conversationDescription(full, now, beside);
    assert.equal(shown, '5 min · 3 of 8 to review · octo/shop · main');
    assert.match(
      conversationLabel(full, now, beside),
      /, 8 files changed, 3 of 8 to review, /,
    );
    const done = { ...beside, review: { left: 0, all: 8 } };
    assert.match(
      conversationDescription(full, now, done),
      /^5 min · reviewed · /,
    );
  });

  it('reads its title, state, repository, branch and age to a screen reader', () => {
    assert.equal(
      conversationLabel(full, now),
      'Fix it, Working, repository octo/shop, branch main, 5 minutes ago',
    );
  });

  it('says that it is pinned, archived or unread', () => {
    const marked = { ...full, isPinned: true, isArchived: true };
    assert.equal(
      conversationDescription(marked, now),
      '5 min · Pinned · Archived · octo/shop · main',
    );
    assert.match(
      conversationLabel(marked, now, { isUnread: true }),
      /^Fix it, Working, Unread, Pinned, Archived, /,
    );
    const [, state] = conversationTooltip(marked, now, {
      isUnread: true,
    }).split('\n');
    assert.equal(state, 'Working · Unread · Pinned · Archived');
  });

  it('leaves out unknown values', () => {
    assert.equal(conversationDescription(conversation(), now), '');
    assert.equal(conversationLabel(conversation(), now), 'Fix the build, Idle');
    assert.equal(
      conversationDescription(
        conversation({ branch: 'main', createdAt: now }),
        now,
      ),
      'now · main',
    );
    assert.equal(
      conversationDescription(conversation({ createdAt: 0 }), now),
      '56 y',
    );
    assert.equal(
      conversationLabel(conversation({ updatedAt: 0 }), now),
      'Fix the build, Idle, 56 years ago',
    );
  });
});

describe('the list of facts about a conversation', () => {
  it('lists everything that is known, with relative and absolute dates', () => {
    const all = conversation({
      id: 'id-1',
      execution: 'running',
      runtime: 'ready',
      repository: 'octo/shop',
      branch: 'main',
      provider: 'code_host_a',
      pullRequests: [7, 12],
      trigger: 'gui',
      model: 'large',
      connections: 2,
      createdAt: now - 3 * day,
      updatedAt: now - 2 * hour,
      sandboxId: 'box-1',
    });
    assert.deepEqual(
      factLines(factsOf(all, now)).replaceAll('\u202F', ' ').split('\n'),
      [
        'State: Working',
        'Agent: Working',
        'Sandbox: Running',
        'Machine: Ready',
        'Repository: octo/shop',
        'Branch: main',
        'Code host: GitHub',
        'Pull requests: #7, #12',
        'Started by: Web page',
        'Model: large',
        'Connections: 2',
        'Created: 3 days ago (Jan 12, 2026, 10:42 AM)',
        'Last activity: 2 hours ago (Jan 15, 2026, 8:42 AM)',
        'Sandbox ID: box-1',
        'ID: id-1',
      ],
    );
  });

  it('lists only state, sandbox and ID when nothing else is known', () => {
    const names = factsOf(
      conversation({ execution: undefined, id: 'x' }),
      now,
    ).map(([name]) => name);
    assert.deepEqual(names, ['State', 'Sandbox', 'ID']);
    assert.ok(facts({ createdAt: 0 }).has('Created'));
  });

  it('shows no secret of a link', () => {
    const link = {
      shown: 'https://a.example/x',
      full: new Secret('https://a.example/x?tkn=canary'),
    };
    const text = factLines(factsOf(conversation({ link }), now));
    assert.doesNotMatch(text, /canary|tkn|•/);
  });
});

describe('the tooltip of a conversation', () => {
  const lines = (...given: Parameters<typeof conversationTooltip>) =>
    conversationTooltip(...given)
      .replaceAll('\u202F', ' ')
      .split('\n');
  const action = (toolName: string, fields: object) => ({
    id: 'a1',
    toolName,
    actionKind: undefined,
    arguments: JSON.stringify(fields),
  });
  const full = conversation({
    title: 'Fix it',
    execution: 'waitingForConfirmation',
    repository: 'octo/shop',
    branch: 'main',
    model: 'large',
    cost: 0.42,
    createdAt: now - 3 * day,
    updatedAt: now - 2 * hour,
    sandboxId: 'box-1',
  });

  it('has at most six lines: title, state, place, service, cost and age', () => {
    const actions = [
      action('terminal', { command: 'deploy --token canary' }),
      action('search_issues', {}),
    ] as unknown as readonly WaitingAction[];
    assert.deepEqual(lines(full, now, { service: 'At home', actions }), [
      'Fix it',
      'Waiting for you · Run a command, Use search_issues',
      'octo/shop · main',
      'At home',
      '$0.42',
      '2 hours ago (Jan 15, 2026, 8:42 AM)',
    ]);
  });

  it('leaves out what is not known', () => {
    assert.deepEqual(
      lines(conversation({ title: 'Fix it', folder: '/srv/shop' }), now),
      ['Fix it', 'Idle', '/srv/shop'],
    );
  });

  it('says why a conversation has failed and how far its start is, but nothing that contradicts that', () => {
    const state = (change: Parameters<typeof conversation>[0]) =>
      lines(conversation(change), now)[1];
    assert.equal(
      state({ runtime: 'outOfMemory' }),
      'Failed · The machine ran out of memory',
    );
    assert.equal(state({ status: 'error', runtime: 'modelRetry' }), 'Failed');
    assert.equal(
      state({ runtime: 'settingUpWorkspace' }),
      'Starting · Setting up the workspace',
    );
    assert.equal(state({ execution: 'running', runtime: 'ready' }), 'Working');
  });
});

describe('the title in a row', () => {
  it('keeps the age in sight when the side bar is narrow', () => {
    assert.equal(rowTitle('Fix the build'), 'Fix the build');
    assert.equal(
      rowTitle('Upgrade the dependencies of the gateway'),
      'Upgrade the dependen…',
    );
    assert.equal(
      rowTitle('Document the example of webhooks'),
      'Document the example…',
    );
  });
});

describe('a row below the heading of its repository', () => {
  it('omits the repository', () => {
    const row = conversation({
      repository: 'octo/shop',
      branch: 'main',
      updatedAt: now - 5 * 60_000,
    });
    assert.equal(
      conversationDescription(row, now, { grouping: 'state' }),
      '5 min · octo/shop · main',
    );
    assert.equal(
      conversationDescription(row, now, { grouping: 'repository' }),
      '5 min · main',
    );
  });
});

describe('a row of one service among several', () => {
  const row = conversation({ branch: 'main', updatedAt: now - 5 * 60_000 });

  it('shows its service, unless the heading above does', () => {
    assert.equal(
      conversationDescription(row, now, { service: 'At home' }),
      '5 min · At home · main',
    );
    const grouping = 'service';
    assert.equal(
      conversationDescription(row, now, { service: 'At home', grouping }),
      '5 min · main',
    );
  });

  it('shows its service in the tooltip, and reads it to a screen reader', () => {
    assert.match(
      conversationTooltip(row, now, { service: 'At home' }),
      /^At home$/m,
    );
    assert.match(
      factLines(factsOf(row, now, 'At home')),
      /^Service: At home$/m,
    );
    assert.match(
      conversationLabel(row, now, { service: 'At home' }),
      /, at At home, /,
    );
  });
});

describe('a row of an agent that works in a folder', () => {
  const row = conversation({
    folder: '/srv/checkout-api',
    model: 'anthropic/claude-sonnet-5',
    cost: 0.4242,
    tokens: { read: 120_000, written: 4_000 },
    tags: ['team: web', 'urgent'],
    updatedAt: now - 5 * 60_000,
  });

  it('shows the age, folder, model and cost', () => {
    assert.equal(
      conversationDescription(row, now),
      '5 min · checkout-api · claude-sonnet-5 · $0.42',
    );
    const label = conversationLabel(row, now);
    assert.match(
      label,
      /folder checkout-api, model claude-sonnet-5, cost \$0\.42, 5 minutes ago$/,
    );
  });

  it('omits a cost of zero, and marks one below a cent or above a million', () => {
    assert.match(
      conversationDescription({ ...row, cost: 1e308 }, now),
      / · above \$1,000,000\.00$/,
    );
    assert.equal(
      conversationDescription({ ...row, cost: 0 }, now),
      '5 min · checkout-api · claude-sonnet-5',
    );
    assert.match(
      conversationDescription({ ...row, cost: 0.001 }, now),
      / · below \$0\.01$/,
    );
  });

  it('lists the full path, tokens and tags on its page, and no sandbox', () => {
    const text = factLines(factsOf(row, now));
    assert.match(text, /^Folder: \/srv\/checkout-api$/m);
    assert.match(text, /^Model: anthropic\/claude-sonnet-5$/m);
    assert.match(text, /^Cost: \$0\.42$/m);
    assert.match(text, /^Tokens: 120,000 read, 4,000 written$/m);
    assert.match(text, /^Tags: team: web, urgent$/m);
    assert.doesNotMatch(text, /Sandbox/);
  });

  it('says that a cost is unknown if the model was used for nothing', () => {
    const text = factLines(factsOf({ ...row, cost: 0 }, now));
    assert.match(text, /^Cost: Unknown$/m);
    const tokens = { read: 0, written: 0 };
    const unused = factLines(factsOf({ ...row, cost: 0, tokens }, now));
    assert.match(unused, /^Cost: \$0\.00$/m);
  });

  it('shows the last part of a Windows path', () => {
    assert.match(
      conversationDescription({ ...row, folder: 'C:\\work\\shop\\' }, now),
      /^5 min · shop · /,
    );
  });
});
