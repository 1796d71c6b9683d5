import { createHash } from 'node:crypto';
import type { Time } from '../model/entities.ts';
import { escaped } from './escaped.ts';
import type {
  ActionEvent,
  AgentEvent,
  AgentTask,
  EventBase,
  EventPicture,
  Facts,
  FileChange,
  HookEvent,
  ObservationEvent,
  RatingEvent,
  Risk,
} from '../model/events.ts';
import { hasDuplicateKeys, parseExactly } from '../http/exactJson.ts';
import {
  analyzerOf,
  confirmationPolicy,
  execution,
  lastMessageOf,
  tagParts,
  totalCost,
  totalTokens,
  contextOf,
} from './conversationRecord.ts';
import {
  identifier,
  integer,
  isObject,
  shownLine,
  title,
  type WireRecord,
  array,
  enumValue,
} from '../http/wireValues.ts';

/** Characters of the address of a picture. */
const maxAddressLength = 2_000;

/** Reads any event. `at` converts its `timestamp`, which has no zone. */
export function readEvent(
  record: unknown,
  at: (timestamp: unknown) => Time | undefined,
): AgentEvent {
  const event: WireRecord = isObject(record) ? record : {};
  const base = {
    id: identifier(event.id) ?? madeId(record),
    stamp: shownLine(event.timestamp),
    at: at(event.timestamp),
    source: shownLine(event.source),
  };
  switch (event.kind) {
    case 'MessageEvent':
      return {
        ...base,
        kind: 'message',
        parentId: identifier(event.parent_id),
        ...message(event),
      };
    case 'ActionEvent':
      return { ...base, kind: 'action', ...action(event) };
    case 'ObservationEvent':
      return {
        ...base,
        kind: 'observation',
        actionId: identifier(event.action_id),
        ...observed(event),
      };
    case 'UserRejectObservation':
      return {
        ...base,
        kind: 'rejection',
        actionId: identifier(event.action_id),
        reason: givenReason(writtenText(event.rejection_reason)),
      };
    case 'AgentErrorEvent':
    case 'ConversationErrorEvent':
    case 'ServerErrorEvent':
      return {
        ...base,
        kind: 'error',
        toolCallId: identifier(event.tool_call_id),
        text: failure(event),
        ...(isAboutModel(event) && { isAboutModel: true }),
      };
    case 'ConversationStateUpdateEvent':
      return {
        ...base,
        kind: 'state',
        key: shownLine(event.key),
        execution:
          event.key === 'execution_status' ? execution(event.value) : undefined,
        facts: factsOf(event),
      };
    case 'PauseEvent':
    case 'InterruptEvent':
      return {
        ...base,
        kind: 'stop',
        isInterrupt: event.kind === 'InterruptEvent',
      };
    case 'Condensation':
      return {
        ...base,
        kind: 'condensation',
        forgotten: Array.isArray(event.forgotten_event_ids)
          ? event.forgotten_event_ids.length
          : 0,
        summary: writtenText(event.summary),
      };
    case 'StreamingDeltaEvent':
      return {
        ...base,
        kind: 'piece',
        text: writtenText(event.content) ?? '',
        reasoning: writtenText(event.reasoning_content) ?? '',
      };
    case 'ACPToolCallEvent':
      return { ...base, kind: 'call', ...readCall(event, base) };
    case 'HookExecutionEvent':
      return { ...base, kind: 'hook', ...hook(event) };
    case 'SecurityAnalysisEvent':
      return { ...base, kind: 'rating', risks: risksIn(event.risks) };
    case 'TokenEvent':
    case 'LLMCompletionLogEvent':
    case 'CondensationRequest':
    // The condensation has this summary.
    case 'CondensationSummaryEvent':
      return { ...base, kind: 'untold' };
    default:
      return {
        ...base,
        kind: 'other',
        eventKind: shownLine(event.kind),
        json: escaped(record),
      };
  }
}

/** Gives the same id to the same content, so that it is found again. */
function madeId(record: unknown): string {
  return `made-${createHash('sha256').update(JSON.stringify(record)).digest('hex')}`;
}

function message({ llm_message }: WireRecord) {
  const content = isObject(llm_message) ? llm_message : {};
  return {
    role: shownLine(content.role),
    reasoning: reasoningOf(content),
    ...contents(content.content),
  };
}

const risks: Readonly<Record<string, Risk>> = {
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
  UNKNOWN: 'unknown',
};

function readRisk(value: unknown): Risk | undefined {
  const risk = shownLine(value);
  return risk !== undefined && Object.hasOwn(risks, risk) ? risks[risk] : risk;
}

function risksIn(value: unknown): RatingEvent['risks'] {
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(
    entries.map(([id, risk]) => [id, readRisk(risk) ?? 'unknown']),
  );
}

