/** Calls of agents that are programs of their own and speak the Agent Client Protocol. */
import { escaped } from './escaped.ts';
import { contents, writtenText } from './eventContents.ts';
import type { ActionEvent, EventBase, FileChange, ObservationEvent } from './events.ts';
import { identifier, isObject, line, type WireRecord } from './wireValues.ts';

const over = new Set(['completed', 'failed']);

export function readCall(event: WireRecord, base: EventBase) {
  const { raw_input: input, status, is_error } = event;
  const callId = identifier(event.tool_call_id);
  const toolKind = line(event.tool_kind);
  const action: ActionEvent = {
    ...base,
    kind: 'action',
    toolName: line(event.title),
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
  return { callId, isOver: is_error === true || over.has(String(status)), action, result };
}

/** The same comes as content that is to be shown, and as the tool itself gave it. */
function outcome({ content, raw_output }: WireRecord): Pick<ObservationEvent, 'text' | 'images' | 'change'> {
  const blocks = (Array.isArray(content) ? (content as unknown[]) : []).filter(isObject);
  const changes = blocks.flatMap(changeOf);
  const shown = contents(blocks.map((block) => block.content));
  const raw = writtenText(raw_output) ?? (isObject(raw_output) ? escaped(raw_output) : '');
  const [change, another] = changes;
  // Only one of them can be drawn as such.
  const isOne = change !== undefined && another === undefined;
  return {
    text: another ? escaped(content) : shown.text || raw,
    images: [...shown.images, ...blocks.flatMap(imageOf)],
    change: isOne ? change : undefined,
  };
}

/** It is spelt as the protocol has it, or as the service keeps it. */
function changeOf({
  type,
  path,
  old_text,
  oldText,
  new_text,
  newText,
}: WireRecord): FileChange | readonly [] {
  const after = new_text ?? newText;
  if (type !== 'diff' || typeof path !== 'string' || typeof after !== 'string') return [];
  return { path, before: writtenText(old_text ?? oldText), after };
}

function imageOf({ content }: WireRecord): ObservationEvent['images'] {
  if (!isObject(content) || content.type !== 'image') return [];
  const { data, mime_type, mimeType } = content;
  return contents([{ image_urls: [`data:${String(mime_type ?? mimeType)};base64,${String(data)}`] }]).images;
}
