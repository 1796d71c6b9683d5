/** What was found, as a server of ours: read, checked, and with what is still to be asked. */
import { t } from '../../base/l10n.ts';
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
  const who = name ? shown(name) : t('A server without a name');
  if (!server) return t('{0} names neither a command nor a URL.', who);
  const problem = problemOf(server, who);
  if (problem !== undefined) return problem;

  const isShown = name !== undefined && plainText(name) === name && maskText(name) === name;
  const usable = isShown && name !== '' && !isPlaceholder(name);
  const placeholders = findPlaceholders(server, inputs);
  const more: string[] = [];
  if (name && !isShown) {
    more.push(t('The name is not taken over, because it is too long, cannot be seen, or may be a secret.'));
  }
  if (hasDefaults) more.push(t('References to variables are replaced by their defaults.'));
  if (placeholders.some(({ text }) => text.startsWith('$'))) {
    more.push(t('The program that reads mcp.json looks no variables up, so their values have to be given.'));
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

/** A sentence about what would make a server that cannot work, or one that does what cannot be seen. */
function problemOf(server: Server, who: string): string | undefined {
  const controls = /[^\t\n\P{Cc}]/u;
  if (server.transport === 'stdio') {
    const { command, args, env } = server;
    if (command.trim() === '') return t('{0} names no command.', who);
    if ([command, ...args].some((text) => controls.test(text)))
      return t('{0} has control characters in its command.', who);
    if ([...env.keys()].some((name) => !/^[^\s=\p{Cc}]+$/u.test(name)))
      return t('{0} has a variable without a proper name.', who);
    if ([...env.values()].some((value) => value.reveal().includes('\0')))
      return t('{0} has a variable with a NUL.', who);
    return undefined;
  }
  const { url, headers } = server;
  if (/[\s\p{Cc}]/u.test(url.replace(/<[^<>]*>|\{[^{}]*\}/g, '')))
    return t('{0} has a URL with blanks in it.', who);
  if (!/^https?:\/\/./i.test(url) && !/^(?:<[^<>]+>|\$?\{[^{}]+\})/.test(url)) {
    return t('{0} has a URL with neither http nor https.', who);
  }
  if ([...headers.keys()].some((name) => !/^[!#$%&'*+.^`|~\w-]+$/.test(name))) {
    return t('{0} has a header without a proper name.', who);
  }
  if ([...headers.values()].some((value) => /[^\t\P{Cc}]/u.test(value.reveal()))) {
    return t('{0} has control characters in a header.', who);
  }
  return undefined;
}
