/** What was found, as a server of ours: read, checked, and with what is still to be asked. */
import { t } from '../../base/l10n.ts';
import { maskText } from '../../base/maskText.ts';
import { plainText } from '../../base/plainText.ts';
import { isPlaceholder } from '../placeholders.ts';
import { type Fields, readServer, type Server } from '../server.ts';
import { isHeaderName, isHeaderValue, isVariableName, isVariableValue, urlFault } from '../serverRules.ts';
import type { Value } from '../values.ts';
import type { PastedEntry, PastedServer } from './pastedServer.ts';
import { shown } from './sentences.ts';
import { findPlaceholders, takeDefaults } from './serverPlaceholders.ts';
import { suggestName } from './suggestName.ts';
import { translateEntry } from './translateEntry.ts';

/** The server, or a sentence that says why there is none. */
export function acceptEntry({ name, fields: entry, inputs, notes }: PastedEntry): PastedServer | string {
  const read = translateEntry(entry);
  const { fields, hasDefaults } = withDefaults(read.fields);
  const server = readServer(fields);
  const who = name ? shown(name) : t('A server without a name');
  if (!server) return t('{0} has neither a command nor a URL.', who);
  const problem = problemOf(server, who);
  if (problem !== undefined) return problem;

  const isShown = name !== undefined && plainText(name) === name && maskText(name) === name;
  const usable = isShown && name !== '' && !isPlaceholder(name);
  const placeholders = findPlaceholders(server, inputs);
  const more: string[] = [];
  if (name && !isShown) {
    more.push(
      t('The name is left out because it is too long, has invisible characters, or may be a secret.'),
    );
  }
  if (hasDefaults) more.push(t('References to variables are replaced by their defaults.'));
  if (placeholders.some(({ text }) => text.startsWith('$'))) {
    more.push(t('The program that reads mcp.json does not look up variables, so enter their values.'));
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

/** Why a server could not work, or would do something that nobody sees. */
function problemOf(server: Server, who: string): string | undefined {
  if (server.transport === 'stdio') {
    const { command, args, env } = server;
    const controls = /[^\t\n\P{Cc}]/u;
    if (command.trim() === '') return t('{0} has no command.', who);
    if ([command, ...args].some((text) => controls.test(text)))
      return t('{0} has control characters in its command.', who);
    if (![...env.keys()].every(isVariableName)) return t('{0} has a variable with an invalid name.', who);
    if (![...env.values()].every((value) => isVariableValue(value.reveal())))
      return t('{0} has a variable with a NUL character.', who);
    return undefined;
  }
  const { url, headers } = server;
  // What has to be filled in may be anywhere in it.
  switch (urlFault(withoutPlaceholders(url))) {
    case 'spaces':
      return t('{0} has a URL with spaces in it.', who);
    case 'noScheme':
    case 'otherScheme':
      return t('{0} has a URL that does not start with http:// or https://.', who);
    case 'invalid':
      return t('{0} has a URL that is not valid.', who);
    case undefined:
  }
  if (![...headers.keys()].every(isHeaderName)) return t('{0} has a header with an invalid name.', who);
  if (![...headers.values()].every((value) => isHeaderValue(value.reveal())))
    return t('{0} has control characters in a header.', who);
  return undefined;
}

/** The URL as it may be once everything is filled in. What is in brackets and no IPv6 address is a placeholder too. */
function withoutPlaceholders(url: string): string {
  const placeholder = /\$?\{\{?[^{}]*\}?\}|<[^<>]*>|\[(?![\da-f:.]+\])[^[\]]*\]/gi;
  return url.replace(placeholder, (all: string, at: number) => {
    if (at > 0) return '1';
    return url.startsWith('://', all.length) ? 'https' : 'https://x';
  });
}
