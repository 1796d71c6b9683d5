import { json, type HttpAnswer, type Call } from '../http.ts';
import type { Tags } from '../names.ts';
import type { RouteContext } from '../route.ts';
import { BodyReader, invalid } from '../validate.ts';
import type { FolderConversation } from './held.ts';

/** Renames a conversation, and replaces its tags. */
export function changeConversation(
  held: FolderConversation,
  { agentServer }: RouteContext,
  { headers, body }: Call,
): HttpAnswer {
  const reader = new BodyReader();
  const request = reader.parse(headers['content-type'] ?? '', body);
  const given = (name: string) => request?.[name] ?? undefined;
  const title = given('title') === undefined ? undefined : reader.string(['title'], given('title'));
  if (title === '') {
    const msg = 'String should have at least 1 character';
    reader.note(['body', 'title'], 'string_too_short', msg, title, { min_length: 1 });
  }
  noteLongTitle(reader, title);
  const tags = given('tags') === undefined ? undefined : readTags(reader, ['tags'], given('tags'));
  if (reader.errors.length > 0) return invalid(reader.errors);
  agentServer.change(held, { title, tags });
  return json({ success: true });
}

export function readTags(reader: BodyReader, loc: readonly string[], value: unknown): Tags | undefined {
  const tags = reader.object(loc, value);
  for (const [key, text] of Object.entries(tags ?? {})) {
    reader.string([...loc, key], text);
    if (/^[a-z0-9]+$/.test(key)) continue;
    reader.refuse(loc, `Tag key '${key}' is invalid: keys must be lowercase alphanumeric only`, value);
  }
  return tags as Tags | undefined;
}

const longestTitle = 200;

export function noteLongTitle(reader: BodyReader, title: string | undefined): void {
  if (title === undefined || title.length <= longestTitle) return;
  const msg = `String should have at most ${longestTitle} characters`;
  reader.note(['body', 'title'], 'string_too_long', msg, title, { max_length: longestTitle });
}
