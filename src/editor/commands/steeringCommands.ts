/** Acting on conversations: answering what an agent asks, stopping it; renaming, forking and deleting. */
import { window } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import type { AgentService } from '../../service/agentService.ts';
import type { Conversation } from '../../service/entities.ts';
import { activityOf } from '../../state/activity.ts';
import { editingOf, steeringOf } from '../../state/followAndSteer.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { confirmDanger, showInformation, withProgress } from '../asking/messages.ts';
import { conversationOf } from '../asking/pickFromList.ts';
import { titleOf } from '../words/conversationWords.ts';
import { inMessage } from '../words/foreignText.ts';
import { stoppingAfterStep } from '../words/outcomeWords.ts';
import type { CommandParts, Handlers } from './handlers.ts';

export function steeringCommands({ switchboard, conversationPages }: CommandParts) {
  const select = (
    id: string | undefined,
    placeholder: string,
    can: (service: AgentService) => unknown,
    fits: (conversation: Conversation) => boolean = () => true,
  ) =>
    conversationOf(switchboard, id, placeholder, (conversation) => {
      const { service } = switchboard.service(conversation.service)?.client ?? {};
      return service !== undefined && can(service) !== undefined && fits(conversation);
    });
  const steering = (service: AgentService) => service.steering;
  const editing = (service: AgentService) => service.editing;
  const waits = (conversation: Conversation) => activityOf(conversation) === 'waiting';
  const isAlive = (conversation: Conversation) => activityOf(conversation) !== 'archived';
  const toAttachTo = () => select(undefined, t('Select the conversation to attach it to'), steering, isAlive);
  return {
    // All that waits is shown whole on the page, and only there it is answered.
    'switchboard.conversations.accept': async (id) => {
      const conversation = await select(id, t('Select the conversation to answer'), steering, waits);
      if (conversation) await (await conversationPages()).show(conversation, 'waiting');
    },
    'switchboard.conversations.reject': async (id) => {
      const conversation = await select(id, t('Select the conversation to answer'), steering, waits);
      if (conversation) await (await conversationPages()).show(conversation, 'waiting');
    },
    'switchboard.conversations.send': async (id) => {
      const conversation = await select(id, t('Select the conversation to write to'), steering, isAlive);
      if (conversation) await (await conversationPages()).show(conversation, 'message');
    },
    'switchboard.conversations.attachSelection': async () => {
      const pages = await conversationPages();
      await pages.attach((attachments) => {
        attachments.addSelection();
      }, toAttachTo);
    },
    'switchboard.conversations.attachFiles': async (...addresses) => {
      const pages = await conversationPages();
      await pages.attach(
        (attachments) => (addresses.length > 0 ? attachments.addFiles(addresses) : attachments.choose()),
        toAttachTo,
      );
    },
    'switchboard.conversations.stop': async (...ids) => {
      const [first, ...others] = ids;
      const works = (conversation: Conversation) => activityOf(conversation) === 'working';
      const one = await select(first, t('Select the agent to stop'), steering, works);
      const more = others.flatMap((id) => switchboard.conversation(id) ?? []).filter(works);
      const all = one ? [one, ...more] : [];
      // One after the other would let the last one work on.
      await Promise.all(
        all.map(async (each) => {
          if (await stopAgent(serviceOf(switchboard, each), each))
            await (await conversationPages()).show(each, 'waiting');
        }),
      );
    },
    'switchboard.conversations.rename': async (id) => {
      const conversation = await select(id, t('Select the conversation to rename'), editing);
      if (conversation) await rename(serviceOf(switchboard, conversation), conversation);
    },
    'switchboard.conversations.fork': async (id) => {
      const placeholder = t('Select the conversation to fork');
      const conversation = await select(id, placeholder, (service) => service.editing?.fork);
      if (!conversation) return;
      const service = serviceOf(switchboard, conversation);
      const title = titleOf(conversation);
      const made = await withProgress(t('Forking “{0}”', title), (signal) =>
        editingOf(service).fork(conversation, t('{0} (fork)', plainText(title, 150)), signal),
      );
      await (await conversationPages()).show(made);
    },
    'switchboard.conversations.delete': async (...ids) => {
      const [first, ...others] = ids;
      const one = await select(first, t('Select the conversation to delete'), editing);
      const more = others.flatMap((id) => switchboard.conversation(id) ?? []);
      if (one) await remove(switchboard, [one, ...more]);
    },
  } satisfies Partial<Handlers>;
}

function serviceOf(switchboard: Switchboard, { service }: Conversation): ConnectedService {
  const found = switchboard.service(service);
  if (found) return found;
  throw new UserError(t('The service of this conversation is no longer connected.'));
}

/** Whether the person wants to see what it waits for instead. */
async function stopAgent(service: ConnectedService, conversation: Conversation): Promise<boolean> {
  const name = titleOf(conversation);
  const stopped = await withProgress(t('Stopping “{0}”', name), (signal, tell) =>
    steeringOf(service).stop(conversation, signal, () => {
      tell(stoppingAfterStep());
    }),
  );
  void service.conversations.refresh();
  if (stopped.result !== 'waits') return false;
  const show = t('Show');
  const waits = t('“{0}” does nothing now: it waits for your answer.', inMessage(name));
  return (await showInformation(waits, show)) === show;
}

async function rename(service: ConnectedService, conversation: Conversation): Promise<void> {
  const title = await window.showInputBox({
    title: t('Rename Conversation'),
    prompt: t('New title of “{0}”', inMessage(titleOf(conversation))),
    value: conversation.title,
    validateInput: (text) => (text.trim() === '' ? t('Enter a title, or press Escape.') : undefined),
  });
  if (title === undefined || title.trim() === conversation.title) return;
  await withProgress(t('Renaming “{0}”', titleOf(conversation)), (signal) =>
    editingOf(service).rename(conversation, title.trim(), signal),
  );
}

async function remove(switchboard: Switchboard, conversations: readonly Conversation[]): Promise<void> {
  const names = conversations.map((conversation) => `“${titleOf(conversation)}”`);
  const question =
    names.length === 1
      ? t('Delete {0}? Everything that was said and done in it is lost.', names[0] ?? '')
      : t('Delete {0} conversations? Everything that was said and done in them is lost.', names.length);
  const detail = [
    ...(names.length > 1 ? [names.join(', ')] : []),
    conversations.some(({ sandboxId }) => sandboxId !== undefined)
      ? t('A sandbox that runs nothing else may be deleted, too. This cannot be undone.')
      : t('This cannot be undone.'),
  ];
  if (!(await confirmDanger(question, detail.join('\n\n'), t('Delete')))) return;
  for (const conversation of conversations) {
    const service = serviceOf(switchboard, conversation);
    await withProgress(t('Deleting “{0}”', titleOf(conversation)), (signal) =>
      editingOf(service).remove(conversation, signal),
    );
  }
}
