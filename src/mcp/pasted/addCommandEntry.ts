/** The server that the words of `mcp add` name. */
import { t } from '../../base/l10n.ts';
import { isPlaceholder } from '../format/placeholders.ts';
import type { Value } from '../text/values.ts';
import { isAddress, type SortedWords } from './addCommandOptions.ts';
import { argumentsIn, pairsIn } from './lists.ts';
import type { PastedEntry } from './pastedServer.ts';
import { notTakenOver } from './sentences.ts';

const standIn = /^(?:<[^<>]+>|\.{3}|…|(?:SERVER[-_]?)?NAME|URL|COMMAND|CMD|TARGET)$/;
const optional = /^\[(?:-.*|(?:options|flags|args?|arguments|command)\]|.*(?:\.{3}|…)\])$/i;

/** Whether the words only show what belongs where, as in `[options] <name> <commandOrUrl> [args...]`. */
export function isUsage(words: readonly string[], { name = '', fields }: PastedEntry): boolean {
  const target = fields.get('url') ?? fields.get('command') ?? name;
  if (words.some((word) => optional.test(word))) return true;
  return standIn.test(name) && typeof target === 'string' && standIn.test(target);
}

/** `isNamed`: whether the first of the words is the name, where there are several. */
export function entryOfAdd(sorted: SortedWords, isNamed: boolean): PastedEntry {
  const { values, lost } = sorted;
  const one = (key: string) => values.get(key)?.[0];
  const before = isNamed ? nameBefore(sorted) : undefined;
  const [first, ...args] = targetOf(sorted, before === undefined ? 0 : 1, isNamed);
  const transport = one('transport');
  const isRemote =
    isAddress(first) ||
    (transport !== undefined && transport.toLowerCase() !== 'stdio') ||
    (first !== undefined && /\b(?:url|endpoint)\b/i.test(first.replaceAll('_', ' ')) && isPlaceholder(first));

  const fields = new Map<string, Value>();
  if (first !== undefined) fields.set(isRemote ? 'url' : 'command', first);
  if (!isRemote) fields.set('args', args);
  if (transport !== undefined && isRemote) fields.set('transport', transport);
  // Programs that name all they take have several variables in one text.
  const separator = values.has('command') ? /,(?=[A-Z_][A-Z\d_]*=)/ : undefined;
  fields.set('env', pairsIn('env', values.get('env') ?? [], separator));
  fields.set('headers', pairsIn('headers', values.get('header') ?? []));
  // A method that is not a token is left out: what it needs is in the headers.
  const auth = one('auth') ?? '';
  fields.set('auth', /^(?:header|bearer|basic|none|token)$/i.test(auth) ? null : auth);
  for (const key of ['description', 'cwd', 'bearer_token_env_var']) {
    fields.set(key, one(key.replaceAll('_', '-')) ?? null);
  }
  if (values.has('timeout')) fields.set('timeout', Number(one('timeout')));
  fields.set('disabled', (one('disabled') ?? 'false') !== 'false' || one('enabled') === 'false');

  const notes = notTakenOver([...(values.has('scope') ? ['--scope'] : []), ...lost]);
  if (isRemote && args.length > 0) notes.push(t('Anything after the URL is left out.'));
  return { name: one('name') ?? before, fields, inputs: new Map(), notes };
}

/** The URL, or the command with its arguments. */
function targetOf(
  { values, operands, rest }: SortedWords,
  from: number,
  isNamed: boolean,
): readonly string[] {
  const stated = values.get('url')?.[0] ?? values.get('command')?.[0];
  const following = [...argumentsIn(values.get('args') ?? []), ...[...operands, ...rest].slice(from)];
  if (stated !== undefined) return [stated, ...following];
  // Where no name is expected, a package of npm can be alone.
  const [first = '', ...more] = following;
  const isPackage = !isNamed && more.length === 0 && /^@?[\w.-]+(?:\/[\w.-]+)?(?:@[\w.-]+)?$/.test(first);
  return isPackage ? ['npx', '-y', first] : following;
}

/** What comes first, unless that is the target. */
function nameBefore({ values, operands, rest }: SortedWords): string | undefined {
  if (values.has('name')) return undefined;
  if (values.has('url') || values.has('command')) return operands[0];
  const [first, second] = [...operands, ...rest];
  // With only a URL, there is no name. After the separator, a command can be without one, alone or before options.
  const isTarget =
    operands.length === 0 ? (second ?? '-').startsWith('-') : second === undefined && isAddress(first);
  return isTarget ? undefined : first;
}
