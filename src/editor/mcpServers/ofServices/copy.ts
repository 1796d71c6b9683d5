/** MCP servers on their way between the file and a service. What is lost and what is sent is shown before. */
import { UserError } from '../../../base/errors.ts';
import { t } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { Secret } from '../../../base/secret.ts';
import type { Entry } from '../../../mcp/format/entry.ts';
import type { ServiceCheck } from '../../../service/serviceServer.ts';
import type { ProbeResult } from '../../../probe/probe.ts';
import { forFile, type NeededSecret } from '../../../state/mcpServers/serverForFile.ts';
import { forService } from '../../../state/mcpServers/serverForService.ts';
import { confirm, showInformation, showWarning, withProgress } from '../../ui/messages.ts';
import { serverOf } from '../ofFile/pickServer.ts';
import { askText } from '../../ui/steps.ts';
import { serverName } from '../../words/mcpServers/serverWords.ts';
import { sentLines, serviceCheckMessage, wholeTarget } from '../../words/mcpServers/serviceServerWords.ts';
import { changeServers, type ServerFileParts } from '../ofFile/changeServers.ts';
import type { ServerChecks } from '../../../state/mcpServers/serverChecks.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import { changing, serviceServerOf, serviceWithServers } from './chosen.ts';
import { sendServers } from './send.ts';

export interface CopyParts extends ServerFileParts {
  readonly switchboard: Switchboard;
  readonly checks: () => Promise<ServerChecks>;
}

/** Adds the server of the file to a service, or writes it over the one of the same name there. */
export async function copyToService(parts: CopyParts, name: string | undefined): Promise<void> {
  const { switchboard, servers } = parts;
  const entry = await serverOf(servers, name, t('Select the MCP server to copy to a service'));
  const found =
    entry && (await serviceWithServers(switchboard, t('Select the service that gets the server')));
  if (!entry || !found) return;
  const { service, ability } = found;
  changing(ability);
  await service.toolServers.refresh();
  const { error } = service.toolServers;
  if (error) throw error;
  const shown = serverName(entry);
  const place = plainText(service.name, 80);
  const isThere = service.toolServers.find(entry.name) !== undefined;
  await sendServers(service, {
    title: t('Copy MCP Server to a Service'),
    question: isThere
      ? t('Replace “{0}” at {1} with the one of the file?', shown, place)
      : t('Copy “{0}” to {1}?', shown, place),
    action: isThere ? t('Replace') : t('Copy'),
    servers: [{ name: entry.name, translated: forService(entry) }],
  });
}

/** Sends the entry to a service, which tries it and keeps nothing of it. */
export async function checkAtService(parts: CopyParts, name: string | undefined): Promise<void> {
  const { switchboard, servers, checks } = parts;
  const entry = await serverOf(servers, name, t('Select the MCP server to check at a service'));
  const found =
    entry && (await serviceWithServers(switchboard, t('Select the service that checks the server')));
  if (!entry || !found) return;
  const { service, ability } = found;
  const shown = serverName(entry);
  const place = plainText(service.name, 80);
  const { check } = ability;
  if (!check) throw new UserError(t('{0} cannot check MCP servers.', place));
  const translated = forService(entry);
  if (!translated.server) throw refusal(shown, place, translated.remarks);
  const { server, references } = translated;
  const detail = [
    server.transport === 'stdio'
      ? t(
          'This is sent to {0}, which starts it on its machine and keeps nothing of it:',
          plainText(service.address, 200),
        )
      : t(
          'This is sent to {0}, which asks it for its tools and keeps nothing of it:',
          plainText(service.address, 200),
        ),
    ...sentLines(translated, server),
    ...(references.length > 0
      ? [t('A check does not replace variables: the server gets them as they are written.')]
      : []),
  ];
  const isSure = await confirm(t('Check “{0}” at {1}?', shown, place), detail, t('Send and Check'));
  if (!isSure) return;
  const result = await withProgress(t('Checking “{0}” at {1}', shown, place), async (signal) => {
    try {
      return await check(entry.name, server, { signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
  if (!result) return;
  const saved = servers.file?.saved !== false;
  await (await checks()).record(entry, { service: service.address }, asProbed(result), saved);
  void (result.works ? showInformation : showWarning)(serviceCheckMessage(shown, place, result));
}

function asProbed(check: ServiceCheck): ProbeResult {
  const { milliseconds } = check;
  if (check.works) return { kind: 'works', tools: check.tools.map((name) => ({ name })), milliseconds };
  return { kind: 'fails', failure: { reason: 'other', detail: check.why, lastLines: [] }, milliseconds };
}

function refusal(name: string, place: string, remarks: readonly string[]): UserError {
  return new UserError(t('“{0}” cannot be added to {1}. {2}', name, place, remarks.at(-1) ?? ''));
}

/** Adds the server to the file. Its secrets must be entered, because the service does not tell them. */
export async function copyToFile(parts: CopyParts, id: string | undefined): Promise<void> {
  const { switchboard, servers } = parts;
  const placeHolder = t('Select the MCP server to copy to the file');
  const chosen = await serviceServerOf(switchboard, id, placeHolder, () => true);
  if (!chosen) return;
  const { service, server } = chosen;
  const shown = serverName(server);
  const place = plainText(service.name, 80);
  const { server: make, needed, remarks } = forFile(server);
  if (!make) throw new UserError(t('“{0}” cannot be added to the file. {1}', shown, remarks.at(-1) ?? ''));
  await servers.refresh();
  const before = servers.document.entries.find((entry: Entry) => entry.name === server.name);
  const detail = [
    wholeTarget(server),
    ...(needed.length > 0
      ? [
          t(
            'The service does not reveal its secrets. You are asked for: {0}',
            needed.map(secretWords).join(', '),
          ),
        ]
      : []),
    ...remarks,
    ...(before ? [t('What the file has under this name is replaced.')] : []),
  ];
  const question = before
    ? t('Replace “{0}” in the file with the one of {1}?', shown, place)
    : t('Copy “{0}” from {1} to the file?', shown, place);
  if (!(await confirm(question, detail, before ? t('Replace') : t('Copy')))) return;
  const secrets: Secret[] = [];
  for (const [at, secret] of needed.entries()) {
    const value = await askText({
      title: t('Copy “{0}” to the file', shown),
      value: '',
      prompt: secretWords(secret),
      hidden: true,
      ...(needed.length > 1 && { step: at + 1, totalSteps: needed.length }),
      validate: (typed) => (typed === '' ? t('Enter the value. The service does not reveal it.') : undefined),
    });
    if (typeof value !== 'string' || value === '') return;
    secrets.push(new Secret(value));
  }
  const written = make(secrets);
  await changeServers(
    parts,
    [{ ...written, do: before ? 'replace' : 'add' }],
    t('Copied “{0}” from {1}.', shown, place),
  );
}

function secretWords({ kind, name }: NeededSecret): string {
  const shown = plainText(name, 80);
  switch (kind) {
    case 'variable':
      return t('the variable {0}', shown);
    case 'header':
      return t('the header {0}', shown);
    case 'token':
      return t('its token');
    case 'password':
      return t('the password of {0}', shown);
  }
}
