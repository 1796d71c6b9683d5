/** A server while it is being entered. Does not import vscode. */
import { plural, t, words } from '../../../base/l10n.ts';
import { maskText } from '../../../base/masks/maskText.ts';
import { maskUrl } from '../../../base/masks/maskUrl.ts';
import { plainText } from '../../../base/plainText.ts';
import { Secret } from '../../../base/secret.ts';
import { joinParts } from '../../../base/parts.ts';
import { maskArguments } from '../../../mcp/format/mask.ts';
import { isPlaceholder } from '../../../mcp/format/placeholders.ts';
import { suggestName } from '../../../mcp/pasted/suggestName.ts';
import type { Server } from '../../../mcp/format/server.ts';
import type { Transport } from '../../../mcp/dialects/ownKeys.ts';
import {
  isHeaderName,
  isHeaderValue,
  isSameHeader,
  isVariableName,
  isVariableValue,
  schemeOf,
  urlFault,
} from '../../../mcp/format/serverRules.ts';
import { splitWords } from '../../../mcp/cli/shellWords.ts';

export interface ServerDraft {
  /** The name of the receiving service; undefined for the file. */
  readonly service: string | undefined;
  /** A command line for a shell of this platform, or a URL. */
  target: string;
  /** The target that transport and name were derived from. */
  followed: string;
  transport: Transport;
  name: string;
  /** True if the name was typed, not derived. */
  isNamed: boolean;
  env: Map<string, Secret>;
  headers: Map<string, Secret>;
  typing: { name: string; value: Secret };
  authentication: 'none' | 'header' | 'oauth';
  authorization: Secret;
  enabled: boolean;
  at: DraftStep;
}

/** `preview` leads to the questions after it. */
export type DraftStep =
  | 'target'
  | 'preview'
  | 'name'
  | 'transport'
  | 'values'
  | 'authentication'
  | 'enabled';

export function emptyServerDraft(service?: string): ServerDraft {
  return {
    service,
    target: '',
    followed: '',
    transport: 'stdio',
    name: '',
    isNamed: false,
    env: new Map(),
    headers: new Map(),
    typing: { name: '', value: new Secret('') },
    authentication: 'none',
    authorization: new Secret(''),
    enabled: true,
    at: 'target',
  };
}

/** Derives transport and name from a new target. */
export function followTarget(
  draft: ServerDraft,
  taken: ReadonlySet<string>,
): void {
  const { target, followed } = draft;
  if (target === followed) return;
  draft.followed = target;
  if (isUrl(target)) draft.transport = isSseUrl(target) ? 'sse' : 'http';
  else draft.transport = 'stdio';
  if (!draft.isNamed)
    draft.name = freeName(suggestName(serverOfDraft(draft)), taken);
}

export function draftOptions(draft: ServerDraft): readonly DraftOption[] {
  const { transport, name, authentication, enabled } = draft;
  const words = valueWords(draft);
  const values = draftValues(draft).size;
  const all: DraftOption[] = [
    { step: 'name', label: t('Name'), description: name },
    {
      step: 'transport',
      label: t('Transport'),
      description: transportLabels[transport],
    },
    {
      step: 'values',
      label: words.title,
      description: values === 0 ? t('None') : words.count(values),
    },
    {
      step: 'authentication',
      label: t('Sign-In'),
      description: authenticationLabels[authentication],
    },
    {
      step: 'enabled',
      label: t('State'),
      description: enabled ? t('Enabled') : t('Disabled'),
    },
  ];
  return transport === 'stdio'
    ? all.filter(
        ({ step }) => step !== 'transport' && step !== 'authentication',
      )
    : all;
}

export interface DraftOption {
  readonly step: DraftStep;
  readonly label: string;
  readonly description: string;
}

export function serverOfDraft(
  draft: ServerDraft,
  windows = process.platform === 'win32',
): Server {
  const { transport, target, headers, authentication, authorization, env } =
    draft;
  if (transport !== 'stdio') {
    const own =
      authentication === 'header' ? { Authorization: authorization } : {};
    return {
      transport,
      url: target.trim(),
      headers: new Map(
        [...headers, ...Object.entries(own)].map(([name, value]) => [
          name,
          new Secret(value.reveal().trim()),
        ]),
      ),
      ...(authentication === 'oauth' && { auth: new Secret('oauth') }),
    };
  }
  const [command = '', ...args] = splitWords(target, { windows }).words;
  return { transport, command, args, env: new Map(env) };
}

