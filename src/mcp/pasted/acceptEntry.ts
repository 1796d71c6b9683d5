/** What was found, as a server of ours: read, checked, and with what is still to be asked. */
import { isCodeVariable } from '../../base/codeVariables.ts';
import { t } from '../../base/l10n.ts';
import { maskText } from '../../base/maskText.ts';
import { plainText } from '../../base/plainText.ts';
import { isPlaceholder } from '../format/placeholders.ts';
import { readServer, type Server } from '../format/server.ts';
import {
  isHeaderName,
  isHeaderValue,
  isVariableName,
  isVariableValue,
  schemeOf,
  urlFault,
} from '../format/serverRules.ts';
import { withoutPlaceholders } from './addresses.ts';
import type { PastedEntry, PastedServer } from './pastedServer.ts';
import { listed, shownName } from './sentences.ts';
import { findPlaceholders, variablesIn } from './serverPlaceholders.ts';
import { suggestName } from './suggestName.ts';
import { translateEntry } from './translateEntry.ts';

/** The server, or a sentence that says why there is none. */
export function acceptEntry(found: PastedEntry, onWindows: boolean): PastedServer | string {
  const { name, inputs, notes } = found;
  const read = translateEntry(found.fields, onWindows);
  const server = readServer(read.fields);
  const who = name ? shownName(name) : t('A server without a name');
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
  const variables = variablesIn(server);
  if (variables.length > 0) more.push(t('Agents take {0} from their environment.', listed(variables)));
  if (placeholders.some(({ text }) => /^(?:\$|\{(?:env|file):)/.test(text))) {
    more.push(
      t(
        'Only variables that are written as {0} are looked up, so enter the values of the others.',
        '${NAME}',
      ),
    );
  }
  const code = server.transport === 'stdio' ? [...server.env.keys()].filter(isCodeVariable) : [];
  if (code.length > 0) {
    const names = listed(code);
    more.push(
      code.length === 1
        ? t('{0} changes what runs: check its value.', names)
        : t('{0} change what runs: check their values.', names),
    );
  }
  return {
    name: usable ? name : undefined,
    suggestedName: usable ? name : suggestName(server),
    server,
    enabled: read.enabled,
    isGuess: found.isGuess ?? false,
    extra: read.extra,
    placeholders,
    notes: [...new Set([...notes, ...read.notes, ...more])],
  };
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
  // What must be filled in may be anywhere in it.
  switch (isStandIn(url) ? undefined : urlFault(withoutPlaceholders(url))) {
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

/** Whether all of a URL stands for another one. */
function isStandIn(url: string): boolean {
  return schemeOf(url) === undefined && (isPlaceholder(url) || /^\$\{?[A-Z_][A-Z\d_]*\}?$/.test(url));
}
