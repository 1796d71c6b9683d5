/** Arguments and pairs in options, links and forms. */
import { Refusal } from '../text/refusal.ts';
import type { Fields, Value } from '../text/values.ts';
import { splitLine } from '../cli/shellWords.ts';
import { readObject } from './json.ts';

/**
 * One text may hold all: as a JSON list, separated by commas, or as a command
 * line.
 */
export function argumentsIn(texts: readonly string[]): readonly string[] {
  const [text = '', ...more] = texts;
  if (texts.length === 0 || more.length > 0) return texts;
  if (/^\s*\[/.test(text)) {
    const list = readObject(`{"args":${text}}`);
    const items = list instanceof Refusal ? undefined : list.get('args');
    if (Array.isArray(items)) return (items as readonly Value[]).map(String);
  }
  const parts = text.match(/(?:[^\\,]|\\.)+/gs) ?? [];
  if (parts.length > 1)
    return parts.map((part) => part.replaceAll('\\,', ',').trim());
  return splitLine(text) ?? texts;
}

/**
 * Reads `KEY=value`, `Key: value` or JSON. `separator`: between pairs in one
 * text.
 */
export function pairsIn(
  kind: 'env' | 'headers',
  texts: readonly string[],
  separator?: RegExp,
): Fields {
  const pairs = texts.flatMap((text): readonly string[] =>
    separator ? text.split(separator) : [text],
  );
  return new Map(
    pairs.flatMap((text): readonly (readonly [string, Value])[] => {
      const object = text.startsWith('{') ? readObject(text, true) : undefined;
      if (object instanceof Map) return [...object];
      const [, name = text, value = ''] =
        /^([^=:]*)[=:]([^]*)$/.exec(text) ?? [];
      return [[name.trim(), kind === 'env' ? value : value.trim()]];
    }),
  );
}
