/**
 * Copies MCP servers between the file and a service. Everything that is lost or
 * sent is shown first.
 */
import { t, userError } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { Secret } from '../../../base/secret.ts';
import {
  translateForFile,
  type NeededSecret,
} from '../../../state/mcpServers/serverForFile.ts';
import { translateForService } from '../../../state/mcpServers/serverForService.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import { confirm } from '../../ui/messages.ts';
import { askText } from '../../ui/steps.ts';
import {
  readersOfFile,
  serverName,
} from '../../words/mcpServers/serverWords.ts';
import { wholeTarget } from '../../words/mcpServers/serviceServerWords.ts';
import {
  changeServers,
  type ServerFileParts,
} from '../ofFile/changeServers.ts';
import { pickServer } from '../ofFile/pickServer.ts';
import {
  requireChanging,
  pickServiceServer,
  pickServiceWithServers,
  shownServiceName,
} from './pickServiceServer.ts';
import { sendServers } from './sendServers.ts';

export interface CopyParts extends ServerFileParts {
  readonly switchboard: Switchboard;
}

/**
 * Adds a server of the file to a service, or replaces the one of the same name
 * there.
 */
export async function copyToService(
  parts: CopyParts,
  named: string | undefined,
): Promise<void> {
  const { switchboard, servers } = parts;
  const entry = await pickServer(
    servers,
    named,
    t('Select the MCP server to copy to a service'),
  );
  const selection =
    entry &&
    (await pickServiceWithServers(
      switchboard,
      t('Select the service that gets the server'),
    ));
  if (!selection) return;
  const { service, ability } = selection;
  requireChanging(ability);
  await service.toolServers.refreshOrThrow();
  const name = serverName(entry);
  const place = shownServiceName(service);
  const isThere = service.toolServers.find(entry.name) !== undefined;
  await sendServers(service, {
    title: t('Copy MCP Server to a Service'),
    question: isThere
      ? t('Replace “{0}” at {1} with the one of the file?', name, place)
      : t('Copy “{0}” to {1}?', name, place),
    action: isThere ? t('Replace') : t('Copy'),
    servers: [{ name: entry.name, translated: translateForService(entry) }],
  });
}

/**
 * Adds a server of a service to the file. Asks for its secrets, because the
 * service does not reveal them.
 */
export async function copyToFile(
  parts: CopyParts,
  id: string | undefined,
): Promise<void> {
  const { switchboard, servers } = parts;
  const picked = await pickServiceServer(
    switchboard,
    id,
    t('Select the MCP server to copy to the file'),
    () => true,
  );
  if (!picked) return;
  const { server, name, place } = picked;
  const { server: make, needed, remarks } = translateForFile(server);
  if (!make)
    throw userError(
      '“{0}” cannot be added to the file. {1}',
      name,
      remarks.at(-1) ?? '',
    );
  await servers.refresh();
  const isThere = servers.entries.some((entry) => entry.name === server.name);
  const asked = needed.map(secretWords).join(', ');
  const detail = [
    readersOfFile(),
    wholeTarget(server),
    asked !== '' &&
      t(
        'The service does not reveal its secrets. You are asked for: {0}',
        asked,
      ),
    ...remarks,
    isThere && t('This replaces the server with this name in the file.'),
  ];
  const question = isThere
    ? t('Replace “{0}” in the file with the one of {1}?', name, place)
    : t('Copy “{0}” from {1} to the file?', name, place);
  if (!(await confirm(question, detail, isThere ? t('Replace') : t('Copy'))))
    return;
  const secrets: Secret[] = [];
  for (const [at, secret] of needed.entries()) {
    const value = await askText({
      title: t('Copy “{0}” to the file', name),
      value: '',
      prompt: secretWords(secret),
      hidden: true,
      ...(needed.length > 1 && { step: at + 1, totalSteps: needed.length }),
      validate: (typed) =>
        typed === ''
          ? t('Enter the value. The service does not reveal it.')
          : undefined,
    });
    if (typeof value !== 'string' || value === '') return;
    secrets.push(new Secret(value));
  }
  await changeServers(
    parts,
    [{ ...make(secrets), do: isThere ? 'replace' : 'add' }],
    t('Copied “{0}” from {1}.', name, place),
  );
}

function secretWords({ kind, name }: NeededSecret): string {
  const plainName = plainText(name, 80);
  switch (kind) {
    case 'variable':
      return t('the variable {0}', plainName);
    case 'header':
      return t('the header {0}', plainName);
    case 'token':
      return t('its token');
    case 'password':
      return t('the password of {0}', plainName);
  }
}
