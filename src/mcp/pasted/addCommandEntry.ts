/** The server that the words of `mcp add` name. */
import { t } from '../../base/l10n.ts';
import { isPlaceholder } from '../placeholders.ts';
import { Refusal } from '../refusal.ts';
import type { Fields } from '../server.ts';
import { splitLine } from '../shellWords.ts';
import type { Value } from '../values.ts';
import { isAddress, type SortedWords } from './addCommandOptions.ts';
import { readObject } from './json.ts';
import type { PastedEntry } from './pastedServer.ts';
import { notTakenOver } from './sentences.ts';

const standIn = /^(?:<[^<>]+>|\.{3}|…|(?:SERVER[-_]?)?NAME|URL|COMMAND|CMD|TARGET)$/;
const optional = /^\[(?:-.*|(?:options|flags|args?|arguments|command)\]|.*(?:\.{3}|…)\])$/i;

/** Whether the words only show what belongs where, as in `[options] <name> <commandOrUrl> [args...]`. */
export function isUsage(words: readonly string[], { name = '', fields }: PastedEntry): boolean {
  const target = fields.get('url') ?? fields.get('command') ?? name;
  return words.some((word) => optional.test(word)) || (standIn.test(name) && standIn.test(String(target)));
}

/** `isNamed`: whether the first of the words is the name, where there are several. */
export function entryOfAdd(sorted: SortedWords, isNamed: boolean): PastedEntry {
  const { values, operands, rest, lost } = sorted;
  const one = (key: string) => values.get(key)?.[0];
  const before = isNamed ? nameBefore(sorted) : undefined;
  const following = [...operands, ...rest].slice(before === undefined ? 0 : 1);
  const stated = one('url') ?? one('command');
  const [first, ...args] = [
    ...(stated === undefined ? [] : [stated]),
    ...argumentsIn(values.get('args') ?? []),
    ...following,
  ];
  const transport = one('transport');
  const isRemote =
    isAddress(first) ||
    (transport !== undefined && transport.toLowerCase() !== 'stdio') ||
    (first !== undefined && /\b(?:url|endpoint)\b/i.test(first.replaceAll('_', ' ')) && isPlaceholder(first));

  const fields = new Map<string, Value>();
  if (first !== undefined) fields.set(isRemote ? 'url' : 'command', first);
  if (!isRemote) fields.set('args', args);
  if (transport !== undefined && isRemote) fields.set('transport', transport);
  fields.set('env', pairs('env', values.get('env'), stated !== undefined));
  fields.set('headers', pairs('header', values.get('header')));
  // A method that is no token has nothing to do here: what it needs is in the headers.
  const auth = one('auth');
  fields.set('auth', auth === undefined || /^(?:header|bearer|basic|none|token)$/i.test(auth) ? null : auth);
  for (const key of ['description', 'cwd'] as const) fields.set(key, one(key) ?? null);
  fields.set('bearer_token_env_var', one('bearer-token-env-var') ?? null);
  fields.set('bearer_token', one('bearer-token') ?? null);
  if (values.has('timeout')) fields.set('timeout', Number(one('timeout')));
  if (one('disabled') !== undefined) fields.set('disabled', one('disabled') !== 'false');
  else if (one('enabled') === 'false') fields.set('disabled', true);

  const gone = [...(values.has('scope') ? ['--scope'] : []), ...lost];
  const notes = notTakenOver(gone);
  if (isRemote && args.length > 0) notes.push(t('Anything after the URL is left out.'));
  return { name: one('name') ?? before, fields, inputs: new Map(), notes };
}

/** What stands first, unless that is the target. */
function nameBefore({ values, operands, rest }: SortedWords): string | undefined {
  if (values.has('name')) return undefined;
  if (values.has('url') || values.has('command')) return operands[0];
  const [first, second] = [...operands, ...rest];
  // What has but a URL has no name. Behind the separator a command can stand without one, alone or before options.
  const isTarget =
    operands.length === 0 ? (second ?? '-').startsWith('-') : second === undefined && isAddress(first);
  return isTarget ? undefined : first;
}

/** Each for itself, as a list in JSON, with commas between them, or as a line. */
function argumentsIn(texts: readonly string[]): readonly string[] {
  const [text = '', ...more] = texts;
  if (texts.length === 0 || more.length > 0) return texts;
  if (/^\s*\[/.test(text)) {
    const list = readObject(`{"args":${text}}`);
    const items = list instanceof Refusal ? undefined : list.get('args');
    if (Array.isArray(items)) return (items as readonly Value[]).map(String);
  }
  const parts = text.match(/(?:[^\\,]|\\.)+/gs) ?? [];
  if (parts.length > 1) return parts.map((part) => part.replaceAll('\\,', ',').trim());
  return splitLine(text) ?? texts;
}

/** `isWhole`: whether a value may have several, with commas between them, as in programs that name all they take. */
function pairs(kind: 'env' | 'header', texts: readonly string[] = [], isWhole = false): Fields {
  const each = texts.flatMap((text): readonly string[] => (isWhole ? text.split(/,(?=[A-Z_][A-Z\d_]*=)/) : [text]));
  return new Map(
    each.flatMap((text): readonly (readonly [string, Value])[] => {
      const object = text.startsWith('{') ? readObject(text) : undefined;
      if (object instanceof Map) return [...object];
      const cut = text.search(kind === 'env' ? /=/ : /[:=]/);
      const value = text.slice(cut + 1);
      return [[text.slice(0, cut).trim(), kind === 'env' ? value : value.trim()]];
    }),
  );
}
