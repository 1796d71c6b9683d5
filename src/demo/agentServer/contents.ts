/** The contents of events in the wording of a real Agent Server. */
import { toolsOfServers } from '../toolServers/agentServers.ts';
import { type DemoApproval, riskBy } from './policy.ts';
import type { ToolCall } from '../world/demoTools.ts';
import type { WireAgentEvent } from '../wire/wireTypes.ts';

export type Content = Omit<WireAgentEvent, 'id' | 'timestamp' | 'parent_id'> &
  Readonly<Record<string, unknown>>;

/** A called action, for its result. */
export interface Called {
  readonly id: string;
  readonly callId: string;
  readonly call: ToolCall;
}

const text = (words: string) => ({
  cache_prompt: false,
  type: 'text',
  text: words,
});

export const systemPrompt: Content = {
  source: 'agent',
  system_prompt: text(
    'You are a coding agent. You work in the folder you are given. '.repeat(
      180,
    ),
  ),
  tools: toolsOfServers,
  dynamic_context: null,
  kind: 'SystemPromptEvent',
};

export const failure: Content = {
  source: 'environment',
  code: 'LLMServiceUnavailableError',
  detail: 'The model did not answer after 5 attempts: 529 Overloaded.',
  kind: 'ConversationErrorEvent',
};

export const pauseRequest: Content = { source: 'user', kind: 'PauseEvent' };

export const interruption: Content = { source: 'user', kind: 'InterruptEvent' };

export const condensationRequest: Content = {
  source: 'environment',
  kind: 'CondensationRequest',
};

export function condensation(forgotten_event_ids: readonly string[]): Content {
  const summary = 'The task, what was changed for it, and what is left to do.';
  return {
    source: 'environment',
    forgotten_event_ids,
    summary,
    summary_offset: 0,
    kind: 'Condensation',
  };
}

/** `undefined` means a message without content, unlike empty text. */
export function userSays(
  words: string | undefined,
  pictures: readonly string[] = [],
): Content {
  const image = { cache_prompt: false, type: 'image', image_urls: pictures };
  return says('user', [
    ...(words === undefined ? [] : [text(words)]),
    ...(pictures.length > 0 ? [image] : []),
  ]);
}

export function agentSays(words: string, stepId: string): Content {
  return { ...says('agent', [text(words)]), llm_response_id: stepId };
}

function says(source: 'user' | 'agent', content: readonly object[]): Content {
  return {
    source,
    llm_message: {
      role: source === 'user' ? 'user' : 'assistant',
      content,
      thinking_blocks: [],
    },
    activated_skills: [],
    extended_content: [],
    kind: 'MessageEvent',
  };
}

export function becomes(key: string, value: unknown): Content {
  return {
    source: 'environment',
    key,
    value,
    kind: 'ConversationStateUpdateEvent',
  };
}

/** All actions of a step share its id. Only the first has the thought. */
export function action(
  stepId: string,
  thought: string | undefined,
  { callId, call }: Called,
): Content {
  const { tool, input, action: acted, risk } = call;
  const callArguments = JSON.stringify(
    tool === 'terminal' ? { ...input, security_risk: risk } : input,
  );
  return {
    source: 'agent',
    thought: thought === undefined ? [] : [text(thought)],
    thinking_blocks: [],
    ...(acted && { action: acted }),
    tool_name: tool,
    tool_call_id: callId,
    tool_call: {
      id: callId,
      name: tool,
      arguments: callArguments,
      origin: 'completion',
    },
    llm_response_id: stepId,
    security_risk: risk,
    ...(acted && { summary: `${tool}: ${JSON.stringify(input)}` }),
    kind: 'ActionEvent',
  };
}

/** The rating of the actions of one step. */
export function analysis(
  { policy, analyzer }: DemoApproval,
  step: readonly Called[],
): Content {
  return {
    source: 'environment',
    analyzer: analyzer?.kind,
    policy: policy.kind,
    risks: Object.fromEntries(
      step.map(({ id, call }) => [
        id,
        analyzer ? riskBy(analyzer, call) : call.risk,
      ]),
    ),
    details: {},
    kind: 'SecurityAnalysisEvent',
  };
}

export function observation({ id, callId, call }: Called): Content {
  return {
    source: 'environment',
    tool_name: call.tool,
    tool_call_id: callId,
    observation: {
      content: [text(call.output)],
      is_error: call.isError,
      ...call.observation,
    },
    action_id: id,
    extended_content: [],
    kind: 'ObservationEvent',
  };
}

export function rejection(
  { id, callId, call }: Called,
  reason: string,
): Content {
  return {
    source: 'environment',
    tool_name: call.tool,
    tool_call_id: callId,
    rejection_reason: reason,
    rejection_source: 'user',
    action_id: id,
    kind: 'UserRejectObservation',
  };
}

export function toolError({ callId, call }: Called, error: string): Content {
  return {
    source: 'agent',
    tool_name: call.tool,
    tool_call_id: callId,
    error,
    classification: {
      kind: 'agent_action',
      retryable: true,
      user_action: 'retry',
    },
    kind: 'AgentErrorEvent',
  };
}