function isUrl(target: string): boolean {
  return schemeOf(target) !== undefined;
}

function isSseUrl(url: string): boolean {
  return /\/sse\/?$/.test(URL.parse(url.trim())?.pathname ?? '');
}

export function targetProblem(
  target: string,
  windows = process.platform === 'win32',
): string | undefined {
  return isUrl(target)
    ? urlProblem(target)
    : commandLineProblem(target, windows);
}

export function targetRemark(
  target: string,
  windows = process.platform === 'win32',
): string | undefined {
  if (targetProblem(target, windows) !== undefined) return undefined;
  return isUrl(target) ? urlRemark(target) : commandRemark(target, windows);
}

export function nameProblem(
  typed: string,
  taken: ReadonlySet<string>,
): string | undefined {
  const name = typed.trim();
  if (name === '') return t('Type a name for the server.');
  if (plainText(name, name.length + 1) !== name) {
    return t(
      'The name has invisible characters or several spaces in a row. Remove them.',
    );
  }
  if (!taken.has(name)) return undefined;
  return t(
    'There is already a server with this name. “{0}” is free.',
    freeName(name, taken),
  );
}

/** The name, or the next free one like it. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const [, stem = name, number = '1'] = /^(.+)-(\d{1,9})$/s.exec(name) ?? [];
  let free = name;
  for (let next = Number(number) + 1; taken.has(free); next++)
    free = `${stem}-${next}`;
  return free;
}

function urlProblem(typed: string): string | undefined {
  switch (urlFault(typed.trim())) {
    case 'spaces':
      return t('A URL cannot contain spaces.');
    case 'otherScheme':
      return t('MCP servers are reached over https:// or http://.');
    case 'noScheme':
    case 'invalid':
      return t('This is not a valid URL.');
    case undefined:
      return undefined;
  }
}

function urlRemark(typed: string): string | undefined {
  const { username, password } = new URL(typed.trim());
  return username !== '' || password !== ''
    ? t('The user name and the password in it will be stored with the server.')
    : undefined;
}

function commandLineProblem(
  line: string,
  windows: boolean,
): string | undefined {
  const {
    words: [command = ''],
    unfinished,
  } = splitWords(line, { windows });
  if (unfinished !== undefined) {
    return t(
      'The quote {0} at character {1} is not closed.',
      line.charAt(unfinished),
      unfinished + 1,
    );
  }
  if (command.trim() === '')
    return t('Type the command that starts the server, or its URL.');
  if (command === '$' || command === '>')
    return t("Remove the prompt's {0}.", command);
  if (/^[A-Za-z_]\w*=/.test(command))
    return t('Begin with the command. You can add variables in the next step.');
  return undefined;
}

function commandRemark(line: string, windows: boolean): string {
  const [command = '', ...args] = splitWords(line, { windows }).words;
  const shell = args.find((arg) =>
    /^(?:&&?|\|\|?|;|[<>]{1,2}|\$\w+|\$\{\w+\})$/.test(arg),
  );
  return joinParts(
    ' ',
    commandWords(
      plainText(maskText(command), 60),
      maskArguments(command, args),
    ),
    shell !== undefined &&
      t('No shell reads it, so {0} is an ordinary argument.', shell),
  );
}

function commandWords(command: string, args: readonly string[]): string {
  const most = 12;
  const list = args
    .slice(0, most)
    .map((arg) => t('“{0}”', plainText(arg, 60)))
    .join(', ');
  if (args.length === 0) return t('Command “{0}” with no arguments.', command);
  if (args.length === 1)
    return t('Command “{0}” with the argument {1}.', command, list);
  if (args.length <= most)
    return t(
      'Command “{0}” with {1} arguments: {2}.',
      command,
      args.length,
      list,
    );
  return t(
    'Command “{0}” with {1} arguments: {2}, and {3} more.',
    command,
    args.length,
    list,
    args.length - most,
  );
}

export function draftValues(draft: ServerDraft): Map<string, Secret> {
  return draft.transport === 'stdio' ? draft.env : draft.headers;
}

export function valueNameProblem(
  draft: ServerDraft,
  typed: string,
): string | undefined {
  const words = valueWords(draft);
  const name = typed.trim();
  const local = draft.transport === 'stdio';
  if (name === '') return words.typeName;
  if (name.includes(local ? '=' : ':'))
    return t('Type only the name. The value is asked for next, and hidden.');
  if (local && !isVariableName(name))
    return t('A variable name cannot contain spaces.');
  if (!local && !isHeaderName(name)) {
    return t(
      'A header name can contain only letters, digits, hyphens and a few other characters.',
    );
  }
  const same = (other: string) =>
    local ? other === name : isSameHeader(other, name);
  if (!local && same('authorization'))
    return t('Choose Sign-In to set the Authorization header.');
  if (![...draftValues(draft).keys()].some(same)) return undefined;
  return words.sameName;
}

/** Never quotes the value. */
export function valueProblem(
  draft: Pick<ServerDraft, 'transport'>,
  value: string,
): string | undefined {
  if (draft.transport === 'stdio') {
    return isVariableValue(value)
      ? undefined
      : t('The value has a NUL character.');
  }
  if (value.trim() === '') return t('Type the value of the header.');
  return isHeaderValue(value)
    ? undefined
    : t('The value has a line break or another control character.');
}

