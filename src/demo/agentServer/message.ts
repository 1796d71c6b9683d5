import type { Call } from '../http.ts';
import type { BodyReader } from '../validate.ts';
import type { Cause } from './work.ts';

export interface Message {
  /** Undefined if it has no content. */
  readonly text: string | undefined;
  readonly run: boolean;
}

const roles = ['user', 'system', 'assistant', 'tool'];

export function readMessage(
  reader: BodyReader,
  loc: readonly string[],
  { role, content = [], run = false }: Readonly<Record<string, unknown>>,
): Message {
  if (role !== undefined) reader.literal([...loc, 'role'], role, roles);
  const parts = reader.list([...loc, 'content'], content) ?? [];
  const texts = parts.map((item, index) => {
    const part = reader.object([...loc, 'content', index], item);
    return part && reader.string([...loc, 'content', index, 'TextContent', 'text'], part.text);
  });
  return {
    text: texts.length > 0 ? texts.join('\n') : undefined,
    run: reader.flag([...loc, 'run'], run) ?? false,
  };
}

/** What is noted of actions that are executed because of a request. */
export function causeOf({ method, path }: Call): Cause {
  return `${method} ${path}`;
}
