import { t, words } from '../../../base/l10n.ts';
import { present } from '../../../base/parts.ts';
import type {
  ConfirmationChoice,
  DrawnHead,
  HeadAction,
  HeadButton,
  Tone,
} from '../../../protocol/drawn.ts';
import type { AgentService } from '../../../service/abilities/agentService.ts';
import {
  type ConversationKey,
  type Conversation,
  isRated,
  keyOf,
  type Time,
} from '../../../service/model/entities.ts';
import type { ChangedFile } from '../../../service/abilities/fileChanges.ts';
import type { Spent } from '../../../state/costs/limits.ts';
import { type Activity, activityOf } from '../../../state/lists/activity.ts';
import type { ConversationSnapshot } from '../../../state/conversation/conversationModel.ts';
import {
  canChange,
  type RequestedConversation,
} from '../../../state/newConversation/requestedConversations.ts';
import {
  approvalWord,
  askAgainWord,
  loweredWords,
  cannotRateWords,
  policyNames,
  policyWord,
} from './approvalWords.ts';
import { activityWord, wordsOf } from '../stateWords.ts';
import { spentWord } from './limitWords.ts';
import { listOfSentences, notAWall } from './ruleWords.ts';
import type { Fact } from '../facts.ts';
import { actionLine } from './actionSentences.ts';
import { linesWord } from './changeWords.ts';
import {
  contextWord,
  factsOf,
  requestedTitle,
  requestedWord,
  titleOf,
} from './conversationWords.ts';

type SnapshotOfHead = Pick<
  ConversationSnapshot,
  | 'conversation'
  | 'connection'
  | 'approval'
  | 'weakened'
  | 'abilities'
  | 'waiting'
  | 'tasks'
  | 'work'
>;

interface HeadOptions {
  readonly now: Time;
  /** The name of the service; `undefined` if it is the only one. */
  readonly service: string | undefined;
  readonly offered:
    Pick<AgentService, 'editing' | 'agents' | 'models'> | undefined;
  readonly find: (key: ConversationKey) => Conversation | undefined;
  readonly changedFiles: readonly ChangedFile[] | undefined;
  readonly limit?: Spent | undefined;
}

export function headOf(
  snapshot: SnapshotOfHead,
  { now, service, offered, find, changedFiles, limit }: HeadOptions,
): DrawnHead {
  const { conversation, abilities } = snapshot;
  const whyNot = abilities?.whyNot;
  return {
    title: titleOf(conversation),
    state: {
      text: activityWord(conversation),
      tone: tones[activityOf(conversation)],
      work: workOf(snapshot),
    },
    connection: connectionOf(snapshot),
    ...confirmationOf(snapshot),
    meters: present(
      limit && { text: t('Cost: {0}', spentWord(limit)) },
      ...metersOf(snapshot, offered),
    ),
    ...tasksOf(snapshot),
    facts: [
      ...factsOf(conversation, now, service),
      ...whyPolled(snapshot),
      ...ratingOf(snapshot),
    ],
    buttons: buttonsOf(offered, changedFiles),
    menu: menuOf(snapshot, offered),
    related: relatedOf(conversation, find),
    isOpenAtFirst: abilities?.status === 'outOfReach',
    notes: whyNot === undefined ? [] : [whyNot],
    ...(abilities?.origin === undefined
      ? {}
      : { allow: t('Allow {0}…', abilities.origin) }),
  };
}

const nothingElse = {
  meters: [],
  facts: [],
  buttons: [],
  menu: [],
  related: [],
  isOpenAtFirst: false,
  notes: [],
};

/**
 * The head of a conversation that cannot be followed: its service is not
 * connected, or does not have it.
 */
export function headWithout(
  title: string,
  why: string,
  isDeleted: boolean,
): DrawnHead {
  return {
    title,
    state: { text: isDeleted ? t('Deleted') : t('Unknown'), tone: 'plain' },
    connection: isDeleted
      ? { text: deletedWords(), tone: 'bad', canRetry: false }
      : {
          text: t('Not connected.'),
          tone: 'bad',
          reason: why,
          canRetry: why !== '',
        },
    ...nothingElse,
  };
}

