/**
 * Limits what agents spend, in each conversation and in a day. The own limit of
 * a conversation is at its service if that has tags, else in a file that all
 * windows on this machine share.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
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

type Ledger = Pick<SpendingLedger, 'today' | 'counted'>;

/** Share of a limit from which on one is told. */
const nearShare = 0.8;
const maxKept = 5_000;

interface Kept {
  /** Limits of conversations at services without tags, by hashed key. */
  readonly own: Readonly<Record<string, number>>;
  /** The limits for which it was told that they are near, by hashed key. */
  readonly told: Readonly<Record<string, number>>;
  /** The raised limit of a day. */
  readonly raised: { readonly day: string; readonly limit: number } | undefined;
}

const nothing: Kept = { own: {}, told: {}, raised: undefined };

export class Limits {
  readonly #clock: Clock;
  readonly #settings: () => LimitSettings;
  readonly #ledgerOf: (conversation: Conversation) => Ledger;
  readonly #path: string | undefined;
  #text = '';
  #kept = nothing;
  readonly #changed = new Emitter();
  /** Fires when limits kept on this machine change. */
  readonly onChange = this.#changed.on;

  /** `path`: limits last only for this window without one. */
  constructor(
    clock: Clock,
    settings: () => LimitSettings,
    ledgerOf: (conversation: Conversation) => Ledger,
    path?: string,
  ) {
    this.#clock = clock;
    this.#settings = settings;
    this.#ledgerOf = ledgerOf;
    this.#path = path;
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
    return conversation.limit ?? this.#kept.own[nameOf(keyOf(conversation))];
  }

  day(conversation: Conversation): Spent | undefined {
    const { raised } = this.#kept;
    const { day } = this.#settings();
    if (day === undefined) return undefined;
    const isRaised = raised?.day === dayOf(this.#clock.now());
    return {
      of: 'day',
      spent: this.#ledgerOf(conversation).today,
      limit: isRaised ? Math.max(day, raised.limit) : day,
    };
  }

  /** The limit that this conversation has reached, if any. */
  reached(conversation: Conversation): Spent | undefined {
    return this.#all(conversation).find((one) => shareOf(one) >= 1);
  }

  /** The limit of which 80 % are spent. */
  near(conversation: Conversation): Spent | undefined {
    return this.#all(conversation).find((one) => shareOf(one) >= nearShare);
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
    const name = nameOf(keyOf(conversation));
    await this.#change((kept) => ({
      ...kept,
      own: withEntry(kept.own, name, limit),
    }));
  }

  /** Raises the limit of this day only. */
  async raiseDay(limit: number): Promise<void> {
    const day = dayOf(this.#clock.now());
    await this.#change((kept) => ({ ...kept, raised: { day, limit } }));
  }

  /**
   * Resolves with true once for each limit, in one window only: the person is
   * to be told that it is near.
   */
  async claimTelling(
    conversation: Conversation,
    { of, limit }: Spent,
  ): Promise<boolean> {
    const key = of === 'day' ? dayOf(this.#clock.now()) : keyOf(conversation);
    const name = nameOf(key);
    let isFirst = false;
    await this.#change((kept) => {
      isFirst = kept.told[name] !== limit;
      return isFirst
        ? { ...kept, told: withEntry(kept.told, name, limit) }
        : kept;
    });
    return isFirst;
  }

  /** Reads what other windows have kept. Keeps the last if that fails. */
  async read(): Promise<void> {
    if (this.#path === undefined) return;
    const { readShared } = await import('../../files/sharedFile.ts');
    const text = await readShared(this.#path).then(
      (file) => file.text,
      () => this.#text,
    );
    this.#take(text);
  }

  #all(conversation: Conversation): readonly Spent[] {
    return [this.of(conversation), this.day(conversation)].filter(
      (one) => one !== undefined,
    );
  }

  async #change(change: (kept: Kept) => Kept): Promise<void> {
    if (this.#path === undefined) {
      this.#kept = change(this.#kept);
      this.#changed.fire();
      return;
    }
    let after = '';
    try {
      const { changeShared } = await import('../../files/sharedFile.ts');
      await changeShared(this.#path, ({ text }) => {
        const before = keptIn(text);
        const now = change(before);
        after = now === before ? text : JSON.stringify(now);
        return now === before ? undefined : after;
      });
    } catch (error) {
      throw new UserError(t('Could not save the limit on this machine.'), {
        cause: error,
      });
    }
    this.#take(after);
  }

  #take(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#kept = keptIn(text);
    this.#changed.fire();
  }
}

function shareOf({ spent, limit }: Spent): number {
  if (spent === undefined) return 0;
  return limit > 0 ? spent / limit : Infinity;
}

/** The newest entry comes last. */
function withEntry(
  entries: Readonly<Record<string, number>>,
  name: string,
  value: number | undefined,
): Readonly<Record<string, number>> {
  const others = Object.entries(entries).filter(([other]) => other !== name);
  const all = others.slice(1 - maxKept);
  return Object.fromEntries(
    value === undefined ? all : [...all, [name, value]],
  );
}

function nameOf(key: string): string {
  // No name is a number, which would come first in an object.
  return `k${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`;
}

/** Returns nothing for a file of another format. */
function keptIn(text: string): Kept {
  try {
    const { own, told, raised } = JSON.parse(text) as Partial<
      Record<keyof Kept, unknown>
    >;
    const { day, limit } = (raised ?? {}) as Record<string, unknown>;
    return {
      own: numbersIn(own),
      told: numbersIn(told),
      raised:
        typeof day === 'string' && typeof limit === 'number'
          ? { day, limit }
          : undefined,
    };
  } catch {
    return nothing;
  }
}

function numbersIn(value: unknown): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    ),
  );
}
