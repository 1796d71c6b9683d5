import { t, userError } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import type { ProbeResult } from '../../../probe/probe.ts';
import type { ServiceCheck } from '../../../service/records/serviceServer.ts';
import { translateForService } from '../../../state/mcpServers/serverForService.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import type { CopyParts } from './copyServers.ts';
import {
  confirm,
  type Detail,
  showInformation,
  showWarning,
  withProgress,
} from '../../ui/messages.ts';
import { serverName } from '../../words/mcpServers/serverWords.ts';
import {
  sentLines,
  serviceCheckMessage,
  wholeTarget,
} from '../../words/mcpServers/serviceServerWords.ts';
import { pickServer } from '../ofFile/pickServer.ts';
import {
  pickServiceServer,
  pickServiceWithServers,
  requireUnchanged,
  type ServerSource,
  shownServiceName,
} from './pickServiceServer.ts';
import { cannotBeAdded } from './sendServers.ts';

/**
 * Has a service check one of its own servers, with the secrets stored there.
 */
export async function checkServiceServer(
  switchboard: Switchboard,
  source: ServerSource,
): Promise<void> {
  const picked = await pickServiceServer(
    switchboard,
    source,
    t('Select the MCP server to check at its service'),
    ({ checkOwn }) => !!checkOwn,
  );
  const check = picked?.service.toolServers.ability?.checkOwn;
  if (!check) return;
  const { server, name, place } = picked;
  const detail = [
    server.transport === 'stdio'
      ? t(
          'The service runs this command once on its machine, with the secrets stored there, to list its tools:',
        )
      : t(
          'The service asks the server at this address for its tools, with the secrets stored there:',
        ),
    wholeTarget(server),
  ];
  await confirmAndCheck(name, place, detail, t('Check'), async (signal) => {
    await requireUnchanged(picked.service, [server]);
    return await check(server.name, { signal });
  });
}

/**
 * Sends a server of the file to a service, which checks it and keeps nothing.
 */
export async function checkAtService(
  parts: CopyParts,
  named: string | undefined,
): Promise<void> {
  const { switchboard, servers, checks } = parts;
  const entry = await pickServer(
    servers,
    named,
    t('Select the MCP server to check at a service'),
  );
  const selection =
    entry &&
    (await pickServiceWithServers(
      switchboard,
      t('Select the service that checks the server'),
    ));
  if (!selection) return;
  const { service, ability } = selection;
  const name = serverName(entry);
  const place = shownServiceName(service);
  const { check } = ability;
  if (!check) throw userError('{0} cannot check MCP servers.', place);
  const translated = translateForService(entry);
  const { server, references } = translated;
  if (!server) throw cannotBeAdded(service, entry.name, translated);
  const address = plainText(service.address, 200);
  const detail = [
    server.transport === 'stdio'
      ? t(
          'This is sent to {0}, which runs it once on its machine and stores nothing:',
          address,
        )
      : t(
          'This is sent to {0}, which asks the server for its tools and stores nothing:',
          address,
        ),
    ...sentLines(translated, server),
    references.length > 0 &&
      t('A check does not replace variables: they are passed as written.'),
  ];
  const run = (signal: AbortSignal) => check(entry.name, server, { signal });
  const result = await confirmAndCheck(
    name,
    place,
    detail,
    t('Send and Check'),
    run,
  );
  if (!result) return;
  const saved = servers.file?.saved !== false;
  await (
    await checks()
  ).record(entry, { service: service.address }, asProbed(result), saved);
}

/** Shows the result. Undefined if the user refuses or cancels. */
async function confirmAndCheck(
  name: string,
  place: string,
  detail: Detail,
  button: string,
  check: (signal: AbortSignal) => Promise<ServiceCheck>,
): Promise<ServiceCheck | undefined> {
  if (!(await confirm(t('Check “{0}” at {1}?', name, place), detail, button)))
    return undefined;
  const result = await withProgress(
    t('Checking “{0}” at {1}', name, place),
    async (signal) => {
      try {
        return await check(signal);
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
  );
  if (result)
    void (result.works ? showInformation : showWarning)(
      serviceCheckMessage(name, place, result),
    );
  return result;
}

function asProbed(check: ServiceCheck): ProbeResult {
  const { milliseconds } = check;
  if (check.works)
    return {
      kind: 'works',
      tools: check.tools.map((name) => ({ name })),
      milliseconds,
    };
  return {
    kind: 'fails',
    failure: { reason: 'other', detail: check.why, lastLines: [] },
    milliseconds,
  };
}
