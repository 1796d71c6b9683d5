/**
 * Words about each failure of a probe, for the terminal and the editor, and its
 * remedy.
 */
import { t } from '../base/l10n.ts';
import { plainText } from '../base/plainText.ts';
import { mask } from '../base/secret.ts';
import type { FailureReason, ProbeFailure, ProbeStep } from './probeResult.ts';

export type FailureStep =
  /**
   * Shows the first of these places that the entry has, as `placeIn` knows
   * them.
   */
  | { readonly do: 'show'; readonly places: readonly string[] }
  /** Has the entry name the address to which the server redirects. */
  | { readonly do: 'changeUrl'; readonly to: string }
  /** Opens a setting of the editor. */
  | { readonly do: 'setting'; readonly name: string }
  | { readonly do: 'disable' }
  | { readonly do: 'again' };

interface FailureWords {
  /** A whole sentence. */
  readonly happened: string;
  /** Text of a row: `npx not found`, `needs a sign-in`. */
  readonly short: string;
  /** A whole sentence that says what to do. */
  readonly said: string;
  /** Most likely first. */
  readonly steps: readonly [FailureStep, ...FailureStep[]];
}

export function failureSentence(name: string, failure: ProbeFailure): string {
  const { happened, said } = failureWords(failure, name);
  return `${happened} ${said}`;
}

export function failureWords(failure: ProbeFailure, name = ''): FailureWords {
  // A reason and its failure always come together.
  const wordsOf = table[failure.reason] as (
    failure: ProbeFailure,
    name: string,
  ) => FailureWords;
  return wordsOf(failure, plainText(name, 100) || '""');
}

type Of<R extends FailureReason> = Extract<
  ProbeFailure,
  { readonly reason: R }
>;

const again: FailureStep = { do: 'again' };
const showTarget = show('command', 'url');

function show(...places: readonly string[]): FailureStep {
  return { do: 'show', places };
}