/** Never quotes the value. */
export function valueRemark(value: string): string | undefined {
  return isPlaceholder(value)
    ? t('This looks like a placeholder, not a real value.')
    : undefined;
}

export function authorizationRemark(value: string): string | undefined {
  if (value.trim() === '' || /^[\w-]+\s+\S/.test(value.trim()))
    return valueRemark(value);
  return t(
    'There is no word before the token. Most servers expect “Bearer”, a space and the token.',
  );
}

const transportLabels = words({
  stdio: 'Local Program',
  http: 'HTTP',
  sse: 'Server-Sent Events',
});

export const authenticationLabels = words({
  none: 'None',
  header: 'Authorization Header',
  oauth: 'OAuth',
});

export function draftSummary({ name, transport, target }: ServerDraft): string {
  const maskedTarget = isUrl(target)
    ? maskUrl(target.trim())
    : maskText(splitWords(target).words[0] ?? '');
  return plainText(
    joinParts(' · ', name.trim(), transportLabels[transport], maskedTarget),
    120,
  );
}

/** Words about the variables of a local server, or the headers of another. */
export function valueWords({ transport }: Pick<ServerDraft, 'transport'>) {
  return transport === 'stdio' ? variableWords() : headerWords();
}

function variableWords() {
  const example = 'API_KEY';
  return {
    example,
    title: t('Variables'),
    none: t('No Variables'),
    count: (count: number) => plural(count, '1 variable', '{0} variables'),
    add: t('Add Variable'),
    addAnother: t('Add Another Variable'),
    needed: t('Does the server need variables, for example for a key?'),
    choose: t(
      'The variables of the server. Choose a variable to change or remove it.',
    ),
    name: t('Name of the variable. Its value is asked for next, and hidden.'),
    value: (name: string) =>
      t(
        'Value of the variable {0}. It is hidden here, and stored only with the server.',
        name,
      ),
    change: (name: string) => t('What to do with the variable {0}', name),
    typeName: t('Type the name of the variable, such as {0}.', example),
    sameName: t(
      'There is already a variable with this name. Go back to change or remove it.',
    ),
  };
}

function headerWords(): ReturnType<typeof variableWords> {
  const example = 'X-API-Key';
  return {
    example,
    title: t('Headers'),
    none: t('No Headers'),
    count: (count) => plural(count, '1 header', '{0} headers'),
    add: t('Add Header'),
    addAnother: t('Add Another Header'),
    needed: t('Does the server need headers, for example for a key?'),
    choose: t(
      'The headers of the server. Choose a header to change or remove it.',
    ),
    name: t('Name of the header. Its value is asked for next, and hidden.'),
    value: (name) =>
      t(
        'Value of the header {0}. It is hidden here, and stored only with the server.',
        name,
      ),
    change: (name) => t('What to do with the header {0}', name),
    typeName: t('Type the name of the header, such as {0}.', example),
    sameName: t(
      'There is already a header with this name. Go back to change or remove it.',
    ),
  };
}
