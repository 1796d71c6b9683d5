import {
  Disposable,
  FileSystemError,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { reason } from '../../base/errors.ts';
import { plural, t } from '../../base/l10n.ts';
import { isEqual } from '../../base/same.ts';
import {
  type ConversationKey,
  type Conversation,
  keyOf,
} from '../../service/model/entities.ts';
import type {
  ChangesSince,
  FileSide,
} from '../../service/abilities/fileChanges.ts';
import { activityOf } from '../../state/lists/activity.ts';
import type { ChangedAgain } from '../../state/changes/changedFiles.ts';
import {
  type ChangesScope,
  isReviewScope,
  sinceOf,
} from '../../state/changes/changesScope.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { readChangesUri } from './changesUri.ts';
import {
  type ChangesAddress,
  documentBytes,
  effectOf,
  type OpenDocument,
} from './diffDocument.ts';
import { offerAction, showInformation } from '../ui/messages.ts';
import { runOwnCommand } from '../ui/runOwnCommand.ts';
import { contextKeys } from '../manifest.ts';
import { setContext } from '../ui/rememberedContext.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';

/** Pause between two checks for changes of an agent that works. */
const refreshPauseMs = 5_000;

/** A file that was renewed more recently does not count as read. */
const minReadingMs = 1_000;

interface FilesDiff {
  readonly conversation: Conversation;
  readonly scope: ChangesScope;
}

interface ReadDocument {
  readonly bytes: Uint8Array;
  readonly at: number;
  /** True if other contents were shown before. */
  readonly isRenewed: boolean;
}

export class ChangeDocuments implements Disposable {
  readonly #switchboard: Switchboard;
  readonly #whenReady: () => Promise<unknown>;
  readonly #different = new Emitter<readonly Uri[]>();
  /** Calls listeners with the URIs to read again. */
  readonly onDifferent = this.#different.on;
  readonly #closed = new AbortController();
  readonly #read = new Map<string, ReadDocument>();
  /** The diffs of several files, by the label of their tab. */
  readonly #diffs = new Map<string, FilesDiff>();
  /** The URIs of documents that show a failure instead. */
  readonly #failed = new Set<string>();
  readonly #offered = new Set<string>();
  /**
   * The changes that are being refreshed for open documents rather than for a
   * click.
   */
  #refreshing:
    { readonly key: ConversationKey; readonly since: ChangesSince } | undefined;
  readonly #subscriptions: Disposable;
  #cancel: (() => void) | undefined;

  /** `whenReady` resolves when the configured services are connected. */
  constructor(switchboard: Switchboard, whenReady: () => Promise<unknown>) {
    this.#switchboard = switchboard;
    this.#whenReady = whenReady;
    const { changes, conversations } = switchboard;
    this.#subscriptions = Disposable.from(
      window.tabGroups.onDidChangeTabs(this.#showPart),
      window.tabGroups.onDidChangeTabGroups(this.#showPart),
      workspace.onDidCloseTextDocument(({ uri }) =>
        this.#read.delete(uri.toString()),
      ),
      changes.onChange(this.#handleReload),
      // The rows include those of an agent that has just finished.
      conversations.onChange(({ rows }) => {
        const seen = this.#open.filter(({ address }) => rows.has(address.key));
        if (seen.length > 0)
          void this.#refresh(seen.map(({ address }) => address));
      }),
    );
    this.#wait();
  }

  dispose(): void {
    this.#closed.abort();
    this.#cancel?.();
    this.#subscriptions.dispose();
  }

  /**
   * Rejects with a FileSystemError. `at` grows whenever the contents change.
   */
  async read(uri: Uri): Promise<ReadDocument> {
    const address = readChangesUri(uri);
    if (!address) throw FileSystemError.FileNotFound(uri);
    const id = uri.toString();
    const bytes = await this.#bytes(address, id);
    const before = this.#read.get(id);
    if (before && Buffer.from(before.bytes).equals(bytes)) return before;
    const read = {
      bytes,
      at: Math.max(systemClock.now(), (before?.at ?? 0) + 1),
      isRenewed: before !== undefined,
    };
    this.#read.set(id, read);
    return read;
  }

  /** The active diff of several files. Old editors do not report its files. */
  get diffOnScreen(): FilesDiff | undefined {
    const label = window.tabGroups.activeTabGroup.activeTab?.label ?? '';
    // The editor appends the number of files.
    return [...this.#diffs].find(
      ([diff]) => label === diff || label.startsWith(`${diff} (`),
    )?.[1];
  }

  noteDiff(label: string, diff: FilesDiff): void {
    this.#diffs.set(label, diff);
    this.#showPart();
  }

  readonly #showPart = (): void => {
    const scope = this.diffOnScreen?.scope;
    const isPart = scope !== undefined && isReviewScope(scope);
    setContext(contextKeys.partShown, isPart);
  };

  /**
   * True if the user could read all of this side of a file: it is on screen,
   * and was not renewed just now.
   */
  isShown(uri: Uri, side: FileSide): boolean {
    const read = this.#read.get(uri.toString());
    const address = readChangesUri(uri);
    if (
      !read ||
      !address ||
      (read.isRenewed && systemClock.now() - read.at < minReadingMs)
    )
      return false;
    return Buffer.from(read.bytes).equals(documentBytes(side, address.inWords));
  }

  async #bytes(address: ChangesAddress, id: string): Promise<Uint8Array> {
    try {
      const bytes = await this.#contents(address);
      this.#failed.delete(id);
      return bytes;
    } catch (error) {
      if (!address.inWords) throw FileSystemError.Unavailable(reason(error));
      // A failing document must not keep the others from being shown.
      this.#failed.add(id);
      return Buffer.from(reason(error));
    }
  }

  async #contents({
    key,
    since,
    side,
    path,
    inWords,
  }: ChangesAddress): Promise<Uint8Array> {
    const conversation = await this.#conversation(key);
    const { signal } = this.#closed;
    const progress = await this.#switchboard.progress();
    const sides = await progress.readSides(conversation, since, path, {
      signal,
    });
    if (!sides)
      return Buffer.from(
        inWords ? t('This file is no longer among the changed ones.') : '',
      );
    return documentBytes(sides[side], inWords);
  }

  /**
   * Asks the service for a conversation that is not listed yet, as after a
   * restart.
   */
  async #conversation(key: ConversationKey): Promise<Conversation> {
    const switchboard = this.#switchboard;
    await this.#whenReady();
    const conversation =
      switchboard.conversation(key) ??
      (await switchboard.find(key, this.#closed.signal));
    if (conversation) return conversation;
    throw new Error(t('The service no longer has this conversation.'));
  }

  get #open(): readonly (OpenDocument & { readonly uri: Uri })[] {
    return workspace.textDocuments.flatMap(({ uri, isClosed }) => {
      const address = isClosed ? undefined : readChangesUri(uri);
      return address
        ? [{ uri, address, hasFailed: this.#failed.has(uri.toString()) }]
        : [];
    });
  }

  readonly #handleReload = (change: ChangedAgain): void => {
    const { key, since, more } = change;
    const { stale, hasMoreFiles } = effectOf(change, this.#open);
    if (stale.length > 0) this.#different.fire(stale.map(({ uri }) => uri));
    const conversation = this.#switchboard.conversation(key);
    const isOurs = isEqual(this.#refreshing, { key, since });
    if (isOurs && hasMoreFiles && conversation)
      void this.#offerMore(conversation, more.length, since === 'start');
  };

  async #offerMore(
    conversation: Conversation,
    count: number,
    isSinceStart: boolean,
  ) {
    const key = keyOf(conversation);
    if (this.#offered.has(key)) return;
    this.#offered.add(key);
    const message = plural(
      count,
      '1 more file changed in “{1}”.',
      '{0} more files changed in “{1}”.',
      titleOf(conversation),
    );
    await offerAction(showInformation, message, t('Show'), () =>
      runOwnCommand(
        isSinceStart
          ? 'switchboard.conversations.showChanges'
          : 'switchboard.conversations.showChangesSince',
        key,
      ),
    ).finally(() => this.#offered.delete(key));
  }

  #wait() {
    this.#cancel = systemClock.after(refreshPauseMs, () => {
      const addresses = this.#open.map(({ address }) => address);
      const working = addresses.filter(({ key }) => {
        const conversation = this.#switchboard.conversation(key);
        return (
          conversation !== undefined && activityOf(conversation) === 'working'
        );
      });
      void this.#refresh(working).finally(() => {
        if (!this.#closed.signal.aborted) this.#wait();
      });
    });
  }

  /** Ignores failures: the documents and the list show them. */
  async #refresh(addresses: readonly ChangesAddress[]) {
    const { signal } = this.#closed;
    const requests = addresses.map(({ key, since }) => ({
      key,
      since: sinceOf(since),
    }));
    for (const { key, since } of new Map(
      requests.map((request) => [JSON.stringify(request), request]),
    ).values()) {
      const conversation = this.#switchboard.conversation(key);
      // A commit does not change.
      if (!conversation || typeof since === 'object') continue;
      const refreshing = (this.#refreshing = { key, since });
      await this.#switchboard.changes
        .load(conversation, since, { signal, priority: 'poll' })
        .catch(() => undefined);
      if (this.#refreshing === refreshing) this.#refreshing = undefined;
    }
  }
}
