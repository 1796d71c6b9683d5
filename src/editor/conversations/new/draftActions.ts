/** Asks for the choices of drafts, creates their conversations, discards them. */
import {
  type ConversationKey,
  isRated,
} from '../../../service/model/entities.ts';
import { t } from '../../../base/l10n.ts';
import { RecentValues } from '../../../base/recentValues.ts';
import type { Store } from '../../../base/store.ts';
import { present } from '../../../base/parts.ts';
import type { ChoiceName } from '../../../protocol/drawn.ts';
import type { NewConversation } from '../../../service/abilities/agentService.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import {
  canChange,
  isFilled,
  keyOfRequested,
  type RequestedConversation,
} from '../../../state/newConversation/requestedConversations.ts';
import { temporaryWorktrees } from '../../../state/conversation/worktree.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import { pausedWords } from '../../sandboxes/sandboxQuestions.ts';
import { manageModels } from '../../models/manageModels.ts';
import { pickServiceWith } from '../../services/pickService.ts';
import { hasLimits } from '../../settings.ts';
import {
  beginQuestion,
  continueWord,
  limitPromise,
  raisedLimit,
} from '../../words/conversations/limitWords.ts';
import { workspaceRepository } from '../../ui/gitRepository.ts';
import {
  askModal,
  offerAction,
  offerUndo,
  showError,
  showInformation,
  showWarning,
} from '../../ui/messages.ts';
import {
  requestedProblem,
  requestedTitle,
} from '../../words/conversations/conversationWords.ts';
import { nameOf } from '../../words/serviceWords.ts';
import {
  askForChoice,
  mayRateActions,
  type CreationService,
  openFolders,
  whyNoFolder,
} from './askForChoice.ts';
import { type FoundHere, wantedFrom } from './newFromEditor.ts';

/** The pages by the keys of conversations and requests. */
interface DraftPages {
  showRequested(request: RequestedConversation): Promise<void>;
  /** Returns false if the page is hidden. */
  report(key: ConversationKey, words: string): boolean;
  putBack(key: ConversationKey, text: string): void;
  isSeen(key: ConversationKey): boolean;
}

/** The most services whose warning is remembered. */
const maxWarned = 100;

/** A place in the editor, with the names of the attachments it gave. */
interface Origin {
  readonly here: FoundHere;
  readonly offered: readonly string[];
}

export class DraftActions {
  readonly #switchboard: Switchboard;
  readonly #pages: DraftPages;
  readonly #warned: RecentValues;
  readonly #origins = new Map<string, Origin>();

  /** Keeps its warnings in `store`. */
  constructor(switchboard: Switchboard, pages: DraftPages, store: Store) {
    this.#switchboard = switchboard;
    this.#warned = new RecentValues(store, 'temporaryWorktrees', maxWarned);
    this.#pages = pages;
  }