function action(event: WireRecord) {
  const { kind, ...fields } = isObject(event.action) ? event.action : {};
  const call = isObject(event.tool_call) ? event.tool_call : {};
  return {
    toolName: shownLine(event.tool_name) ?? shownLine(call.name),
    toolCallId: identifier(event.tool_call_id) ?? identifier(call.id),
    stepId: identifier(event.llm_response_id),
    actionKind: shownLine(kind),
    summary: shownLine(event.summary),
    thought: contents(event.thought).text,
    reasoning: reasoningOf(event),
    // The arguments that the service will use, or else those of the model.
    arguments: escaped(
      isObject(event.action) ? withoutNulls(fields) : parsed(call.arguments),
    ),
    risk: readRisk(event.security_risk),
  };
}

/** Drops null members, which app servers send and Agent Servers omit. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : [[name, withoutNulls(member)]],
    ),
  );
}

function parsed(json: unknown): unknown {
  if (typeof json !== 'string') return json;
  try {
    // Shows both of two members with the same name: only the service knows
    // which one counts.
    return hasDuplicateKeys(json) ? json : parseExactly(json);
  } catch {
    return json;
  }
}

function observed({ observation }: WireRecord) {
  const record = isObject(observation) ? observation : {};
  const {
    is_error,
    exit_code,
    content,
    path,
    old_content,
    new_content,
    command,
    screenshot_data,
  } = record;
  const { text, images } = contents(content);
  const before = writtenText(old_content);
  const after = writtenText(new_content);
  const isChange =
    typeof path === 'string' &&
    command !== 'view' &&
    (before ?? after) !== undefined;
  return {
    isError: is_error === true,
    exitCode: integer(exit_code),
    text,
    images: images.length > 0 ? images : screenshot(screenshot_data),
    change: isChange && is_error !== true ? { path, before, after } : undefined,
    ...(Array.isArray(record.task_list) && {
      tasks: array(record.task_list).flatMap(readTask),
    }),
  };
}

const taskStatuses = {
  todo: 'todo',
  in_progress: 'inProgress',
  done: 'done',
} as const;

function readTask(task: unknown): AgentTask | readonly [] {
  const { title, status }: WireRecord = isObject(task) ? task : {};
  const line = shownLine(title);
  return line === undefined
    ? []
    : { title: line, status: enumValue(taskStatuses, status) ?? 'todo' };
}

/**
 * All facts of a whole record, or the one that the event is about. Title and
 * tags of a whole record are ignored: they are the agent's, and the service
 * changes its own without the agent.
 */
function factsOf({ key, value }: WireRecord): Facts {
  const isWhole = key === 'full_state';
  if (typeof key !== 'string') return {};
  const fields = isWhole ? value : { [key]: value };
  if (!isObject(fields)) return {};
  const sets = isObject(fields.stats)
    ? fields.stats.usage_to_metrics
    : undefined;
  const cost = totalCost(sets);
  const tokens = totalTokens(sets);
  const agent = isObject(fields.agent) ? fields.agent : {};
  const llm = isObject(agent.llm) ? agent.llm : {};
  const context = contextOf(sets, identifier(llm.usage_id));
  const model = shownLine(llm.model);
  const policy = confirmationPolicy(fields.confirmation_policy);
  const analyzer = analyzerOf(fields);
  return {
    ...(!isWhole &&
      typeof fields.title === 'string' && { title: title(fields.title) }),
    ...(cost !== undefined && { cost }),
    ...(tokens && { tokens }),
    ...(context && { context }),
    ...(model !== undefined && { model }),
    ...(!isWhole && isObject(fields.tags) && tagParts(fields.tags)),
    ...lastMessageOf(fields),
    ...(policy !== undefined && { policy }),
    ...(analyzer !== undefined && { analyzer }),
  };
}

function hook(event: WireRecord) {
  const { hook_command, stdout, stderr, error, reason } = event;
  return {
    hook: shownLine(event.hook_event_type),
    outcome: hookOutcome(event),
    reason: writtenText(reason),
    command: writtenText(hook_command),
    text: [stdout, stderr, error]
      .flatMap((text) => writtenText(text) ?? [])
      .join('\n'),
  };
}

function hookOutcome({ success, blocked }: WireRecord): HookEvent['outcome'] {
  if (blocked === true) return 'blocked';
  return success === false ? 'failed' : 'done';
}

function failure({ error, code, detail }: WireRecord): string | undefined {
  const texts = [error, code, detail]
    .map(writtenText)
    .filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join(': ');
}

const modelErrors =
  /^(?:LLM(?:Authentication|BadRequest|RateLimit|ServiceUnavailable|Timeout)Error|(?:API|Authentication|BadRequest|NotFound|PermissionDenied|RateLimit)Error)$/;

/** Older services send only the name of the error. */
function isAboutModel({ kind, code, classification }: WireRecord): boolean {
  if (kind !== 'ConversationErrorEvent') return false;
  const action = isObject(classification)
    ? classification.user_action
    : undefined;
  return (
    action === 'settings' ||
    (typeof code === 'string' && modelErrors.test(code))
  );
}

/**
 * Drops the default text that the service sends for a rejection without a
 * reason.
 */
function givenReason(reason: string | undefined): string | undefined {
  return reason !== undefined && /^User rejected the actions?\.?$/.test(reason)
    ? undefined
    : reason;
}

