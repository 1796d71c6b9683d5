/**
 * Reads commands that add a server: `mcp add` and `mcp add-json` of any program, `mcp set` of OpenClaw, `--add-mcp`
 * of VS Code, `add-mcp`, and extensions of Goose.
 */
import { t } from '../../base/l10n.ts';
import { splitWords } from '../cli/shellWords.ts';
import type { Fields, Value } from '../text/values.ts';
import { Refusal } from '../text/refusal.ts';
import { entryOfAdd, isUsage, sortWords } from './addCommandEntry.ts';
import { findEntries } from './findEntries.ts';
import { readObject } from './json.ts';
import type { PasteFindings } from './pastedServer.ts';
import { mostParts, notTakenOver, tooManyParts } from './sentences.ts';
import { withoutVariables } from './launchers.ts';

const command =
  /(?<![\w-])(?:mcp(?:[ \t]|[\\`^]\n)+(?:add(?:-json)?|set)(?=\s)|--add-mcp(?=[\s=])|--with-(?:\w+-)*extension(?=[\s=])|(?<=\b(?:npx|bunx|dlx)[ \t]+(?:-y[ \t]+|--yes[ \t]+)?)add-mcp(?:@[\w.-]+)?(?=\s))/g;

/** Returns the text with blanks in place of the commands. */
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
  // Within a sentence, a command is between backticks.
  const inCode = before.split('`').length % 2 === 0;
  const tick = inCode ? line.indexOf('`') : -1;
  const windows =
    /^\s*(?:PS )?[A-Za-z]:\\[^>]*>/.test(before) || /[\s"'=][A-Za-z]:\\|[`^]$|\{[`"]"|\$env:/.test(line);
  return splitWords(tick < 0 ? text : text.slice(0, from + tick), { from, oneCommand: true, windows });
}

function readCommand(words: readonly string[], findings: PasteFindings): void {
  const [first = '', second = '', ...others] = words;
  const cut = first.indexOf('=');
  const given = cut < 0 ? second : first.slice(cut + 1);
  if (first.startsWith('--add-mcp')) readAddMcp(given, findings);
  else if (first.startsWith('--with-')) readExtension(given, findings);
  else if (first.startsWith('add-mcp')) readAdd([second, ...others], findings, false);
  else if (second === 'add') readAdd(others, findings, true);
  else readAddJson(second, others, findings);
}

function readAddMcp(json: string, { entries, problems }: PasteFindings): void {
  const root = readShellJson(json);
  if (root instanceof Refusal) {
    problems.push(t('The JSON of --add-mcp cannot be read. {0}', root.message));
  } else for (const entry of findEntries(root)) entries.push(entry);
}

function readAddJson(
  command: string,
  words: readonly string[],
  { entries, problems, others }: PasteFindings,
) {
  const { operands, lost, values } = sortWords(words);
  const [name, json = ''] = operands;
  if (command === 'set' && !json.startsWith('{')) return;
  const notes = notTakenOver([...(values.has('scope') ? ['--scope'] : []), ...lost]);
  const fields = readShellJson(json);
  if (!(fields instanceof Refusal)) entries.push({ name, fields, inputs: new Map(), notes });
  else if (isUsage(words, { name, fields: new Map([['command', json]]), inputs: new Map(), notes })) {
    others.add('usage');
  } else problems.push(t('The JSON of mcp add-json cannot be read. {0}', fields.message));
}

function readAdd(words: readonly string[], { entries, others }: PasteFindings, isNamed: boolean): void {
  const entry = entryOfAdd(sortWords(words), isNamed);
  if (isUsage(words, entry)) others.add('usage');
  else entries.push(entry);
}

function readExtension(line: string, { entries }: PasteFindings): void {
  const { words, variables } = withoutVariables(splitWords(line, { noComments: true }).words);
  const target = variables.size > 0 ? words.join(' ') : line;
  const isUrl = /^https?:/i.test(target);
  const fields = new Map<string, Value>([
    [isUrl ? 'url' : 'command', target],
    ['env', variables],
  ]);
  entries.push({ name: undefined, fields, inputs: new Map(), notes: [] });
}

/** Also reads backslashes before quotes, as PowerShell and cmd need them. */
function readShellJson(json: string): Fields | Refusal {
  // PowerShell: @' starts a text and '@ ends it.
  const text = json.replace(/^@\s*(\{[^]*\})\s*@$/, '$1');
  const fields = readObject(text);
  if (!(fields instanceof Refusal) || !/^\s*\{\s*\\"/.test(text)) return fields;
  return readObject(text.replaceAll('\\"', '"'));
}
