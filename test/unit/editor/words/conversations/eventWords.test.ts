import assert from 'node:assert/strict';
import {
  asMarkdown,
  entryAsMarkdown,
} from '../../../../../src/editor/words/conversations/asMarkdown.ts';
import { waitingAction } from '../../../../../src/editor/words/conversations/actionBlocks.ts';
import {
  detailsOf,
  drawnEntries,
  drawnIds,
  linkedPicturesNote,
  openingId,
  shownText,
} from '../../../../../src/editor/words/conversations/eventWords.ts';
import type { DetailBlock } from '../../../../../src/protocol/drawn.ts';
import { parseExactly } from '../../../../../src/service/http/exactJson.ts';
import { escaped } from '../../../../../src/service/records/escaped.ts';
import { entryOf } from '../../../../../src/state/transcript/entryOfEvent.ts';
import { Keeper } from '../../../../../src/state/transcript/shortened.ts';
import type {
  TranscriptEntry,
  Outcome,
} from '../../../../../src/state/transcript/transcriptEntry.ts';
import {
  readAll,
  recorded,
  streams,
} from '../../../service/records/recordedEvents.ts';

type ActionEntry = Extract<TranscriptEntry, { kind: 'action' }>;

const circumstances = { now: 0, confirmation: 'never' } as const;

function acts(
  tool: string,
  input: unknown,
  rest: Partial<Omit<ActionEntry, 'action'>> & {
    readonly action?: Partial<ActionEntry['action']>;
  } = {},
): ActionEntry {
  const { action, ...others } = rest;
  return {
    id: 'a',
    at: 10_000,
    kind: 'action',
    isWaiting: false,
    ...others,
    action: {
      id: 'a',
      at: 10_000,
      stamp: undefined,
      source: 'agent',
      kind: 'action',
      toolName: tool,
      toolCallId: 'c',
      stepId: 's',
      actionKind: undefined,
      summary: undefined,
      thought: '',
      reasoning: undefined,
      arguments: escaped(input),
      risk: 'low',
      ...action,
    },
  };
}

const result = (
  rest: Partial<Extract<Outcome, { kind: 'result' }>> = {},
): { readonly startedAt: number; readonly outcome: Outcome } => ({
  startedAt: 10_000,
  outcome: {
    kind: 'result',
    id: 'o',
    at: 14_000,
    text: '',
    isError: false,
    images: [],
    ...rest,
  },
});

const line = (entry: TranscriptEntry) =>
  drawnEntries(entry, circumstances).map(shownText).join(' | ');
const texts = (blocks: readonly DetailBlock[]) =>
  blocks.map((block) =>
    'text' in block
      ? `${'label' in block ? block.label : ''}: ${block.text}`
      : block.kind,
  );

