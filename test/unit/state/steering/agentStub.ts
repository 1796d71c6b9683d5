/**
 * An agent that asks before it acts, at the stub of an Agent Server; it does
 * what the real one was seen to do.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AgentServerStub } from '../../service/agentServerStub.ts';

interface WireEvent {
  readonly id: string;
  readonly timestamp: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

export interface AgentStub {
  readonly id: string;
  /** The first first. */
  readonly events: WireEvent[];
  /**
   * The ids of the actions that were accepted, or run for lack of an answer.
   */
  readonly ran: string[];
  /**
   * The answers that have come, with the actions that waited when they were
   * handled.
   */
  readonly answers: {
    readonly accept: boolean;
    readonly reason?: string;
    readonly ids: readonly string[];
  }[];
  /** The number of interruptions. */
  interrupts: number;
  /** The messages that have come, and whether they were to run something. */
  readonly messages: { readonly text: string; readonly run: boolean }[];
  /** The number of times that it was told to go on. */
  runs: number;
  readonly policy: unknown;
  readonly analyzer: unknown;
  /**
   * Goes back to the policy of creation without an event, as a restart or an
   * eviction does.
   */
  unload: () => void;
  /**
   * Called before a request for events is answered, and before what steers it
   * is handled.
   */
  before: (
    what: 'events' | 'answer' | 'message' | 'run',
    request: IncomingMessage,
  ) => void;
  /** True if accepted actions go on for a while. */
  isSlow: boolean;
  /** True if it has the next step ready once it was answered. */
  goesOn: boolean;
  add(kind: string, fields?: Readonly<Record<string, unknown>>): WireEvent;
  state(value: unknown): void;
  /** A step with these commands begins to wait. */
  ask(...commands: readonly string[]): void;
  accept(): void;
  reject(reason?: string): void;
  interrupt(): void;
  waiting(): readonly string[];
}

const begin = Date.UTC(2026, 0, 1, 12);

