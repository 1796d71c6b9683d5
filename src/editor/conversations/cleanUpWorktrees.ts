import { type QuickPickItem, QuickPickItemKind } from 'vscode';
import { reason, UserError } from '../../base/errors.ts';
import { plural, t, userError } from '../../base/l10n.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import { worktreeOf } from '../../state/conversation/worktree.ts';
import {
  type AgentWorktree,
  cleanUpProtectionOf,
  defaultWorktreeRoot,
  ownersOf,
  readRemoval,
  readWorktrees,
  readWorktreesCommand,
  type ReadWorktree,
  removeCommand,
} from '../../state/conversation/worktreeRemoval.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { pickServiceWith } from '../services/pickService.ts';
import {
  askModal,
  confirm,
  showInformation,
  showWarning,
  unlessCancelled,
  withProgress,
} from '../ui/messages.ts';
import { askMany } from '../ui/steps.ts';
import {
  cleanUpLosses,
  worktreeLosses,
  protectionText,
  worktreeDescription,
  worktreeName,
} from '../words/conversations/worktreeWords.ts';
import { inPick } from '../words/foreignText.ts';
import { someLeft } from './archivedWorktree.ts';

interface Candidate {
  readonly worktree: ReadWorktree;
  readonly owners: readonly Conversation[];
}

type Item = QuickPickItem & { readonly candidate?: Candidate };

/**
 * Lists the worktrees of agents at a service, and removes those that the user
 * chooses.
 */
export async function cleanUpWorktrees(
  switchboard: Switchboard,
  address: string | undefined,
): Promise<void> {
  const picked = await pickServiceWith(
    switchboard,
    ({ creation }) => creation?.folders,
    {
      placeHolder: t('Select the service whose worktrees to clean up'),
      none: t(
        'No connected service has worktrees: their agents work in sandboxes.',
      ),
      address,
    },
  );
  if (!picked) return;
  const { service } = picked;
  const agents = await service.steering();
  const earlier = await unlessCancelled(
    t('Listing the conversations of {0}', service.name),
    (signal) => agents.worktrees.allConversations(signal),
  );
  if (!earlier) return;
  const roots = rootsOf(earlier);
  const command = readWorktreesCommand({ roots });
  const isAgreed = await confirm(
    t('Read the worktrees of agents at “{0}”?', service.name),
    [
      t(
        'Reads, with Git and du, the state of each worktree in {0}. It changes nothing.',
        roots.join(', '),
      ),
      t('This runs at the service:'),
      ...command.split('\n'),
    ],
    t('Read Worktrees'),
  );
  if (!isAgreed) return;
  const reading = await unlessCancelled(
    t('Reading the worktrees of {0}', service.name),
    async (signal) => {
      const output = await agents.worktrees.runGitAtService(command, signal);
      // Listed later, so that each of these worktrees has its conversation.
      const listed = await agents.worktrees.allConversations(signal);
      return {
        worktrees: readWorktrees(output),
        conversations: [...listed, ...elsewhere(switchboard, service)],
      };
    },
  );
  if (!reading) return;
  if (reading.worktrees.length === 0) {
    void showInformation(
      t('No worktrees of agents were found at {0}.', roots.join(', ')),
    );
    return;
  }
  const chosen = await choose(service, reading);
  if (chosen.length > 0) await askAndRemove(switchboard, service, chosen);
}

/**
 * Listed conversations of other services, which may be on the same machine.
 */
function elsewhere(
  switchboard: Switchboard,
  { address }: ConnectedService,
): readonly Conversation[] {
  return [...switchboard.conversations.rows.values()].filter(
    (row) => row.service !== address && worktreeOf(row) !== undefined,
  );
}

function rootsOf(conversations: readonly Conversation[]): readonly string[] {
  const roots = conversations
    .flatMap((conversation) => worktreeOf(conversation) ?? [])
    .map((folder) => folder.slice(0, folder.lastIndexOf('/')));
  return [...new Set([defaultWorktreeRoot, ...roots])];
}

