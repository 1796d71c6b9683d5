/** A remedy for each failure of a check: a sentence, and steps for buttons. */
import { t } from '../base/l10n.ts';
import { mask } from '../base/secret.ts';
import type { FailureReason, ProbeFailure } from './probeResult.ts';

export type FailureStep =
  /** Shows the first of these places that the entry has, as `placeIn` knows them. */
  | { readonly do: 'show'; readonly places: readonly string[] }
  /** Has the entry name the address to which the server redirects. */
  | { readonly do: 'changeUrl'; readonly to: string }
  /** Opens a setting of the editor. */
  | { readonly do: 'setting'; readonly name: string }
  | { readonly do: 'disable' }
  | { readonly do: 'again' };

interface Remedy {
  /** A whole sentence. */
  readonly said: string;
  /** The first one is the most likely one. */
  readonly steps: readonly [FailureStep, ...FailureStep[]];
}

type Of<R extends FailureReason> = Extract<ProbeFailure, { readonly reason: R }>;

const again: FailureStep = { do: 'again' };
const showTarget = show('command', 'url');

function show(...places: readonly string[]): FailureStep {
  return { do: 'show', places };
}

const ways: { readonly [R in FailureReason]: (failure: Of<R>) => Remedy } = {
  programNotFound: () => ({
    said: t('Install it, or correct the command.'),
    steps: [show('command'), again],
  }),
  programNotExecutable: () => ({
    said: t('Make it executable, or install the program that it needs.'),
    steps: [show('command'), again],
  }),
  folderNotFound: () => ({
    said: t('Create it, or correct "cwd".'),
    steps: [show('cwd', 'command'), again],
  }),
  exited: ({ lastLines }) => ({
    said:
      lastLines.length === 0
        ? t('It printed nothing. Check the command and its arguments.')
        : t('What it printed last may say why.'),
    steps: [show('args', 'command'), again],
  }),
  notProtocol: ({ lastLines }) => ({
    said:
      lastLines.length === 0
        ? t('It printed nothing. Check the command and its arguments.')
        : t('Correct the command, or have it print such lines to its standard error.'),
    steps: [show('args', 'command'), again],
  }),
  signIn: (failure) => ({ said: signIn(failure), steps: [show('auth', 'url'), again] }),
  keyRefused: ({ sent }) => ({
    said: sent ? t('Replace the key.') : t('Add a header with the key.'),
    steps: [show('headers.authorization', 'auth', 'headers', 'url'), again],
  }),
  redirected: ({ to }) => ({
    said: t('If you trust that address, put it into the entry.'),
    steps: isWhole(to) ? [{ do: 'changeUrl', to }, show('url')] : [show('url')],
  }),
  notMcp: ({ status }) => ({
    said: [404, 405].includes(status)
      ? t('Correct the URL, or change the transport: older servers need "sse".')
      : t('Correct the URL.'),
    steps: [show('url'), again],
  }),
  certificate: () => ({
    said: t('Have this machine trust it, or correct the URL.'),
    steps: [{ do: 'setting', name: 'http.systemCertificates' }, show('url')],
  }),
  proxy: () => ({
    said: t('Check the proxy settings.'),
    steps: [{ do: 'setting', name: 'http.proxy' }, again],
  }),
  unreachable: ({ why }) =>
    why === 'refused'
      ? { said: t('Start the server, or correct the URL.'), steps: [again, show('url')] }
      : { said: t('Check the URL and the network.'), steps: [show('url'), again] },
  timedOut: ({ lastLines }) => ({
    said:
      lastLines.length === 0
        ? t('Agents do not wait longer, either.')
        : t('Agents do not wait longer, either. What it printed last may say why.'),
    steps: [again, showTarget],
  }),
  variableMissing: ({ names }) => ({
    said:
      names.length === 1
        ? t('Set it where agents start, or write a default: {0}', '${NAME:-default}')
        : t('Set them where agents start, or write defaults: {0}', '${NAME:-default}'),
    steps: [show(...names.map((name) => `\${${name}}`)), again],
  }),
  protocolVersion: () => ({
    said: t('Install another version of the server.'),
    steps: [showTarget, again],
  }),
  tooMuch: () => ({
    said: t('Agents would get all of it. Disable the server, or report it to its authors.'),
    steps: [{ do: 'disable' }, showTarget],
  }),
  cancelled: () => ({ said: t('Nothing of it is left running.'), steps: [again] }),
  other: () => ({ said: t('Check it again, or correct its entry.'), steps: [again, showTarget] }),
};

export function wayOutOf(failure: ProbeFailure): Remedy {
  // A reason and its failure always come together.
  return (ways[failure.reason] as (failure: ProbeFailure) => Remedy)(failure);
}

/** True if no part of the address is masked or cut off. */
function isWhole(address: string): boolean {
  return (
    URL.canParse(address) && /^https?:/i.test(address) && !address.includes(mask) && !address.endsWith('…')
  );
}

function signIn({ issuer, scopes = [] }: Of<'signIn'>): string {
  const all = [t('It needs a browser at every start of an agent, because the program keeps no token.')];
  if (issuer !== undefined) all.push(t('You sign in at {0}.', issuer));
  if (scopes.length > 0) all.push(t('It asks for: {0}.', scopes.join(', ')));
  return all.join(' ');
}
