/** What was found, as a server of ours: read, checked, and with what is still to be asked. */
import { plainText } from '../../base/plainText.ts';
import { maskText } from '../mask.ts';
import { isPlaceholder } from '../placeholders.ts';
import { type Fields, readServer, type Server } from '../server.ts';
import type { Value } from '../values.ts';
import { readEntry } from './entry.ts';
import { findPlaceholders, takeDefaults } from './placeholders.ts';
import { shown } from './sentences.ts';
import { suggestName } from './suggestName.ts';
import type { Found, PastedServer } from './types.ts';

/** The server, or a sentence that says why it is none. */
export function finish({ name, entry, inputs, notes }: Found): PastedServer | string {
  const read = readEntry(entry);
  const { fields, hasDefaults } = withDefaults(read.fields);
  const server = readServer(fields);
  const who = name ? shown(name) : 'A server without a name';
  if (!server) return `${who} names neither a command nor a URL.`;
  const problem = problemOf(server);
  if (problem !== undefined) return `${who} ${problem}`;

  const isShown = name !== undefined && plainText(name) === name && maskText(name) === name;
  const usable = isShown && name !== '' && !isPlaceholder(name);
  const placeholders = findPlaceholders(server, inputs);
  const more: string[] = [];
  if (name && !isShown) {
    more.push('The name is not taken over, because it is too long, cannot be seen, or may be a secret.');
  }
  if (hasDefaults) more.push('References to variables are replaced by their defaults.');
  if (placeholders.some(({ text }) => text.startsWith('$'))) {
    more.push('The program that reads mcp.json looks no variables up, so their values have to be given.');
  }
  return {
    name: usable ? name : undefined,
    suggestedName: usable ? name : suggestName(server),
    server,
    enabled: read.enabled,
    extra: read.extra,
    placeholders,
    notes: [...new Set([...notes, ...read.notes, ...more])],
  };
}

function withDefaults(fields: Fields): { fields: Fields; hasDefaults: boolean } {
  let hasDefaults = false;
  const take = (value: Value): Value => {
    if (value instanceof Map) return new Map([...(value as Fields)].map(([key, item]) => [key, take(item)]));
    if (Array.isArray(value)) return (value as readonly Value[]).map(take);
    if (typeof value !== 'string') return value;
    const taken = takeDefaults(value);
    hasDefaults ||= taken !== value;
    return taken;
  };
  return { fields: take(fields) as Fields, hasDefaults };
}

/** What would make a server that cannot work, or one that does what cannot be seen. */
function problemOf(server: Server): string | undefined {
  const controls = /[^\t\n\P{Cc}]/u;
  if (server.transport === 'stdio') {
    const { command, args, env } = server;
    if (command.trim() === '') return 'names no command.';
    if ([command, ...args].some((text) => controls.test(text)))
      return 'has control characters in its command.';
    if ([...env.keys()].some((name) => !/^[^\s=\p{Cc}]+$/u.test(name)))
      return 'has a variable without a proper name.';
    if ([...env.values()].some((value) => value.reveal().includes('\0'))) return 'has a variable with a NUL.';
    return undefined;
  }
  const { url, headers } = server;
  if (/[\s\p{Cc}]/u.test(url.replace(/<[^<>]*>|\{[^{}]*\}/g, ''))) return 'has a URL with blanks in it.';
  if (!/^https?:\/\/./i.test(url) && !/^(?:<[^<>]+>|\$?\{[^{}]+\})/.test(url)) {
    return 'has a URL with neither http nor https.';
  }
  if ([...headers.keys()].some((name) => !/^[!#$%&'*+.^`|~\w-]+$/.test(name))) {
    return 'has a header without a proper name.';
  }
  if ([...headers.values()].some((value) => /[^\t\P{Cc}]/u.test(value.reveal()))) {
    return 'has control characters in a header.';
  }
  return undefined;
}
