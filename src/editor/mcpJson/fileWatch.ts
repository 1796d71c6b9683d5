/**
 * Watches a file: through links, when its folder comes or goes, and when it is
 * replaced. Polls only on network drives, where watchers miss changes, and only
 * while a view shows the file.
 */
import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { Disposable, RelativePattern, Uri, workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { Serial } from '../../base/serial.ts';
import { watchConfig } from '../../files/watch.ts';
import { needsPolling } from './networkFolder.ts';

/**
 * Delays after the creation of a watcher, which works by the first; on a busy
 * machine, by the last.
 */
const checkDelaysMs = [1_000, 5_000, 20_000];
const maxLinks = 10;

export class FileWatch implements Disposable {
  readonly path: string;
  readonly #changed: () => void;
  #watchers = new Map<string, Disposable>();
  readonly #serial = new Serial();
  /** The queued update that has not started. */
  #next: Promise<void> | undefined;
  #isSeen = false;
  #isOver = false;
  #stopPolling: (() => void) | undefined;
  #cancelChecks: readonly (() => void)[] = [];

  constructor(path: string, changed: () => void) {
    this.path = path;
    this.#changed = changed;
    this.#update();
  }

  /** Polling is limited to the time when a view shows the file. */
  set isSeen(isSeen: boolean) {
    if (isSeen === this.#isSeen) return;
    this.#isSeen = isSeen;
    this.#update();
  }

  dispose(): void {
    this.#isOver = true;
    this.#stopPolling?.();
    for (const cancel of this.#cancelChecks) cancel();
    for (const watcher of this.#watchers.values()) watcher.dispose();
  }

  /** Queues another update after the current one. */
  #update() {
    this.#next ??= this.#serial.run(async () => {
      this.#next = undefined;
      const names = await namesToWatch(this.path);
      const isUnreliable = await needsPolling(
        names.map(({ folder }) => folder),
      );
      this.#apply(names, isUnreliable && this.#isSeen);
    });
  }

  #apply(names: readonly WatchedName[], polls: boolean) {
    if (this.#isOver) return;
    const before = this.#watchers;
    this.#watchers = new Map(
      names.map((watched) => {
        const key = JSON.stringify(watched);
        return [key, before.get(key) ?? this.#watch(watched)];
      }),
    );
    for (const [key, watcher] of before)
      if (!this.#watchers.has(key)) watcher.dispose();
    if ([...this.#watchers.keys()].some((key) => !before.has(key)))
      this.#checkLater();
    if (polls) {
      this.#stopPolling ??= watchConfig(this.path, this.#changed);
    } else {
      this.#stopPolling?.();
      this.#stopPolling = undefined;
    }
  }

  #watch({ folder, name }: WatchedName): Disposable {
    const pattern = name.replace(/[*?[\]{}]/g, '[$&]');
    const watcher = workspace.createFileSystemWatcher(
      new RelativePattern(Uri.file(folder), pattern),
    );
    const tell = () => {
      this.#changed();
      this.#update();
    };
    return Disposable.from(
      watcher,
      watcher.onDidCreate(tell),
      watcher.onDidChange(tell),
      watcher.onDidDelete(tell),
    );
  }

  /**
   * Checks again later, because a new watcher misses changes until it works.
   */
  #checkLater() {
    for (const cancel of this.#cancelChecks) cancel();
    this.#cancelChecks = checkDelaysMs.map((when) =>
      systemClock.after(when, () => {
        this.#changed();
        this.#update();
      }),
    );
  }
}

/**
 * A name in a folder. A folder that was removed and made again needs a new
 * watcher, hence the inode.
 */
interface WatchedName {
  readonly folder: string;
  readonly name: string;
  readonly inode: number;
}

/**
 * The file, each link on the way to it, and for each the nearest existing
 * folder.
 */
async function namesToWatch(path: string): Promise<WatchedName[]> {
  const names: WatchedName[] = [];
  let next: string | undefined = path;
  for (let links = 0; next !== undefined && links < maxLinks; links++) {
    const inFolder = await watchedName(next);
    if (inFolder) names.push(inFolder);
    const above = await nearest(dirname(next));
    if (above) names.push(above);
    const target: string | undefined = await readlink(next).catch(
      () => undefined,
    );
    next = target === undefined ? undefined : resolve(dirname(next), target);
  }
  return names;
}

async function nearest(path: string): Promise<WatchedName | undefined> {
  if (dirname(path) === path) return undefined;
  return (await watchedName(path)) ?? (await nearest(dirname(path)));
}

async function watchedName(path: string): Promise<WatchedName | undefined> {
  try {
    const folder = await realpath(dirname(path));
    return { folder, name: basename(path), inode: (await stat(folder)).ino };
  } catch {
    return undefined;
  }
}
