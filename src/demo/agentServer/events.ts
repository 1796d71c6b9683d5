import { Dice } from '../random.ts';
import type { ExecutionStatus } from '../wire.ts';
import { dashed } from '../world.ts';
import type { Held } from './conversations.ts';
import { firstMessageId } from './records.ts';
import type { AgentEvent } from './wire.ts';

type Content = Omit<AgentEvent, 'id' | 'timestamp' | 'parent_id'> & Readonly<Record<string, unknown>>;

/** What has happened in a conversation, the first first. What it does now, the last ones say. */
export function eventsOf(seed: number, held: Held): readonly AgentEvent[] {
  const { message, createdAt, updatedAt, execution } = held;
  const dice = new Dice(seed, held.position);
  const lastAt = Math.max(createdAt + 2_000, updatedAt);
  const contents: (readonly [at: number, Content])[] = [[createdAt, systemPrompt]];
  if (message !== undefined) {
    contents.push([createdAt + 20, says('user', message)]);
    contents.push([createdAt + 25, becomes('last_user_message_id', firstMessageId(seed, held))]);
  }
  if (execution !== 'idle') {
    contents.push([createdAt + 40, becomes('execution_status', 'running')]);
    contents.push([createdAt + 1_500, action('call-1', 'git status')]);
    contents.push([createdAt + 1_900, observation('call-1', idOf(dice, contents.length - 1))]);
    contents.push(...last(execution).map((content) => [lastAt, content] as const));
  }
  const ids = contents.map(([, { kind, source }], index) =>
    kind === 'MessageEvent' && source === 'user' ? firstMessageId(seed, held) : idOf(dice, index),
  );
  return contents.map(([at, content], index) => ({
    id: ids[index] ?? '',
    timestamp: localTime(at),
    ...(index === 0 ? {} : { parent_id: ids[index - 1] ?? '' }),
    ...content,
  }));
}

/** Without a zone, as the clock of this machine shows it. */
export function localTime(time: number): string {
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return `${new Date(time - offset).toISOString().slice(0, -1)}000`;
}

function last(execution: ExecutionStatus): readonly Content[] {
  const state = becomes('execution_status', execution);
  if (execution === 'waiting_for_confirmation') return [action('call-2', 'npm test'), state];
  if (execution === 'finished')
    return [says('agent', 'Done: the change is in the working tree, and the tests pass.'), state];
  return execution === 'error' ? [state, failure] : [state];
}

const systemPrompt: Content = {
  source: 'agent',
  system_prompt: {
    cache_prompt: false,
    type: 'text',
    text: 'You are an agent. You work in a folder of a developer. '.repeat(200),
  },
  tools: [],
  dynamic_context: null,
  kind: 'SystemPromptEvent',
};

const failure: Content = {
  source: 'environment',
  code: 'LLMServiceUnavailableError',
  detail: 'The model did not answer.',
  kind: 'ConversationErrorEvent',
};

function says(source: 'user' | 'agent', text: string): Content {
  return {
    source,
    llm_message: {
      role: source === 'user' ? 'user' : 'assistant',
      content: [{ cache_prompt: false, type: 'text', text }],
      thinking_blocks: [],
    },
    ...(source === 'user' ? {} : { llm_response_id: 'answer-2' }),
    activated_skills: [],
    extended_content: [],
    kind: 'MessageEvent',
  };
}

function becomes(key: string, value: string): Content {
  return { source: 'environment', key, value, kind: 'ConversationStateUpdateEvent' };
}

function action(callId: string, command: string): Content {
  return {
    source: 'agent',
    thought: [{ cache_prompt: false, type: 'text', text: 'I look first.' }],
    thinking_blocks: [],
    action: { command, is_input: false, reset: false, kind: 'TerminalAction' },
    tool_name: 'terminal',
    tool_call_id: callId,
    tool_call: {
      id: callId,
      name: 'terminal',
      arguments: JSON.stringify({ command, security_risk: 'LOW' }),
      origin: 'completion',
    },
    llm_response_id: `answer-${callId}`,
    security_risk: 'LOW',
    summary: `terminal: ${command}`,
    kind: 'ActionEvent',
  };
}

function observation(callId: string, actionId: string): Content {
  return {
    source: 'environment',
    tool_name: 'terminal',
    tool_call_id: callId,
    observation: {
      content: [{ cache_prompt: false, type: 'text', text: 'nothing to commit, working tree clean' }],
      is_error: false,
      command: 'git status',
      exit_code: 0,
      timeout: false,
      kind: 'TerminalObservation',
    },
    action_id: actionId,
    extended_content: [],
    kind: 'ObservationEvent',
  };
}

function idOf(dice: Dice, index: number): string {
  return dashed(dice.hex(`event ${index}`, 32));
}
