/** What happens in a conversation, in our own terms. */
import { createHash } from 'node:crypto';
import type { ConfirmationPolicy, Conversation, Execution, Open, Time } from './entities.ts';
import { execution } from './execution.ts';
import { escaped } from './escaped.ts';
import { tags, totalCost, totalTokens } from './usage.ts';
import { enumValue, identifier, integer, isObject, line, title, type WireRecord } from './wireValues.ts';

interface EventBase {
  readonly id: string;
  /** When it happened, as the service has it: it sorts as text. Undefined where it has none. */
  readonly stamp: string | undefined;
  /** Undefined where the zone of the service is not known. */
  readonly at: Time | undefined;
  readonly source: Open<'user' | 'agent' | 'environment' | 'hook'> | undefined;
}

export interface MessageEvent extends EventBase {
  readonly kind: 'message';
  readonly role: Open<'user' | 'assistant'> | undefined;
  /** As it was written: not safe to show as it is. */
  readonly text: string;
  /** What its model was thinking. */
  readonly reasoning: string | undefined;
  readonly images: readonly Picture[];
}

/** One that is in the conversation itself can be shown. Another one is only an address, as it was written: never load it. */
export type Picture = { readonly mediaType: string; readonly base64: string } | { readonly address: string };

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
  /** What it says before it acts, as it was written. Only the first action of a step has it. */
  readonly thought: string;
  readonly reasoning: string | undefined;
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
  /** As it was written, also with the control sequences of a terminal. */
  readonly text: string;
  readonly images: readonly Picture[];
  readonly change: FileChange | undefined;
}

/** The whole file before and after; undefined where there was none. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface RejectionEvent extends EventBase {
  readonly kind: 'rejection';
  readonly actionId: string | undefined;
  /** As it was written. */
  readonly reason: string | undefined;
}

export interface ErrorEvent extends EventBase {
  readonly kind: 'error';
  /** The action that failed, if it was one. */
  readonly toolCallId: string | undefined;
  /** As it was written. */
  readonly text: string | undefined;
}

export interface StateEvent extends EventBase {
  readonly kind: 'state';
  readonly key: string | undefined;
  /** For the key `execution_status`. */
  readonly execution: Execution | undefined;
  /** What it says about the conversation, whatever its key. */
  readonly facts: Facts;
}

/** What is known of a conversation beside what happens in it. What is missing is not known, or has not changed. */
export interface Facts {
  readonly title?: string;
  readonly cost?: number;
  readonly tokens?: NonNullable<Conversation['tokens']>;
  readonly tags?: readonly string[];
  readonly confirmation?: ConfirmationPolicy;
}

/** A person has stopped the agent: at once, or after what it was doing. */
export interface StopEvent extends EventBase {
  readonly kind: 'stop';
  readonly isInterrupt: boolean;
}

/** The agent has forgotten some of what happened, and remembers a summary. */
export interface CondensationEvent extends EventBase {
  readonly kind: 'condensation';
  readonly forgotten: number;
  readonly summary: string | undefined;
}

/** The next piece of what the agent is writing. It comes only live: the whole comes after the last piece. */
export interface PieceEvent extends EventBase {
  readonly kind: 'piece';
  readonly text: string;
  readonly reasoning: string;
}

/** Of a kind that we have no form for, or not an event at all. */
export interface OtherEvent extends EventBase {
  readonly kind: 'other';
  readonly eventKind: string | undefined;
  /** All of it, as JSON of several lines that is safe to show, like `arguments` of an action. */
  readonly json: string;
}

export type AgentEvent =
  | MessageEvent
  | ActionEvent
  | ObservationEvent
  | RejectionEvent
  | ErrorEvent
  | StateEvent
  | StopEvent
  | CondensationEvent
  | PieceEvent
  | OtherEvent;

/** Reads whatever is there. `at` tells the time of its `timestamp`, which has no zone. */
export function readEvent(given: unknown, at: (timestamp: unknown) => Time | undefined): AgentEvent {
  const event: WireRecord = isObject(given) ? given : {};
  const base = {
    id: identifier(event.id) ?? madeId(given),
    stamp: line(event.timestamp),
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
        reason: written(event.rejection_reason),
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
        facts: factsOf(event),
      };
    case 'PauseEvent':
    case 'InterruptEvent':
      return { ...base, kind: 'stop', isInterrupt: event.kind === 'InterruptEvent' };
    case 'Condensation':
      return {
        ...base,
        kind: 'condensation',
        forgotten: Array.isArray(event.forgotten_event_ids) ? event.forgotten_event_ids.length : 0,
        summary: written(event.summary),
      };
    case 'StreamingDeltaEvent':
      return {
        ...base,
        kind: 'piece',
        text: written(event.content) ?? '',
        reasoning: written(event.reasoning_content) ?? '',
      };
    default:
      return { ...base, kind: 'other', eventKind: line(event.kind), json: escaped(given) };
  }
}

