import { ThemeIcon, TreeItem } from 'vscode';
import type { ServiceError } from '../../service/errors.ts';
import type { Time } from '../../service/types.ts';
import type { CommandId } from '../manifest.ts';
import { clockTime } from './words.ts';

const titles: Readonly<Record<ServiceError['kind'], string>> = {
  unreachable: 'The service cannot be reached',
  timedOut: 'The service does not answer',
  unauthorised: 'The service asks for a key',
  forbidden: 'The service does not allow it',
  notFound: 'The service does not know it',
  rejected: 'The service did not accept the request',
  rateLimited: 'The service gets too many requests',
  serverFailed: 'The service has failed',
  notThisService: 'This is no agent service',
  cancelled: 'Cancelled',
  notUnderstood: 'The answer could not be understood',
};

/** A row that says why the rows below it are old, or missing, and that does what helps when it is chosen. */
export function problemItem(error: ServiceError, asOf: Time | undefined, now: Time): TreeItem {
  const { failure } = error;
  const refused = failure.kind === 'unauthorised' && failure.withKey;
  const title = refused ? 'The service did not accept the key' : titles[error.kind];
  const old = asOf === undefined ? undefined : `as of ${clockTime(asOf, now)}`;
  const item = new TreeItem(title);
  item.description = old ?? '';
  item.tooltip = error.message;
  item.iconPath = new ThemeIcon('warning');
  item.contextValue = 'problem';
  item.accessibilityInformation = { label: [title, old, error.message].filter(Boolean).join(', ') };
  const command: CommandId =
    error.kind === 'unauthorised' ? 'switchboard.setApiKey' : 'switchboard.conversations.refresh';
  item.command = { command, title: error.kind === 'unauthorised' ? 'Set API Key' : 'Try Again' };
  return item;
}
