/** Reads what the documents of changed files show, and keeps those that are open as they are at the service. */
import { createHash } from 'node:crypto';
import { Disposable, FileSystemError, type Uri, workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { reason } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';
import type { FileSide } from '../../service/fileChanges.ts';
import { activityOf } from '../../state/lists/activity.ts';
import type { ChangedAgain } from '../../state/changes/changedFiles.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { binaryInWords, largeInWords, sideInWords } from '../words/conversations/changeWords.ts';
import { type ChangesAddress, readUri } from './changesAddress.ts';
import type { ChangesReader } from './fileSystem.ts';

interface DocumentsOptions {
  readonly switchboard: Switchboard;
  /** When the services of the settings are connected. */
  readonly whenReady: () => Promise<unknown>;
  /** More files than are shown have changed. */
  readonly onMore: (conversation: Conversation, again: ChangedAgain) => void;
}

/** In milliseconds. How often it is looked for changes of an agent that works. */
const pause = 5_000;

/** In bytes. A larger text is not shown among others. */
const largestAmongOthers = 1_000_000;

export class ChangeDocuments implements ChangesReader, Disposable {
  readonly #options: DocumentsOptions;
  readonly #different = new Emitter<readonly Uri[]>();
  readonly #closed = new AbortController();
  /** By address: what was read last. */
  readonly #read = new Map<string, { readonly bytes: Uint8Array; readonly at: number }>();
  /** Those in which the failure is told instead. */
  readonly #failed = new Set<string>();
  /** What is read again for the documents, and not because the person wants to see it. */
  #looksAt: { readonly key: string; readonly since: ChangesAddress['since'] } | undefined;
  readonly #subscriptions: Disposable;
  #cancel: (() => void) | undefined;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    const { changes, conversations } = options.switchboard;
    this.#subscriptions = Disposable.from(
      workspace.onDidCloseTextDocument(({ uri }) => this.#read.delete(uri.toString())),
      changes.onChange((again) => {
        this.#tell(again);
      }),
      // Also when it has just ended its work.
      conversations.onChange(({ rows }) => {
        const seen = this.#open.filter(({ address }) => rows.has(address.key));
        if (seen.length > 0) void this.#refresh(seen.map(({ address }) => address));
      }),
    );
    this.#wait();
  }

  get onDifferent(): Emitter<readonly Uri[]>['on'] {
    return this.#different.on;
  }

  dispose(): void {
    this.#closed.abort();
    this.#cancel?.();
    this.#subscriptions.dispose();
  }

  async read(uri: Uri): Promise<{ readonly bytes: Uint8Array; readonly at: number }> {
    const address = readUri(uri);
    if (!address) throw FileSystemError.FileNotFound(uri);
    const id = uri.toString();
    const bytes = await this.#bytes(address, id);
    const before = this.#read.get(id);
    if (before && Buffer.from(before.bytes).equals(bytes)) return before;
    const read = { bytes, at: Math.max(systemClock.now(), (before?.at ?? 0) + 1) };
    this.#read.set(id, read);
    return read;
  }

  async #bytes(address: ChangesAddress, id: string): Promise<Uint8Array> {
    try {
      const bytes = await this.#contents(address);
      this.#failed.delete(id);
      return bytes;
    } catch (error) {
      if (!address.inWords) throw FileSystemError.Unavailable(reason(error));
      // One that fails does not keep the others from being shown.
      this.#failed.add(id);
      return Buffer.from(reason(error));
    }
  }

  async #contents({ key, since, side, path, inWords }: ChangesAddress): Promise<Uint8Array> {
    const { switchboard } = this.#options;
    const conversation = await this.#conversation(key);
    const sides = await switchboard.changes.sides(conversation, since, path, {
      signal: this.#closed.signal,
    });
    if (!sides) return Buffer.from(inWords ? t('This file is no longer among the changed ones.') : '');
    return inWords ? shown(sides[side]) : raw(sides[side]);
  }

  /** Also one that is not in the list yet, after a restart. */
  async #conversation(key: string): Promise<Conversation> {
    const { switchboard, whenReady } = this.#options;
    await whenReady();
    const known = switchboard.conversation(key);
    if (known) return known;
    const space = key.lastIndexOf(' ');
    const service = switchboard.service(key.slice(0, space));
    if (!service) throw new Error(t('The service of this conversation is no longer connected.'));
    const { signal } = this.#closed;
    const { conversations } = await service.client.recognise({ signal });
    const found = await conversations.find(key.slice(space + 1), { signal });
    if (found) return found;
    throw new Error(t('The conversation is no longer at the service.'));
  }

  get #open(): readonly { readonly uri: Uri; readonly address: ChangesAddress }[] {
    return workspace.textDocuments.flatMap(({ uri, isClosed }) => {
      const address = isClosed ? undefined : readUri(uri);
      return address ? [{ uri, address }] : [];
    });
  }

  #tell(again: ChangedAgain): void {
    const { key, since, different, more } = again;
    const open = this.#open.filter(({ address }) => address.key === key && same(address.since, since));
    const stale = open.filter(
      ({ uri, address }) => different.has(address.path) || this.#failed.has(uri.toString()),
    );
    if (stale.length > 0) this.#different.fire(stale.map(({ uri }) => uri));
    const conversation = this.#options.switchboard.conversation(key);
    const isOurs = this.#looksAt?.key === key && same(this.#looksAt.since, since);
    const isNew = ({ path }: { path: string }) => !open.some(({ address }) => address.path === path);
    if (isOurs && open.length > 0 && conversation && more.some(isNew))
      this.#options.onMore(conversation, again);
  }

  #wait(): void {
    this.#cancel = systemClock.after(pause, () => {
      const { switchboard } = this.#options;
      const works = ({ address }: { address: ChangesAddress }) => {
        const conversation = switchboard.conversation(address.key);
        return conversation !== undefined && activityOf(conversation) === 'working';
      };
      void this.#refresh(this.#open.filter(works).map(({ address }) => address)).finally(() => {
        if (!this.#closed.signal.aborted) this.#wait();
      });
    });
  }

  /** Failures are told by the documents themselves, and by the list. */
  async #refresh(addresses: readonly ChangesAddress[]): Promise<void> {
    const { switchboard } = this.#options;
    const { signal } = this.#closed;
    const asked = new Map(
      addresses.map(({ key, since }) => [`${JSON.stringify(since)} ${key}`, { key, since }]),
    );
    for (const { key, since } of asked.values()) {
      const conversation = switchboard.conversation(key);
      // What a commit has changed stays as it is.
      if (!conversation || typeof since === 'object') continue;
      const looksAt = (this.#looksAt = { key, since });
      await switchboard.changes
        .load(conversation, since, { signal, priority: 'poll' })
        .catch(() => undefined);
      if (this.#looksAt === looksAt) this.#looksAt = undefined;
    }
  }
}

function raw(side: FileSide): Uint8Array {
  return side.kind === 'bytes' ? side.bytes : Buffer.from(sideInWords(side));
}

/** As text, whatever it is. */
function shown(side: FileSide): Uint8Array {
  if (side.kind !== 'bytes') return raw(side);
  const { bytes } = side;
  const hash = () => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  // As the editor tells what is text.
  if (bytes.subarray(0, 8_000).includes(0)) return Buffer.from(binaryInWords(bytes.byteLength, hash()));
  if (bytes.byteLength > largestAmongOthers) return Buffer.from(largeInWords(bytes.byteLength, hash()));
  return bytes;
}

function same(one: ChangesAddress['since'], other: ChangesAddress['since']): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
