import { t } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import type { Time } from '../../../service/entities.ts';
import type {
  ActiveServers,
  ConversationStart,
  UsedServers,
} from '../../../state/mcpServers/activeServers.ts';
import type { ServerList } from '../../../state/mcpServers/serverList.ts';
import { titleOf } from '../conversations/conversationWords.ts';
import { type Fact, listFacts, type PageSection, knownFacts } from '../facts.ts';
import { shownPath } from '../shownPath.ts';
import { agentsGetNone } from '../../../mcp/text/refusal.ts';
import { changeWord, refusalReason, serverName } from './serverWords.ts';
import { ageEnds, longAge, longAgeAndTime } from '../times.ts';

export function statusSections(servers: ServerList, activeServers: ActiveServers, now: Time): PageSection[] {
  const { file, problem, refusal, entries } = servers;
  const enabled = entries.filter((entry) => entry.enabled && entry.server);
  const next: PageSection = {
    title: t('At the next start'),
    text: refusal
      ? agentsGetNone()
      : problem
        ? t('Unknown, because the configuration file cannot be read. {0}', plainText(problem.message))
        : enabled.length === 0
          ? t('A conversation that starts now uses no MCP servers.')
          : t('A conversation that starts now uses {0}.', enabled.map(serverName).join(', ')),
    facts: knownFacts([
      [t('File'), shownPath(file?.path ?? '')],
      ['', file?.saved === false && t('It has unsaved changes.')],
      [t('Problem'), refusal && refusalReason(refusal)],
    ]),
  };
  const { running } = activeServers;
  if (running.length === 0) {
    const text = t(
      'No running conversations are known. Connect to the service to see which servers they use.',
    );
    return [next, { title: t('Running conversations'), text }];
  }
  const groups = Map.groupBy(running, (start) => JSON.stringify(activeServers.usedBy(start)));
  return [next, ...[...groups.values()].map((starts) => startsSection(starts, activeServers, now))];
}

export function statusEnds({ running }: ActiveServers, now: Time): Time {
  return Math.min(...running.map(({ at }) => ageEnds(at, now)));
}

/** Conversations with the same or equally unknown servers. */
function startsSection(
  starts: readonly ConversationStart[],
  activeServers: ActiveServers,
  now: Time,
): PageSection {
  const [first, ...others] = starts;
  const used = first && activeServers.usedBy(first);
  const known = used ? usedFacts(used) : [];
  const nameOf = (start: ConversationStart) => {
    const title = titleOf(start.conversation);
    return start === activeServers.running[0] ? t('{0} (started last)', title) : title;
  };
  const isOne = first !== undefined && others.length === 0;
  const texts = [
    !used &&
      t(
        'These started before Agent Switchboard was watching, so their servers are unknown. Restart one to track it.',
      ),
    !isOne &&
      starts.some(({ seen }) => !seen) &&
      t('Each is listed with when it was created, unless a later start was seen.'),
  ];
  const text = texts.filter(Boolean).join(' ');
  const said = text === '' ? {} : { text };
  if (isOne) return { title: nameOf(first), ...said, facts: [[t('Started'), startOf(first, now)], ...known] };
  const lines = starts.map((start) => t('{0}: {1}', nameOf(start), longAge(start.at, now)));
  return {
    title: used
      ? t('{0} conversations with the same servers', starts.length)
      : t('{0} conversations with unknown servers', starts.length),
    ...said,
    facts: [...known, ...listFacts(t('Started'), lines)],
  };
}

function startOf({ at, seen }: ConversationStart, now: Time): string {
  const started = longAgeAndTime(at, now);
  return seen ? started : t('{0}, when it was created; it may have restarted since', started);
}

function usedFacts({ active, pending }: UsedServers): Fact[] {
  const changes = pending.map((each) => `${serverName(each)}: ${changeWord(each)}`);
  return [
    [t('Active'), active.map((name) => serverName({ name })).join(', ') || t('none')],
    ...listFacts(t('Pending'), changes.length > 0 ? changes : [t('nothing')]),
  ];
}
