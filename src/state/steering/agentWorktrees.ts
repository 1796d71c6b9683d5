/**
 * Acts on the folders that agents work in. Several conversations can share one.
 */
import type { Cancellation } from '../../base/cancellation.ts';
import { userError } from '../../base/l10n.ts';
import type { ServiceClient } from '../../service/client.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import { neighboursOf } from '../conversation/worktree.ts';
import type { AgentRequests } from './agentRequests.ts';

/** Services list at most this many rows at once. */
const maxPageSize = 100;

export class AgentWorktrees {
  readonly #client: ServiceClient;
  readonly #work: Cancellation;
  readonly #requests: AgentRequests;

  constructor(
    client: ServiceClient,
    work: Cancellation,
    requests: AgentRequests,
  ) {
    this.#client = client;
    this.#work = work;
    this.#requests = requests;
  }

  /**
   * Runs a fixed command in the agent's folder, even while the agent works.
   * Returns what it prints.
   */
  async runGit(
    conversation: Conversation,
    command: string,
    signal: AbortSignal,
  ): Promise<string> {
    return await this.#requests.atAgent(
      conversation,
      signal,
      (steering, call) => steering.runGit(conversation.id, command, call),
    );
  }

  /**
   * Resets the files of a worktree while nothing is sent to its conversations.
   * Returns what the command prints. Throws if an agent works there.
   */
  async resetFiles(
    conversation: Conversation,
    command: string,
    signal: AbortSignal,
  ): Promise<string> {
    const sharing = [
      conversation,
      ...(await this.neighbours(conversation, signal)),
    ];
    return await this.#inTurns(sharing, signal, async () => {
      if (await this.isInUse(conversation, signal))
        throw userError(
          'The files were left as they are, because an agent works on them again.',
        );
      signal.throwIfAborted();
      // A command continues even if its request is canceled.
      return await this.runGit(conversation, command, this.#work.signal);
    });
  }

  /**
   * Removes a worktree by a fixed command while nothing is sent to these
   * conversations. Returns what it prints, or `undefined` if `canRemove` refuses
   * for the current conversations of the service.
   */
  async remove(
    sharing: readonly Conversation[],
    command: string,
    canRemove: (conversations: readonly Conversation[]) => boolean,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    return await this.#inTurns(sharing, signal, async () => {
      if (!canRemove(await this.allConversations(signal))) return undefined;
      signal.throwIfAborted();
      return await this.runGitAtService(command, this.#work.signal);
    });
  }

  /** Runs a fixed command at the service, in no folder of a conversation. */
  async runGitAtService(command: string, signal: AbortSignal): Promise<string> {
    const call = { signal: this.#work.with(signal) };
    const { creation } = await this.#client.recognise(call);
    if (creation?.folders) return await creation.folders.runGit(command, call);
    throw userError(
      'The agents of this service work in sandboxes, so there are no worktrees to clean up.',
    );
  }

  /**
   * True if an agent works in the worktree of this conversation, according to
   * the service.
   */
  async isInUse(
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { conversations } = await this.#client.recognise({ signal });
    const record = await conversations.find(conversation.id, { signal });
    for (const row of [
      record ?? conversation,
      ...(await this.neighbours(conversation, signal)),
    ]) {
      if (row.execution === 'running') return true;
      // Some services report this state while an accepted action runs.
      if (row.execution !== 'waitingForConfirmation') continue;
      if ((await this.#requests.read(row, signal)).status === 'doesNotWait')
        return true;
    }
    return false;
  }

  /**
   * Asks the service for all conversations that work in the worktree of this
   * one, or above it.
   */
  async neighbours(
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<readonly Conversation[]> {
    const { conversations } = await this.#listAll(signal);
    return neighboursOf(conversation, conversations);
  }

  /**
   * Asks the service for all its conversations. Throws if some cannot be read.
   */
  async allConversations(
    signal: AbortSignal,
  ): Promise<readonly Conversation[]> {
    const { conversations, skipped } = await this.#listAll(signal);
    if (skipped === 0) return conversations;
    throw userError(
      'It is unknown which worktrees are in use, because {0} of the conversations cannot be read.',
      skipped,
    );
  }

  async #listAll(signal: AbortSignal) {
    const call = { signal: this.#work.with(signal), size: maxPageSize };
    const service = await this.#client.recognise(call);
    const conversations: Conversation[] = [];
    let skipped = 0;
    for await (const page of service.conversations.list({}, call)) {
      conversations.push(...page.items);
      skipped += page.skipped;
    }
    return { conversations, skipped };
  }

  /** Works while nothing is sent to any of these conversations. */
  async #inTurns<T>(
    sharing: readonly Conversation[],
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    // A fixed order keeps two of them from a deadlock.
    const ordered = sharing.toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
    const inTurns = ordered.reduce(
      (next, sharer) => () => this.#requests.inTurn(sharer, signal, next),
      work,
    );
    return await inTurns();
  }
}
