/**
 * The conversations of one service. Rows are the records, corrected by the
 * models of uncertain conversations.
 */
import type { Cancellation } from '../../base/cancellation.ts';
import { resultOr } from '../../base/errors.ts';
import { plainText } from '../../base/plainText.ts';
import { Serial } from '../../base/serial.ts';
import type {
  ConversationQuery,
  Editing,
} from '../../service/abilities/agentService.ts';
import {
  type ConversationKey,
  type Approval,
  type Conversation,
  keyOf,
  type MarkChange,
  markChanges,
} from '../../service/model/entities.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import { followingOf } from '../lists/following.ts';
import { RemoteList } from '../lists/remoteList.ts';
import type { KeyedRows } from '../lists/unlistedChanges.ts';
import type { Waiting } from '../transcript/waiting.ts';
import { notOffered } from './agentLocations.ts';
import {
  ConversationModel,
  type ConversationSnapshot,
  mayContradict,
  type ModelParts,
  withCountedCost,
} from './conversationModel.ts';
import type { FollowedConversation } from './followedConversation.ts';
import { UncertainAgents } from './uncertainAgents.ts';

interface ConversationListOptions extends ModelParts {
  readonly pageSize: () => number;
  readonly query: () => ConversationQuery;
  /** Canceled when the service is disconnected. */
  readonly work: Cancellation;
}

export class ConversationList extends RemoteList<Conversation> {
  readonly #parts: ConversationListOptions;
  readonly #uncertain: UncertainAgents;
  readonly #models = new Map<ConversationKey, ConversationModel>();
  /**
   * Serializes tag changes of each conversation, because each change replaces
   * all tags. By key.
   */
  readonly #marking = new Map<ConversationKey, Serial>();

  constructor(parts: ConversationListOptions) {
    const { client, clock, locations, pageSize, query } = parts;
    super({
      clock,
      pageSize,
      open: () => client.conversations(query()),
      following: () => followingOf(client.service?.conversations, query()),
    });
    this.#parts = parts;
    this.#uncertain = new UncertainAgents(clock, locations);
  }

  /**
   * Returns the snapshot of the model; `undefined` if only the record is known.
   */
  snapshot(key: ConversationKey): ConversationSnapshot | undefined {
    return this.#models.get(key)?.snapshot;
  }

  /** Conversations that are followed although the loaded list lacks them. */
  get unlisted(): readonly Conversation[] {
    if (this.asOf === undefined) return [];
    return [...this.#models]
      .filter(([key, model]) => model.isFollowing && !this.rows.has(key))
      .map(([, { snapshot }]) => snapshot.conversation);
  }

  /**
   * Returns the shared model of the conversation; each caller releases it.
   * `Followed` is loaded on demand.
   */
  follow(
    conversation: Conversation,
    Followed: typeof FollowedConversation,
  ): FollowedConversation {
    const key = keyOf(conversation);
    const model = this.#models.get(key);
    if (model instanceof Followed) return model.hold();
    const record = this.records.get(key) ?? conversation;
    return this.#add(
      key,
      new Followed(record, this, this.#parts, model?.verdict),
    ).hold();
  }

  /** Takes the waiting state that was read for an action. */
  recordRead(conversation: Conversation, waiting: Waiting): void {
    const record = this.records.get(keyOf(conversation));
    if (record) this.#model(record).recordRead(waiting);
  }

  /** Takes the approval read from the service. */
  approvalRead(conversation: Conversation, approval: Approval): void {
    const key = keyOf(conversation);
    this.edit(key, (row) => ({ ...row, approval }));
    this.#models.get(key)?.takeApproval(approval);
  }

  /** Shows the new title at once. */
  async rename(
    conversation: Conversation,
    title: string,
    signal: AbortSignal,
  ): Promise<void> {
    const all = this.#parts.work.with(signal);
    const editing = await this.#editing(all);
    await editing.rename(conversation.id, title, { signal: all });
    this.edit(keyOf(conversation), (row) => ({
      ...row,
      title: plainText(title, 500),
    }));
  }

  async mark(
    conversation: Conversation,
    change: MarkChange,
    signal: AbortSignal,
  ): Promise<void> {
    const all = this.#parts.work.with(signal);
    const key = keyOf(conversation);
    const serial = this.#marking.get(key) ?? new Serial();
    this.#marking.set(key, serial);
    await serial.run(async () => {
      const { mark } = await this.#editing(all);
      if (!mark) throw notOffered();
      await mark(conversation.id, change, { signal: all });
      const { mark: name, isWanted } = markChanges[change];
      this.edit(key, (row) => ({ ...row, [name]: isWanted }));
    });
  }

  async remove(conversation: Conversation, signal: AbortSignal): Promise<void> {
    const all = this.#parts.work.with(signal);
    const editing = await this.#editing(all);
    try {
      await editing.remove(conversation.id, { signal: all });
    } catch (error) {
      if (
        !(error instanceof ServiceError) ||
        !error.circumstances.outcomeUnknown
      )
        throw error;
      const { conversations } = await this.#parts.client.recognise({
        signal: all,
      });
      const isFailure = (failure: unknown) => failure instanceof ServiceError;
      if (
        await resultOr(
          conversations.find(conversation.id, { signal: all }),
          isFailure,
          conversation,
        )
      )
        throw error;
    }
    this.edit(keyOf(conversation), () => undefined);
  }

  release(): void {
    for (const model of this.#models.values()) model.end();
    this.reset();
  }

  protected override async examine(
    records: KeyedRows<Conversation>,
    call: CallOptions,
  ): Promise<void> {
    for (const [key, model] of this.#models) {
      const record = records.get(key);
      if (model.isHeld || (record && mayContradict(record))) continue;
      this.#models.delete(key);
    }
    if (!this.#parts.client.service?.agents) return;
    const uncertain = [...records]
      .filter(
        ([key, record]) =>
          mayContradict(record) && !this.#models.get(key)?.isFollowing,
      )
      .map(([key, record]) => ({
        model: this.#model(record),
        record,
        before: this.records.get(key),
      }));
    await this.#uncertain.read(uncertain, call);
  }

  protected override shown(
    records: KeyedRows<Conversation>,
  ): Map<ConversationKey, Conversation> {
    const hasEvents = this.#parts.client.service?.agents !== undefined;
    const rows = new Map<ConversationKey, Conversation>();
    for (const [key, model] of this.#models) model.setRecord(records.get(key));
    for (const [key, record] of records) {
      this.#parts.approvals.noteFork(record);
      // A model has noted what it trusts.
      if (!this.#models.has(key))
        this.#parts.approvals.note(key, record.approval);
      const before = this.rows.get(key);
      // The agent may have moved.
      if (before && before.status !== record.status)
        this.#parts.locations.forget(record);
      const isInDoubt = hasEvents && mayContradict(record);
      const model = isInDoubt ? this.#model(record) : this.#models.get(key);
      rows.set(
        key,
        model?.snapshot.conversation ?? withCountedCost(record, this.#parts),
      );
    }
    return rows;
  }

  async #editing(signal: AbortSignal): Promise<Editing> {
    const { editing } = await this.#parts.client.recognise({ signal });
    if (!editing) throw notOffered();
    return editing;
  }

  #model(record: Conversation): ConversationModel {
    const key = keyOf(record);
    return (
      this.#models.get(key) ??
      this.#add(key, new ConversationModel(record, this, this.#parts))
    );
  }

  #add<Model extends ConversationModel>(
    key: ConversationKey,
    model: Model,
  ): Model {
    model.setRecord(this.records.get(key));
    this.#models.set(key, model);
    return model;
  }
}
