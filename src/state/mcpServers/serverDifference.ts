/** Compares a server of the file with the one of the same name at a service. Secrets cannot be compared. */
import { t } from '../../base/l10n.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import { isSignInMethod } from '../../mcp/format/mask.ts';
import type { ServiceServer } from '../../service/serviceServer.ts';

export function differenceFromFile(entry: Entry, there: ServiceServer): readonly string[] {
  const here = entry.server;
  const isDifferent: [string, boolean][] = [
    [t('enabled'), entry.enabled !== there.enabled],
    // Services have no switch for tools.
    [t('tools'), entry.toolsOff.length > 0],
  ];
  if (here?.transport === 'stdio' && there.transport === 'stdio') {
    isDifferent.push(
      [t('command'), here.command !== there.command],
      [t('arguments'), JSON.stringify(here.args) !== JSON.stringify(there.args)],
      [t('variables'), there.env !== undefined && !sameNames(here.env, there.env)],
    );
  } else if (
    here &&
    here.transport !== 'stdio' &&
    there.transport !== 'stdio' &&
    there.transport !== undefined
  ) {
    const inHeader = there.auth?.strategy === 'header' || there.auth?.strategy === 'basic';
    const headers = inHeader ? undefined : there.headers;
    isDifferent.push(
      [t('URL'), here.url !== there.url],
      [t('transport'), here.transport !== there.transport],
      [t('headers'), headers !== undefined && !sameNames(here.headers, headers)],
      [
        t('sign-in'),
        !inHeader && signIn(here.auth && isSignInMethod(here.auth), here.auth) !== signInThere(there.auth),
      ],
    );
  } else {
    isDifferent.push([t('transport'), true]);
  }
  return isDifferent.filter(([, different]) => different).map(([word]) => word);
}

function signIn(isOauth: boolean | undefined, auth: object | undefined): 'none' | 'oauth' | 'token' {
  return auth === undefined ? 'none' : isOauth ? 'oauth' : 'token';
}

function signInThere(auth: { readonly strategy: string } | undefined): 'none' | 'oauth' | 'token' {
  if (auth === undefined || auth.strategy === 'none') return 'none';
  return auth.strategy === 'oauth2' ? 'oauth' : 'token';
}

/** Services drop empty variables. */
function sameNames(
  here: ReadonlyMap<string, { reveal(): string }>,
  there: ReadonlyMap<string, unknown>,
): boolean {
  const names = [...here].filter(([, value]) => value.reveal() !== '').map(([name]) => name);
  return names.length === there.size && names.every((name) => there.has(name));
}
