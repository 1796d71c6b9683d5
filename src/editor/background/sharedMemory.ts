/**
 * A file with the last seen states of conversations, shared by the windows on
 * this machine: the first window that sees something new shows it, also what
 * happened while no window was open. It holds states only, and not even the id
 * of a conversation.
 */
import type { ConversationKey } from '../../service/model/entities.ts';
import { reason } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { Serial } from '../../base/serial.ts';
import { type Machine, thisMachine } from '../../files/machine.ts';
import { activities } from '../../state/lists/activity.ts';
import {
  marked,
  type Memory,
  newsIn,
  type Notice,
  OwnMemory,
  type RememberedSight,
  type Sight,
} from '../../state/attention.ts';
import { changeShared, readShared } from '../../files/sharedFile.ts';
import { hiddenName } from '../../files/sharedValue.ts';

/**
 * The conversations seen least recently are forgotten beyond this number,
 * except unread ones.
 */
const maxRemembered = 2_000;
/**
 * Unread conversations are forgotten beyond this number: many are of runs that
 * are never opened.
 */
const maxUnread = 4_000;

type Remembered = readonly [name: string, sight: RememberedSight];

export class SharedMemory implements Memory {
  readonly #path: string;
  readonly #log: Log;
  readonly #machine: Machine;
  /** Takes over while the file cannot be used. */
  readonly #own: OwnMemory;
  #read: {
    readonly text: string;
    readonly byName: ReadonlyMap<string, RememberedSight>;
  } = {
    text: '',
    byName: new Map(),
  };
  /** True while the file cannot be used. */
  #isOnItsOwn = false;
  readonly #queue = new Serial();

  constructor(path: string, log: Log, machine: Machine = thisMachine) {
    this.#path = path;
    this.#log = log;
    this.#machine = machine;
    this.#own = new OwnMemory(machine.clock);
  }

  add(sights: readonly Sight[]): Promise<readonly Notice[]> {
    return this.#queue.run(() => this.#add(sights));
  }

  mark(keys: readonly ConversationKey[], isUnread: boolean): Promise<void> {
    return this.#queue.run(async () => {
      await this.#own.mark(keys, isUnread);
      await this.#change((before) => marked(keys, isUnread, before)).catch(
        this.#goOn,
      );
    });
  }

  isUnread(key: ConversationKey): boolean {
    if (this.#isOnItsOwn) return this.#own.isUnread(key);
    return this.#read.byName.get(hiddenName(key))?.isUnread === true;
  }

  async #add(sights: readonly Sight[]): Promise<readonly Notice[]> {
    // Kept up to date for the moment when the file cannot be used.
    const own = await this.#own.add(sights);
    const { clock } = this.#machine;
    try {
      // Reading first avoids the lock, because nothing is new most of the time.
      const { text } = await readShared(this.#path);
      this.#isOnItsOwn = false;
      const { changed } = newsIn(sights, this.#seenIn(text), clock.now());
      if (changed.size === 0) return [];
      let notices: readonly Notice[] = [];
      await this.#change((before) => {
        const news = newsIn(sights, before, clock.now());
        ({ notices } = news);
        return news.changed;
      });
      return notices;
    } catch (error) {
      this.#goOn(error);
      return own;
    }
  }

  async #change(
    change: (
      before: (key: ConversationKey) => RememberedSight | undefined,
    ) => ReadonlyMap<ConversationKey, RememberedSight>,
  ) {
    let after = '';
    await changeShared(
      this.#path,
      (now) => {
        const changed = change(this.#seenIn(now.text));
        after =
          changed.size === 0 ? now.text : this.#textWith(now.text, changed);
        return after === now.text ? undefined : after;
      },
      this.#machine,
    );
    this.#seenIn(after);
  }

  readonly #goOn = (error: unknown): void => {
    this.#isOnItsOwn = true;
    this.#log.debug(
      `The file of seen conversations could not be used: ${reason(error)}`,
    );
  };

  /** Looks up a key in the text of the file. */
  #seenIn(text: string): (key: ConversationKey) => RememberedSight | undefined {
    if (text !== this.#read.text)
      this.#read = { text, byName: new Map(rememberedIn(text)) };
    const { byName } = this.#read;
    return (key) => byName.get(hiddenName(key));
  }

  /** Puts the changed entries last. */
  #textWith(
    text: string,
    changed: ReadonlyMap<ConversationKey, RememberedSight>,
  ): string {
    const fresh = [...changed].map(([key, sight]): Remembered => [
      hiddenName(key),
      sight,
    ]);
    const names = new Set(fresh.map(([name]) => name));
    const all = [
      ...rememberedIn(text).filter(([name]) => !names.has(name)),
      ...fresh,
    ];
    const kept = all.filter(
      ([, { isUnread }], index) =>
        index >= all.length - (isUnread ? maxUnread : maxRemembered),
    );
    return JSON.stringify(kept);
  }
}

/** Returns no entries for a file that we did not write. */
function rememberedIn(text: string): readonly Remembered[] {
  try {
    const all = JSON.parse(text) as unknown;
    return Array.isArray(all) ? all.filter(isRemembered) : [];
  } catch {
    return [];
  }
}

function isRemembered(one: unknown): one is Remembered {
  const [name, sight] = Array.isArray(one) ? (one as unknown[]) : [];
  const { activity, at } = (sight ?? {}) as Partial<RememberedSight>;
  return (
    typeof name === 'string' &&
    typeof at === 'number' &&
    activities.some((value) => value === activity)
  );
}