describe('an event in words', () => {
  it('shows file paths relative to the agent’s folder', () => {
    const edit = (path: string) =>
      drawnEntries(
        acts('file_editor', { command: 'str_replace', path }, result()),
        {
          ...circumstances,
          folder: '/srv/shop',
        },
      )
        .map(shownText)
        .join();
    assert.match(edit('/srv/shop/src/login.ts'), /^Edited src\/login\.ts/);
    assert.match(
      edit('/srv/shopping/login.ts'),
      /^Edited \/srv\/shopping\/login\.ts/,
    );
    assert.match(edit('/srv/shop/'), /^Edited \/srv\/shop\//);
  });

  it('describes each action with its target and outcome', () => {
    const cases: readonly (readonly [TranscriptEntry, string])[] = [
      [
        acts('terminal', { command: 'npm test' }, result({ exitCode: 1 })),
        'Ran npm test, exit code 1, 4 s',
      ],
      [
        acts('terminal', { command: 'npm start' }, result({ exitCode: -1 })),
        'Ran npm start, not finished, 4 s',
      ],
      [acts('terminal', { command: 'npm test' }), 'Running npm test'],
      [
        acts('terminal', { command: 'npm test' }, { isWaiting: true }),
        'Wants to run npm test',
      ],
      [
        acts('file_editor', { command: 'view', path: 'a.ts' }, result()),
        'Read a.ts, 4 s',
      ],
      [
        acts('file_editor', { command: 'create', path: 'a.ts' }, result()),
        'Created a.ts, 4 s',
      ],
      [
        acts(
          'file_editor',
          { command: 'insert', path: 'a.ts' },
          result({ isError: true }),
        ),
        'Edited a.ts, failed, 4 s',
      ],
      [
        acts('browser_navigate', { url: 'https://a.example' }, result()),
        'Opened https://a.example, 4 s',
      ],
      [
        acts('grep', { pattern: 'TODO' }, result({ at: undefined })),
        'Searched for TODO',
      ],
      [acts('think', { thought: 'Hm' }, result()), 'Thought, 4 s'],
      [
        acts('task_tracker', {}, result({ at: 75_000 })),
        'Updated the task list, 1 min 5 s',
      ],
      [acts('read_it', { page: 1 }, result()), 'Used read_it, 4 s'],
      [acts('terminal', { no: 'command' }, result()), 'Used terminal, 4 s'],
      [acts('terminal', 'not JSON at all', result()), 'Used terminal, 4 s'],
      [
        acts(
          'terminal',
          { command: 'rm' },
          { outcome: { kind: 'rejection', at: 0, reason: 'Not today' } },
        ),
        'Wanted to run rm, rejected: Not today',
      ],
      [
        acts(
          'terminal',
          { command: 'rm' },
          { outcome: { kind: 'rejection', at: 0, reason: undefined } },
        ),
        'Wanted to run rm, rejected',
      ],
      [
        acts(
          'terminal',
          { command: 'rm' },
          { outcome: { kind: 'error', at: 0, text: 'Interrupted' } },
        ),
        'Ran rm, failed: Interrupted',
      ],
      [
        acts(
          'terminal',
          { command: 'sleep 40' },
          {
            outcome: {
              kind: 'error',
              at: 0,
              text: 'Tool call interrupted before completion. It was paused.',
            },
          },
        ),
        'Ran sleep 40, stopped',
      ],
      [
        { id: 'x', at: 0, kind: 'error', text: 'NoModel: gone' },
        'Error: NoModel: gone',
      ],
      [{ id: 'x', at: 0, kind: 'line', what: 'interrupted' }, 'Stopped'],
      [
        { id: 'x', at: 0, kind: 'line', what: 'state', execution: 'stuck' },
        'Stuck: the agent kept repeating the same step. Tell it what to do differently.',
      ],
      [
        { id: 'x', at: 0, kind: 'other', eventKind: 'NewEvent', json: '{}' },
        'Other event: NewEvent',
      ],
      [
        { id: 'x', at: 0, kind: 'other', eventKind: undefined, json: '{}' },
        'Other event: unknown kind',
      ],
    ];
    for (const [entry, expected] of cases) assert.equal(line(entry), expected);
  });

  it('offers another model for an error, if the agent can get one', () => {
    const entry = { id: 'x', at: 0, kind: 'error', text: 'No' } as const;
    const about = { ...entry, isAboutModel: true };
    const offers = (shown: TranscriptEntry, canSwitchModel: boolean) =>
      drawnEntries(shown, { ...circumstances, canSwitchModel }).some(
        (drawn) => 'canChooseModel' in drawn,
      );
    assert.deepEqual(
      [offers(about, true), offers(about, false), offers(entry, true)],
      [true, false, false],
    );
  });

  it('shows only the first line of a command, cut to 200 characters', () => {
    assert.equal(
      line(acts('terminal', { command: 'cd a\nrm -rf b' })),
      'Running cd a …',
    );
    assert.equal(
      line(acts('terminal', { command: 'x'.repeat(5_000) })).length,
      'Running '.length + 202,
    );
  });

  it('says that pictures by address are not kept in the copy of a message', () => {
    const own = { mediaType: 'image/png', base64: '' };
    const linked = { address: 'https://a.example/b.png' };
    assert.equal(linkedPicturesNote([own]), undefined);
    assert.equal(
      linkedPicturesNote([own, linked]),
      'The message links to a picture, which is not kept.',
    );
    assert.match(
      linkedPicturesNote([linked, linked]) ?? '',
      /links to 2 pictures/,
    );
  });

  it('shows the duration since an action began, if that is known', () => {
    const text = (startedAt: number | undefined) =>
      drawnEntries(
        { ...acts('terminal', { command: 'ls' }, result()), startedAt },
        { now: 0 },
      )
        .map(shownText)
        .join();
    assert.equal(text(10_000), 'Ran ls, 4 s');
    assert.equal(text(13_900), 'Ran ls');
    assert.equal(text(undefined), 'Ran ls');
  });

  it('shows the agent’s thoughts and final words as messages', () => {
    const [thought, action] = drawnEntries(
      acts('terminal', { command: 'ls' }, { action: { thought: 'I *look*.' } }),
      circumstances,
    );
    assert.deepEqual(
      [thought?.kind, thought && shownText(thought)],
      ['message', 'I *look*.'],
    );
    assert.equal(action?.kind, 'action');
    const [final] = drawnEntries(
      acts('finish', { message: 'All done.' }, result()),
      circumstances,
    );
    assert.deepEqual(
      [final?.kind, final && shownText(final)],
      ['message', 'All done.'],
    );
    assert.equal(
      line(acts('finish', { message: 'x' }, { isWaiting: true })),
      'Wants to finish',
    );
  });

  it('opens to its full input and output', () => {
    const run = acts(
      'terminal',
      { command: 'ls\npwd', is_input: false, reset: false },
      result({ text: 'a' }),
    );
    assert.deepEqual(texts(detailsOf(run)), ['Command: ls\npwd', 'Output: a']);
    const change = { path: 'a.ts', before: 'one', after: 'two' };
    assert.deepEqual(
      detailsOf(acts('file_editor', { path: 'a.ts' }, result({ change }))),
      [{ kind: 'change', label: 'a.ts', before: 'one', after: 'two' }],
    );
    assert.deepEqual(texts(detailsOf(acts('read_it', { page: 1 }))), [
      'Input: {\n  "page": 1\n}',
      ': No result yet.',
    ]);
    const long = acts(
      'terminal',
      { command: 'ls' },
      result({ text: 'a', leftOut: 5_000 }),
    );
    assert.deepEqual(
      texts(detailsOf(long)).at(-1),
      ': 5000 characters are left out.',
    );
  });

  it('copies as Markdown, in code fences that its text cannot close', () => {
    const action = acts(
      'terminal',
      { command: 'echo `x`' },
      result({ text: '```\nnot the end' }),
    );
    const entries: TranscriptEntry[] = [
      {
        id: 'm',
        at: undefined,
        kind: 'message',
        role: 'user',
        text: 'Do it',
        reasoning: undefined,
        images: [],
      },
      action,
    ];
    assert.match(
      asMarkdown('Title', entries, circumstances),
      /^# Title\n\n\*\*You\*\*\n\nDo it\n\n- Ran `` echo `x` ``/,
    );
    assert.match(
      entryAsMarkdown(action, circumstances),
      /\n````\n```\nnot the end\n````\n/,
    );
  });

  it('copies each message on its own, and says what it leaves out', () => {
    const says = (text: string, more: Partial<TranscriptEntry> = {}) =>
      ({
        id: text,
        at: undefined,
        kind: 'message',
        role: 'user',
        text,
        reasoning: undefined,
        images: [],
        ...more,
      }) as TranscriptEntry;
    const images = [{ mediaType: 'image/png', base64: 'AAAA' }];
    assert.equal(
      asMarkdown(
        'Title',
        [
          says('See:\n~~~~js\nlet a;\n```'),
          says('- item\n  ```\n  in it'),
          says('Cut', { leftOut: 5_000, images }),
        ],
        circumstances,
      ),
      [
        '# Title',
        '**You**',
        'See:\n~~~~js\nlet a;\n```\n~~~~',
        '**You**',
        '- item\n  ```\n  in it',
        '**You**',
        'Cut',
        'Picture',
        '5000 characters are left out.\n',
      ].join('\n\n'),
    );
  });

  it('copies the output and the changes of each action, folded below its line', () => {
    const change = { path: 'a.ts', before: 'one', after: 'two' };
    const copied = asMarkdown(
      'Title',
      [
        acts(
          'terminal',
          { command: 'ls' },
          result({ text: '</details><img src=x>' }),
        ),
        acts('file_editor', { path: 'a.ts' }, result({ change })),
      ],
      circumstances,
    );
    const [, first, second] = copied.split(
      '<details><summary>Details</summary>\n\n',
    );
    assert.match(
      first ?? '',
      /Output\n\n```\n<\/details><img src=x>\n```\n\n<\/details>\n\n- Edited/,
    );
    assert.match(
      second ?? '',
      /^a\.ts\n\nBefore:\n\n```\none\n```\n\nAfter:\n\n```\ntwo\n```\n\n<\/details>\n$/,
    );
  });

  it('copies as Markdown with invisible characters spelled and remote pictures as links', () => {
    const action = acts(
      'terminal',
      { command: 'a\u001b[2J\u00a0b' },
      result({ text: '![x](https://a.invalid)\r\u202e' }),
    );
    const message: TranscriptEntry = {
      id: 'm',
      at: undefined,
      kind: 'message',
      role: 'assistant',
      text: 'See\u202e ![x](https://a.invalid/p.png)\n\n```rust\n#![no_std]\u00a0\n```',
      reasoning: undefined,
      images: [],
    };
    const copied = asMarkdown(
      '![t](https://a.invalid)',
      [message, action],
      circumstances,
    );
    assert.ok(copied.startsWith('# \\![t](https://a.invalid)\n'), copied);
    assert.ok(
      copied.includes('See\\u202e \\![x](https://a.invalid/p.png)\n'),
      copied,
    );
    assert.ok(copied.includes('```rust\n#![no_std]\\u00a0\n```'), copied);
    assert.ok(copied.includes('`a\\u001b[2J\\u00a0b`'), copied);
    assert.ok(
      entryAsMarkdown(action, circumstances).includes(
        '```\n![x](https://a.invalid)\\u000d\\u202e\n```',
      ),
    );
  });

  it('has words for every recorded event of a real Agent Server', () => {
    const keeper = new Keeper();
    for (const stream of streams) {
      for (const event of readAll(recorded(stream as 'oneAction'))) {
        const entry = entryOf(event, keeper);
        if (entry)
          assert.doesNotMatch(line(entry), /undefined|null|NaN|\[object/);
      }
    }
  });
});

