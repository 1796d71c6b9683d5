/**
 * Waits until this window can poll for all windows on this machine. Runs in
 * every window, and so only looks at a file.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Disposable, window, workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Store } from '../../base/store.ts';
import { areLimitsUsed } from './limitsUsed.ts';
import { enabledServices } from '../services/enabledServices.ts';
import { hasLimits, isAttentionForwarded, setting } from '../settings.ts';
import { isLockFree, leaderCheckMs } from './leaderLockText.ts';

/**
 * Leaves the start to the editor, and keeps windows from looking at the same
 * moment.
 */
const firstCheckMs = () => 6_000 + Math.random() * 4_000;

/** `folder` is shared by all windows on this machine. */
export function leaderLockPath(folder: string): string {
  return join(folder, 'leader');
}

export function isLeaderWanted(store: Pick<Store, 'get'>): boolean {
  return (
    mayPoll() &&
    (setting('notifications') !== 'off' ||
      isAttentionForwarded() ||
      setting('approval.accept').length > 0 ||
      hasLimits() ||
      areLimitsUsed(store))
  );
}

function mayPoll(): boolean {
  return enabledServices().length > 0 && setting('refreshInterval') > 0;
}

/** Calls `onFree` whenever this window may take the lock in the folder. */
export function waitForLeadership(
  folder: string,
  store: Pick<Store, 'get'>,
  onFree: () => Promise<unknown>,
): Disposable {
  const path = leaderLockPath(folder);
  let cancelTimer: (() => void) | undefined;
  let wasSeen = false;
  const checkIn = (milliseconds: number) => {
    cancelTimer = systemClock.after(milliseconds, () => void check());
  };
  const check = async () => {
    const current = cancelTimer;
    const isSeen = window.state.focused;
    // The window must be seen twice in a row, because a user may just pass
    // through it.
    if (isLeaderWanted(store) && (await isFree(path, isSeen && wasSeen)))
      await onFree();
    wasSeen = isSeen;
    // The settings may have stopped or restarted the timer.
    if (cancelTimer === current) checkIn(leaderCheckMs);
  };
  const stop = () => {
    cancelTimer?.();
    cancelTimer = undefined;
  };
  const update = () => {
    if (!mayPoll()) stop();
    else if (!cancelTimer) checkIn(firstCheckMs());
  };
  update();
  const configuration = workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('switchboard')) update();
  });
  return Disposable.from(configuration, { dispose: stop });
}

async function isFree(path: string, isSeen: boolean): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([
      readFile(path, 'utf8'),
      stat(path),
    ]);
    return isLockFree({ text, touched: mtimeMs }, systemClock.now(), isSeen);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
