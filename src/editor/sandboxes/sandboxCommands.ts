import { env, window } from 'vscode';
import { t, userError } from '../../base/l10n.ts';
import type { Sandboxes } from '../../service/abilities/agentService.ts';
import type { Sandbox, SandboxSpec } from '../../service/model/entities.ts';
import { isFiltered } from '../../state/lists/conversationRows.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import {
  mayPauseOthers,
  sandboxInMessage,
  showPaused,
} from './sandboxQuestions.ts';
import { confirm, unlessCancelled } from '../ui/messages.ts';
import { pickIfSeveral, sandboxOf } from '../ui/pickFromList.ts';
import { pickServiceWith } from '../services/pickService.ts';
import { type CommandHandlers, views } from '../manifest.ts';
import { titleOf, specName } from '../words/conversations/conversationWords.ts';
import { inPick } from '../words/foreignText.ts';
import { openLink } from '../ui/openLink.ts';

export function sandboxCommands(switchboard: Switchboard) {
  return {
    'switchboard.sandboxes.refresh': () => refreshLists(switchboard),
    'switchboard.sandboxes.start': () => startSandbox(switchboard),
    'switchboard.sandboxes.pause': async (id) => {
      const place = await placeOf(
        switchboard,
        id,
        t('Select the sandbox to pause'),
        ({ status }) => status === 'running',
      );
      if (!place) return;
      const { sandbox, name, service, sandboxes } = place;
      await unlessCancelled(t('Pausing {0}', name), (signal) =>
        service.sandboxActions.pause(sandboxes, sandbox.id, signal),
      );
    },
    'switchboard.sandboxes.resume': (id) => resumeSandbox(switchboard, id),
    'switchboard.sandboxes.delete': (id) => deleteSandbox(switchboard, id),
    'switchboard.sandboxes.openUrl': (id, index) =>
      openExposedUrl(switchboard, id, index),
    'switchboard.sandboxes.copyId': async (id) => {
      const sandbox = await sandboxOf(
        switchboard,
        id,
        t('Select the sandbox whose ID to copy'),
      );
      if (sandbox) await env.clipboard.writeText(sandbox.id);
    },
  } satisfies Partial<CommandHandlers>;
}

/**
 * Refreshes both lists, with a progress bar in the view. The lists show errors
 * themselves.
 */
export async function refreshLists(switchboard: Switchboard): Promise<void> {
  await window.withProgress({ location: { viewId: views.conversations } }, () =>
    switchboard.refresh(),
  );
}

async function startSandbox(switchboard: Switchboard) {
  const chosen = await pickServiceWith(
    switchboard,
    ({ sandboxes }) => sandboxes,
    {
      placeHolder: t('Select the service to start a sandbox at'),
      none: t('The connected services have no sandboxes.'),
    },
  );
  if (!chosen) return;
  const { service, ability: sandboxes } = chosen;
  const chosenSpec = await chooseSpec(sandboxes);
  if (!chosenSpec || !(await mayPauseOthers(service, t('Start')))) return;
  const paused = await unlessCancelled(t('Starting a sandbox'), (signal) =>
    service.sandboxActions.start(sandboxes, chosenSpec.spec?.id, signal),
  );
  showPaused(switchboard, paused ?? []);
}

export async function resumeSandbox(
  switchboard: Switchboard,
  id?: string,
): Promise<void> {
  const place = await placeOf(
    switchboard,
    id,
    t('Select the sandbox to resume'),
    ({ status }) => status === 'paused',
  );
  if (!place) return;
  const { sandbox, name, service, sandboxes } = place;
  if (!(await mayPauseOthers(service, t('Resume'), sandbox.id))) return;
  const paused = await unlessCancelled(t('Resuming {0}', name), (signal) =>
    service.sandboxActions.resume(sandboxes, sandbox.id, signal),
  );
  showPaused(switchboard, paused ?? []);
}

async function deleteSandbox(switchboard: Switchboard, id?: string) {
  const place = await placeOf(
    switchboard,
    id,
    t('Select the sandbox to delete'),
  );
  if (!place) return;
  const { sandbox, name, service, sandboxes } = place;
  const served = switchboard.servedBy(sandbox);
  const titles = served
    .map((conversation) => `“${titleOf(conversation)}”`)
    .join(', ');
  const mayRunOthers =
    service.conversations.more || isFiltered(switchboard.arrangement.filter);
  const detail = [
    served.length > 0 && t('It runs {0}.', titles),
    mayRunOthers &&
      t('Conversations that are not in the list may run in it, too.'),
    t('This cannot be undone.'),
  ];
  const question = t(
    'Delete {0}? Everything in it is lost, including work that was not pushed.',
    name,
  );
  if (!(await confirm(question, detail, t('Delete')))) return;
  await unlessCancelled(t('Deleting {0}', name), (signal) =>
    service.sandboxActions.remove(sandboxes, sandbox.id, signal),
  );
}

async function openExposedUrl(
  switchboard: Switchboard,
  id?: string,
  index?: number,
) {
  const sandbox = await sandboxOf(
    switchboard,
    id,
    t('Select the sandbox whose address to open'),
    ({ exposed }) => exposed.length > 0,
  );
  if (!sandbox) return;
  const items = sandbox.exposed.map(({ name, link }) => ({
    label: inPick(name),
    description: inPick(link.shown),
    link,
  }));
  if (items.length === 0)
    throw userError('This sandbox has no address that a browser can open.');
  const picked =
    index === undefined
      ? await pickIfSeveral(items, t('Select the address to open'))
      : items[index];
  if (picked) await openLink(picked.link);
}

async function chooseSpec(sandboxes: Sandboxes) {
  const specs: SandboxSpec[] = [];
  await unlessCancelled(t('Loading the sandbox templates'), async (signal) => {
    for await (const { items } of sandboxes.specs({ signal }))
      specs.push(...items);
    return true;
  });
  const standard = {
    label: t('Default'),
    description: t('Chosen by the service'),
    spec: undefined,
  };
  const items = specs.map((spec) => ({
    label: inPick(specName(spec.id) ?? spec.id),
    description: inPick(spec.id),
    ...(spec.workingDirectory === undefined
      ? {}
      : { detail: t('Works in {0}', inPick(spec.workingDirectory)) }),
    spec,
  }));
  return await window.showQuickPick([standard, ...items], {
    title: t('Start a Sandbox'),
    placeHolder: t('Select a template for the sandbox'),
    matchOnDescription: true,
  });
}

/**
 * A sandbox with its name in messages, its service, and the ability of the
 * service to change sandboxes.
 */
async function placeOf(
  switchboard: Switchboard,
  id: string | undefined,
  placeholder: string,
  fits?: (sandbox: Sandbox) => boolean,
) {
  const sandbox = await sandboxOf(switchboard, id, placeholder, fits);
  if (!sandbox) return undefined;
  const service = switchboard.service(sandbox.service);
  const sandboxes = service?.client.service?.sandboxes;
  if (service && sandboxes)
    return {
      sandbox,
      name: sandboxInMessage(switchboard, sandbox),
      service,
      sandboxes,
    };
  throw userError('The service of this sandbox is no longer connected.');
}
