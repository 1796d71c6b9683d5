import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentEvent } from '../../../../src/service/model/events.ts';
import { parseExactly } from '../../../../src/service/http/exactJson.ts';
import { readEvent } from '../../../../src/service/records/readEvent.ts';
import { recorded, readAll, streams } from './recordedEvents.ts';

const read = (event: unknown): AgentEvent => readEvent(event, () => undefined);

const terminal = (command: string, change: object = {}) => ({
  id: 'a',
  kind: 'ActionEvent',
  action: { command, kind: 'TerminalAction' },
  ...change,
});

function argumentsOf(event: unknown): string {
  const action = read(event);
  return action.kind === 'action' ? action.arguments : assert.fail(action.kind);
}

describe('the event reader', () => {
  it('reads every recorded kind of event except the system prompt', () => {
    assert.equal(streams.size, 9);
    const all = [...streams].flatMap((stream) =>
      readAll(recorded(stream as 'rejected')),
    );
    const others = new Set(
      all.flatMap((event) => (event.kind === 'other' ? event.eventKind : [])),
    );
    assert.deepEqual([...others], ['SystemPromptEvent']);
  });

  it('reads the role, text, images and source of a message', () => {
    const message = readAll(recorded('oneAction')).find(
      ({ kind }) => kind === 'message',
    );
    assert.ok(message?.kind === 'message');
    const { role, text, images, source } = message;
    assert.deepEqual(
      { role, text, images, source },
      {
        role: 'user',
        text: 'run: echo one\nrun: sleep 6',
        images: [],
        source: 'user',
      },
    );
  });

  it('reads an action of an agent', () => {
    const action = readAll(recorded('oneAction')).find(
      ({ kind }) => kind === 'action',
    );
    assert.deepEqual(action, {
      id: 'b92da98d-f672-40fc-9ebf-ef3685ab7996',
      at: undefined,
      stamp: '2026-11-22T15:04:08.955894',
      source: 'agent',
      kind: 'action',
      thought: 'Step 1.',
      reasoning: undefined,
      toolName: 'terminal',
      toolCallId: 'call_38_0',
      stepId: 'stub-38',
      actionKind: 'TerminalAction',
      summary: 'terminal: {"command": "echo one"}',
      arguments:
        '{\n  "command": "echo one",\n  "is_input": false,\n  "reset": false\n}',
      risk: 'unknown',
    });
  });

  it('reads the result, error or rejection of an action', () => {
    const events = readAll(recorded('interrupted'));
    const observation = events.find(({ kind }) => kind === 'observation');
    assert.ok(observation?.kind === 'observation');
    assert.deepEqual([observation.isError, observation.exitCode], [false, 0]);
    assert.ok(
      events.some(
        ({ kind, id }) => kind === 'action' && id === observation.actionId,
      ),
    );
    const error = events.find(({ kind }) => kind === 'error');
    assert.ok(error?.kind === 'error');
    assert.equal(error.toolCallId, 'call_39_0');
    assert.match(error.text ?? '', /^Tool call interrupted/);
    const rejections = readAll(recorded('rejected')).filter(
      ({ kind }) => kind === 'rejection',
    );
    assert.deepEqual(
      rejections.map((event) => event.kind === 'rejection' && event.reason),
      ['Not now', 'Not now', 'Not now'],
    );
  });

  it('ignores the default reason that the service gives for a rejection', () => {
    for (const rejection_reason of [
      'User rejected the action.',
      'User rejected the actions',
    ]) {
      const event = read({ kind: 'UserRejectObservation', rejection_reason });
      assert.ok(event.kind === 'rejection' && event.reason === undefined);
    }
  });

  it('reads the code and detail of a failed conversation', () => {
    const event = read({
      kind: 'ConversationErrorEvent',
      code: 'LLMBadRequestError',
      detail: 'Too long',
    });
    assert.ok(event.kind === 'error');
    assert.equal(event.text, 'LLMBadRequestError: Too long');
  });

  it('tells the errors that another model may solve, by their code or class', () => {
    const settings = { kind: 'auth', user_action: 'settings' };
    for (const [code, classification, isAboutModel] of [
      ['LLMAuthenticationError', undefined, true],
      ['LLMRateLimitError', { user_action: 'retry' }, true],
      ['APIError', undefined, true],
      ['SomethingNew', settings, true],
      ['MaxIterationsReached', undefined, undefined],
      ['LLMContextWindowExceedError', { user_action: 'none' }, undefined],
      ['SomethingNew', 'settings', undefined],
    ] as const) {
      const kind = 'ConversationErrorEvent';
      const event = read({ kind, code, detail: 'x', classification });
      assert.ok(event.kind === 'error');
      assert.equal(event.isAboutModel, isAboutModel, code);
    }
  });

  it('reads the arguments of a tool call that the service could not parse', () => {
    const call = { name: 'terminal', arguments: '{"command": 5}' };
    assert.equal(
      argumentsOf(terminal('', { action: null, tool_call: call })),
      '{\n  "command": 5\n}',
    );
    // An app server sends what its Agent Servers leave out, and the same action
    // must be the same to both.
    const action = {
      command: 'x',
      timeout: null,
      data: [{ a: null, b: [null] }],
    };
    assert.deepEqual(JSON.parse(argumentsOf(terminal('', { action }))), {
      command: 'x',
      data: [{ b: [null] }],
    });
    const broken = { ...call, arguments: '{"command' };
    assert.equal(
      argumentsOf(terminal('', { action: null, tool_call: broken })),
      '"{\\"command"',
    );
  });

  it('keeps numbers and duplicate keys in the arguments of an action as they were sent', () => {
    const exact =
      '{"id":1234567890123456789,"amounts":[1e400,9007199254740993,{"a":null}]}';
    const parsed = parseExactly(`{"kind":"ActionEvent","action":${exact}}`);
    const shown = argumentsOf(parsed).replace(/\s/g, '');
    assert.equal(
      shown,
      '{"id":1234567890123456789,"amounts":[1e400,9007199254740993,{}]}',
    );
    const called = (json: string) =>
      argumentsOf(
        terminal('', { action: null, tool_call: { arguments: json } }),
      );
    assert.equal(
      called('{"id": 1234567890123456789}'),
      '{\n  "id": 1234567890123456789\n}',
    );
    assert.equal(
      called('{"command": "ls", "command": "rm"}'),
      '"{\\"command\\": \\"ls\\", \\"command\\": \\"rm\\"}"',
    );
  });

  it('escapes invisible characters in the arguments of an action', () => {
    const hostile =
      'a\u202eb\u200bc\u0000d\u001b[31me\u2028f\u00a0g\u{e0041}h\ufeffi\u3164j\r\n\u0085k\ud800l\u2800';
    const text = argumentsOf(terminal(hostile));
    assert.match(text, /^[ -~\n]*$/);
    assert.deepEqual(JSON.parse(text), { command: hostile });
  });

  it('keeps accented letters, CJK, emoji and punctuation in the arguments of an action', () => {
    const usual = 'größer 日本語 🙂 — “x” | grep -v "é"';
    assert.ok(
      argumentsOf(terminal(usual)).includes(usual.replaceAll('"', '\\"')),
    );
  });

  it('keeps the arguments of a very long action complete', () => {
    const long = 'x'.repeat(1_000_000);
    assert.deepEqual(JSON.parse(argumentsOf(terminal(long))), {
      command: long,
    });
  });

  it('removes control characters from the summary and the tool name of an action', () => {
    const event = read(
      terminal('x', {
        summary: 'a\u202eb\nc',
        tool_name: '\u001b[31mx',
        security_risk: 'high?',
      }),
    );
    assert.ok(event.kind === 'action');
    assert.deepEqual(
      [event.summary, event.toolName, event.risk],
      ['a b c', '[31mx', 'high?'],
    );
  });

  it('derives a stable ID from the content of an event without one', () => {
    const ids = [terminal('a'), terminal('b'), terminal('a')].map(
      (event) => read({ ...event, id: undefined }).id,
    );
    assert.equal(ids[0], ids[2]);
    assert.notEqual(ids[0], ids[1]);
  });

  it('keeps the kind and the JSON of an unknown event', () => {
    assert.deepEqual(read({ id: 'a', kind: 'SoonEvent', source: 'x' }), {
      id: 'a',
      at: undefined,
      stamp: undefined,
      source: 'x',
      kind: 'other',
      eventKind: 'SoonEvent',
      json: '{\n  "id": "a",\n  "kind": "SoonEvent",\n  "source": "x"\n}',
    });
  });

  it('reads any JSON value as an event with an ID', () => {
    const kinds = [
      'MessageEvent',
      'ActionEvent',
      'ObservationEvent',
      'UserRejectObservation',
    ];
    const more = [
      'AgentErrorEvent',
      'ConversationStateUpdateEvent',
      '__proto__',
      'x',
    ];
    const value = fc
      .anything({ maxDepth: 3, withObjectString: true })
      .map((given) => {
        const json = JSON.stringify(given, (_, one: unknown) =>
          typeof one === 'bigint' ? 1 : one,
        ) as string | undefined;
        return json === undefined ? null : (JSON.parse(json) as unknown);
      });
    const names = [
      'id',
      'action',
      'observation',
      'llm_message',
      'tool_call',
      'key',
      'value',
      'error',
      'action_id',
    ];
    const event = fc
      .tuple(
        fc.constantFrom(...kinds, ...more),
        fc.dictionary(fc.constantFrom(...names), value),
      )
      .map(([kind, fields]) => ({ ...fields, kind }));
    fc.assert(
      fc.property(fc.oneof(event, value), (given) => {
        assert.ok(read(given).id.length > 0);
      }),
      { seed: 17, numRuns: 2_000 },
    );
  });

  describe('for an ACP agent', () => {
    const call = (change: object = {}) => ({
      id: 'a',
      kind: 'ACPToolCallEvent',
      source: 'agent',
      tool_call_id: 'exec_1',
      title: '`npm test`',
      status: 'completed',
      tool_kind: 'execute',
      raw_input: { command: 'npm test' },
      raw_output: null,
      content: [
        { type: 'content', content: { type: 'text', text: 'all good' } },
      ],
      is_error: false,
      ...change,
    });
    const readCall = (change: object = {}) => {
      const event = read(call(change));
      return event.kind === 'call' ? event : assert.fail(event.kind);
    };

    it('reads a tool call with its state and result', () => {
      const { callId, isOver, action, result } = readCall();
      assert.deepEqual([callId, isOver], ['exec_1', true]);
      assert.deepEqual(
        [action.toolName, action.actionKind],
        ['`npm test`', 'ACP:execute'],
      );
      assert.equal(action.arguments, '{\n  "command": "npm test"\n}');
      assert.deepEqual([result.text, result.isError], ['all good', false]);
    });

    it('treats a tool call as unfinished until its status says otherwise', () => {
      for (const status of ['pending', 'in_progress', null, 7])
        assert.equal(readCall({ status }).isOver, false);
      assert.deepEqual(
        [
          readCall({ status: 'failed' }).isOver,
          readCall({ status: 'failed' }).result.isError,
        ],
        [true, true],
      );
    });

    it('reads a single file change in either spelling, and several as text', () => {
      const diff = (names: readonly [string, string]) => ({
        type: 'diff',
        path: '/a.ts',
        [names[0]]: 'one',
        [names[1]]: 'two',
      });
      for (const names of [
        ['old_text', 'new_text'],
        ['oldText', 'newText'],
      ] as const) {
        const { change } = readCall({ content: [diff(names)] }).result;
        assert.deepEqual(change, {
          path: '/a.ts',
          before: 'one',
          after: 'two',
        });
      }
      const both = readCall({
        content: [diff(['oldText', 'newText']), diff(['old_text', 'new_text'])],
      }).result;
      assert.equal(both.change, undefined);
      assert.match(both.text, /"oldText": "one"[^]*"old_text": "one"/);
    });

    it('falls back to the raw output of a tool, and reads its images', () => {
      assert.equal(
        readCall({ content: null, raw_output: 'raw' }).result.text,
        'raw',
      );
      assert.equal(
        readCall({ content: [], raw_output: { code: 1 } }).result.text,
        '{\n  "code": 1\n}',
      );
      const image = {
        type: 'content',
        content: { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      };
      assert.deepEqual(readCall({ content: [image] }).result.images, [
        { mediaType: 'image/png', base64: 'AAAA' },
      ]);
    });

    it('reads a tool call with any one field missing', () => {
      for (const name of Object.keys(call()))
        if (name !== 'kind') readCall({ [name]: null });
    });
  });

  it('reads the reasoning of a model in every format, but nothing encrypted', () => {
    const thoughts = [
      { reasoning_content: 'why' },
      {
        thinking_blocks: [
          { type: 'redacted_thinking', data: 'x' },
          { type: 'thinking', thinking: 'why' },
        ],
      },
      {
        responses_reasoning_item: {
          summary: ['why'],
          content: null,
          encrypted_content: 'secret',
        },
      },
    ];
    for (const thought of thoughts) {
      const message = read({
        kind: 'MessageEvent',
        llm_message: { role: 'assistant', content: [], ...thought },
      });
      assert.equal(message.kind === 'message' && message.reasoning, 'why');
      const action = read(terminal('ls', thought));
      assert.equal(action.kind === 'action' && action.reasoning, 'why');
    }
  });

  it('reads the outcome, reason and output of a hook', () => {
    const hook = (change: object) => {
      const event = read({
        kind: 'HookExecutionEvent',
        hook_event_type: 'PreToolUse',
        hook_command: './check',
        ...change,
      });
      return event.kind === 'hook'
        ? [event.hook, event.outcome, event.reason, event.text]
        : assert.fail(event.kind);
    };
    assert.deepEqual(hook({ success: true, stdout: 'ok', stderr: '' }), [
      'PreToolUse',
      'done',
      undefined,
      'ok',
    ]);
    assert.deepEqual(hook({ success: false, error: 'no such file' }), [
      'PreToolUse',
      'failed',
      undefined,
      'no such file',
    ]);
    assert.deepEqual(
      hook({ success: true, blocked: true, reason: 'not here' }),
      ['PreToolUse', 'blocked', 'not here', ''],
    );
  });

  it('drops the content of events that are not meant for users', () => {
    for (const kind of [
      'TokenEvent',
      'LLMCompletionLogEvent',
      'CondensationRequest',
      'CondensationSummaryEvent',
    ]) {
      const { id, stamp, at, source, ...rest } = read({
        id: 'a',
        kind,
        log_data: 'x'.repeat(1_000),
      });
      assert.deepEqual(
        rest,
        { kind: 'untold' },
        [id, stamp, at, source].join(),
      );
    }
  });
});
