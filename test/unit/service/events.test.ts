import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AgentEvent, readEvent } from '../../../src/service/events.ts';
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

describe('an event', () => {
  it('of every recorded kind is read', () => {
    assert.equal(streams.size, 9);
    const all = [...streams].flatMap((stream) => readAll(recorded(stream as 'rejected')));
    const others = new Set(all.flatMap((event) => (event.kind === 'other' ? event.eventKind : [])));
    assert.deepEqual([...others], ['SystemPromptEvent']);
  });

  it('says what was written', () => {
    const message = readAll(recorded('oneAction')).find(({ kind }) => kind === 'message');
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

  it('says what an agent wants to do', () => {
    const action = readAll(recorded('oneAction')).find(({ kind }) => kind === 'action');
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
      arguments: '{\n  "command": "echo one",\n  "is_input": false,\n  "reset": false\n}',
      risk: 'unknown',
    });
  });

  it('says what came of an action', () => {
    const events = readAll(recorded('interrupted'));
    const observation = events.find(({ kind }) => kind === 'observation');
    assert.ok(observation?.kind === 'observation');
    assert.deepEqual([observation.isError, observation.exitCode], [false, 0]);
    assert.ok(events.some(({ kind, id }) => kind === 'action' && id === observation.actionId));
    const error = events.find(({ kind }) => kind === 'error');
    assert.ok(error?.kind === 'error');
    assert.equal(error.toolCallId, 'call_39_0');
    assert.match(error.text ?? '', /^Tool call interrupted/);
    const rejections = readAll(recorded('rejected')).filter(({ kind }) => kind === 'rejection');
    assert.deepEqual(
      rejections.map((event) => event.kind === 'rejection' && event.reason),
      ['Not now', 'Not now', 'Not now'],
    );
  });

  it('says why a conversation failed', () => {
    const event = read({ kind: 'ConversationErrorEvent', code: 'LLMBadRequestError', detail: 'Too long' });
    assert.ok(event.kind === 'error');
    assert.equal(event.text, 'LLMBadRequestError: Too long');
  });

  it('says what the model wanted where the service could make nothing of it', () => {
    const call = { name: 'terminal', arguments: '{"command": 5}' };
    assert.equal(argumentsOf(terminal('', { action: null, tool_call: call })), '{\n  "command": 5\n}');
    const broken = { ...call, arguments: '{"command' };
    assert.equal(argumentsOf(terminal('', { action: null, tool_call: broken })), '"{\\"command"');
  });

  it('shows every character of an action, also those that are not seen', () => {
    const hostile =
      'a\u202eb\u200bc\u0000d\u001b[31me\u2028f\u00a0g\u{e0041}h\ufeffi\u3164j\r\n\u0085k\ud800l\u2800';
    const text = argumentsOf(terminal(hostile));
    assert.match(text, /^[ -~\n]*$/);
    assert.deepEqual(JSON.parse(text), { command: hostile });
  });

  it('leaves what people write as it is', () => {
    const usual = 'größer 日本語 🙂 — “x” | grep -v "é"';
    assert.ok(argumentsOf(terminal(usual)).includes(usual.replaceAll('"', '\\"')));
  });

  it('is complete, however long its action is', () => {
    const long = 'x'.repeat(1_000_000);
    assert.deepEqual(JSON.parse(argumentsOf(terminal(long))), { command: long });
  });

  it('has lines that are safe to show', () => {
    const event = read(
      terminal('x', { summary: 'a\u202eb\nc', tool_name: '\u001b[31mx', security_risk: 'high?' }),
    );
    assert.ok(event.kind === 'action');
    assert.deepEqual([event.summary, event.toolName, event.risk], ['a b c', '[31mx', 'high?']);
  });

  it('without an id has one that stays the same and is its own', () => {
    const ids = [terminal('a'), terminal('b'), terminal('a')].map(
      (event) => read({ ...event, id: undefined }).id,
    );
    assert.equal(ids[0], ids[2]);
    assert.notEqual(ids[0], ids[1]);
  });

  it('of an unknown kind is read as what it is', () => {
    assert.deepEqual(read({ id: 'a', kind: 'TokenEvent', source: 'x' }), {
      id: 'a',
      at: undefined,
      stamp: undefined,
      source: 'x',
      kind: 'other',
      eventKind: 'TokenEvent',
      json: '{\n  "id": "a",\n  "kind": "TokenEvent",\n  "source": "x"\n}',
    });
  });

  it('is read whatever it is', () => {
    const kinds = ['MessageEvent', 'ActionEvent', 'ObservationEvent', 'UserRejectObservation'];
    const more = ['AgentErrorEvent', 'ConversationStateUpdateEvent', '__proto__', 'x'];
    const value = fc.anything({ maxDepth: 3, withObjectString: true }).map((given) => {
      const json = JSON.stringify(given, (_, one: unknown) => (typeof one === 'bigint' ? 1 : one)) as
        string | undefined;
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
      .tuple(fc.constantFrom(...kinds, ...more), fc.dictionary(fc.constantFrom(...names), value))
      .map(([kind, fields]) => ({ ...fields, kind }));
    fc.assert(
      fc.property(fc.oneof(event, value), (given) => {
        assert.ok(read(given).id.length > 0);
      }),
      { seed: 17, numRuns: 2_000 },
    );
  });
});
