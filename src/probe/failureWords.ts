/** Sentences about failures of a probe, for the terminal and the editor. */
import { t } from '../base/l10n.ts';
import { plainText } from '../base/plainText.ts';
import { wayOutOf } from './failureSteps.ts';
import type { ProbeFailure, ProbeStep } from './probeResult.ts';

/** Says what happened, to what, and what to do. The lines that the server printed are in the failure. */
export function failureSentence(name: string, failure: ProbeFailure): string {
  const shown = plainText(name, 100) || '""';
  return `${whatHappened(shown, failure)} ${wayOutOf(failure).said}`;
}

function whatHappened(name: string, failure: ProbeFailure): string {
  switch (failure.reason) {
    case 'programNotFound':
      return failure.lookedIn.length === 0
        ? t('“{0}” cannot be started: there is no file {1}.', name, failure.program)
        : t(
            '“{0}” cannot be started: no program {1} was found in the folders of PATH ({2}).',
            name,
            failure.program,
            shortened(failure.lookedIn),
          );
    case 'programNotExecutable':
      return t('“{0}” cannot be started: {1} is there, but cannot be run.', name, failure.program);
    case 'folderNotFound':
      return t('“{0}” cannot be started: its folder {1} does not exist.', name, failure.folder);
    case 'exited':
      if (failure.killedBy !== undefined) {
        return t('“{0}” was ended by {1} before it answered.', name, failure.killedBy);
      }
      return t('“{0}” ended with exit code {1} before it answered.', name, failure.code ?? '?');
    case 'notProtocol':
      return t('“{0}” prints something that is not the protocol of MCP servers.', name);
    case 'signIn':
      return failure.askedBy === 'entry'
        ? t('“{0}” uses OAuth, and nobody is signed in.', name)
        : t('“{0}” asks for a sign-in.', name);
    case 'keyRefused':
      return failure.sent
        ? t('“{0}” refuses the key or the headers of its entry (HTTP {1}).', name, failure.status)
        : t('“{0}” needs a key, and its entry has none (HTTP {1}).', name, failure.status);
    case 'redirected':
      return t('“{0}” redirects to {1}. Nothing was sent there.', name, failure.to);
    case 'notMcp':
      return failure.found === undefined
        ? t('There is no MCP server at {0} (HTTP {1}).', failure.url, failure.status)
        : t(
            'There is no MCP server at {0}, but “{1}” (HTTP {2}).',
            failure.url,
            failure.found,
            failure.status,
          );
    case 'certificate':
      return t('The certificate of {0} is not trusted here: {1}.', failure.host, bare(failure.detail));
    case 'proxy':
      return t('The proxy did not let the check through to {0}: {1}.', failure.host, bare(failure.detail));
    case 'unreachable':
      return unreachable(name, failure);
    case 'timedOut':
      return timedOut(name, failure);
    case 'variableMissing':
      return failure.names.length === 1
        ? t('“{0}” needs the variable {1}, which is not set here.', name, failure.names.join(', '))
        : t('“{0}” needs the variables {1}, which are not set here.', name, failure.names.join(', '));
    case 'protocolVersion':
      return failure.theirs === undefined
        ? t('“{0}” speaks a version of the protocol that agents do not.', name)
        : t('“{0}” speaks version {1} of the protocol, which agents do not.', name, failure.theirs);
    case 'tooMuch':
      return tooMuch(name, failure);
    case 'cancelled':
      return t('The check of “{0}” was canceled.', name);
    case 'other':
      return t('“{0}” does not work: {1}.', name, bare(failure.detail));
  }
}

type Of<R extends ProbeFailure['reason']> = Extract<ProbeFailure, { readonly reason: R }>;

function unreachable(name: string, { host, why }: Of<'unreachable'>): string {
  switch (why) {
    case 'refused':
      return t('“{0}” cannot be reached: nothing is listening at {1}.', name, host);
    case 'unknownHost':
      return t('“{0}” cannot be reached: the name {1} cannot be looked up.', name, host);
    case 'closed':
      return t('“{0}” cannot be reached: {1} closed the connection.', name, host);
    case 'noRoute':
      return t('“{0}” cannot be reached: {1} does not answer.', name, host);
    case 'badAddress':
      return t('“{0}” cannot be reached: {1} is not an HTTP address.', name, host);
  }
}

function timedOut(name: string, { waitingFor, milliseconds }: Of<'timedOut'>): string {
  const seconds = Math.round(milliseconds / 100) / 10;
  const sentences: Readonly<Record<ProbeStep, string>> = {
    starting: t('“{0}” did not start within {1} seconds.', name, seconds),
    connecting: t('“{0}” did not answer within {1} seconds.', name, seconds),
    initialising: t('“{0}” did not say within {1} seconds that it is ready.', name, seconds),
    listing: t('“{0}” did not name its tools within {1} seconds.', name, seconds),
  };
  return sentences[waitingFor];
}

function tooMuch(name: string, { of, most }: Of<'tooMuch'>): string {
  switch (of) {
    case 'bytes':
      return t('“{0}” sent more than {1} MB. The check was ended.', name, Math.round(most / 1_000_000));
    case 'messages':
      return t('“{0}” sent more than {1} messages. The check was ended.', name, most);
    case 'tools':
      return t('“{0}” has more than {1} tools. The check was ended.', name, most);
    case 'pages':
      return t('“{0}” has an endless list of tools. The check was ended.', name);
  }
}

/** For a row: `npx not found`, `needs sign-in`. */
export function failureShort(failure: ProbeFailure): string {
  switch (failure.reason) {
    case 'programNotFound':
      return t('{0} not found', failure.program);
    case 'programNotExecutable':
      return t('cannot be run');
    case 'folderNotFound':
      return t('folder not found');
    case 'exited':
      return failure.code === null ? t('ended at once') : t('ended with exit code {0}', failure.code);
    case 'notProtocol':
      return t('does not speak MCP');
    case 'signIn':
      return t('needs a sign-in');
    case 'keyRefused':
      return failure.sent ? t('key refused') : t('needs a key');
    case 'redirected':
      return t('redirects elsewhere');
    case 'notMcp':
      return t('no MCP server there');
    case 'certificate':
      return t('certificate not trusted');
    case 'proxy':
      return t('stopped by the proxy');
    case 'unreachable':
      return t('not reachable');
    case 'timedOut':
      return t('no answer in time');
    case 'variableMissing':
      return t('{0} not set', failure.names.join(', '));
    case 'protocolVersion':
      return t('other version of the protocol');
    case 'tooMuch':
      return t('sends too much');
    case 'cancelled':
      return t('canceled');
    case 'other':
      return t('does not work');
  }
}

/** The first few, because PATH can be long. */
function shortened(folders: readonly string[]): string {
  const most = 5;
  const first = folders.slice(0, most).join(', ');
  return folders.length > most ? t('{0} and {1} more', first, folders.length - most) : first;
}

/** Without what ends a sentence, because ours goes on. */
function bare(detail: string): string {
  return detail.replace(/[.!\s]+$/, '');
}
