/**
 * The only way to a message of the editor. `[text](target)` would become a link in it, which may run any command, and
 * part of nearly every message comes from elsewhere.
 */
import { ProgressLocation, window } from 'vscode';
import { atMost, systemClock } from '../../base/clock.ts';
import { inMessage } from '../words/foreignText.ts';

/** Resolves with the button that was pressed. */
type Show = (message: string, ...buttons: readonly string[]) => Thenable<string | undefined>;

export const showInformation: Show = (message, ...buttons) =>
  window.showInformationMessage(inMessage(message), ...buttons);

export const showWarning: Show = (message, ...buttons) =>
  window.showWarningMessage(inMessage(message), ...buttons);

export const showError: Show = (message, ...buttons) =>
  window.showErrorMessage(inMessage(message), ...buttons);

/** Several lines, or one. What comes from elsewhere has no line breaks of its own. */
type Detail = string | readonly string[];

/** Asks before something is done; the editor adds Cancel. True when the user goes on. */
export async function confirm(message: string, detail: Detail, button: string): Promise<boolean> {
  return (await askModal(message, detail, button)) === button;
}

/** Resolves with the button that was pressed; undefined for none. */
export function askModal(
  message: string,
  detail: Detail,
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  const lines = typeof detail === 'string' ? [detail] : detail;
  const options = { modal: true, detail: lines.map(inMessage).join('\n') };
  return window.showWarningMessage(inMessage(message), options, ...buttons);
}

/** What is done sooner, in milliseconds, is not worth a message that comes and goes. The editor drops some of many. */
const patience = 300;

/** Shows that something goes on until it is done; the signal is aborted when the person cancels it. */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, tell: (what: string) => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let told: string | undefined;
  let tell = (what: string): void => {
    told = what;
  };
  let isDone = false as boolean;
  const result = work(controller.signal, (what) => {
    tell(what);
  }).finally(() => {
    isDone = true;
  });
  await atMost(systemClock, patience, result);
  if (isDone) return await result;
  return await window.withProgress(
    { location: ProgressLocation.Notification, title: inMessage(title), cancellable: true },
    async (progress, token) => {
      token.onCancellationRequested(() => {
        controller.abort();
      });
      tell = (what) => {
        progress.report({ message: inMessage(what) });
      };
      if (told !== undefined) tell(told);
      return await result;
    },
  );
}
