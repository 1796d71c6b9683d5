/**
 * Sends MCP servers to a service, after a preview of its settings and a
 * question that names the secrets.
 */
import { UserError } from '../../../base/errors.ts';
import { t, userError } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { mask } from '../../../base/secret.ts';
import { ServiceError } from '../../../service/http/serviceError.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import {
  type ForService,
  translateWritten,
} from '../../../state/mcpServers/serverForService.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import { confirmLines } from '../../ui/previews.ts';
import { offerUndo, showError, showInformation } from '../../ui/messages.ts';
import { inPick } from '../../words/foreignText.ts';
import {
  notSentMessage,
  type OutgoingServer,
  sendingQuestion,
  sentMessage,
  settingsBeforeAndAfter,
} from '../../words/mcpServers/sendingWords.ts';
import {
  readersOfService,
  serverName,
} from '../../words/mcpServers/serverWords.ts';
import {
  askWithPreview,
  type ConfirmOutcome,
  type PlanPosition,
  type ServerDestination,
} from '../add/confirmChanges.ts';
import {
  changeAtService,
  requireChanging,
  pickServiceWithServers,
  shownServiceName,
} from './pickServiceServer.ts';

/**
 * The service at this address, or one that the user picks. Throws a UserError
 * if nothing can be added there.
 */
export async function pickServiceToAddTo(
  switchboard: Switchboard,
  address: string | undefined,
): Promise<ConnectedService | undefined> {
  const selection = await pickServiceWithServers(
    switchboard,
    t('Select the service that gets the server'),
    address,
  );
  if (!selection) return undefined;
  requireChanging(selection.ability);
  return selection.service;
}

export function serviceDestination(
  service: ConnectedService,
): ServerDestination {
  const { toolServers } = service;
  return {
    service: shownServiceName(service),
    isReady: async () => {
      await toolServers.refreshOrThrow();
      return true;
    },
    refresh: () => toolServers.refresh(),
    names: () => new Set(toolServers.rows.map(({ name }) => name)),
    nameProblem: (name) =>
      name.includes('/')
        ? t('The service does not accept a slash in a name.')
        : undefined,
    confirm: async ({ changes, ...plan }) => {
      const servers = changes.flatMap((change) =>
        'server' in change
          ? [{ name: change.name, translated: translateWritten(change) }]
          : [],
      );
      try {
        return await sendServers(service, {
          ...plan,
          hasBack: true,
          action: t('Add'),
          servers,
        });
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        throw new UserError(
          `${error.message} ${t('Your input is kept for next time.')}`,
        );
      }
    },
  };
}

interface SendPlan extends PlanPosition {
  readonly hasBack?: boolean;
  readonly action: string;
  readonly servers: readonly Translated[];
}

type Translated = Pick<OutgoingServer, 'name' | 'translated'>;

/** Replaces servers of the same name. */
export async function sendServers(
  service: ConnectedService,
  { servers, action, hasBack = false, ...position }: SendPlan,
): Promise<ConfirmOutcome> {
  const place = shownServiceName(service);
  const outgoing = servers.map((server) => sendingOf(service, server));
  const [before, after] = settingsBeforeAndAfter(outgoing);
  const answer = await askWithPreview({
    ...position,
    hasBack,
    before,
    after,
    accept: {
      label: action,
      description: t('Change the settings of {0} as shown', inPick(place)),
    },
    head: [
      t('Preview of the MCP servers in the settings of {0}', place),
      plainText(service.address, 200),
      readersOfService(place),
      t('Secrets are shown as {0}, here only.', mask),
      t('Nothing is sent until you choose {0}.', action),
    ],
    editorTitle: t('Changes at {0} (secrets masked)', place),
  });
  if (answer !== 'accept') return answer;
  const { question, lines } = sendingQuestion(outgoing, place, service.address);
  const isSure =
    lines.length === 0 ||
    (await confirmLines({
      question,
      lines,
      button: t('Send'),
      title: t('What is sent to {0}', place),
      beside: t('The editor shows what is sent'),
    }));
  if (!isSure) return undefined;
  const outcome = await store(service, outgoing);
  if (outcome === 'done') showSent(service, outgoing);
  return outcome;
}

function sendingOf(
  service: ConnectedService,
  { name, translated }: Translated,
): OutgoingServer {
  const { server } = translated;
  if (!server) throw cannotBeAdded(service, name, translated);
  return { name, server, translated, replaces: service.toolServers.find(name) };
}

export function cannotBeAdded(
  service: ConnectedService,
  name: string,
  { remarks }: ForService,
): UserError {
  return userError(
    '“{0}” cannot be added to {1}. {2}',
    serverName({ name }),
    shownServiceName(service),
    remarks.at(-1) ?? '',
  );
}

/** Offers to go on with the rest after a failure. */
async function store(
  service: ConnectedService,
  outgoing: readonly OutgoingServer[],
): Promise<ConfirmOutcome> {
  const queue = [...outgoing];
  for (;;) {
    try {
      const replaced = queue.flatMap(({ replaces }) => replaces ?? []);
      await changeAtService(service, replaced, async (changing) => {
        for (let next = queue[0]; next; next = queue[0]) {
          const { name, server, translated, replaces } = next;
          await (replaces
            ? changing.replace(replaces, server, translated.enabled)
            : changing.add(name, server, translated.enabled));
          queue.shift();
        }
      });
      return 'done';
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const why = notSentMessage(
        outgoing.slice(0, outgoing.length - queue.length),
        error.message,
      );
      const { failure } = error;
      if (failure.kind === 'rejected' && failure.status === 409) {
        // Not awaited: the question about the name follows.
        void showError(why);
        return 'taken';
      }
      const again = t('Try Again');
      if ((await showError(why, again)) !== again) return undefined;
    }
  }
}

/**
 * A replacement cannot be undone: the secrets of the replaced server are
 * unknown.
 */
function showSent(
  service: ConnectedService,
  servers: readonly OutgoingServer[],
) {
  const message = sentMessage(servers, shownServiceName(service));
  if (servers.some(({ replaces }) => replaces)) {
    void showInformation(message);
    return;
  }
  const sentServers = servers.flatMap(
    ({ name }) => service.toolServers.find(name) ?? [],
  );
  offerUndo(message, () =>
    changeAtService(service, sentServers, async (changing) => {
      for (const { name } of servers) await changing.remove(name);
    }),
  );
}