describe('a waiting action', () => {
  const drawn = (
    tool: string,
    input: unknown,
    rest: Partial<ActionEntry['action']> = {},
  ) => waitingAction(acts(tool, input, { action: rest }).action);

  it('shows every input of the action', () => {
    assert.deepEqual(
      texts(
        drawn('terminal', {
          command: 'rm -rf a\nb',
          is_input: false,
          reset: false,
        }).blocks,
      ),
      ['Command: rm -rf a\nb'],
    );
    assert.deepEqual(
      texts(
        drawn('terminal', {
          command: 'y',
          is_input: true,
          timeout: 5,
          more: false,
        }).blocks,
      ),
      [
        'Command: y',
        'Other input: {\n  "is_input": true,\n  "timeout": 5,\n  "more": false\n}',
      ],
    );
    assert.deepEqual(
      texts(
        drawn('file_editor', {
          command: 'create',
          path: 'a',
          file_text: 'x',
          odd: 1,
        }).blocks,
      ),
      ['File: a', 'Content: x', 'Other input: {\n  "odd": 1\n}'],
    );
    assert.deepEqual(
      drawn('file_editor', {
        command: 'str_replace',
        path: 'a',
        old_str: 'x',
        new_str: 'y',
      }).blocks,
      [
        { kind: 'code', label: 'File', text: 'a' },
        { kind: 'change', label: 'Replacement', before: 'x', after: 'y' },
      ],
    );
    assert.deepEqual(
      texts(
        drawn('file_editor', {
          command: 'insert',
          path: 'a',
          insert_line: 3,
          new_str: 'y',
        }).blocks,
      ),
      [
        'File: a',
        'Other input: {\n  "command": "insert",\n  "insert_line": 3,\n  "new_str": "y"\n}',
      ],
    );
    assert.deepEqual(texts(drawn('anything', ['odd']).blocks), [
      'Input: [\n  "odd"\n]',
    ]);
  });

  it('shows numbers beyond 2^53 exactly', () => {
    const { blocks } = drawn(
      'send',
      parseExactly('{"id":1234567890123456789,"amount":1e400}'),
    );
    assert.deepEqual(texts(blocks), [
      'Input: {\n  "id": 1234567890123456789,\n  "amount": 1e400\n}',
    ]);
  });

  it('leaves out no value of any tool, including unknown fields', () => {
    const values = {
      command: 'create',
      path: 'p1',
      file_text: 't1',
      old_str: 'o1',
      new_str: 'n1',
      extra: 'e1',
    };
    for (const tool of [
      'terminal',
      'file_editor',
      'think',
      'finish',
      'grep',
      'browser_navigate',
      'new_tool',
    ]) {
      for (const command of [
        'create',
        'str_replace',
        'view',
        'insert',
        'undo_edit',
      ]) {
        const said = JSON.stringify(
          drawn(tool, { ...values, command, thought: 'h1', message: 'm1' }),
        );
        for (const value of ['p1', 't1', 'o1', 'n1', 'e1', 'h1', 'm1'])
          assert.ok(said.includes(value), `${tool} ${value}`);
      }
    }
  });

  it('shows its risk, and the agent’s summary as the agent’s own words', () => {
    const { risk, summary } = drawn(
      'terminal',
      { command: 'ls' },
      { risk: 'high', summary: 'Harmless' },
    );
    assert.deepEqual(risk, { text: 'High risk', isHigh: true });
    assert.equal(summary, 'Summary by the agent: Harmless');
    // The text of the service for an agent without one.
    const repeated = drawn(
      'terminal',
      { command: 'ls' },
      { summary: 'terminal: {"command":"ls"}' },
    );
    assert.equal(repeated.summary, undefined);
    assert.equal(
      drawn('terminal', { command: 'ls' }, { risk: 'unknown' }).risk,
      undefined,
    );
    assert.deepEqual(
      drawn('terminal', { command: 'ls' }, { risk: 'odd' }).risk,
      {
        text: 'Risk: odd',
        isHigh: false,
      },
    );
  });

  it('shows the rating of the service, and the model’s own where that differs', () => {
    const words = (risk: string, rated: string) =>
      waitingAction({
        ...acts('terminal', { command: 'ls' }, { action: { risk } }).action,
        rated,
      }).risk?.text;
    assert.equal(words('high', 'high'), 'High risk');
    assert.equal(words('high', 'unknown'), 'High risk');
    assert.equal(
      words('unknown', 'high'),
      'High risk, by the rules of the service',
    );
    assert.equal(
      words('low', 'high'),
      'High risk, by the rules of the service. The model says: Low risk',
    );
    assert.equal(words('unknown', 'unknown'), undefined);
  });

  it('describes actions of ACP agents in the same words', () => {
    const other = (toolKind: string, input: object) =>
      line(
        acts('title', input, {
          action: { actionKind: `ACP:${toolKind}` },
          ...result({ at: 10_000 }),
        }),
      );
    assert.equal(other('execute', { command: 'npm test' }), 'Ran npm test');
    assert.equal(other('execute', { command: ['npm', 'test'] }), 'Used title');
    assert.equal(other('edit', { file_path: '/a.ts' }), 'Edited /a.ts');
    assert.equal(other('read', { path: '/a.ts' }), 'Read /a.ts');
    assert.equal(other('search', { query: 'TODO' }), 'Searched for TODO');
    assert.equal(
      other('fetch', { url: 'https://a.example.com' }),
      'Opened https://a.example.com',
    );
    assert.equal(other('think', {}), 'Thought');
    assert.equal(other('switch_mode', {}), 'Used title');
  });

  it('shows a hook only if it blocked, failed or printed something', () => {
    const hook = (change: object) => {
      const [event] = readAll([
        {
          id: 'a',
          kind: 'HookExecutionEvent',
          hook_event_type: 'PreToolUse',
          hook_command: './check',
          success: true,
          ...change,
        },
      ]);
      const entry = event && entryOf(event, new Keeper());
      return entry && [line(entry), ...texts(detailsOf(entry))];
    };
    assert.equal(hook({}), undefined);
    assert.deepEqual(hook({ stdout: 'ok' }), [
      'The hook PreToolUse ran',
      'Command: ./check',
      'Output: ok',
    ]);
    assert.deepEqual(hook({ success: false }), [
      'The hook PreToolUse failed',
      'Command: ./check',
    ]);
    assert.deepEqual(hook({ blocked: true, reason: 'Not on main' }), [
      'Blocked by the hook PreToolUse: Not on main',
      'Command: ./check',
      'Reason: Not on main',
    ]);
  });

  it('shows the reasoning before a message as a line that opens', () => {
    const entry: TranscriptEntry = {
      id: 'm',
      at: 0,
      kind: 'message',
      role: 'assistant',
      text: 'Done.',
      reasoning: 'First, look.',
      images: [],
    };
    const drawn = drawnEntries(entry, circumstances);
    assert.deepEqual(
      drawn.map(({ kind }) => kind),
      ['line', 'message'],
    );
    assert.equal(line(entry), 'Thought | Done.');
    assert.equal(openingId(entry), drawn[0]?.id);
    assert.ok(drawn.every(({ id }) => drawnIds('m').includes(id)));
    assert.deepEqual(texts(detailsOf(entry)), ['Reasoning: First, look.']);
    assert.equal(
      line({ ...entry, isStreaming: true, text: '' }),
      'Thinking | ',
    );
    assert.equal(line({ ...entry, reasoning: ' ' }), 'Done.');
  });
});
