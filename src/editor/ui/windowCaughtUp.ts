import { commands } from 'vscode';
import { atMost, sleep, systemClock } from '../../base/clock.ts';

/**
 * Resolves when the window has handled all earlier messages. Messages keep
 * their order, so it waits for a harmless command. The editor itself delays
 * changes of questions until the next timer.
 */
export async function windowCaughtUp(): Promise<void> {
  await sleep(systemClock, 0);
  await windowAnswered();
}

/**
 * Resolves when the window has answered a harmless command. On a remote
 * machine, extensions outlive a window whose connection broke: then it resolves
 * when the window reconnects, or never.
 */
export async function windowAnswered(): Promise<void> {
  await commands.executeCommand('setContext', 'switchboard.caughtUp', true);
}

/** False if the window does not answer within five seconds. */
export async function isWindowThere(): Promise<boolean> {
  let answered = false;
  await atMost(
    systemClock,
    5_000,
    windowAnswered().then(() => (answered = true)),
  );
  return answered;
}
