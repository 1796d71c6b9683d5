/**
 * Limits what agents spend, in each conversation and in a day. The own limit of
 * a conversation is at its service if that has tags, else in a file that all
 * windows on this machine share.
 */
import type { Clock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import {
  entriesOf,
  hiddenName,
  SharedValue,
  withEntry,
} from '../../files/sharedValue.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import { dayOf } from '../lists/conversationRows.ts';
import { knownCost, type SpendingLedger } from './spending.ts';

/** Limits in dollars. */
export interface LimitSettings {
  readonly conversation: number | undefined;
  readonly day: number | undefined;
}

/** Dollars that are spent of a limit. */
export interface Spent {
  readonly of: 'conversation' | 'day';
  /** `undefined` if the service or the model tells no cost. */
  readonly spent: number | undefined;
  readonly limit: number;
}

type OfService = Pick<Conversation, 'service'>;
type Ledger = Pick<SpendingLedger, 'today' | 'counted' | 'read' | 'isShared'>;

/** Share of a limit from which on one is told. */
const nearShare = 0.8;
const maxSaved = 5_000;
const maxRaised = 10;

interface SavedLimits {
  /** Limits of conversations at services without tags, by hashed key. */
  readonly own: ReadonlyMap<string, number>;
  /** The limits of which it was said that they are near, by hashed key. */
  readonly notices: ReadonlyMap<string, number>;
  /** Raised limits of days. */
  readonly raised: ReadonlyMap<string, number>;
}

export class Limits {
  readonly #clock: Clock;
  readonly #settings: () => LimitSettings;
  readonly #ledgerOf: (conversation: OfService) => Ledger;
  readonly #saved: SharedValue<SavedLimits>;
  /** Fires when limits saved on this machine change. */
  readonly onChange: SharedValue<SavedLimits>['onChange'];

  /** `path`: limits last only for this window without one. */
  constructor(
    clock: Clock,
    settings: () => LimitSettings,
    ledgerOf: (conversation: OfService) => Ledger,
    path?: string,
  ) {
    this.#clock = clock;
    this.#settings = settings;
    this.#ledgerOf = ledgerOf;
    this.#saved = new SharedValue(path, savedLimits);
    this.onChange = this.#saved.onChange;
  }

  /** The limit of this conversation: its own, or else that of all. */
  of(conversation: Conversation): Spent | undefined {
    const limit = this.own(conversation) ?? this.#settings().conversation;
    if (limit === undefined) return undefined;
    // A record may be older than the events.
    const counted = this.#ledgerOf(conversation).counted(conversation);
    const known = knownCost(conversation);
    const spent = counted > 0 ? Math.max(counted, known ?? 0) : known;
    return { of: 'conversation', spent, limit };
  }

  own(conversation: Conversation): number | undefined {
    const { own } = this.#saved.value;
    return conversation.limit ?? own.get(hiddenName(keyOf(conversation)));
  }

  day(conversation: OfService): Spent | undefined {
    const { raised } = this.#saved.value;
    const { day } = this.#settings();
    if (day === undefined) return undefined;
    return {
      of: 'day',
      spent: this.#ledgerOf(conversation).today,
      limit: raised.get(this.#dayName(conversation)) ?? day,
    };
  }

  /** The limits that this conversation has reached. */
  reached(conversation: Conversation): readonly Spent[] {
    return this.#all(conversation).filter((one) => shareOf(one) >= 1);
  }

  /** The limits of which 80 % are spent. */
  near(conversation: Conversation): readonly Spent[] {
    return this.#all(conversation).filter((one) => shareOf(one) >= nearShare);
  }

  /** True if there is a limit, even if the cost is not known. */
  isArmed(conversation: Conversation): boolean {
    return this.#all(conversation).length > 0;
  }

  /** Keeps the limit of a conversation whose service cannot. */
  async keepOwn(
    conversation: Conversation,
    limit: number | undefined,
  ): Promise<void> {
    const name = hiddenName(keyOf(conversation));
    await this.#change((saved) => ({
      ...saved,
      own: withEntry(saved.own, name, limit, maxSaved),
    }));
  }

  /** Raises the limit of this day only, until the setting is changed. */
  async raiseDay(conversation: OfService, limit: number): Promise<void> {
    const name = this.#dayName(conversation);
    await this.#change((saved) => ({
      ...saved,
      raised: withEntry(saved.raised, name, limit, maxRaised),
    }));
  }

  /**
   * Resolves with true once for each limit, in one window only: the person is
   * to be told that it is near.
   */
  async claimTelling(
    conversation: Conversation,
    { of, limit }: Spent,
  ): Promise<boolean> {
    const name =
      of === 'day'
        ? this.#dayName(conversation)
        : hiddenName(keyOf(conversation));
    // Spares the lock at each event of an agent near its limit.
    if (this.#saved.value.notices.get(name) === limit) return false;
    let isFirst = false;
    await this.#change((saved) => {
      isFirst = saved.notices.get(name) !== limit;
      const notices = withEntry(saved.notices, name, limit, maxSaved);
      return isFirst ? { ...saved, notices } : saved;
    });
    return isFirst;
  }

  /** Reads what other windows have saved. */
  read(): Promise<void> {
    return this.#saved.read();
  }

  /** Reads what other windows have saved and counted for a conversation. */
  async readAll(conversation: Conversation): Promise<void> {
    await this.read();
    if (this.isArmed(conversation)) await this.#ledgerOf(conversation).read();
  }

  /**
   * Reads what other windows have saved and counted. Resolves with the limit of
   * the day if it is reached.
   */
  async reachedToday(service: string): Promise<Spent | undefined> {
    await this.read();
    if (!this.day({ service })) return undefined;
    await this.#ledgerOf({ service }).read();
    const day = this.day({ service });
    return day && shareOf(day) >= 1 ? day : undefined;
  }

  /** Names what was decided today, for this setting and not for the demo. */
  #dayName(conversation: OfService): string {
    const { isShared } = this.#ledgerOf(conversation);
    const { day } = this.#settings();
    return [dayOf(this.#clock.now()), day, isShared].join(' ');
  }

  #all(conversation: Conversation): readonly Spent[] {
    return [this.of(conversation), this.day(conversation)].filter(
      (one) => one !== undefined,
    );
  }

  async #change(change: (saved: SavedLimits) => SavedLimits): Promise<void> {
    try {
      await this.#saved.change(change);
    } catch (error) {
      throw new UserError(t('Could not save the limit on this machine.'), {
        cause: error,
      });
    }
  }
}

function shareOf({ spent, limit }: Spent): number {
  if (spent === undefined) return 0;
  return limit > 0 ? spent / limit : Infinity;
}

function savedLimits(stored: unknown): SavedLimits {
  const { own, notices, raised } = (stored ?? {}) as Partial<
    Record<keyof SavedLimits, unknown>
  >;
  return {
    own: entriesOf(own, isNumber),
    notices: entriesOf(notices, isNumber),
    raised: entriesOf(raised, isNumber),
  };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
