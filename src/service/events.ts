/** What happens in a conversation, in our own terms. */
import { createHash } from 'node:crypto';
import type { Execution, Open, Time } from './entities.ts';
import { execution } from './execution.ts';
import { escaped } from './escaped.ts';
import { identifier, integer, isObject, line, type WireRecord } from './wireValues.ts';

interface EventBase {
  readonly id: string;
  /** Undefined where the zone of the service is not known. */
  readonly at: Time | undefined;
  readonly source: Open<'user' | 'agent' | 'environment' | 'hook'> | undefined;
}

export interface MessageEvent extends EventBase {
  readonly kind: 'message';
  readonly role: Open<'user' | 'assistant'> | undefined;
  /** As it was written: not safe to show as it is. */
  readonly text: string;
  /** How many pictures it has. */
  readonly images: number;
}

/** What an agent wants to do, or has done. */
export interface ActionEvent extends EventBase {
  readonly kind: 'action';
  readonly toolName: string | undefined;
  /** As the service spells it. */
  readonly toolCallId: string | undefined;
  /** The actions of one step are accepted or rejected together. */
  readonly stepId: string | undefined;
  readonly actionKind: string | undefined;
  /** What the agent itself calls it: not what it does. */
  readonly summary: string | undefined;
  /**
   * All of what it does, as JSON of several lines in which what is not seen, or changes how other characters are shown, is
   * escaped. So it says the same as the service has, and is safe to show.
   */
  readonly arguments: string;
  readonly risk: Open<'low' | 'medium' | 'high' | 'unknown'> | undefined;
}

export interface ObservationEvent extends EventBase {
  readonly kind: 'observation';
  readonly actionId: string | undefined;
  readonly isError: boolean;
  readonly exitCode: number | undefined;
}

export interface RejectionEvent extends EventBase {
  readonly kind: 'rejection';
  readonly actionId: string | undefined;
  readonly reason: string | undefined;
}

export interface ErrorEvent extends EventBase {
  readonly kind: 'error';
  /** The action that failed, if it was one. */
  readonly toolCallId: string | undefined;
  readonly text: string | undefined;
}

export interface StateEvent extends EventBase {
  readonly kind: 'state';
  readonly key: string | undefined;
  /** For the key `execution_status`. */
  readonly execution: Execution | undefined;
}

/** Of a kind that we have no form for, or not an event at all. */
export interface OtherEvent extends EventBase {
  readonly kind: 'other';
  readonly eventKind: string | undefined;
}

export type AgentEvent =
  MessageEvent | ActionEvent | ObservationEvent | RejectionEvent | ErrorEvent | StateEvent | OtherEvent;

/** Reads whatever is there. `at` tells the time of its `timestamp`, which has no zone. */
export function readEvent(given: unknown, at: (timestamp: unknown) => Time | undefined): AgentEvent {
  const event: WireRecord = isObject(given) ? given : {};
  const base = {
    id: identifier(event.id) ?? madeId(given),
    at: at(event.timestamp),
    source: line(event.source),
  };
  switch (event.kind) {
    case 'MessageEvent':
      return { ...base, kind: 'message', ...message(event) };
    case 'ActionEvent':
      return { ...base, kind: 'action', ...action(event) };
    case 'ObservationEvent':
      return { ...base, kind: 'observation', actionId: identifier(event.action_id), ...observed(event) };
    case 'UserRejectObservation':
      return {
        ...base,
        kind: 'rejection',
        actionId: identifier(event.action_id),
        reason: line(event.rejection_reason),
      };
    case 'AgentErrorEvent':
    case 'ConversationErrorEvent':
    case 'ServerErrorEvent':
      return { ...base, kind: 'error', toolCallId: identifier(event.tool_call_id), text: failure(event) };
    case 'ConversationStateUpdateEvent':
      return {
        ...base,
        kind: 'state',
        key: line(event.key),
        execution: event.key === 'execution_status' ? execution(event.value) : undefined,
      };
    default:
      return { ...base, kind: 'other', eventKind: line(event.kind) };
  }
}

/** The same for the same content, so that it is found again. */
function madeId(given: unknown): string {
  return `made-${createHash('sha256').update(JSON.stringify(given)).digest('hex')}`;
}

function message({ llm_message }: WireRecord) {
  const { role, content } = isObject(llm_message) ? llm_message : {};
  const parts = (Array.isArray(content) ? (content as unknown[]) : [content]).map((part) =>
    isObject(part) ? part : { text: part },
  );
  return {
    role: line(role),
    text: parts.flatMap(({ text }) => (typeof text === 'string' ? text : [])).join('\n'),
    images: parts.reduce(
      (sum, { image_urls }) => sum + (Array.isArray(image_urls) ? image_urls.length : 0),
      0,
    ),
  };
}

const risks: Readonly<Record<string, ActionEvent['risk']>> = {
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
  UNKNOWN: 'unknown',
};

function action(event: WireRecord) {
  const { kind, ...fields } = isObject(event.action) ? event.action : {};
  const call = isObject(event.tool_call) ? event.tool_call : {};
  const risk = line(event.security_risk);
  return {
    toolName: line(event.tool_name) ?? line(call.name),
    toolCallId: identifier(event.tool_call_id) ?? identifier(call.id),
    stepId: identifier(event.llm_response_id),
    actionKind: line(kind),
    summary: line(event.summary),
    // What the service will do; where it could make nothing of what the model wants, that.
    arguments: escaped(isObject(event.action) ? fields : parsed(call.arguments)),
    risk: risk !== undefined && Object.hasOwn(risks, risk) ? risks[risk] : risk,
  };
}

function parsed(json: unknown): unknown {
  if (typeof json !== 'string') return json;
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function observed({ observation }: WireRecord) {
  const { is_error, exit_code } = isObject(observation) ? observation : {};
  return { isError: is_error === true, exitCode: integer(exit_code) };
}

function failure({ error, code, detail }: WireRecord): string | undefined {
  const texts = [error, code, detail].map(line).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join(': ');
}
