/**
 * A file with the last seen states of conversations, shared by the windows on this machine: the first window that sees
 * something new shows it, also what happened while no window was open. It holds states only, and not even the id of a
 * conversation.
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
  type RememberedSight,
  type Sight,
} from '../../state/attention.ts';
import { changeShared, readShared } from '../../files/sharedFile.ts';

/** Beyond this number, the conversations that were seen least recently are forgotten. */
const maxRemembered = 2_000;

type Remembered = readonly [name: string, activity: string, execution: string, waitsFor: string, at: number];

export class SharedMemory implements Memory {
  readonly #path: string;
  readonly #log: Log;
  readonly #machine: Machine;
  /** Takes over while the file cannot be used. */
  readonly #own: OwnMemory;
  readonly #names = new Map<string, string>();
  /** The last contents of the file. */
  #read: { readonly text: string; readonly byName: ReadonlyMap<string, RememberedSight> } = {
    text: '',
    byName: new Map(),
  };
  /** Observations that the file already has. */
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
    // Kept up to date for the moment when the file cannot be used.
    const own = await this.#own.add(sights);
    const { clock } = this.#machine;
    try {
      // Usually nothing is new.
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
      this.#log.debug(`The file of seen conversations could not be used: ${reason(error)}`);
      return own;
    }
  }

  /** Looks up a key in the text of the file. */
  #seenIn(text: string): (key: string) => RememberedSight | undefined {
    // Usually the text is the same.
    if (text !== this.#read.text) {
      this.#read = { text, byName: new Map(rememberedIn(text).flatMap(seenOf)) };
      this.#repeated.forget();
    }
    const { byName } = this.#read;
    return (key) => byName.get(this.#nameOf(key));
  }

  /** Puts the changed entries last. */
  #textWith(text: string, changed: ReadonlyMap<string, RememberedSight>): string {
    const fresh = [...changed].map(([key, { activity, execution = '', waitsFor = '', at }]): Remembered => [
      this.#nameOf(key),
      activity,
      execution,
      waitsFor,
      at,
    ]);
    const names = new Set(fresh.map(([name]) => name));
    const others = rememberedIn(text).filter(([name]) => !names.has(name));
    return JSON.stringify([...others, ...fresh].slice(-maxRemembered));
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

function seenOf([name, word, execution, waitsFor, at]: Remembered): readonly (readonly [
  string,
  RememberedSight,
])[] {
  const activity = activities.find((one) => one === word);
  const seen = { execution: execution || undefined, waitsFor: waitsFor || undefined, at };
  return activity ? [[name, { activity, ...seen }]] : [];
}

/** Empty for a file that we did not write. */
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