  /** Shows the page of a new draft, from a place in the editor if there is one. */
  async begin(here?: FoundHere): Promise<void> {
    const place = await firstPlace(this.#switchboard);
    if (!place) return;
    const start = await startAt(this.#switchboard, place, here);
    const request = this.#requested.draft(place.service.address, start);
    if (here) this.#origins.set(request.id, { here, offered: namesOf(start) });
    await this.show(request);
  }

  async show(request: RequestedConversation): Promise<void> {
    await this.#pages.showRequested(request);
    if (canChange(request)) await this.#fitToService(request);
  }

  async choose(
    request: RequestedConversation,
    name: ChoiceName,
  ): Promise<void> {
    if (name === 'service') await this.#chooseService(request);
    else if (name === 'model') await this.#chooseModel(request);
    else await this.#ask(request, name);
  }

  async create(request: RequestedConversation): Promise<void> {
    const { id, address } = request;
    const service = this.#switchboard.service(address);
    // The page says that it is not connected.
    if (!service) return;
    // A failure comes again below, and is shown then.
    await service.client.recognise().catch(() => undefined);
    if (!(await this.#hasFolder(request, service))) return;
    if (!(await mayBegin(this.#switchboard, address))) return;
    const current = this.#requested.find(id);
    if (!current || !canChange(current)) return;
    const watching = startsSandbox(current, service)
      ? service.sandboxActions.watchPausing()
      : undefined;
    void this.#requested.keepChoices(address, {});
    const conversation = {
      ...current.wanted,
      message: current.wanted.message.trim(),
    };
    const ended = await this.#requested.begin(
      service.client,
      address,
      conversation,
      id,
    );
    await this.#warnOfTemporaryWorktree(ended, service);
    if (requestedProblem(ended) !== undefined) await this.#fitToService(ended);
    const reporting = watching
      ?.then((findPaused) => findPaused())
      .then((paused) => {
        this.#reportPaused(ended, paused);
      });
    await this.#offerToShow(ended);
    await reporting;
  }

  /** Cancels a request, or discards a draft. */
  cancel(request: RequestedConversation): void {
    if (canChange(request)) this.#requested.dismiss(request.id);
    else this.#requested.cancel(request.id);
    if (!request.isDraft || !isFilled(request)) return;
    offerUndo(
      t('Discarded the draft “{0}”.', requestedTitle(request)),
      async () => {
        await this.show(this.#requested.draft(request.address, request.wanted));
      },
    );
  }

  get #requested(): Switchboard['requested'] {
    return this.#switchboard.requested;
  }

  /**
   * Names the profile and the model that the agent will have, and has it ask
   * for every action if the service cannot rate them. A failure shows when the
   * conversation is created.
   */
  async #fitToService({ id, address }: RequestedConversation) {
    const { creation } = placeOf(this.#switchboard.service(address)) ?? {};
    if (!creation) return;
    const [profiles = [], canRate] = await Promise.all([
      creation.profiles?.({}).catch(() => []),
      mayRateActions(creation),
    ]);
    const draft = this.#requested.find(id);
    if (draft?.address !== address) return;
    const chosenId = draft.wanted.profile?.id;
    const profile =
      profiles.find((one) => one.id === chosenId) ??
      profiles.find(({ active }) => active);
    if (profile) this.#requested.change(id, { profile });
    const { approval } = draft.wanted;
    if (!canRate && approval !== undefined && isRated(approval))
      this.#requested.change(id, { approval: 'always' });
  }

  /** Lets the user set up models, and reads the profile again. */
  async #chooseModel(request: RequestedConversation) {
    await manageModels(this.#switchboard, request.address);
    await this.#fitToService(request);
  }

  async #chooseService({ id, wanted }: RequestedConversation) {
    const place = await pickPlace(this.#switchboard);
    if (!place) return;
    const { here, offered = [] } = this.#origins.get(id) ?? {};
    const { attached: fresh = [], ...start } = await startAt(
      this.#switchboard,
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
    const { address } = place.service;
    this.#requested.change(
      id,
      { ...start, message: wanted.message, attached },
      address,
    );
    await this.#requested.keepChoices(address, {});
    const moved = this.#requested.find(id);
    if (moved) await this.#fitToService(moved);
  }

  async #ask(
    { id, address, wanted }: RequestedConversation,
    name: Exclude<ChoiceName, 'service' | 'model'>,
  ) {
    const place = placeOf(this.#switchboard.service(address));
    const change = place && (await askForChoice(name, place, wanted));
    if (!change) return;
    const { message, ...chosen } = change;
    this.#requested.change(id, chosen);
    if (message !== undefined)
      this.#pages.putBack(keyOfRequested({ id }), message);
    else if (name !== 'sandbox')
      await this.#requested.keepChoices(address, chosen);
  }

  /** Asks for the folder if the service needs one. */
  async #hasFolder(
    request: RequestedConversation,
    service: ConnectedService,
  ): Promise<boolean> {
    const place = placeOf(service);
    if (!place?.creation.folders) return true;
    if (!request.wanted.folder) await this.#ask(request, 'folder');
    const problem = await whyNoFolder(
      place,
      this.#requested.find(request.id)?.wanted.folder,
    );
    if (problem) this.#pages.report(keyOfRequested(request), problem);
    return problem === undefined;
  }

  /** Says which sandbox the service has paused for the new one. */
  #reportPaused(
    ended: RequestedConversation,
    paused: Parameters<typeof pausedWords>[1],
  ) {
    const words = pausedWords(this.#switchboard, paused);
    if (words === undefined) return;
    // The page would show these words in place of the reason of a failure.
    const isShown =
      requestedProblem(ended) === undefined &&
      this.#pages.report(keyOfRequested(ended), words);
    if (!isShown) void showInformation(words);
  }

  /** Says once for each service where it makes worktrees, if they may be lost. */
  async #warnOfTemporaryWorktree(
    { id, address, wanted }: RequestedConversation,
    service: ConnectedService,
  ) {
    if (!wanted.worktree || service.demo) return;
    const key = this.#requested.createdAs(id);
    const conversation = key && this.#switchboard.conversation(key);
    const folder = conversation && temporaryWorktrees(conversation);
    if (folder === undefined || this.#warned.get(address)) return;
    await this.#warned.set(address, true);
    void showWarning(
      t(
        'Worktrees of {0} are in {1}, which a restart of its machine may empty. To keep them elsewhere, start the Agent Server with OH_CONVERSATION_WORKTREE_ROOT.',
        nameOf(this.#switchboard, address),
        folder,
      ),
    );
  }

  /** Reports a failure that no visible page shows. */
  async #offerToShow(ended: RequestedConversation) {
    const problem = requestedProblem(ended);
    if (problem === undefined || ended.cancelled === true) return;
    if (this.#pages.isSeen(keyOfRequested(ended))) return;
    await offerAction(showError, problem, t('Show'), () => this.show(ended));
  }
}

/** True if the service starts a sandbox, and so may pause another one. */
function startsSandbox(
  { wanted }: RequestedConversation,
  { client }: ConnectedService,
): boolean {
  return (
    wanted.sandboxId === undefined && client.service?.sandboxes !== undefined
  );
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
  const able = present(last, ...services).flatMap(
    (service) => placeOf(service) ?? [],
  );
  return able[0] ?? (await pickPlace(switchboard));
}

/** The only brake that works while no window is open. */
const defaultMaxSteps = 100;

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
    maxSteps:
      creation.takesMaxSteps && hasLimits() ? defaultMaxSteps : undefined,
    ...requested.lastChoices(service.address),
    ...(here && (await wantedFrom(here, place))),
  };
}

/**
 * Asks before another agent begins at the limit of the day. Resolves with false
 * if the user keeps it.
 */
async function mayBegin(
  { limits }: Switchboard,
  service: string,
): Promise<boolean> {
  const spent = await limits.reachedToday(service);
  if (!spent) return true;
  const goOn = continueWord();
  const question = beginQuestion(spent);
  if ((await askModal(question, [limitPromise()], goOn)) !== goOn) return false;
  await limits.raiseDay({ service }, raisedLimit(spent));
  return true;
}
