/**
 * Waits until this window is to look for all windows of the machine. It is in every window, so it does next to nothing:
 * where a service is in the settings and notifications are wanted, it looks at a file now and then.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Disposable, window, workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { enabledServices } from '../services/enabledServices.ts';
import { setting } from '../settings.ts';
import { isFree, lookInterval } from './claimText.ts';

/** So long after the start the editor has other things to do; and not all windows look at the same moment. */
const afterStart = () => 6_000 + Math.random() * 4_000;

/** In the folder that all windows of the machine share. */
export function claimFile(folder: string): string {
  return join(folder, 'lookout');
}

export function isLookoutWanted(): boolean {
  return enabledServices().length > 0 && setting('notifications') !== 'off' && setting('refreshInterval') > 0;
}

/** `look` is called when the claim in this folder may be ours. */
export function standBy(folder: string, look: () => Promise<unknown>): Disposable {
  const path = claimFile(folder);
  let cancelTimer: (() => void) | undefined;
  /** Whether people looked at this window the last time, too: they may only pass by. */
  let wasSeen = false;
  const next = (pause: number) => {
    cancelTimer = systemClock.after(pause, () => void lookAround());
  };
  const lookAround = async () => {
    const current = cancelTimer;
    const isSeen = window.state.focused;
    if (await isClaimFree(path, isSeen && wasSeen)) await look();
    wasSeen = isSeen;
    // It may have been decided anew by now.
    if (cancelTimer === current) next(lookInterval);
  };
  const decide = () => {
    const isWanted = isLookoutWanted();
    if (isWanted === (cancelTimer !== undefined)) return;
    cancelTimer?.();
    cancelTimer = undefined;
    if (isWanted) next(afterStart());
  };
  decide();
  const changes = workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('switchboard')) decide();
  });
  return new Disposable(() => {
    changes.dispose();
    cancelTimer?.();
    cancelTimer = undefined;
  });
}

async function isClaimFree(path: string, isSeen: boolean): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    return isFree({ text, touched: mtimeMs }, systemClock.now(), isSeen);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