export function headOfRequested(requested: RequestedConversation): DrawnHead {
  const { cancelled, unknown, isDraft } = requested;
  const word = requestedWord(requested);
  const isOpen = canChange(requested);
  const failureTone = unknown ? 'attention' : 'bad';
  const tone = isDraft || cancelled ? 'plain' : failureTone;
  const next = isDraft
    ? t('Nothing has been sent yet.')
    : t('Edit it and try again.');
  return {
    title: requestedTitle(requested),
    state: isOpen
      ? { text: word, tone }
      : { text: t('Starting…'), tone: 'busy' },
    connection: {
      ...(isOpen
        ? { text: next, tone: 'plain' }
        : { text: word, tone: 'busy' }),
      canRetry: false,
      actions: [
        { run: 'cancelNew', label: isOpen ? t('Discard') : t('Cancel') },
      ],
    },
    ...nothingElse,
  };
}

export function deletedWords(): string {
  return t('The service no longer has this conversation.');
}

function workOf({
  conversation,
  work,
}: SnapshotOfHead): DrawnHead['state']['work'] {
  if (work?.since === undefined || activityOf(conversation) !== 'working')
    return undefined;
  const { folder } = conversation;
  const line = work.action
    ? actionLine(work.action, 'running', undefined, undefined, folder)
    : [];
  return { since: work.since, line };
}

function relatedOf(
  { service, parentId, childIds = [] }: Conversation,
  find: HeadOptions['find'],
): DrawnHead['related'] {
  const link = (id: string, say: (title: string) => string) => {
    const key = keyOf({ service, id });
    return { id: key, label: say(titleOf(find(key) ?? { id, title: '' })) };
  };
  const parent =
    parentId === undefined
      ? []
      : [link(parentId, (title) => t('Started by “{0}”', title))];
  return [
    ...parent,
    ...childIds.map((id) => link(id, (title) => t('Started “{0}”', title))),
  ];
}

const tones: Readonly<Record<Activity, Tone>> = {
  waiting: 'attention',
  error: 'bad',
  working: 'busy',
  starting: 'busy',
  idle: 'plain',
  stopped: 'plain',
  archived: 'plain',
};

function connectionOf({ connection }: SnapshotOfHead): DrawnHead['connection'] {
  const { how, error } = connection;
  const reason = error?.message;
  switch (how) {
    case 'connecting':
      return { text: t('Connecting…'), tone: 'busy', reason, canRetry: false };
    case 'live':
      return { text: t('Live'), tone: 'good', canRetry: false };
    case 'polling':
      return {
        text: t('Updated every few seconds'),
        tone: 'good',
        canRetry: false,
      };
    case 'paused':
      return {
        text: t('Not followed at the moment.'),
        tone: 'plain',
        reason,
        canRetry: true,
      };
    case 'unreachable':
      if (error?.kind === 'notFound') {
        return { text: deletedWords(), tone: 'bad', canRetry: true };
      }
      return { text: t('Not reachable.'), tone: 'bad', reason, canRetry: true };
  }
}

/** Shown as a fact, because no action is needed. */
function whyPolled({
  connection: { how, error },
}: SnapshotOfHead): readonly Fact[] {
  return how === 'polling' && error ? [[t('Why not live'), error.message]] : [];
}

/** The listed actions that the service holds, or why it can hold none. */
function ratingOf({ approval, abilities }: SnapshotOfHead): readonly Fact[] {
  if (!approval || abilities?.canSteer !== true) return [];
  const { policy, analyzer } = approval;
  if (analyzer === undefined) return [[t('Approval'), cannotRateWords()]];
  if (!isRated(policy) || !analyzer?.rules) return [];
  return [[t('Asks for'), `${listOfSentences(analyzer.rules)}. ${notAWall()}`]];
}

