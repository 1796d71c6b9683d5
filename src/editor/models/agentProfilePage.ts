import { type QuickPickItem, ThemeIcon } from 'vscode';
import { resultOr } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type {
  AgentProfileChange,
  AgentProfileCheck,
  AgentProfiles,
  ListedAgentProfile,
  ModelList,
} from '../../service/abilities/models.ts';
import { isRejected } from '../../service/http/requests.ts';
import { askMany, askPick, back } from '../ui/steps.ts';
import { inPick } from '../words/foreignText.ts';
import { serversWord } from '../words/modelWords.ts';
import {
  type PageAnswer,
  questionPage,
  askService,
  type ModelPage,
  type ModelPlace,
  type PageItems,
  pickPage,
} from './modelPlace.ts';

/** Shows what an agent with this profile gets, and what is wrong with it. */
export function agentProfilePage(
  place: ModelPlace,
  profile: ListedAgentProfile,
  list: ModelList,
  profiles: AgentProfiles,
): ModelPage {
  const { home, service } = place;
  const { name, id } = profile;
  const title = t('Agent Profile “{0}”', name);
  const position = { title, hasBack: true };

  const here: ModelPage = async () => {
    const answer = await askService(place, async (signal) => {
      const check = profiles.check(name, { signal });
      // Older services cannot check it.
      return { check: await resultOr(check, isRejected, undefined) };
    });
    if (!answer) return undefined;
    const items = itemsOf(answer.check);
    return await pickPage(
      { title, placeholder: t('What an agent with this profile gets'), items },
      here,
      home,
    );
  };

  /** Asks for a change, saves it, and shows the list with it. */
  const edit = (question: () => PageAnswer<AgentProfileChange>) =>
    questionPage(
      place,
      here,
      question,
      (change, signal) => profiles.change(name, change, { signal }),
      home,
    );

  async function askForModelName(): PageAnswer<AgentProfileChange> {
    const items = list.models.map((model) => ({
      label: inPick(model.name),
      description: inPick(model.model ?? ''),
      value: { model: model.name },
    }));
    return await askPick({
      ...position,
      items,
      active: items.find((item) => item.value.model === profile.model),
      placeholder: t('Select the model of agents with this profile'),
    });
  }

  async function askForServers(): PageAnswer<AgentProfileChange> {
    const ability = service.client.service?.toolServers;
    const all = await askService(place, async (signal) =>
      ability ? await ability.list({ signal }) : [],
    );
    if (!all) return undefined;
    const { servers = [] } = profile;
    const names = new Set([...all.map((server) => server.name), ...servers]);
    const everyServer = { label: t('All MCP Servers'), name: '' };
    const items = [
      everyServer,
      ...[...names].map((server) => ({ label: inPick(server), name: server })),
    ];
    const chosen = await askMany({
      ...position,
      items,
      chosen: profile.servers
        ? items.filter((item) => servers.includes(item.name))
        : [everyServer],
      placeholder: t('Select the MCP servers of agents with this profile'),
    });
    if (!Array.isArray(chosen)) return chosen === back ? back : undefined;
    const isAll = chosen.includes(everyServer);
    return {
      value: { servers: isAll ? null : chosen.map((item) => item.name) },
    };
  }

  function itemsOf(check: AgentProfileCheck | undefined): PageItems {
    const fact = (
      icon: string,
      label: string,
      text: string,
    ): QuickPickItem => ({
      label,
      iconPath: new ThemeIcon(icon),
      description: inPick(text),
    });
    const listed = (names: readonly string[]) => names.join(', ') || t('none');
    const activate: ModelPage = async () => {
      await askService(place, (signal) => profiles.activate(id, { signal }));
      return home;
    };
    return [
      ...(check?.problems ?? []).map((problem) =>
        fact('warning', t('Problem'), problem),
      ),
      profile.model !== undefined && {
        ...fact('symbol-class', t('Model…'), profile.model),
        next: edit(askForModelName),
      },
      {
        ...fact(
          'server',
          t('MCP Servers…'),
          serversWord(profile.servers, check?.servers),
        ),
        next: edit(askForServers),
      },
      check && fact('book', t('Skills'), listed(check.skills)),
      check &&
        fact(
          'lock',
          t('Secrets'),
          check.secrets ? listed(check.secrets) : t('all of the service'),
        ),
      !profile.isActive && {
        ...fact('check', t('Make Active'), t('For new conversations')),
        next: activate,
      },
    ];
  }
  return here;
}
