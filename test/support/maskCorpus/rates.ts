/**
 * Counts secrets that are shown and harmless texts that are masked, in every
 * place that shows commands.
 */
import { redact } from '../../../src/base/masks/redact.ts';
import { formatAdd } from '../../../src/mcp/cli/commandLine.ts';
import { showServer, targetText } from '../../../src/mcp/format/mask.ts';
import type { Server } from '../../../src/mcp/format/server.ts';
import { withoutSecrets } from '../../../src/state/newConversation/withoutSecrets.ts';
import { commands } from './commands.ts';
import type { Harmless } from './harmless.ts';
import type { FileWithSecret } from './files.ts';
import { secrets } from './secrets.ts';
import { spellings } from './spellings.ts';
import { type Command, posixLine, wrappers } from './wrappers.ts';

export interface Entry {
  readonly secret: string;
  readonly server: Command;
}

/**
 * Every spelling in every wrapper and with a sixth of the secrets, in turn,
 * with the commands in turn.
 */
export function entriesWithSecrets(): Entry[] {
  let turn = 0;
  return spellings.flatMap(({ spell, needsIssued }, spelling) => {
    const fitting = secrets.filter(({ isIssued }) => isIssued || !needsIssued);
    const make = (secret: string, wrap: (typeof wrappers)[number]): Entry => {
      const { args = [], variables = [] } = spell(secret);
      const words = [...inTurn(commands, turn), ...args];
      return { secret, server: wrap(words, variables) };
    };
    return [
      ...wrappers.flatMap((wrap) =>
        // Some of each kind: those that services issue come first.
        [turn++, fitting.length - 1 - (turn % 10)].map((at) =>
          make(inTurn(fitting, at).text, wrap),
        ),
      ),
      ...fitting
        .filter((_, index) => (index + spelling) % 6 === 0)
        .map(({ text }) => make(text, inTurn(wrappers, turn++))),
    ];
  });
}

function inTurn<T>(list: readonly T[], turn: number): T {
  return list[turn % list.length] as T;
}

/** The halves that a set is split into, by what its entries say. */
export function half<T>(all: readonly T[], which: 0 | 1): T[] {
  return all.filter((entry) => {
    const text = JSON.stringify(entry);
    let hash = 0;
    for (let i = 0; i < text.length; i++)
      hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
    return ((hash >>> 7) & 1) === which;
  });
}

/**
 * The texts that show a command: in a tooltip, as JSON, to be copied, and in a
 * message that quotes it.
 */
export function shownOf({ command, args }: Command): string[] {
  const server: Server = { transport: 'stdio', command, args, env: new Map() };
  return [
    targetText(server),
    JSON.stringify(showServer(server)),
    formatAdd({ name: 'x', server, enabled: true }),
    redact(posixLine([command, ...args])),
    redact(JSON.stringify({ command, args })),
  ];
}

/** The places that show the secret, or a part of it that can be recognised. */
export function leaksOf({ secret, server }: Entry): string[] {
  return leaksIn(secret, shownOf(server));
}

/**
 * The same of a file, in a message of an error, and in one to an agent: as it
 * is, and as a diff.
 */
export function fileLeaksOf({ secret, path, text }: FileWithSecret): string[] {
  const diff = text.replace(/^/gm, '+');
  return leaksIn(secret, [
    redact(text),
    withoutSecrets(text, path).text,
    withoutSecrets(`@@ -1,0 +1,9 @@\n${diff}`, path).text,
  ]);
}

function leaksIn(secret: string, all: readonly string[]): string[] {
  // The beginning of a long one is not a part of it that must be kept secret.
  const least = secret.length > 20 ? 8 : 4;
  const parts = [secret, ...secret.split(/[^\p{L}\p{N}]+/u)].filter(
    (part) => part.length >= least,
  );
  return all.filter((shown) => parts.some((part) => shown.includes(part)));
}

/** The text that is shown instead of this one. */
export function masksOf(entry: Harmless): string[] {
  if ('text' in entry)
    return [redact(entry.text)].filter((shown) => shown !== entry.text);
  const server: Server =
    'url' in entry
      ? { transport: 'http', url: entry.url, headers: new Map() }
      : {
          transport: 'stdio',
          command: entry.command,
          args: entry.args,
          env: new Map(),
        };
  return [targetText(server)].filter(
    (shown) => shown !== targetText(server, true),
  );
}

/** Parts of a hundred. */
function rate<T>(all: readonly T[], isOne: (entry: T) => boolean): number {
  return (100 * all.filter(isOne).length) / all.length;
}

export const fileLeakRate = (files: readonly FileWithSecret[]) =>
  rate(files, (file) => fileLeaksOf(file).length > 0);
export const leakRate = (entries: readonly Entry[]) =>
  rate(entries, (entry) => leaksOf(entry).length > 0);
export const maskRate = (texts: readonly Harmless[]) =>
  rate(texts, (text) => masksOf(text).length > 0);
