import { formats, t } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { joinParts, present } from '../../../base/parts.ts';
import type {
  Conversation,
  Sandbox,
  Time,
} from '../../../service/model/entities.ts';
import { knownCost } from '../../../state/costs/spending.ts';
import { activityOf, explains } from '../../../state/lists/activity.ts';
import type { Grouping } from '../../../state/lists/conversationRows.ts';
import { codeHostName } from '../../../state/changes/codeHosts.ts';
import type { RequestedConversation } from '../../../state/newConversation/requestedConversations.ts';
import type { WaitingAction } from '../../../state/transcript/waiting.ts';
import { actionHeading, plainPhrase } from './actionWords.ts';
import { loweredWord } from './approvalWords.ts';
import type { Fact } from '../facts.ts';
import {
  activityWord,
  executionWord,
  runtimeWord,
  stageWord,
  statusWord,
  triggerWord,
} from '../stateWords.ts';
import { commentsWord, filesWord, toReviewWord } from './changeWords.ts';
import { shortAge, ageEnds, longAge, longAgeAndTime } from '../times.ts';

/** The title, without placeholders of the service. */
export function titleOf({
  title,
  id,
}: Pick<Conversation, 'title' | 'id'>): string {
  return title === '' || /^conversation [0-9a-f-]{32,36}$/i.test(title)
    ? t('Untitled {0}', plainText(id.slice(0, 8)))
    : title;
}

/** Leaves room for the age in a side bar 300 px wide. */
const maxRowTitleLength = 21;

/**
 * A shortened title. The tooltip and the label for screen readers have all of
 * it.
 */
export function rowTitle(title: string): string {
  return plainText(title, maxRowTitleLength).replace(/\s+…$/, '…');
}

/** All facts about a conversation. Contains no secret. */
export function factsOf(
  conversation: Conversation,
  now: Time,
  service?: string,
): Fact[] {
  const { status, execution, runtime, pullRequests } = conversation;
  const when = (time: Time | undefined) =>
    time === undefined ? undefined : longAgeAndTime(time, now);
  const facts: (readonly [string, string | undefined])[] = [
    [t('Service'), service],
    [t('State'), activityWord(conversation)],
    [t('Agent'), execution && executionWord(execution)],
    // Conversations in a folder of the service have no sandbox.
    [
      t('Sandbox'),
      conversation.folder === undefined ? statusWord(status) : undefined,
    ],
    [t('Machine'), runtime && runtimeWord(runtime)],
    [t('Repository'), conversation.repository],
    [t('Branch'), conversation.branch],
    [t('Folder'), conversation.folder],
    [t('Code host'), codeHostName(conversation.provider)],
    [
      t('Pull requests'),
      pullRequests.map((number) => `#${number}`).join(', ') || undefined,
    ],
    [
      t('Started by'),
      conversation.trigger && triggerWord(conversation.trigger),
    ],
    [t('Model'), conversation.model],
    [t('Cost'), costFact(conversation)],
    [t('Tokens'), conversation.tokens && tokensWord(conversation.tokens)],
    [t('Tags'), conversation.tags.join(', ') || undefined],
    [
      t('Connections'),
      conversation.connections > 0
        ? String(conversation.connections)
        : undefined,
    ],
    [t('Created'), when(conversation.createdAt)],
    [t('Last activity'), when(conversation.updatedAt)],
    [t('Sandbox ID'), conversation.sandboxId],
    [t('ID'), plainText(conversation.id)],
  ];
  return facts.filter((fact): fact is Fact => fact[1] !== undefined);
}

/** The start of the age in rows and tooltips. */
function activeAt({ createdAt, updatedAt }: Conversation): Time | undefined {
  return updatedAt ?? createdAt;
}

/** The time at which the words of a row change by themselves. */
export function rowEnds(conversation: Conversation, now: Time): Time {
  const at = activeAt(conversation);
  return at === undefined ? Infinity : ageEnds(at, now);
}

/** Returns at most six lines, without secrets. */
export function conversationTooltip(
  conversation: Conversation,
  now: Time,
  {
    service,
    actions = [],
    isUnread,
    isLowered,
  }: Pick<Beside, 'service' | 'actions' | 'isUnread' | 'isLowered'> = {},
): string {
  const { repository, branch, folder, cost, runtime } = conversation;
  const activity = activityOf(conversation);
  const at = activeAt(conversation);
  // Arguments are left out, because they may contain a secret.
  const wants = actions
    .map((action) => plainText(plainPhrase(actionHeading(action)), 80))
    .join(', ');
  const why =
    activity === 'waiting'
      ? wants
      : (activity === 'error' || activity === 'starting') &&
        explains(runtime) &&
        runtimeWord(runtime);
  const lines = [
    [titleOf(conversation)],
    [
      activityWord(conversation),
      why,
      isUnread && t('Unread'),
      isLowered && loweredWord(),
      ...marksOf(conversation),
    ],
    [repository ?? folder, branch],
    [service],
    [!!cost && dollarsWord(cost)],
    [at !== undefined && longAgeAndTime(at, now)],
  ];
  return joinParts('\n', ...lines.map((parts) => joinParts(' · ', ...parts)));
}

/** The text after the title in a row. Omits the value that its group shows. */
export function conversationDescription(
  conversation: Conversation,
  now: Time,
  { service, grouping, files, comments, review, isLowered }: Beside = {},
): string {
  const { repository, branch, folder, model, cost } = conversation;
  const at = activeAt(conversation);
  return joinParts(
    ' · ',
    // The age comes first, to be visible in a narrow side bar.
    at !== undefined && shortAge(at, now),
    isLowered && loweredWord(),
    ...marksOf(conversation),
    review && toReviewWord(review.left, review.all, review.isStale),
    grouping !== 'service' && service,
    grouping !== 'repository' && repository,
    branch,
    folder && lastPart(folder),
    // The repository and the branch say more than the model.
    folder && model && lastPart(model),
    !!files && !review && filesWord(files),
    !!comments && commentsWord(comments),
    !!cost && dollarsWord(cost),
  );
}

