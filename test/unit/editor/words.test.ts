import assert from 'node:assert/strict';
import {
  absolute,
  activityWord,
  activityWords,
  age,
  clockTime,
  conversationDescription,
  conversationLabel,
  factLines,
  factsOf,
  filterWords,
  groupingWords,
  groupLabel,
  inMessage,
  inPick,
  longAge,
  pendingTitle,
  sandboxWord,
  sortingWords,
  stageWord,
  titleOf,
  triggerWord,
} from '../../../src/editor/views/words.ts';
import { Secret } from '../../../src/base/secret.ts';
import { runtimeStatuses, type Sandbox, startStages, triggers } from '../../../src/service/types.ts';
import { activities } from '../../../src/state/activity.ts';
import { dayOf, groupings, sortings } from '../../../src/state/conversationRows.ts';
import { conversation } from '../state/support.ts';

const now = new Date(2026, 0, 15, 10, 42).getTime();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** What no table may take for a word of its own. */
const hostileValues = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

const isInWords = (text: string, value: string) =>
  text !== value && /^[A-Z]/.test(text) && !/[$_]|[a-z][A-Z]/.test(text);

const facts = (change: Parameters<typeof conversation>[0]) => new Map(factsOf(conversation(change), now));

const sandbox = (status: string): Sandbox => ({
  id: 'box',
  status,
  detail: undefined,
  specId: undefined,
  createdAt: undefined,
  exposed: [],
});

describe('words', () => {
  it('are there for every state, grouping and sorting', () => {
    for (const activity of activities) assert.match(activityWords[activity], /^[A-Z]/);
    for (const grouping of groupings) assert.match(groupingWords[grouping], /^[A-Z]/);
    for (const sorting of sortings) assert.match(sortingWords[sorting], /^[A-Z]/);
  });

  it('are there for everything that can start a conversation', () => {
    for (const trigger of triggers) assert.ok(isInWords(triggerWord(trigger), trigger), trigger);
  });

  it('are there for every stage of a start', () => {
    const task = { id: 't', conversationId: undefined, sandboxId: undefined, detail: undefined };
    for (const stage of [...startStages, 'error' as const]) {
      assert.ok(isInWords(stageWord({ ...task, stage }), stage), stage);
    }
    for (const stage of ['COFFEE', ...hostileValues]) assert.equal(stageWord({ ...task, stage }), stage);
  });

  it('are there for every state of a sandbox, and for what is being done with it', () => {
    for (const status of ['starting', 'running', 'paused', 'error', 'missing']) {
      assert.ok(isInWords(sandboxWord(sandbox(status)), status), status);
    }
    assert.deepEqual(
      (['starting', 'pausing', 'resuming'] as const).map((change) => sandboxWord(sandbox('paused'), change)),
      ['Starting', 'Pausing', 'Resuming'],
    );
    for (const status of ['FROZEN', ...hostileValues]) assert.equal(sandboxWord(sandbox(status)), status);
  });

  it('are there for everything that a machine reports', () => {
    for (const runtime of runtimeStatuses) {
      const word = facts({ runtime }).get('Machine') ?? '';
      assert.ok(isInWords(word, runtime), `${runtime}: ${word}`);
    }
  });

  it('are there for everything that an agent and a sandbox can be', () => {
    for (const execution of [
      'idle',
      'running',
      'paused',
      'waitingForConfirmation',
      'finished',
      'error',
      'stuck',
      'deleting',
    ]) {
      const agent = facts({ execution }).get('Agent') ?? '';
      assert.match(agent, /^[A-Z][a-z ]+$/);
    }
    for (const status of ['starting', 'running', 'stopped', 'archived', 'error']) {
      const word = facts({ status }).get('Sandbox') ?? '';
      assert.match(word, /^[A-Z][a-z]+$/);
    }
  });

  it('are the words of the service where that has new ones', () => {
    for (const value of ['PONDERING', ...hostileValues]) {
      assert.equal(triggerWord(value), value);
      const known = facts({ execution: value, status: value, runtime: value, trigger: value });
      assert.equal(known.get('State'), value);
      assert.equal(known.get('Agent'), value);
      assert.equal(known.get('Sandbox'), value);
      assert.equal(known.get('Machine'), value);
      assert.equal(known.get('Started by'), value);
    }
  });
});

describe('the state of a conversation', () => {
  it('is said in words, and more exactly than by its icon', () => {
    for (const [change, word] of [
      [{ execution: 'waitingForConfirmation' }, 'Waiting for you'],
      [{ execution: 'running' }, 'Working'],
      [{ execution: 'error' }, 'Failed'],
      [{ execution: 'stuck' }, 'Failed'],
      [{ execution: 'idle' }, 'Idle'],
      [{ execution: 'finished' }, 'Finished'],
      [{ execution: 'paused' }, 'Paused'],
      [{ execution: 'deleting' }, 'Being deleted'],
      [{ execution: undefined }, 'Running'],
      [{ status: 'stopped', execution: 'finished' }, 'Stopped'],
      [{ status: 'starting', execution: undefined }, 'Starting'],
      [{ status: 'archived', execution: 'finished' }, 'Archived'],
      [{ status: 'error', execution: undefined }, 'Failed'],
      [{ status: 'DREAMING', execution: undefined }, 'DREAMING'],
    ] as const) {
      assert.equal(activityWord(conversation(change)), word);
    }
  });
});

