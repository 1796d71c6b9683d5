import { ThemeIcon, TreeItem } from 'vscode';
import { t, words } from '../../base/l10n.ts';
import { joinParts } from '../../base/parts.ts';
import type { Time } from '../../service/model/entities.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { serviceName } from '../words/serviceWords.ts';
import { clockTime } from '../words/times.ts';
import { rowCommand, treeItem } from './treeItem.ts';

/**
 * Short titles, which leave room for the time. The tooltip has the full
 * message.
 */
const titles = words({
  unreachable: 'No connection',
  timedOut: 'No answer',
  unauthorised: 'Key required',
  forbidden: 'Not allowed',
  notFound: 'Not found',
  rejected: 'Request not accepted',
  rateLimited: 'Too many requests',
  serverFailed: 'Service failed',
  notThisService: 'Not an agent service',
  cancelled: 'Canceled',
  notUnderstood: 'Answer not understood',
});

export function problemId({
  address,
}: Pick<ConnectedService, 'address'>): string {
  return `problem:${address}`;
}

/** The rows of the services whose list could not be refreshed. */
export function problemRows(
  { services }: Switchboard,
  list: 'conversations' | 'sandboxes',
) {
  return services.flatMap((service) =>
    service[list].error
      ? [
          {
            kind: 'problem',
            id: service.address,
            rowId: problemId(service),
          } as const,
        ]
      : [],
  );
}

/**
 * A row that explains why other rows are old or missing, and whose command
 * helps.
 */
export function problemItem(
  switchboard: Switchboard,
  list: 'conversations' | 'sandboxes',
  address: string,
  now: Time,
): TreeItem {
  const { error, asOf } = switchboard.service(address)?.[list] ?? {};
  if (!error) return new TreeItem('');
  const name = serviceName(switchboard, address);
  const { failure } = error;
  const refused = failure.kind === 'unauthorised' && failure.withKey;
  const what = refused ? t('Key not accepted') : titles[error.kind];
  const title = name === undefined ? what : t('{0}: {1}', name, what);
  const old =
    asOf === undefined ? undefined : t('as of {0}', clockTime(asOf, now));
  return treeItem(title, {
    description: old ?? '',
    tooltip: error.message,
    iconPath: new ThemeIcon('warning'),
    context: ['problem'],
    spoken: joinParts(', ', title, old, error.message),
    command:
      error.kind === 'unauthorised'
        ? rowCommand('switchboard.setApiKey', t('Set API Key'), address)
        : rowCommand('switchboard.retry', t('Try Again')),
  });
}