const table: {
  readonly [R in FailureReason]: (failure: Of<R>, name: string) => FailureWords;
} = {
  programNotFound: ({ program, lookedIn }, name) => ({
    happened:
      lookedIn.length === 0
        ? t('“{0}” cannot be started: there is no file {1}.', name, program)
        : t(
            '“{0}” cannot be started: no program {1} was found in the folders of PATH ({2}).',
            name,
            program,
            shortened(lookedIn),
          ),
    short: t('{0} not found', program),
    said: t('Install it, or correct the command.'),
    steps: [show('command'), again],
  }),
  programNotExecutable: ({ program }, name) => ({
    happened: t(
      '“{0}” cannot be started: {1} is there, but cannot be run.',
      name,
      program,
    ),
    short: t('cannot be run'),
    said: t('Make it executable, or install the program that it needs.'),
    steps: [show('command'), again],
  }),
  folderNotFound: ({ folder }, name) => ({
    happened: t(
      '“{0}” cannot be started: its folder {1} does not exist.',
      name,
      folder,
    ),
    short: t('folder not found'),
    said: t('Create it, or correct "cwd".'),
    steps: [show('cwd', 'command'), again],
  }),
  exited: ({ code, killedBy, lastLines }, name) => ({
    happened:
      killedBy === undefined
        ? t(
            '“{0}” ended with exit code {1} before it answered.',
            name,
            code ?? '?',
          )
        : t('“{0}” was ended by {1} before it answered.', name, killedBy),
    short:
      code === null ? t('ended at once') : t('ended with exit code {0}', code),
    said:
      lastLines.length === 0
        ? t('It printed nothing. Check the command and its arguments.')
        : t('What it printed last may say why.'),
    steps: [show('args', 'command'), again],
  }),
  notProtocol: ({ lastLines }, name) => ({
    happened: t(
      '“{0}” prints something that is not the protocol of MCP servers.',
      name,
    ),
    short: t('does not speak MCP'),
    said:
      lastLines.length === 0
        ? t('It printed nothing. Check the command and its arguments.')
        : t(
            'Correct the command, or have it print such lines to its standard error.',
          ),
    steps: [show('args', 'command'), again],
  }),
  signIn: ({ askedBy, issuer, scopes = [] }, name) => ({
    happened:
      askedBy === 'entry'
        ? t('“{0}” uses OAuth, and nobody is signed in.', name)
        : t('“{0}” asks for a sign-in.', name),
    short: t('needs a sign-in'),
    said: [
      t(
        'It needs a browser at every start of an agent, because the program keeps no token.',
      ),
      ...(issuer === undefined ? [] : [t('You sign in at {0}.', issuer)]),
      ...(scopes.length > 0 ? [t('It asks for: {0}.', scopes.join(', '))] : []),
    ].join(' '),
    steps: [show('auth', 'url'), again],
  }),
  keyRefused: ({ sent, status }, name) => ({
    happened: sent
      ? t(
          '“{0}” refuses the key or the headers of its entry (HTTP {1}).',
          name,
          status,
        )
      : t(
          '“{0}” needs a key, and its entry has none (HTTP {1}).',
          name,
          status,
        ),
    short: sent ? t('key refused') : t('needs a key'),
    said: sent ? t('Replace the key.') : t('Add a header with the key.'),
    steps: [show('headers.authorization', 'auth', 'headers', 'url'), again],
  }),
  redirected: ({ to }, name) => ({
    happened: t('“{0}” redirects to {1}. Nothing was sent there.', name, to),
    short: t('redirects elsewhere'),
    said: t('If you trust that address, put it into the entry.'),
    steps: isWhole(to) ? [{ do: 'changeUrl', to }, show('url')] : [show('url')],
  }),
  notMcp: ({ url, status, found }) => ({
    happened:
      found === undefined
        ? t('There is no MCP server at {0} (HTTP {1}).', url, status)
        : t(
            'There is no MCP server at {0}, but “{1}” (HTTP {2}).',
            url,
            found,
            status,
          ),
    short: t('no MCP server there'),
    said: [404, 405].includes(status)
      ? t('Correct the URL, or change the transport: older servers need "sse".')
      : t('Correct the URL.'),
    steps: [show('url'), again],
  }),
  certificate: ({ host, detail }) => ({
    happened: t(
      'The certificate of {0} is not trusted here: {1}.',
      host,
      bare(detail),
    ),
    short: t('certificate not trusted'),
    said: t('Have this machine trust it, or correct the URL.'),
    steps: [{ do: 'setting', name: 'http.systemCertificates' }, show('url')],
  }),
  proxy: ({ host, detail }) => ({
    happened: t('The proxy blocked the check of {0}: {1}.', host, bare(detail)),
    short: t('blocked by the proxy'),
    said: t('Check the proxy settings.'),
    steps: [{ do: 'setting', name: 'http.proxy' }, again],
  }),
  unreachable: ({ host, why }, name) => ({
    happened: {
      refused: t(
        '“{0}” cannot be reached: nothing is listening at {1}.',
        name,
        host,
      ),
      unknownHost: t(
        '“{0}” cannot be reached: the name {1} cannot be looked up.',
        name,
        host,
      ),
      closed: t(
        '“{0}” cannot be reached: {1} closed the connection.',
        name,
        host,
      ),
      noRoute: t('“{0}” cannot be reached: {1} does not answer.', name, host),
      badAddress: t(
        '“{0}” cannot be reached: {1} is not an HTTP address.',
        name,
        host,
      ),
    }[why],
    short: t('not reachable'),
    said:
      why === 'refused'
        ? t('Start the server, or correct the URL.')
        : t('Check the URL and the network.'),
    steps: why === 'refused' ? [again, show('url')] : [show('url'), again],
  }),
  timedOut: ({ waitingFor, milliseconds, lastLines }, name) => ({
    happened: timedOut(name, Math.round(milliseconds / 100) / 10)[waitingFor],
    short: t('no answer in time'),
    said:
      lastLines.length === 0
        ? t('Agents do not wait longer, either.')
        : t(
            'Agents do not wait longer, either. What it printed last may say why.',
          ),
    steps: [again, showTarget],
  }),
  variableMissing: ({ names }, name) => ({
    happened:
      names.length === 1
        ? t(
            '“{0}” needs the variable {1}, which is not set here.',
            name,
            names.join(', '),
          )
        : t(
            '“{0}” needs the variables {1}, which are not set here.',
            name,
            names.join(', '),
          ),
    short: t('{0} not set', names.join(', ')),
    said:
      names.length === 1
        ? t(
            'Set it where agents start, or write a default: {0}',
            '${NAME:-default}',
          )
        : t(
            'Set them where agents start, or write defaults: {0}',
            '${NAME:-default}',
          ),
    steps: [show(...names.map((variable) => `\${${variable}}`)), again],
  }),
  protocolVersion: ({ theirs }, name) => ({
    happened:
      theirs === undefined
        ? t('“{0}” uses a protocol version that agents do not support.', name)
        : t(
            '“{0}” uses protocol version {1}, which agents do not support.',
            name,
            theirs,
          ),
    short: t('unsupported protocol version'),
    said: t('Install another version of the server.'),
    steps: [showTarget, again],
  }),
  tooMuch: ({ of, most }, name) => ({
    happened: {
      bytes: t(
        '“{0}” sent more than {1} MB. The check was ended.',
        name,
        Math.round(most / 1_000_000),
      ),
      messages: t(
        '“{0}” sent more than {1} messages. The check was ended.',
        name,
        most,
      ),
      tools: t(
        '“{0}” has more than {1} tools. The check was ended.',
        name,
        most,
      ),
      pages: t(
        '“{0}” has an endless list of tools. The check was ended.',
        name,
      ),
    }[of],
    short: t('sends too much'),
    said: t(
      'Agents would get all of it. Disable the server, or report it to its authors.',
    ),
    steps: [{ do: 'disable' }, showTarget],
  }),
  cancelled: (_, name) => ({
    happened: t('The check of “{0}” was canceled.', name),
    short: t('canceled'),
    said: t('Nothing is left running.'),
    steps: [again],
  }),
  other: ({ detail }, name) => ({
    happened: t('“{0}” does not work: {1}.', name, bare(detail)),
    short: t('does not work'),
    said: t('Check it again, or correct its entry.'),
    steps: [again, showTarget],
  }),
};

function timedOut(
  name: string,
  seconds: number,
): Readonly<Record<ProbeStep, string>> {
  return {
    starting: t('“{0}” did not start within {1} seconds.', name, seconds),
    connecting: t('“{0}” did not answer within {1} seconds.', name, seconds),
    initialising: t(
      '“{0}” did not say within {1} seconds that it is ready.',
      name,
      seconds,
    ),
    listing: t(
      '“{0}” did not list its tools within {1} seconds.',
      name,
      seconds,
    ),
  };
}

/** True if no part of the address is masked or cut off. */
function isWhole(address: string): boolean {
  return (
    URL.canParse(address) &&
    /^https?:/i.test(address) &&
    !address.includes(mask) &&
    !address.endsWith('…')
  );
}

/** The first few, because PATH can be long. */
function shortened(folders: readonly string[]): string {
  const most = 5;
  const first = folders.slice(0, most).join(', ');
  return folders.length > most
    ? t('{0} and {1} more', first, folders.length - most)
    : first;
}

/** Drops the end of a sentence, because ours continues. */
function bare(detail: string): string {
  return detail.replace(/[.!\s]+$/, '');
}