async function choose(
  { name }: ConnectedService,
  {
    worktrees,
    conversations,
  }: {
    readonly worktrees: readonly AgentWorktree[];
    readonly conversations: readonly Conversation[];
  },
): Promise<readonly Candidate[]> {
  const now = Date.now();
  const removable: Item[] = [];
  const isProtected: Item[] = [];
  const age = ({ state }: AgentWorktree) => state?.changedAt ?? Infinity;
  for (const worktree of worktrees.toSorted((a, b) => age(a) - age(b))) {
    const owners = ownersOf(worktree, conversations);
    const protection = cleanUpProtectionOf(worktree, conversations);
    const { state } = worktree;
    const item = {
      label: inPick(worktreeName(owners)),
      description: inPick(worktreeDescription(worktree, owners, now)),
    };
    if (protection || !state) {
      isProtected.push({
        ...item,
        detail: inPick(protectionText(protection ?? 'unreadable', worktree)),
      });
    } else {
      const detail = inPick(worktreeLosses(state));
      removable.push({
        ...item,
        detail,
        candidate: { worktree: { ...worktree, state }, owners },
      });
    }
  }
  const separator = {
    label: t('Protected'),
    kind: QuickPickItemKind.Separator,
  };
  const chosen = await askMany<Item>({
    title: t('Clean Up Worktrees of {0}', name),
    placeholder: t('Select the worktrees to remove'),
    items: [
      ...removable,
      ...(isProtected.length > 0 ? [separator, ...isProtected] : []),
    ],
    chosen: [],
    canChoose: ({ candidate }) => candidate !== undefined,
    stays: true,
  });
  return Array.isArray(chosen)
    ? chosen.flatMap(({ candidate }) => candidate ?? [])
    : [];
}

async function askAndRemove(
  switchboard: Switchboard,
  service: ConnectedService,
  chosen: readonly Candidate[],
) {
  const merged = chosen.flatMap(({ worktree }) =>
    worktree.state.isMerged ? `“${worktree.state.branch ?? ''}”` : [],
  );
  const remove = t('Remove');
  const removeWithBranches = t('Remove with Merged Branches');
  const hasGone = chosen.some(({ owners }) => owners.length === 0);
  const answer = await askModal(
    plural(
      chosen.length,
      'Remove 1 worktree? This cannot be undone.',
      'Remove {0} worktrees? This cannot be undone.',
    ),
    [
      ...cleanUpLosses(chosen),
      hasGone &&
        t(
          'The conversation is gone from “{0}”. If another service on that machine has it, leave its worktree.',
          service.name,
        ),
      chosen.some(({ owners }) => owners.length > 0) &&
        t(
          'Agents then have no folder to work in. "Switchboard: Unarchive Conversation" makes a worktree again while its branch exists, without uncommitted files.',
        ),
      merged.length > 0 &&
        t('These branches are merged: {0}.', merged.join(', ')),
    ],
    remove,
    ...(merged.length > 0 ? [removeWithBranches] : []),
  );
  if (answer === undefined) return;
  const left: string[] = [];
  let removals = 0;
  await withProgress(t('Removing worktrees'), async (signal, report) => {
    const isCanceled = () => signal.aborted;
    for (const [index, candidate] of chosen.entries()) {
      if (isCanceled()) break;
      const name = worktreeName(candidate.owners);
      report(t('{0} of {1}: {2}', index + 1, chosen.length, name));
      const isWithBranch = answer === removeWithBranches;
      try {
        await removeOne(switchboard, service, candidate, isWithBranch, signal);
        removals++;
      } catch (error) {
        if (isCanceled() && !(error instanceof UserError)) break;
        left.push(`${name}: ${reason(error)}`);
      }
    }
  });
  const message = plural(
    removals,
    '1 worktree was removed.',
    '{0} worktrees were removed.',
  );
  const show = left.length === 0 ? showInformation : showWarning;
  void show([message, ...left].join(' '));
}

/** Removes a worktree if it and its conversations are as they were shown. */
async function removeOne(
  switchboard: Switchboard,
  service: ConnectedService,
  { worktree, owners }: Candidate,
  isWithBranch: boolean,
  signal: AbortSignal,
) {
  const agents = await service.steering();
  const keysOf = (conversations: readonly Conversation[]) =>
    conversations.map(keyOf).toSorted().join('\n');
  const canRemove = (listed: readonly Conversation[]) => {
    const conversations = [...listed, ...elsewhere(switchboard, service)];
    return (
      cleanUpProtectionOf(worktree, conversations) === undefined &&
      keysOf(ownersOf(worktree, conversations)) === keysOf(owners)
    );
  };
  const { folder, state } = worktree;
  const { repository, branch } = state;
  const remember = async () => {
    if (branch === undefined) return;
    const flags = { isDetached: false, hasFiles: false };
    for (const owner of owners)
      await switchboard.removedWorktrees.remember(keyOf(owner), {
        repository,
        folder,
        branch,
        ...flags,
      });
  };
  const output = await agents.worktrees
    .remove(owners, removeCommand(worktree, isWithBranch), canRemove, signal)
    .catch(async (error: unknown) => {
      const isUnknown =
        error instanceof ServiceError && error.circumstances.outcomeUnknown;
      if (isUnknown) await remember();
      throw error;
    });
  const outcome = readRemoval(output ?? '');
  if (outcome === undefined || outcome === 'changed')
    throw userError('It was left, because it has changed since.');
  if (outcome !== 'removedWithBranch') await remember();
  if (outcome === 'removedPartly') throw new UserError(someLeft());
}
