import { t, words } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { joinParts } from '../../../base/parts.ts';
import type { Time } from '../../../service/model/entities.ts';
import {
  type ActiveServer,
  type ActiveServers,
  type ConversationServers,
  maxAsked,
  type SettingsChange,
} from '../../../state/activeServers.ts';
import type { ServerList } from '../../../state/mcpServers/serverList.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import { titleOf } from '../conversations/conversationWords.ts';
import {
  type Fact,
  listFacts,
  type PageSection,
  knownFacts,
} from '../facts.ts';
import { shownPath } from '../shownPath.ts';
import { agentsGetNone } from '../../../mcp/text/refusal.ts';
import {
  readersOfFile,
  readersOfService,
  refusalReason,
  serverName,
} from './serverWords.ts';
import { ageEnds, longAge } from '../times.ts';

type StatusService = Pick<ConnectedService, 'address' | 'name' | 'toolServers'>;

export function statusSections(
  servers: ServerList,
  active: Pick<ActiveServers, 'conversations' | 'notAsked' | 'asOf'>,
  services: readonly StatusService[],
  now: Time,
): PageSection[] {
  const sections = services.flatMap((service) => [
    ...settingsSection(service),
    ...conversationSections(service, active.conversations),
  ]);
  return [
    ...sections,
    askedSection(active, services.length, now),
    fileSection(servers),
  ];
}

export function statusEnds(
  { asOf }: Pick<ActiveServers, 'asOf'>,
  now: Time,
): Time {
  return asOf === undefined ? Infinity : ageEnds(asOf, now);
}

function fileSection({
  file,
  problem,
  refusal,
  entries,
}: ServerList): PageSection {
  const enabled = entries.filter((entry) => entry.enabled && entry.server);
  const names = enabled.map(serverName).join(', ') || t('none');
  const unreadable =
    problem &&
    t(
      'Unknown, because the configuration file cannot be read. {0}',
      plainText(problem.message),
    );
  return {
    title: t('In the configuration file'),
    text: `${readersOfFile()} ${t('It uses the servers in the file when a conversation starts or restarts there.')}`,
    facts: knownFacts([
      [t('Enabled'), refusal ? agentsGetNone() : (unreadable ?? names)],
      [t('File'), shownPath(file?.path ?? '')],
      ['', file?.saved === false && t('It has unsaved changes.')],
      [t('Problem'), refusal && refusalReason(refusal)],
    ]),
  };
}

function settingsSection(service: StatusService): PageSection[] {
  const { toolServers } = service;
  if (!toolServers.ability) return [];
  const enabled = toolServers.rows.filter(
    (row) => row.enabled && row.transport,
  );
  const names = enabled.map(serverName).join(', ') || t('none');
  const isKnown = toolServers.asOf !== undefined;
  return [
    {
      title: t('In the settings of {0}', shownName(service)),
      text: `${readersOfService(shownName(service))} ${t('An agent profile may leave some of them out.')}`,
      facts: knownFacts([
        [t('Enabled'), isKnown ? names : t('unknown')],
        [
          t('Problem'),
          toolServers.error && plainText(toolServers.error.message, 300),
        ],
      ]),
    },
  ];
}

/** Groups the conversations of a service that have the same servers. */
function conversationSections(
  service: StatusService,
  all: readonly ConversationServers[],
): PageSection[] {
  const own = all.filter(
    ({ conversation }) => conversation.service === service.address,
  );
  const groups = Map.groupBy(own, (answer) =>
    JSON.stringify({ ...answer, conversation: undefined }),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const titles = group.map(({ conversation }) => titleOf(conversation));
    const title =
      group.length === 1
        ? (titles[0] ?? '')
        : t('{0} conversations with the same servers', group.length);
    const which =
      group.length === 1 ? [] : listFacts(t('Conversations'), titles);
    if (first.kind === 'unknown') {
      const text = `${t('Which servers it has is unknown.')} ${plainText(first.why, 300)}`;
      return [
        {
          title:
            group.length === 1
              ? title
              : t('{0} conversations with unknown servers', group.length),
          text,
          facts: which,
        },
      ];
    }
    return [
      {
        title,
        facts: [
          ...activeFacts(first.servers),
          ...pendingFacts(first.changes),
          ...which,
        ],
      },
    ];
  });
}

function activeFacts(servers: readonly ActiveServer[]): Fact[] {
  const lines = servers.map(({ name, tools }) => {
    const plainName = serverName({ name });
    if (!tools)
      return t('{0}: its tools are unknown until the agent starts', plainName);
    if (tools.length === 0)
      return t('{0}: none of its tools reached the agent', plainName);
    return t(
      '{0}: {1}',
      plainName,
      tools.map((tool) => plainText(tool, 80)).join(', '),
    );
  });
  return listFacts(t('Active'), lines.length > 0 ? lines : [t('none')]);
}

const changeWords = words({
  added: 'added, or left out by its agent profile',
  removed: 'removed',
  disabled: 'disabled',
  enabled: 'enabled',
  changed: 'changed',
});

function pendingFacts(changes: readonly SettingsChange[] | undefined): Fact[] {
  if (!changes)
    return [
      [
        t('Changed since'),
        t('unknown: the service adds servers of its own, or did not answer'),
      ],
    ];
  const lines = changes.map((change) =>
    t('{0}: {1}', serverName(change), changeWords[change.kind]),
  );
  if (lines.length === 0)
    return [
      [
        t('Changed since'),
        t('nothing, apart from secrets, which cannot be compared'),
      ],
    ];
  return listFacts(t('Changed since'), [
    ...lines,
    t('Only new conversations get these changes.'),
  ]);
}

function askedSection(
  {
    conversations,
    notAsked,
    asOf,
  }: Pick<ActiveServers, 'conversations' | 'notAsked' | 'asOf'>,
  services: number,
  now: Time,
): PageSection {
  const title = t('Running conversations');
  if (services === 0)
    return {
      title,
      text: t('No service is connected, so no conversations are known.'),
    };
  if (asOf === undefined)
    return { title, text: t('The conversations have not answered yet.') };
  return {
    title,
    text: joinParts(
      ' ',
      conversations.length === 0 && t('No running conversations are known.'),
      notAsked > 0 &&
        t(
          'Only the {0} that were active last were asked; {1} more are running.',
          maxAsked,
          notAsked,
        ),
      conversations.length > 0 &&
        t(
          'A conversation keeps the servers it was created with. Tools are those it began with; a restarted server may offer others.',
        ),
    ),
    facts: [[t('Asked'), longAge(asOf, now)]],
  };
}

function shownName({ name }: Pick<ConnectedService, 'name'>): string {
  return plainText(name, 80);
}
