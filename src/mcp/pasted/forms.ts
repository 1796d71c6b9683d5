/**
 * Instructions to fill in a form: `Name: github`, `Command: npx`, `Arguments:
 * -y, server-github`.
 */
import { ownName, transportOf } from '../dialects/dialects.ts';
import type { Value } from '../text/values.ts';
import { argumentsIn, pairsIn } from './lists.ts';
import { isOtherThing } from './otherThings.ts';
import type { PasteFindings } from './pastedServer.ts';

/** Labels are capitalized. In lower case, these are keys of anything. */
const line =
  /^[ \t]*(?:[-*+•][ \t]+|\d+[.)][ \t]+)?[*_`]*(?:MCP[ \t]+)?(?:(?:Server|Extension|Connection|Transport|HTTP|Environment)[ \t]+)?(Name|Type|Transport|Command|Args|Arguments|URL|Endpoint|Env|Variables?|Headers?|Description)[*_`]*[ \t]*:[*_]*[ \t]*(\S.*?)[ \t]*$/gm;

/** Call it only if nothing else was found. */
export function readFormIn(text: string, { entries }: PasteFindings): void {
  const fields = new Map<string, Value>();
  for (const [, label = '', raw = ''] of text.matchAll(line)) {
    const key = keyOf(label.toLowerCase());
    if (!fields.has(key))
      fields.set(key, valueOf(key, raw.replace(/^([`"'])(.*)\1$/, '$2')));
  }
  const name = fields.get('name');
  const isWhole = ['name', 'transport', 'args'].some((key) => fields.has(key));
  if (!isWhole || !(fields.has('command') || fields.has('url'))) return;
  if (isOtherThing(undefined, fields)) return;
  entries.push({
    name: typeof name === 'string' ? name : undefined,
    fields,
  });
}

function keyOf(label: string): string {
  if (label.startsWith('variable')) return 'env';
  return label.startsWith('header') ? 'headers' : ownName(label);
}

function valueOf(key: string, text: string): Value {
  if (key === 'args') return argumentsIn([text]);
  if (key === 'env' || key === 'headers')
    return pairsIn(key, [text], /,\s*(?=[\w-]+\s*[=:])/);
  // `Local (press 1)`
  if (key === 'transport')
    return transportOf(text.replace(/\s*\(.*\)$/, '')) ?? null;
  return text;
}
