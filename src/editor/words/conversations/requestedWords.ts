import { t } from '../../../base/l10n.ts';
import { present } from '../../../base/parts.ts';
import type { ChoiceName, InputState } from '../../../protocol/drawn.ts';
import type { NewConversation } from '../../../service/abilities/agentService.ts';
import { upstream } from '../../../service/git/upstream.ts';
import {
  type AgentProfile,
  type AskRule,
  keyOf,
} from '../../../service/model/entities.ts';
import {
  canChange,
  type RequestedConversation,
} from '../../../state/newConversation/requestedConversations.ts';
import { withoutSecrets } from '../../../state/newConversation/withoutSecrets.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import { nameOf } from '../serviceWords.ts';
import { shownPath } from '../shownPath.ts';
import { policyWord } from './approvalWords.ts';
import { lastPart, sandboxName } from './conversationWords.ts';
import { listOfSentences, notAWall } from './ruleWords.ts';

const maxLines = 20;

/** `askRules`: the list of what to ask for. */
export function inputOfRequested(
  requested: RequestedConversation,
  switchboard: Switchboard,
  askRules: readonly AskRule[],
): InputState {
  if (!canChange(requested))
    return {
      ways: [],
      hint: t('You can send this once the conversation has started.'),
    };
  const { address, unknown, wanted } = requested;
  const service = switchboard.service(address);
  const notConnected = t('{0} is not connected.', nameOf(switchboard, address));
  const creation = service?.client.service?.creation;
  const hints = present(
    !service && notConnected,
    creation && !creation.takesApproval && approvalOfService(),
    wanted.profile?.lacksModel && noModel(wanted.profile.name),
    wanted.approval === 'listed' && asksOnlyFor(askRules),
    ...warningsAbout(requested),
  );
  return {
    ways: service ? [{ how: 'create', label: t('Create') }] : [],
    // A keypress must not create it twice.
    mustChoose: unknown,
    hint: hints.length === 0 ? undefined : hints.join(' '),
    choices: choicesOf(requested, switchboard).map(([name, label]) => ({
      name,
      label,
    })),
  };
}

function approvalOfService(): string {
  return t(
    'This service decides when the agent asks for approval. You can change that once the agent has started.',
  );
}

function noModel(profile: string): string {
  return t(
    'The profile “{0}” has no model yet. Choose one, and then create the conversation.',
    profile,
  );
}

function asksOnlyFor(rules: readonly AskRule[]): string {
  return t(
    'The agent asks only before these actions: {0}. {1}',
    listOfSentences(rules),
    notAWall(),
  );
}

function warningsAbout({
  wanted,
  unknown,
  lost = [],
}: RequestedConversation): string[] {
  const { message, attached = [], repository } = wanted;
  const gathered = attached.flatMap((attachment) => attachment.gathered ?? []);
  const other = gathered.find(
    (source) =>
      source.repository !== undefined && source.repository !== repository,
  );
  const lines =
    gathered.length > 0 ? withoutSecrets(message, 'message.ts').lines : [];
  return present(
    unknown && t('Look for it in the list before you try again.'),
    lost.length > 0 &&
      t('Too large to keep. Attach it again: {0}', lost.join(', ')),
    other?.repository !== undefined &&
      t(
        'It refers to files of {0}, which the agent will not have.',
        other.repository,
      ),
    lines.length > 0 &&
      t(
        'These lines may still contain secrets: {0}',
        lines.slice(0, maxLines).join(', '),
      ),
  );
}

function choicesOf(
  { address, wanted }: RequestedConversation,
  switchboard: Switchboard,
): (readonly [ChoiceName, string])[] {
  const connected = switchboard.service(address);
  const service = connected?.client.service;
  const isOnly = connected && switchboard.services.length === 1;
  const name = t('Service: {0}', nameOf(switchboard, address));
  const { folder, repository, branch, sandboxId, profile, approval } = wanted;
  const sandbox =
    sandboxId &&
    switchboard.sandbox(keyOf({ service: address, id: sandboxId }));
  const inFolder = [
    [
      'folder',
      folder ? t('Folder: {0}', shownPath(folder)) : t('Choose a Folder…'),
    ],
    ['worktree', worktreeWord(wanted)],
    [
      'profile',
      profile ? t('Profile: {0}', profileWord(profile)) : t('Active Profile'),
    ],
    ['model', t('Choose a Model…')],
    [
      'approval',
      t(
        'Approval: {0}',
        approval ? policyWord(approval) : t('service default'),
      ),
    ],
    ['maxSteps', t('At Most {0} Steps', wanted.maxSteps ?? 0)],
  ] as const;
  const onRepository = [
    [
      'repository',
      repository ? t('Repository: {0}', repository) : t('No Repository'),
    ],
    ['branch', branch ? t('Branch: {0}', branch) : t('Default Branch')],
    [
      'sandbox',
      sandbox
        ? t(
            'Sandbox: {0}',
            sandboxName(sandbox, switchboard.servedBy(sandbox)).name,
          )
        : t('New Sandbox'),
    ],
    ['task', t('Choose a Suggested Task…')],
  ] as const;
  const offered: Readonly<Partial<Record<ChoiceName, boolean>>> = {
    branch: !!repository,
    profile: service?.creation?.profiles !== undefined,
    model: profile?.lacksModel === true && service?.models !== undefined,
    approval: service?.creation?.takesApproval === true,
    maxSteps: wanted.maxSteps !== undefined,
    task: service?.git !== undefined,
  };
  const choices = service?.creation?.folders ? inFolder : onRepository;
  const all = service?.creation ? choices : [];
  return present(
    !isOnly && ['service', name],
    ...all.filter(([choiceName]) => offered[choiceName] ?? true),
  );
}

/** The name of a profile, with the model that it uses. */
function profileWord({
  name,
  model,
}: Pick<AgentProfile, 'name' | 'model'>): string {
  return model === undefined ? name : `${name} (${lastPart(model)})`;
}

function worktreeWord({ worktree, worktreeStart }: NewConversation): string {
  if (!worktree) return t('Directly in the Folder');
  if (worktreeStart === undefined) return t('New Worktree from Default Branch');
  if (worktreeStart === 'HEAD') return t('New Worktree from Current Commit');
  return worktreeStart === upstream
    ? t('New Worktree from Upstream of Current Branch')
    : t('New Worktree from {0}', worktreeStart);
}
