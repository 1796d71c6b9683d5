import type { Call } from '../wire/http.ts';
import type { Tags } from '../world/names.ts';
import type { BodyReader, BodyFields } from '../wire/validate.ts';
import type { Cause } from '../agentServer/work.ts';

const roles = ['user', 'system', 'assistant', 'tool'];

/** The text is `undefined` without content. Pictures are addresses. */
export function readMessage(
  reader: BodyReader,
  loc: readonly string[],
  { role, content = [], run = false }: BodyFields,
) {
  if (role !== undefined) reader.oneOf([...loc, 'role'], role, roles);
  const parts = reader.list([...loc, 'content'], content) ?? [];
  const texts: string[] = [];
  const pictures: string[] = [];
  for (const [index, item] of parts.entries()) {
    const here = [...loc, 'content', index];
    const part = reader.object(here, item) ?? {};
    if (part.type === 'image') {
      const addresses =
        reader.list([...here, 'ImageContent', 'image_urls'], part.image_urls) ??
        [];
      for (const [at, address] of addresses.entries())
        pictures.push(
          reader.string([...here, 'ImageContent', 'image_urls', at], address) ??
            '',
        );
    } else
      texts.push(
        reader.string([...here, 'TextContent', 'text'], part.text) ?? '',
      );
  }
  return {
    text: texts.length > 0 ? texts.join('\n') : undefined,
    pictures,
    run: reader.flag([...loc, 'run'], run) ?? false,
  };
}

/** The cause of actions that are executed because of a request. */
export function causeOf({ method, path }: Call): Cause {
  return `${method} ${path}`;
}

export function readTags(
  reader: BodyReader,
  loc: readonly string[],
  value: unknown,
): Tags | undefined {
  const tags = reader.object(loc, value);
  for (const [key, text] of Object.entries(tags ?? {})) {
    const tag = reader.string([...loc, key], text) ?? '';
    const wrong = !/^[a-z0-9]+$/.test(key)
      ? `Tag key '${key}' is invalid: keys must be lowercase alphanumeric only`
      : tag.length > 256 &&
        `Tag value for '${key}' exceeds maximum length of 256 characters`;
    if (wrong) reader.note(loc, wrong);
  }
  return tags as Tags | undefined;
}