export function agentAt(
  stub: AgentServerStub,
  createdAt = begin,
  zone = 0,
  creation: object = {},
): AgentStub {
  const created = {
    confirmation_policy: { kind: 'AlwaysConfirm' },
    security_analyzer: null,
    ...creation,
  };
  const title = 'Fix login';
  const record = stub.add({
    title,
    created_at: new Date(createdAt).toISOString(),
    ...created,
  });
  const { id } = record;
  let now = createdAt + zone;
  let steps = 0;
  const agent: AgentStub = {
    id,
    events: [],
    ran: [],
    answers: [],
    interrupts: 0,
    messages: [],
    runs: 0,
    get policy() {
      return record.confirmation_policy;
    },
    get analyzer() {
      return record.security_analyzer;
    },
    unload: () => {
      Object.assign(record, created);
    },
    before: () => undefined,
    isSlow: false,
    goesOn: false,
    add: (kind, fields = {}) => {
      const timestamp = new Date((now += 40)).toISOString().slice(0, -1);
      const event = {
        id: randomUUID(),
        timestamp,
        kind,
        source: 'agent',
        ...fields,
      };
      agent.events.push(event);
      return event;
    },
    state: (value) => {
      agent.add('ConversationStateUpdateEvent', {
        key: 'execution_status',
        value,
        source: 'environment',
      });
    },
    ask: (...commands) => {
      // The rest of an earlier step is over before the next one begins.
      for (const open of unanswered()) cancel(open);
      const step = `answer-${++steps}`;
      for (const [index, command] of commands.entries()) {
        agent.add('ActionEvent', {
          action: { kind: 'TerminalAction', command, is_input: false },
          tool_name: 'terminal',
          tool_call_id: `call_${steps}_${index}`,
          tool_call: {
            name: 'terminal',
            arguments: JSON.stringify({ command }),
          },
          llm_response_id: step,
          security_risk: 'LOW',
          summary: 'Runs something',
        });
      }
      agent.state('waiting_for_confirmation');
    },
    accept: () => {
      run(agent.waiting());
    },
    reject: (rejection_reason) => {
      const ids = agent.waiting();
      if (lastState() !== 'paused') agent.state('idle');
      for (const action_id of ids)
        agent.add('UserRejectObservation', { action_id, rejection_reason });
    },
    interrupt: () => {
      agent.interrupts++;
      // While it waits, nothing runs that could be interrupted.
      if (lastState() !== 'running') return;
      for (const open of unanswered()) cancel(open);
      agent.state('paused');
      agent.add('InterruptEvent', { source: 'user' });
    },
    waiting: () =>
      lastState() === 'waiting_for_confirmation' || lastState() === 'paused'
        ? unanswered().map((event) => event.id)
        : [],
  };

  function run(ids: readonly string[]): void {
    agent.ran.push(...ids);
    agent.state('running');
    if (agent.isSlow) return;
    for (const action_id of ids) {
      agent.add('ObservationEvent', {
        action_id,
        observation: { is_error: false, exit_code: 0 },
      });
    }
    if (agent.goesOn) agent.ask(`step ${steps + 1}`);
    else agent.state('finished');
  }

  function cancel({ tool_call_id }: WireEvent): void {
    agent.add('AgentErrorEvent', { tool_call_id, error: 'Interrupted.' });
  }

  function lastState(): unknown {
    return agent.events.findLast(({ key }) => key === 'execution_status')
      ?.value;
  }

  function unanswered(): readonly WireEvent[] {
    const { events } = agent;
    return events.filter(
      (action, index) =>
        action.kind === 'ActionEvent' &&
        !events
          .slice(index)
          .some(
            ({ kind, action_id, tool_call_id }) =>
              action_id === action.id ||
              (kind === 'AgentErrorEvent' &&
                tool_call_id === action.tool_call_id),
          ),
    );
  }

  function search(query: URLSearchParams): unknown {
    const all =
      query.get('sort_order') === 'TIMESTAMP_DESC'
        ? agent.events.toReversed()
        : agent.events;
    const limit = Number(query.get('limit') ?? 100);
    const start = Math.max(
      0,
      all.findIndex((event) => event.id === query.get('page_id')),
    );
    return {
      items: all.slice(start, start + limit),
      next_page_id: all[start + limit]?.id ?? null,
    };
  }

  const others = stub.answer;
  stub.answer = (request, path, body) => {
    const given = others(request, path, body);
    if (given !== undefined) return given;
    const prefix = `/api/conversations/${id}`;
    if (
      !stub.records.some((record) => record.id === id) ||
      !path.startsWith(prefix)
    )
      return undefined;
    switch (`${request.method ?? ''} ${path.slice(prefix.length)}`) {
      case 'GET ':
        return [200, record];
      case 'GET /events/search':
        agent.before('events', request);
        return [
          200,
          search(new URL(request.url ?? '', 'http://stub').searchParams),
        ];
      case 'POST /events/respond_to_confirmation': {
        agent.before('answer', request);
        const answer = JSON.parse(body) as { accept: boolean; reason?: string };
        agent.answers.push({ ...answer, ids: agent.waiting() });
        if (answer.accept) agent.accept();
        else agent.reject(answer.reason);
        return [200, { success: true }];
      }
      case 'POST /events': {
        agent.before('message', request);
        const { content, run: isRun } = JSON.parse(body) as {
          content: { text: string }[];
          run: boolean;
        };
        agent.messages.push({
          text: content.map(({ text }) => text).join('\n'),
          run: isRun,
        });
        if (lastState() === 'finished') agent.state('idle');
        agent.add('MessageEvent', {
          source: 'user',
          llm_message: { role: 'user', content },
        });
        if (isRun && lastState() !== 'running')
          run(unanswered().map((event) => event.id));
        return [200, { success: true }];
      }
      case 'POST /run':
        agent.before('run', request);
        agent.runs++;
        if (lastState() === 'running')
          return [409, { detail: 'Conversation already running.' }];
        // It executes what has no result, whatever its state says.
        if (lastState() !== 'finished')
          run(unanswered().map((event) => event.id));
        return [200, { success: true }];
      case 'POST /confirmation_policy':
        record.confirmation_policy = (
          JSON.parse(body) as { policy: unknown }
        ).policy;
        return [200, { success: true }];
      case 'POST /security_analyzer':
        record.security_analyzer = (
          JSON.parse(body) as { security_analyzer: unknown }
        ).security_analyzer;
        return [200, { success: true }];
      case 'POST /interrupt':
        agent.interrupt();
        return [200, { success: true }];
      case 'PATCH ':
        stub.change(
          stub.records.find((record) => record.id === id),
          JSON.parse(body) as { title: string },
        );
        return [200, { success: true }];
      case 'DELETE ':
        stub.remove(stub.records.find((record) => record.id === id));
        return [200, { success: true }];
      case 'POST /fork':
        return [
          201,
          stub.add({
            title: null,
            forked_from_conversation_id: id,
            ...created,
          }),
        ];
      default:
        return undefined;
    }
  };

  agent.add('SystemPromptEvent', {
    system_prompt: { text: 'You are an agent.' },
  });
  agent.add('MessageEvent', {
    source: 'user',
    llm_message: { role: 'user', content: [{ type: 'text', text: 'Fix it' }] },
  });
  agent.state('running');
  return agent;
}