/** The same for the same content, so that it is found again. */
function madeId(given: unknown): string {
  return `made-${createHash('sha256').update(JSON.stringify(given)).digest('hex')}`;
}

function message({ llm_message }: WireRecord) {
  const { role, content, reasoning_content } = isObject(llm_message) ? llm_message : {};
  return { role: line(role), reasoning: written(reasoning_content), ...contents(content) };
}

/** What is written and shown in a list of parts, or in one. */
function contents(content: unknown): { readonly text: string; readonly images: readonly Picture[] } {
  const parts = (Array.isArray(content) ? (content as unknown[]) : [content]).map((part) =>
    isObject(part) ? part : { text: part },
  );
  return {
    text: parts.flatMap(({ text }) => (typeof text === 'string' ? text : [])).join('\n'),
    images: parts.flatMap(({ image_urls }) =>
      Array.isArray(image_urls) ? (image_urls as unknown[]).flatMap(picture) : [],
    ),
  };
}

/** A text that is not empty, as it was written. */
function written(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function picture(address: unknown): Picture | readonly [] {
  if (typeof address !== 'string' || address === '') return [];
  const [all, mediaType = ''] = /^data:(image\/(?:png|jpeg|gif|webp));base64,/i.exec(address) ?? [];
  if (all === undefined) return { address: address.slice(0, longestAddress) };
  const base64 = address.slice(all.length);
  return /^[A-Za-z0-9+/]*={0,2}$/.test(base64) ? { mediaType: mediaType.toLowerCase(), base64 } : [];
}

const longestAddress = 2_000;

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
    thought: contents(event.thought).text,
    reasoning: written(event.reasoning_content),
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
  const { is_error, exit_code, content, path, old_content, new_content, command, screenshot_data } = isObject(
    observation,
  )
    ? observation
    : {};
  const { text, images } = contents(content);
  const before = written(old_content);
  const after = written(new_content);
  const isChange = typeof path === 'string' && command !== 'view' && (before ?? after) !== undefined;
  return {
    isError: is_error === true,
    exitCode: integer(exit_code),
    text,
    images: images.length > 0 ? images : screenshot(screenshot_data),
    change: isChange && is_error !== true ? { path, before, after } : undefined,
  };
}

/** It comes without its kind. */
function screenshot(data: unknown): readonly Picture[] {
  if (typeof data !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return [];
  const known = Object.entries(mediaTypes).find(([begin]) => data.startsWith(begin));
  return [{ mediaType: known?.[1] ?? 'image/png', base64: data }];
}

/** By how their Base64 begins. */
const mediaTypes: Readonly<Record<string, string>> = {
  '/9j/': 'image/jpeg',
  R0lGODlh: 'image/gif',
  UklGR: 'image/webp',
};

/** All of them where it is the whole record, else the one that it is about. */
function factsOf({ key, value }: WireRecord): Facts {
  const given = key === 'full_state' ? value : typeof key === 'string' ? { [key]: value } : undefined;
  if (!isObject(given)) return {};
  const sets = isObject(given.stats) ? given.stats.usage_to_metrics : undefined;
  const cost = totalCost(sets);
  const tokens = totalTokens(sets);
  const confirmation = confirmationPolicy(given.confirmation_policy);
  return {
    ...(typeof given.title === 'string' && { title: title(given.title) }),
    ...(cost !== undefined && { cost }),
    ...(tokens && { tokens }),
    ...(isObject(given.tags) && { tags: tags(given.tags) }),
    ...(confirmation !== undefined && { confirmation }),
  };
}

const policies: Readonly<Record<string, ConfirmationPolicy>> = {
  AlwaysConfirm: 'always',
  ConfirmRisky: 'risky',
  NeverConfirm: 'never',
};

export function confirmationPolicy(policy: unknown): ConfirmationPolicy | undefined {
  return isObject(policy) ? enumValue(policies, policy.kind) : undefined;
}

function failure({ error, code, detail }: WireRecord): string | undefined {
  const texts = [error, code, detail].map(written).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join(': ');
}