/** Facts that are not part of the conversation itself. */
interface Beside {
  /** The name of the service; `undefined` if it is the only one. */
  readonly service?: string | undefined;
  readonly grouping?: Grouping | undefined;
  readonly files?: number | undefined;
  readonly comments?: number | undefined;
  /** `isStale`: the agent has worked since. */
  readonly review?:
    | {
        readonly left: number;
        readonly all: number;
        readonly isStale?: boolean;
      }
    | undefined;
  readonly actions?: readonly WaitingAction[] | undefined;
  /** True if the conversation has news since it was last opened. */
  readonly isUnread?: boolean | undefined;
  /** True if the service asks for approval less often than required. */
  readonly isLowered?: boolean | undefined;
}

function marksOf({ isPinned, isArchived }: Conversation): string[] {
  return present(isPinned && t('Pinned'), isArchived && t('Archived'));
}

export function conversationLabel(
  conversation: Conversation,
  now: Time,
  { service, files, comments, isUnread, review, isLowered }: Beside = {},
): string {
  const { repository, branch, folder, model, cost } = conversation;
  const at = activeAt(conversation);
  return joinParts(
    ', ',
    titleOf(conversation),
    activityWord(conversation),
    isUnread && t('Unread'),
    isLowered && loweredWord(),
    ...marksOf(conversation),
    repository && t('repository {0}', repository),
    branch && t('branch {0}', branch),
    folder && t('folder {0}', lastPart(folder)),
    folder && model && t('model {0}', lastPart(model)),
    !!files && t('{0} changed', filesWord(files)),
    review && toReviewWord(review.left, review.all, review.isStale),
    !!comments && t('{0} not sent', commentsWord(comments)),
    !!cost && t('cost {0}', dollarsWord(cost)),
    service && t('at {0}', service),
    at !== undefined && longAge(at, now),
  );
}

export function requestedWord({
  isDraft,
  error,
  cancelled,
  unknown,
  task,
}: RequestedConversation): string {
  if (isDraft) return t('Draft');
  if (error === undefined) return task ? stageWord(task.stage) : t('Sending');
  if (cancelled) return t('Canceled');
  return unknown ? t('May have been created') : t('Not created');
}

export function requestedProblem(
  requested: RequestedConversation,
): string | undefined {
  const { error, unknown } = requested;
  if (error === undefined) return undefined;
  return unknown
    ? t(
        'The conversation “{0}” may have been created. Look for it in the list before you try again. {1}',
        requestedTitle(requested),
        error,
      )
    : t(
        'The conversation “{0}” was not created: {1}',
        requestedTitle(requested),
        error,
      );
}

export function requestedTitle({
  wanted: { message, attached },
}: RequestedConversation): string {
  const [line = ''] = (message.trim() || (attached?.[0]?.name ?? '')).split(
    /[\r\n]/,
    1,
  );
  return plainText(line, 80) || t('New conversation');
}

/** A service can send any number. */
const maxShownCost = 1e6;
const maxShownTokens = 1e12;
const maxShownShare = 10;

function costFact(conversation: Conversation): string | undefined {
  if (conversation.cost === undefined) return undefined;
  const cost = knownCost(conversation);
  return cost === undefined ? t('Unknown') : dollarsWord(cost);
}

export function dollarsWord(cost: number): string {
  const { dollars } = amounts();
  if (cost > maxShownCost) return t('above {0}', dollars.format(maxShownCost));
  return cost > 0 && cost < 0.01
    ? t('below {0}', dollars.format(0.01))
    : dollars.format(cost);
}

const amounts = formats((language) => ({
  dollars: new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
  }),
  whole: new Intl.NumberFormat(language, { maximumFractionDigits: 0 }),
  percent: new Intl.NumberFormat(language, { style: 'percent' }),
}));

export function contextWord({
  used,
  available,
}: NonNullable<Conversation['context']>): string {
  return t(
    'Context: {0} of {1} tokens ({2})',
    countWord(used),
    countWord(available),
    shareWord(used / Math.max(1, available)),
  );
}

function tokensWord({
  read,
  written,
}: NonNullable<Conversation['tokens']>): string {
  return t('{0} read, {1} written', countWord(read), countWord(written));
}

function countWord(tokens: number): string {
  const { whole } = amounts();
  return tokens > maxShownTokens
    ? t('above {0}', whole.format(maxShownTokens))
    : whole.format(tokens);
}

function shareWord(share: number): string {
  const { percent } = amounts();
  return share > maxShownShare
    ? t('above {0}', percent.format(maxShownShare))
    : percent.format(share);
}

/** The last part of a model name, or of a path of any system. */
export function lastPart(path: string): string {
  return /[^/\\]+(?=[/\\]*$)/.exec(path)?.[0] ?? path;
}

/**
 * Names a sandbox after its only conversation, else after its spec: on many
 * services all have the same spec. `spec` is `undefined` if it is the name.
 */
export function sandboxName(
  { id, specId }: Sandbox,
  served: readonly Conversation[],
) {
  const spec = specName(specId);
  const [only] = served;
  if (only && served.length === 1)
    return { name: titleOf(only), spec: spec && plainText(spec) };
  return { name: plainText(spec ?? id), spec: undefined };
}

/** The name of an image, without its registry and path. */
export function specName(specId: string | undefined): string | undefined {
  return specId === undefined
    ? undefined
    : specId.slice(specId.lastIndexOf('/') + 1) || specId;
}
