import { t } from '../../../base/l10n.ts';
import type { ChoiceName } from '../../../protocol/drawn.ts';
import type { NewConversation } from '../../../service/abilities/agentService.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import {
  canChange,
  isFilled,
  keyOfRequested,
  type RequestedConversation,
} from '../../../state/newConversation/requestedConversations.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import type { CommandHandlers } from '../../manifest.ts';
import { pausedWords } from '../../sandboxes/sandboxQuestions.ts';
import { pickServiceWith } from '../../services/pickService.ts';
import { workspaceRepository } from '../../ui/gitRepository.ts';
import { offerUndo, showError, showInformation } from '../../ui/messages.ts';
import {
  requestedProblem,
  requestedTitle,
} from '../../words/conversations/conversationWords.ts';
import type { ConversationParts } from '../page/conversationPages.ts';
import {
  askForChoice,
  type CreationService,
  openFolders,
  whyNoFolder,
} from './askForChoice.ts';
import { findHere, type FoundHere, wantedFrom } from './newFromEditor.ts';

export function newConversationCommands(parts: ConversationParts) {
  const { switchboard, conversationPages } = parts;
  const { requested } = switchboard;
  /**
   * Places in the editor that drafts started from, with the names of their
   * first attachments.
   */
  const origins = new Map<
    string,
    { readonly here: FoundHere; readonly offered: readonly string[] }
  >();

  async function show(request: RequestedConversation): Promise<void> {
    await (await conversationPages()).showRequested(request);
    if (canChange(request)) await nameProfile(request);
  }

  async function draft(here?: FoundHere): Promise<void> {
    const place = await firstPlace(switchboard);
    if (!place) return;
    const start = await startAt(switchboard, place, here);
    const request = requested.draft(place.service.address, start);
    if (here) origins.set(request.id, { here, offered: namesOf(start) });
    await show(request);
  }

  /**
   * Names the profile and the model that the agent will have. A failure shows
   * when the conversation is created.
   */
  async function nameProfile({
    id,
    address,
  }: RequestedConversation): Promise<void> {
    const { creation } = placeOf(switchboard.service(address)) ?? {};
    const profiles = (await creation?.profiles?.({}).catch(() => [])) ?? [];
    const draft = requested.find(id);
    if (draft?.address !== address) return;
    const chosenId = draft.wanted.profile?.id;
    const profile =
      profiles.find((one) => one.id === chosenId) ??
      profiles.find(({ active }) => active);
    if (profile) requested.change(id, { profile });
  }

  async function chooseService({
    id,
    wanted,
  }: RequestedConversation): Promise<void> {
    const place = await pickPlace(switchboard);
    if (!place) return;
    const { here, offered = [] } = origins.get(id) ?? {};
    const { attached: fresh = [], ...start } = await startAt(
      switchboard,
      place,
      here,
    );
    const kept = namesOf(wanted);
    // Attachments that the user took off stay off.
    const gathered = fresh.filter(
      ({ name }) => kept.includes(name) || !offered.includes(name),
    );
    const own = (wanted.attached ?? []).filter(
      (attachment) => !attachment.gathered || !here,
    );
    const attached = [...gathered, ...own].map((attachment, index) => ({
      ...attachment,
      id: index,
    }));
    requested.change(
      id,
      { ...start, message: wanted.message, attached },
      place.service.address,
    );
    await requested.keepChoices(place.service.address, {});
    const moved = requested.find(id);
    if (moved) await nameProfile(moved);
  }

  async function choose(
    { id, address, wanted }: RequestedConversation,
    name: Exclude<ChoiceName, 'service'>,
  ): Promise<void> {
    const place = placeOf(switchboard.service(address));
    const change = place && (await askForChoice(name, place, wanted));
    if (!change) return;
    const { message, ...chosen } = change;
    requested.change(id, chosen);
    if (message !== undefined)
      (await conversationPages()).putBack(keyOfRequested({ id }), message);
    else if (name !== 'sandbox') await requested.keepChoices(address, chosen);
  }

  async function create(request: RequestedConversation): Promise<void> {
    const { id, address } = request;
    const pages = await conversationPages();
    const service = switchboard.service(address);
    // The page says that it is not connected.
    if (!service) return;
    // A failure comes again below, and is shown then.
    await service.client.recognise().catch(() => undefined);
    const place = placeOf(service);
    if (place?.creation.folders && !request.wanted.folder)
      await choose(request, 'folder');
    const why =
      place && (await whyNoFolder(place, requested.find(id)?.wanted.folder));
    if (why) pages.report(keyOfRequested(request), why);
    const current = requested.find(id);
    if (why !== undefined || !current || !canChange(current)) return;
    // The service starts a sandbox, and may pause another one for it.
    const startsSandbox =
      current.wanted.sandboxId === undefined &&
      service.client.service?.sandboxes !== undefined;
    const watching = startsSandbox
      ? service.sandboxActions.watchPausing()
      : undefined;
    void requested.keepChoices(address, {});
    const conversation = {
      ...current.wanted,
      message: current.wanted.message.trim(),
    };
    const ended = await requested.begin(
      service.client,
      address,
      conversation,
      id,
    );
    const failure = requestedProblem(ended);
    const telling = watching
      ?.then((pausedForIt) => pausedForIt())
      .then((paused) => {
        const words = pausedWords(switchboard, paused);
        // The page would show these words in place of the reason of a failure.
        const isTold =
          words &&
          failure === undefined &&
          pages.report(keyOfRequested(ended), words);
        if (words !== undefined && !isTold) void showInformation(words);
      });
    const isKnown =
      ended.cancelled === true || pages.isSeen(keyOfRequested(ended));
    const problem = isKnown ? undefined : failure;
    const again = t('Show');
    if (problem !== undefined && (await showError(problem, again)) === again)
      await show(ended);
    await telling;
  }

  return {
    'switchboard.conversations.new': async (id, how) => {
      const request = requested.find(id);
      const begun = request ?? requested.all.find((draft) => !isFilled(draft));
      if (!request || how === undefined) await (begun ? show(begun) : draft());
      else if (how === 'create') await create(request);
      else
        await (how === 'service'
          ? chooseService(request)
          : choose(request, how));
    },
    'switchboard.conversations.newFromEditor': async (
      point = { from: 'editor' },
    ) => {
      await draft(await findHere(point));
    },
    'switchboard.conversations.cancelNew': (id) => {
      const request = requested.find(id);
      if (!request) return;
      if (canChange(request)) requested.dismiss(request.id);
      else requested.cancel(request.id);
      if (!request.isDraft || !isFilled(request)) return;
      offerUndo(
        t('Discarded the draft “{0}”.', requestedTitle(request)),
        async () => {
          await show(requested.draft(request.address, request.wanted));
        },
      );
    },
  } satisfies Partial<CommandHandlers>;
}