/** Offers what depends on ratings only where the service can rate actions. */
function confirmationOf({
  approval,
  weakened,
  abilities,
}: SnapshotOfHead): Pick<DrawnHead, 'confirmation' | 'lowered'> {
  if (!approval) return {};
  const { policy, analyzer } = approval;
  const canChange = abilities?.canSteer === true;
  const offered = policyNames.filter(
    (name) => name === 'always' || name === 'never' || analyzer !== undefined,
  );
  const current: ConfirmationChoice = {
    value: policy,
    label: approvalWord(approval),
  };
  const choices = offered.map((name) =>
    name === policy ? current : { value: name, label: policyWord(name) },
  );
  const isOffered = choices.some(({ value }) => value === policy);
  const confirmation = {
    value: policy,
    choices: isOffered ? choices : [...choices, current],
    canChange,
  };
  if (weakened === undefined || !canChange) return { confirmation };
  const lowered = {
    text: loweredWords(weakened),
    label: askAgainWord(weakened),
    policy: weakened,
  };
  return { confirmation, lowered };
}

/** Agents in sandboxes can only use models of their service. */
export function canSwitchModel(
  { sandboxId }: Pick<Conversation, 'sandboxId'>,
  offered: Pick<AgentService, 'models'> | undefined,
): boolean {
  return sandboxId === undefined || offered?.models !== undefined;
}

function metersOf(
  { conversation, abilities, waiting }: SnapshotOfHead,
  offered: Offered,
): DrawnHead['meters'] {
  const { context, model, canCompact = true, execution } = conversation;
  const canSteer = abilities?.canSteer === true;
  // Compacting would run the pending actions.
  const isIdle =
    canSteer && waiting?.status === 'doesNotWait' && execution !== 'running';
  const compact = { run: 'compact', label: t('Compact') } as const;
  const canSwitch = canSteer && canSwitchModel(conversation, offered);
  const switchModel = {
    run: 'switchModel',
    label: t('Switch Model…'),
  } as const;
  const contextMeter = {
    text: context ? contextWord(context) : '',
    ...(canCompact && isIdle && { button: compact }),
  };
  return present(
    (context ?? contextMeter.button) && contextMeter,
    model !== undefined && {
      text: t('Model: {0}', model),
      ...(canSwitch && { button: switchModel }),
    },
  );
}

const taskWord = wordsOf(
  words({
    todo: 'to do',
    inProgress: 'in progress',
    done: 'done',
  }),
);

function tasksOf({ tasks = [] }: SnapshotOfHead): Pick<DrawnHead, 'tasks'> {
  if (tasks.length === 0) return {};
  const items = tasks.map(({ title, status }) => ({
    title,
    state: taskWord(status),
    isDone: status === 'done',
  }));
  const now = tasks.find(({ status }) => status === 'inProgress');
  const done = t(
    'Tasks: {0} of {1} done',
    items.filter(({ isDone }) => isDone).length,
    items.length,
  );
  return {
    tasks: { summary: now ? t('{0}, now: {1}', done, now.title) : done, items },
  };
}

type Offered = HeadOptions['offered'];

function buttonsOf(
  offered: Offered,
  changedFiles: readonly ChangedFile[] | undefined,
): readonly HeadButton[] {
  if (offered?.agents === undefined) return [];
  const count = changedFiles?.length
    ? { count: changedFiles.length, lines: linesWord(changedFiles) }
    : {};
  return [
    { run: 'showChanges', label: t('Show Changes'), ...count },
    { run: 'takeOver', label: t('Take Over') },
  ];
}

function menuOf(
  { conversation: { link, pullRequests }, abilities }: SnapshotOfHead,
  offered: Offered,
): readonly HeadButton[] {
  const all: readonly (readonly [HeadAction, string, boolean])[] = [
    ['open', t('Open in Browser'), link !== undefined],
    ['openPullRequest', t('Open Pull Request'), pullRequests.length > 0],
    [
      'openAgentEditor',
      t("Open in the Agent's Editor"),
      offered?.agents !== undefined,
    ],
    ['copyAll', t('Copy as Markdown'), true],
    ['copyId', t('Copy ID'), true],
    ['copyUrl', t('Copy Link'), true],
    ['rename', t('Rename'), offered?.editing !== undefined],
    ['fork', t('Fork'), abilities?.canSteer === true],
    [
      'approvalRules',
      t('Approval Rules…'),
      offered?.agents !== undefined && abilities?.canSteer === true,
    ],
    ['setLimit', t('Set Limit…'), offered?.agents !== undefined],
    ['delete', t('Delete'), offered?.editing !== undefined],
  ];
  return all.flatMap(([run, label, isPossible]) =>
    isPossible ? [{ run, label }] : [],
  );
}
