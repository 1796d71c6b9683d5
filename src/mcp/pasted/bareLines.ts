/**
 * Bare command lines and URLs, which are likely servers if there is nothing
 * else.
 */
import { t } from '../../base/l10n.ts';
import type { Fields, Value } from '../text/values.ts';
import { splitWords } from '../cli/shellWords.ts';
import { guessUrl } from './addresses.ts';
import type { PastedEntry, PasteFindings } from './pastedServer.ts';
import { withoutVariables } from './launchers.ts';
import { guessCommand } from './startCommands.ts';

const limits = { characters: 10_000, guesses: 5 } as const;

/** Signs around a line in Markdown, in a shell, and in instructions. */
const fence = /^[ \t]*(?:`{3,}|~{3,}).*$/gm;
const comment = /^[ \t]*(?:#|\/\/|REM\b).*$/gim;
const lead =
  /^[ \t]*(?:[-*+•][ \t]+|\d+[.)][ \t]+)?(?:[$%>❯][ \t]+(?=\S)|PS[^>\n]*>[ \t]*|[A-Za-z]:\\[^>\n]*>[ \t]*)?/gm;
const label =
  /^(?:MCP[ \t]+)?(?:server[ \t]+)?(?:URL|command|endpoint|address)[ \t]*[:=][ \t]*/gim;
const inCode = /^(`+|["'])(.*)\1[.,;]?[ \t]*$/gm;
const inBrackets = /^<(https?:[^<>\n]*)>$/gm;

/** Call it only if nothing else was found. */
export function readBareLines(text: string, { entries }: PasteFindings): void {
  if (text.length > limits.characters) return;
  const commands = commandsIn(text).map((words) => ({
    words,
    variable: variableOf(words),
  }));
  const variables = new Map(
    commands.flatMap(({ variable }) => (variable ? [variable] : [])),
  );
  const guesses = commands
    .filter(({ variable }) => !variable)
    .map(({ words }) => guessOf(words, variables));
  // Other text around commands may be about something else.
  if (guesses.includes(undefined)) return;
  const servers = guesses.filter((guess) => typeof guess === 'object');
  // Instructions may install a program before they start it.
  if (servers.length > limits.guesses) return;
  for (const server of servers) entries.push(server);
}

function commandsIn(text: string): (readonly string[])[] {
  const plain = text
    .replace(fence, '')
    .replace(comment, '')
    .replace(lead, '')
    .replace(label, '')
    .replace(inCode, '$2')
    .replace(inBrackets, '$1');
  const windows = /[`^]$|[A-Za-z]:\\/m.test(plain);
  const commands: (readonly string[])[] = [];
  for (let from = 0; from < plain.length;) {
    const { words, end } = splitWords(plain, {
      from,
      oneCommand: true,
      windows,
    });
    if (words.length > 0) commands.push(words);
    from = end + 1;
  }
  return commands;
}

function variableOf([first = '', second = '', ...more]: readonly string[]):
  [string, string] | undefined {
  let pair = '';
  if (/^(?:export|set)$/i.test(first)) pair = second;
  else if (first.startsWith('$env:'))
    pair = [first.slice(5), second, ...more].join('');
  const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(pair) ?? [];
  return name === undefined ? undefined : [name, value.replace(/;$/, '')];
}

function guessOf(
  all: readonly string[],
  before: ReadonlyMap<string, string>,
): PastedEntry | 'installer' | undefined {
  const [url = '', ...more] = all;
  if (/^https?:\/\//i.test(url)) {
    const isServer = more.length === 0 && guessUrl(url) === 'server';
    return isServer ? guess(new Map([['url', url]])) : undefined;
  }
  const started = guessCommand([
    ...Array.from(before, (pair) => pair.join('=')),
    ...all,
  ]);
  if (started === 'installer') return started;
  if (started !== 'server') return undefined;
  const { words, variables } = withoutVariables(all);
  const [command = '', ...args] = words;
  return guess(
    new Map<string, Value>([
      ['command', command],
      ['args', args],
      ['env', new Map([...before, ...variables])],
    ]),
  );
}

function guess(fields: Fields): PastedEntry {
  const note = t(
    'This is a guess: the text does not say that it is an MCP server.',
  );
  return {
    name: undefined,
    fields,
    notes: [note],
    isGuess: true,
  };
}