function namesOf({ attached = [] }: NewConversation): readonly string[] {
  return attached.map(({ name }) => name);
}

function placeOf(
  service: ConnectedService | undefined,
): CreationService | undefined {
  const creation = service?.client.service?.creation;
  return service && creation && { service, creation };
}

async function pickPlace(
  switchboard: Switchboard,
): Promise<CreationService | undefined> {
  const picked = await pickServiceWith(
    switchboard,
    ({ creation }) => creation,
    {
      placeHolder: t('Select the service for the new conversation'),
      none: t('The connected services cannot create conversations.'),
    },
  );
  return picked && { service: picked.service, creation: picked.ability };
}

/**
 * The service that was chosen or used last, or another one that can create
 * conversations.
 */
async function firstPlace(
  switchboard: Switchboard,
): Promise<CreationService | undefined> {
  const { services, requested } = switchboard;
  const last = services.find(
    ({ address }) => address === requested.lastAddress,
  );
  const able = [...(last ? [last] : []), ...services].flatMap(
    (service) => placeOf(service) ?? [],
  );
  return able[0] ?? (await pickPlace(switchboard));
}

async function startAt(
  { requested }: Switchboard,
  place: CreationService,
  here: FoundHere | undefined,
): Promise<NewConversation> {
  const { service, creation } = place;
  const git = creation.folders ? undefined : await workspaceRepository();
  return {
    message: '',
    repository: git?.name,
    branch: git?.branch,
    provider: undefined,
    sandboxId: undefined,
    folder: creation.folders ? openFolders(service)[0] : undefined,
    worktree: false,
    worktreeStart: undefined,
    profile: undefined,
    approval: creation.takesApproval ? 'risky' : undefined,
    ...requested.lastChoices(service.address),
    ...(here && (await wantedFrom(here, place))),
  };
}
