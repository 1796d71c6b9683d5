import { type QuickPickItem, ThemeIcon } from 'vscode';
import { resultOr } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type {
  AgentProfileChange,
  AgentProfileCheck,
  ListedAgentProfile,
  ModelList,
} from '../../service/abilities/models.ts';
import { isRejected } from '../../service/http/requests.ts';
import { unlessCancelled, withProgress } from '../ui/messages.ts';
import { askMany, askPick, back } from '../ui/steps.ts';
import { inPick } from '../words/foreignText.ts';
import { serversWord } from '../words/modelWords.ts';
import {
  type ModelPage,
  type ModelPlace,
  type PageItem,
  pickPage,
} from './modelPlace.ts';

/** Shows what an agent with this profile gets, and what is wrong with it. */
export function agentProfilePage(
  place: ModelPlace,
  profile: ListedAgentProfile,
  list: ModelList,
): ModelPage {
  const { models, home } = place;
  const { name, id } = profile;
  const title = t('Agent Profile “{0}”', name);

  const here: ModelPage = async () => {
    const checked = await unlessCancelled(
      t('Checking the agent profile “{0}”', name),
      async (signal) => ({
        // Older services cannot check it.
        check: await resultOr(
          models.agentProfiles.check(name, { signal }),
          isRejected,
          undefined,
        ),
      }),
    );
    if (!checked) return undefined;
    const items = itemsOf(checked.check);
    const placeholder = t('What an agent with this profile gets');
    return await pickPage({ title, placeholder, items }, here, home);
  };

  async function save(change: AgentProfileChange): Promise<ModelPage> {
    await withProgress(t('Saving the agent profile “{0}”', name), (signal) =>
      models.agentProfiles.change(name, change, { signal }),
    );
    const { model = profile.model, servers = profile.servers } = change;
    const changed = { ...profile, model, servers: servers ?? undefined };
    return agentProfilePage(place, changed, list);
  }

  const chooseModel: ModelPage = async () => {
    const items = list.models.map((model) => ({
      label: inPick(model.name),
      description: inPick(model.model ?? ''),
      name: model.name,
    }));
    const answer = await askPick({
      title,
      hasBack: true,
      items,
      active: items.find((item) => item.name === profile.model),
      placeholder: t('Select the model of agents with this profile'),
    });
    if (answer === back) return here;
    return answer && (await save({ model: answer.name }));
  };

  const chooseServers: ModelPage = async () => {
    const all = await unlessCancelled(
      t('Loading the MCP servers of {0}', place.service.name),
      (signal) =>
        place.service.client.service?.toolServers?.list({ signal }) ??
        Promise.resolve([]),
    );
    if (!all) return undefined;
    const everyServer = { label: t('All MCP Servers'), name: undefined };
    const names = new Set([
      ...all.map((server) => server.name),
      ...(profile.servers ?? []),
    ]);
    const items = [
      everyServer,
      ...[...names].map((server) => ({ label: inPick(server), name: server })),
    ];
    const { servers } = profile;
    const chosen = await askMany({
      title,
      hasBack: true,
      items,
      chosen: servers
        ? items.filter((item) => servers.includes(item.name ?? ''))
        : [everyServer],
      placeholder: t('Select the MCP servers of agents with this profile'),
    });
    if (chosen === back) return here;
    if (!Array.isArray(chosen)) return undefined;
    const picked = chosen as typeof items;
    return await save({
      servers: picked.includes(everyServer)
        ? null
        : picked.flatMap((item) => item.name ?? []),
    });
  };

  const activate: ModelPage = async () => {
    await withProgress(
      t('Activating the agent profile “{0}”', name),
      (signal) => models.agentProfiles.activate(id, { signal }),
    );
    return home;
  };

  function itemsOf(check: AgentProfileCheck | undefined): PageItem[] {
    const { problems = [], skills, secrets } = check ?? {};
    const fact = (
      icon: string,
      label: string,
      text: string,
    ): QuickPickItem => ({
      label,
      iconPath: new ThemeIcon(icon),
      description: inPick(text),
    });
    const chosenModel = {
      ...fact('symbol-class', t('Model…'), profile.model ?? ''),
      next: chooseModel,
    };
    return [
      ...problems.map((problem) => fact('warning', t('Problem'), problem)),
      ...(profile.model === undefined ? [] : [chosenModel]),
      {
        ...fact('server', t('MCP Servers…'), serversWord(profile.servers)),
        next: chooseServers,
      },
      ...(skills
        ? [fact('book', t('Skills'), skills.join(', ') || t('none'))]
        : []),
      ...(check
        ? [
            fact(
              'lock',
              t('Secrets'),
              secrets
                ? secrets.join(', ') || t('none')
                : t('all of the service'),
            ),
          ]
        : []),
      ...(profile.isActive
        ? []
        : [
            {
              ...fact('check', t('Make Active'), t('For new conversations')),
              next: activate,
            },
          ]),
    ];
  }
  return here;
}