describe('a title', () => {
  const id = '0123456789abcdef0123456789abcdef';

  it('is what the service says', () => {
    assert.equal(titleOf({ title: 'Fix it', id }), 'Fix it');
    assert.equal(titleOf({ title: 'Conversation about abc', id }), 'Conversation about abc');
  });

  it('is the beginning of the id where the service says nothing, or no more than a placeholder', () => {
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

  it('shows of an id only what can be seen', () => {
    assert.doesNotMatch(titleOf({ title: '', id: 'a\u202Eb\nc\u0007' }), /[\p{Cc}\u202E]/u);
    assert.doesNotMatch(factLines(factsOf(conversation({ id: 'a\u202Eb\u0007' }), now)), /[\u0007\u202E]/);
  });

  it('of what is being created is the first line of its message, of a length that fits', () => {
    const title = (message: string) =>
      pendingTitle({
        id: '1',
        address: '',
        wanted: { message },
        begunAt: 0,
        task: undefined,
        error: undefined,
      });
    assert.equal(title('\n  Fix it\r\nand more'), 'Fix it');
    assert.equal(title('a\u202Eb'), 'a b');
    assert.equal(title(' \n '), 'New conversation');
    assert.equal(Array.from(title('😀'.repeat(200))).length, 80);
    assert.match(title('😀'.repeat(200)), /^(😀)+…$/u);
  });
});

describe('an age', () => {
  const borders: readonly (readonly [number, string, string])[] = [
    [-day, 'now', 'just now'],
    [0, 'now', 'just now'],
    [minute - 1, 'now', 'just now'],
    [minute, '1 min', '1 minute ago'],
    [hour - 1, '59 min', '59 minutes ago'],
    [hour, '1 h', '1 hour ago'],
    [48 * hour - 1, '47 h', '47 hours ago'],
    [2 * day, '2 d', '2 days ago'],
    [60 * day - 1, '59 d', '59 days ago'],
    [60 * day, '2 mo', '2 months ago'],
    [91 * day, '3 mo', '3 months ago'],
    [730 * day - 1, '24 mo', '24 months ago'],
    [730 * day, '2 y', '2 years ago'],
    [3_650 * day, '10 y', '10 years ago'],
  ];

  it('is short in a row, and in full words for who hears it', () => {
    for (const [passed, short, long] of borders) {
      assert.equal(age(now - passed, now), short);
      assert.equal(longAge(now - passed, now), long);
    }
  });
});

describe('a time', () => {
  it('of the clock is the same everywhere, with midnight as the beginning of a day', () => {
    assert.equal(clockTime(new Date(2026, 0, 15, 0, 5).getTime(), now), '00:05');
    assert.match(clockTime(now - 24 * 60 * 60_000, now), /^Jan 14, 2026, 10:42/);
    assert.equal(clockTime(now, now), '10:42');
    assert.equal(clockTime(new Date(2026, 0, 15, 22, 7).getTime(), now), '22:07');
  });

  it('in full has the date', () => {
    assert.match(absolute(now), /^Jan 15, 2026, 10:42\sAM$/);
  });
});

describe('a row', () => {
  const full = conversation({
    title: 'Fix it',
    execution: 'running',
    repository: 'octo/shop',
    branch: 'main',
    createdAt: now - day,
    updatedAt: now - 5 * minute,
  });

  it('has repository, branch and age behind its title', () => {
    assert.equal(conversationDescription(full, now), 'octo/shop · main · 5 min');
  });

  it('says its title, state, repository, branch and age', () => {
    assert.equal(
      conversationLabel(full, now),
      'Fix it, Working, repository octo/shop, branch main, 5 minutes ago',
    );
  });

  it('leaves out what is not known', () => {
    assert.equal(conversationDescription(conversation(), now), '');
    assert.equal(conversationLabel(conversation(), now), 'Fix the build, Idle');
    assert.equal(
      conversationDescription(conversation({ branch: 'main', createdAt: now }), now),
      'main · now',
    );
    assert.equal(conversationDescription(conversation({ createdAt: 0 }), now), '56 y');
    assert.equal(conversationLabel(conversation({ updatedAt: 0 }), now), 'Fix the build, Idle, 56 years ago');
  });
});

describe('the facts of a conversation', () => {
  it('are all that is known, in words, with dates both relative and absolute', () => {
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
    assert.deepEqual(factLines(factsOf(all, now)).replaceAll('\u202F', ' ').split('\n'), [
      'State: Working',
      'Agent: Working',
      'Sandbox: Running',
      'Machine: Ready',
      'Repository: octo/shop',
      'Branch: main',
      'Code host: code_host_a',
      'Pull requests: #7, #12',
      'Started by: Web page',
      'Model: large',
      'Connections: 2',
      'Created: 3 days ago (Jan 12, 2026, 10:42 AM)',
      'Last activity: 2 hours ago (Jan 15, 2026, 8:42 AM)',
      'Sandbox id: box-1',
      'Id: id-1',
    ]);
  });

  it('are few where little is known', () => {
    const names = factsOf(conversation({ execution: undefined, id: 'x' }), now).map(([name]) => name);
    assert.deepEqual(names, ['State', 'Sandbox', 'Id']);
    assert.ok(facts({ createdAt: 0 }).has('Created'));
  });

  it('hold no secret', () => {
    const link = { shown: 'https://a.example/x', full: new Secret('https://a.example/x?tkn=canary') };
    const text = factLines(factsOf(conversation({ link }), now));
    assert.doesNotMatch(text, /canary|tkn|•/);
  });
});

describe('a row below the heading of its repository', () => {
  it('does not say the repository again', () => {
    const row = conversation({ repository: 'octo/shop', branch: 'main', updatedAt: now - 5 * 60_000 });
    assert.equal(conversationDescription(row, now, 'state'), 'octo/shop · main · 5 min');
    assert.equal(conversationDescription(row, now, 'repository'), 'main · 5 min');
  });
});

describe('a filter in words', () => {
  it('names all that it asks for', () => {
    assert.equal(
      filterWords({ text: 'fix', repository: 'octo/shop', activity: 'waiting', trigger: 'gui' }),
      '“fix” · Waiting for you · octo/shop · Web page',
    );
    assert.equal(filterWords({ trigger: 'new_thing' }), 'new_thing');
    assert.equal(filterWords({ text: '' }), '');
    assert.equal(filterWords({}), '');
  });
});

describe('the heading of a group', () => {
  it('is what its rows have in common', () => {
    assert.equal(groupLabel('octo/shop', 'repository', now), 'octo/shop');
    assert.equal(groupLabel('waiting', 'state', now), 'Waiting for you');
    assert.equal(groupLabel('gui', 'trigger', now), 'Web page');
    assert.equal(groupLabel('constructor', 'trigger', now), 'constructor');
  });

  it('says what they do not have', () => {
    assert.equal(groupLabel('', 'repository', now), 'No repository');
    assert.equal(groupLabel('', 'trigger', now), 'Unknown trigger');
    assert.equal(groupLabel('', 'day', now), 'Unknown day');
    assert.equal(groupLabel('', 'none', now), '');
  });

  it('is Today, Yesterday or the date, at any hour and over the change of the clock', () => {
    for (const today of [new Date(2026, 0, 15), new Date(2026, 2, 29), new Date(2026, 9, 25)]) {
      for (const hours of [0, 11, 23]) {
        const later = new Date(today).setHours(hours, 59);
        const ago = (days: number) => dayOf(new Date(today).setDate(today.getDate() - days));
        assert.equal(groupLabel(ago(0), 'day', later), 'Today');
        assert.equal(groupLabel(ago(1), 'day', later), 'Yesterday');
        assert.match(groupLabel(ago(2), 'day', later), /^\w+day, \w+ \d+, 2026$/);
        assert.match(groupLabel(ago(-1), 'day', later), /^\w+day, \w+ \d+, 2026$/);
      }
    }
  });

  it('stands also for days that no calendar has', () => {
    for (const time of [8.64e15, -8.64e15, Date.UTC(99, 0, 1) - 1900 * 365 * day]) {
      assert.notEqual(groupLabel(dayOf(time), 'day', now), '');
    }
    assert.equal(groupLabel('nonsense', 'day', now), 'nonsense');
  });
});

describe('text from elsewhere', () => {
  const hostile = [
    '[click](https://evil.example)',
    '[a]](command:x) [b](command:y)',
    '$(trash) $(sync~spin) \\$(x) $$(y)((z)',
    'a\u202Eb\u0007\nc]\u200B(x)$\u200B(y)',
  ];

  it('makes no link in a message', () => {
    for (const text of hostile) assert.doesNotMatch(inMessage(text), /\]\(|[\p{Cc}\u200B\u202E]/u);
    assert.equal(inMessage('[WIP] (fix) array[0]'), '[WIP] (fix) array[0]');
  });

  it('makes no icon in a list to pick from', () => {
    for (const text of hostile) assert.doesNotMatch(inPick(text), /\$\(|[\p{Cc}\u200B\u202E]/u);
    assert.equal(inPick('cost: $5 (net)'), 'cost: $5 (net)');
  });

  it('is no longer than somebody would read', () => {
    assert.ok(inMessage('a'.repeat(1_000_000)).length <= 1_000);
    assert.ok(inPick('a'.repeat(1_000_000)).length <= 1_000);
  });
});