const overStates = new Set(['completed', 'failed']);

/**
 * Reads a call of an agent that is a program of its own and speaks the Agent
 * Client Protocol.
 */
function readCall(event: WireRecord, base: EventBase) {
  const { raw_input: input, status, is_error } = event;
  const callId = identifier(event.tool_call_id);
  const toolKind = shownLine(event.tool_kind);
  const action: ActionEvent = {
    ...base,
    kind: 'action',
    toolName: shownLine(event.title),
    toolCallId: callId,
    stepId: undefined,
    actionKind: toolKind === undefined ? 'ACP' : `ACP:${toolKind}`,
    summary: undefined,
    thought: '',
    reasoning: undefined,
    arguments: escaped(input ?? {}),
    risk: undefined,
  };
  const result: ObservationEvent = {
    ...base,
    kind: 'observation',
    actionId: undefined,
    isError: is_error === true || status === 'failed',
    exitCode: undefined,
    ...outcome(event),
  };
  return {
    callId,
    isOver: is_error === true || overStates.has(String(status)),
    action,
    result,
  };
}

/** Prefers the display content of a tool to its raw output. */
function outcome({
  content,
  raw_output,
}: WireRecord): Pick<ObservationEvent, 'text' | 'images' | 'change'> {
  const blocks = list(content).filter(isObject);
  const changes = blocks.flatMap(changeOf);
  const parts = contents(blocks.map((block) => block.content));
  const raw =
    writtenText(raw_output) ??
    (isObject(raw_output) ? escaped(raw_output) : '');
  const [change, another] = changes;
  const isOne = change !== undefined && another === undefined;
  return {
    text: another ? escaped(content) : parts.text || raw,
    images: [...parts.images, ...blocks.flatMap(imageOf)],
    change: isOne ? change : undefined,
  };
}

/** Accepts the spelling of the protocol and that of the service. */
function changeOf({
  type,
  path,
  old_text,
  oldText,
  new_text,
  newText,
}: WireRecord): FileChange | readonly [] {
  const after = new_text ?? newText;
  if (type !== 'diff' || typeof path !== 'string' || typeof after !== 'string')
    return [];
  return { path, before: writtenText(old_text ?? oldText), after };
}

function imageOf({ content }: WireRecord): ObservationEvent['images'] {
  if (!isObject(content) || content.type !== 'image') return [];
  const { data, mime_type, mimeType } = content;
  return contents([
    {
      image_urls: [
        `data:${String(mime_type ?? mimeType)};base64,${String(data)}`,
      ],
    },
  ]).images;
}

/** Texts and pictures in a part or a list of parts. */
export function contents(content: unknown) {
  const parts = (
    Array.isArray(content) ? (content as unknown[]) : [content]
  ).map((part) => (isObject(part) ? part : { text: part }));
  return {
    text: parts
      .flatMap(({ text }) => (typeof text === 'string' ? text : []))
      .join('\n'),
    images: parts.flatMap(({ image_urls }) =>
      list(image_urls).flatMap(picture),
    ),
  };
}

/** A text that is not empty, as it was written. */
function writtenText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function picture(address: unknown): EventPicture | readonly [] {
  if (typeof address !== 'string' || address === '') return [];
  const [all, mediaType = ''] =
    /^data:(image\/(?:png|jpeg|gif|webp));base64,/i.exec(address) ?? [];
  if (all === undefined) return { address: address.slice(0, maxAddressLength) };
  const base64 = address.slice(all.length);
  return /^[A-Za-z0-9+/]*={0,2}$/.test(base64)
    ? { mediaType: mediaType.toLowerCase(), base64 }
    : [];
}

/** Detects the media type, which the service does not send. */
function screenshot(data: unknown): readonly EventPicture[] {
  if (typeof data !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(data))
    return [];
  const signature = Object.entries(mediaTypes).find(([begin]) =>
    data.startsWith(begin),
  );
  return [{ mediaType: signature?.[1] ?? 'image/png', base64: data }];
}

/** The first characters of the Base64 of each kind. */
const mediaTypes: Readonly<Record<string, string>> = {
  '/9j/': 'image/jpeg',
  R0lGODlh: 'image/gif',
  UklGR: 'image/webp',
};

/** Reasoning of a model in any of its forms, except encrypted ones. */
function reasoningOf({
  reasoning_content,
  thinking_blocks,
  responses_reasoning_item,
}: WireRecord): string | undefined {
  const blocks = list(thinking_blocks).map((block) =>
    isObject(block) ? writtenText(block.thinking) : undefined,
  );
  const item = isObject(responses_reasoning_item)
    ? responses_reasoning_item
    : {};
  const parts = [...list(item.summary), ...list(item.content)].map(writtenText);
  return writtenText(reasoning_content) ?? together(blocks) ?? together(parts);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function together(texts: readonly (string | undefined)[]): string | undefined {
  return writtenText(texts.filter((text) => text !== undefined).join('\n\n'));
}
