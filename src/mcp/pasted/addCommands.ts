/** Commands that add a server: `mcp add` and `mcp add-json` of any program, and `--add-mcp` of VS Code. */
import { t } from '../../base/l10n.ts';
import { splitWords } from '../shellWords.ts';
import { Refusal } from '../refusal.ts';
import type { Value } from '../values.ts';
import { isAddress, type SortedWords, sortWords } from './addCommandOptions.ts';
import { findEntries } from './findEntries.ts';
import { readObject } from './json.ts';
import type { PastedEntry, PasteFindings } from './pastedServer.ts';
import { mostParts, notTakenOver, tooManyParts } from './sentences.ts';

const command = /(?<![\w-])(?:mcp(?:[ \t]|[\\`^]\n)+add(?:-json)?(?=\s)|--add-mcp(?=[\s=]))/g;

/** Returns the text with blanks where the commands were. */
export function readCommandsIn(text: string, findings: PasteFindings): string {
  const rest: string[] = [];
  let from = 0;
  for (let count = 0; ; count++) {
    command.lastIndex = from;
    const match = command.exec(text);
    if (!match) break;
    if (count === mostParts) {
      findings.problems.push(tooManyParts());
      break;
    }
    const { words, unfinished, end } = wordsAt(text, match.index);
    rest.push(text.slice(from, match.index), text.slice(match.index, end).replace(/[^\n]/g, ' '));
    from = end;
    if (unfinished === undefined) readCommand(words, findings);
    else {
      const what = t('the quote that opens here has no end.');
      findings.problems.push(new Refusal('syntax', what, text, unfinished).message);
    }
  }
  return rest.join('') + text.slice(from);
}

function wordsAt(text: string, from: number) {
  const before = text.slice(text.lastIndexOf('\n', from) + 1, from);
  const newline = text.indexOf('\n', from);
  const line = text.slice(from, newline < 0 ? text.length : newline);
  // In the middle of a sentence a command stands between backticks.
  const inCode = before.split('`').length % 2 === 0;
  const tick = inCode ? line.indexOf('`') : -1;
  const windows = /^\s*(?:PS )?[A-Za-z]:\\[^>]*>/.test(before) || /[\s"'=][A-Za-z]:\\|[`^]$/.test(line);
  return splitWords(tick < 0 ? text : text.slice(0, from + tick), { from, oneCommand: true, windows });
}

function readCommand(words: readonly string[], { entries, problems }: PasteFindings): void {
  const [first = '', second, ...others] = words;
  if (first.startsWith('--add-mcp')) {
    const json = first.slice('--add-mcp='.length) || (second ?? '');
    const root = readObject(json);
    if (root instanceof Refusal) {
      problems.push(t('The JSON of --add-mcp cannot be read. {0}', root.message));
    } else for (const entry of findEntries(root)) entries.push(entry);
  } else if (second === 'add-json') {
    const { operands, lost, values } = sortWords(others);
    const [name, json = ''] = operands;
    const notes = notTakenOver([...(values.has('scope') ? ['--scope'] : []), ...lost]);
    const fields = readObject(json);
    if (fields instanceof Refusal) {
      problems.push(t('The JSON of mcp add-json cannot be read. {0}', fields.message));
    } else entries.push({ name, fields, inputs: new Map(), notes });
  } else entries.push(readAdd(others));
}

function readAdd(words: readonly string[]): PastedEntry {
  const sorted = sortWords(words);
  const { values, operands, rest, lost } = sorted;
  const one = (key: string) => values.get(key)?.[0];
  const name = nameOf(sorted);
  const url = one('url');
  const following = [...operands, ...rest].slice(name === undefined ? 0 : 1);
  const [first, ...args] = [...(url === undefined ? [] : [url]), ...following];
  const transport = one('transport');
  const isRemote = isAddress(first) || (transport !== undefined && transport.toLowerCase() !== 'stdio');

  const fields = new Map<string, Value>();
  if (first !== undefined) fields.set(isRemote ? 'url' : 'command', first);
  if (!isRemote) fields.set('args', args);
  if (transport !== undefined && isRemote) fields.set('transport', transport);
  fields.set('env', pairs('env', values.get('env')));
  fields.set('headers', pairs('header', values.get('header')));
  for (const key of ['auth', 'description'] as const) fields.set(key, one(key) ?? null);
  fields.set('bearer_token_env_var', one('bearer-token-env-var') ?? null);
  if (values.has('timeout')) fields.set('timeout', Number(one('timeout')));
  if (values.has('disabled')) fields.set('disabled', true);

  const gone = [...(values.has('scope') ? ['--scope'] : []), ...lost];
  const notes = notTakenOver(gone);
  if (isRemote && args.length > 0) notes.push(t('Anything after the URL is left out.'));
  return { name, fields, inputs: new Map(), notes };
}

/** What stands first, unless that is the target. */
function nameOf({ values, operands, rest }: SortedWords): string | undefined {
  if (values.has('url')) return operands[0];
  const [first, second] = [...operands, ...rest];
  // What has but a URL has no name. Behind the separator a command can stand without one, alone or before options.
  const isTarget =
    operands.length === 0 ? (second ?? '-').startsWith('-') : second === undefined && isAddress(first);
  return isTarget ? undefined : first;
}

function pairs(kind: 'env' | 'header', texts: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text) => {
      const cut = text.search(kind === 'env' ? /=/ : /[:=]/);
      const value = text.slice(cut + 1);
      return [text.slice(0, cut).trim(), kind === 'env' ? value : value.trim()];
    }),
  );
}
