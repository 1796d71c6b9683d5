/**
 * What the windows of the machine have seen of conversations, in a file: whichever sees something new first tells it, and
 * what happened while none was open is told by the next. It says of a conversation what it does, and nothing else: not
 * even its id.
 */
import { createHash } from 'node:crypto';
import { reason } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { Serial } from '../../base/serial.ts';
import { type Machine, thisMachine } from '../../files/machine.ts';
import { activities } from '../../state/lists/activity.ts';
import {
  type Memory,
  newsIn,
  type Notice,
  OwnMemory,
  Repeated,
  type Seen,
  type Sight,
} from '../../state/attention.ts';
import { changeShared, readShared } from '../../files/sharedFile.ts';

/** Those that nobody has seen for the longest time are forgotten. */
const mostRemembered = 2_000;

type Remembered = readonly [name: string, activity: string, execution: string, waitsFor: string, at: number];

export class SharedMemory implements Memory {
  readonly #path: string;
  readonly #log: Log;
  readonly #machine: Machine;
  /** Where the file cannot be used. */
  readonly #own: OwnMemory;
  readonly #names = new Map<string, string>();
  /** What the file said last. */
  #read: { readonly text: string; readonly byName: ReadonlyMap<string, Seen> } = {
    text: '',
    byName: new Map(),
  };
  /** As the file says. */
  readonly #repeated = new Repeated();
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

  async #add(sights: readonly Sight[]): Promise<readonly Notice[]> {
    // Also so that it goes on where the file cannot be used any more.
    const own = await this.#own.add(sights);
    const { clock } = this.#machine;
    try {
      // Mostly nothing is new.
      const { text } = await readShared(this.#path);
      const seen = this.#seenIn(text);
      const { changed, isAsBefore } = newsIn(this.#repeated.leaveOut(sights), seen, clock.now());
      this.#repeated.remember(sights, isAsBefore);
      if (changed.size === 0) return [];
      let notices: readonly Notice[] = [];
      await changeShared(
        this.#path,
        (now) => {
          const news = newsIn(sights, this.#seenIn(now.text), clock.now());
          ({ notices } = news);
          return news.changed.size === 0 ? undefined : this.#textWith(now.text, news.changed);
        },
        this.#machine,
      );
      return notices;
    } catch (error) {
      this.#log.debug(`What other windows have seen could not be read: ${reason(error)}`);
      return own;
    }
  }

  /** What the text says of a key. */
  #seenIn(text: string): (key: string) => Seen | undefined {
    // Mostly it is the same.
    if (text !== this.#read.text) {
      this.#read = { text, byName: new Map(rememberedIn(text).flatMap(seenOf)) };
      this.#repeated.forget();
    }
    const { byName } = this.#read;
    return (key) => byName.get(this.#nameOf(key));
  }

  /** Those that were seen last come last. */
  #textWith(text: string, changed: ReadonlyMap<string, Seen>): string {
    const fresh = [...changed].map(([key, { activity, execution = '', waitsFor = '', at }]): Remembered => [
      this.#nameOf(key),
      activity,
      execution,
      waitsFor,
      at,
    ]);
    const names = new Set(fresh.map(([name]) => name));
    const others = rememberedIn(text).filter(([name]) => !names.has(name));
    return JSON.stringify([...others, ...fresh].slice(-mostRemembered));
  }

  #nameOf(key: string): string {
    let name = this.#names.get(key);
    if (name === undefined) {
      name = createHash('sha256').update(key).digest('base64url').slice(0, 16);
      this.#names.set(key, name);
    }
    return name;
  }
}

function seenOf([name, word, execution, waitsFor, at]: Remembered): readonly (readonly [string, Seen])[] {
  const activity = activities.find((one) => one === word);
  const seen = { execution: execution || undefined, waitsFor: waitsFor || undefined, at };
  return activity ? [[name, { activity, ...seen }]] : [];
}

/** Nothing, if it is not ours. */
function rememberedIn(text: string): readonly Remembered[] {
  try {
    const all = JSON.parse(text) as unknown;
    return Array.isArray(all) ? all.filter(isRemembered) : [];
  } catch {
    return [];
  }
}

function isRemembered(one: unknown): one is Remembered {
  return (
    Array.isArray(one) &&
    one.length === 5 &&
    one.slice(0, 4).every((part) => typeof part === 'string') &&
    typeof one[4] === 'number'
  );
}
