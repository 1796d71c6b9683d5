/**
 * The only way to a message of the editor. `[text](target)` would become a link in it, which may run any command, and
 * part of nearly every message comes from elsewhere.
 */
import { ProgressLocation, window } from 'vscode';
import { t } from '../../base/l10n.ts';
import { inMessage } from '../words/foreignText.ts';

/** Resolves with the button that was pressed. */
type Show = (message: string, ...buttons: readonly string[]) => Thenable<string | undefined>;

export const showInformation: Show = (message, ...buttons) =>
  window.showInformationMessage(inMessage(message), ...buttons);

export const showWarning: Show = (message, ...buttons) =>
  window.showWarningMessage(inMessage(message), ...buttons);

export const showError: Show = (message, ...buttons) =>
  window.showErrorMessage(inMessage(message), ...buttons);

/** Asks before something is done. True when the user goes on. */
export async function confirm(message: string, detail: string, button: string): Promise<boolean> {
  return (await ask(message, detail, button)) === button;
}

/** Asks before what is dangerous: the keyboard is on the button that keeps things as they are. True when the user goes on. */
export async function confirmDanger(
  message: string,
  detail: string,
  button: string,
  keep = t('Keep'),
): Promise<boolean> {
  // The editor puts the keyboard on the first one that is not its own Cancel.
  return (await ask(message, detail, keep, button)) === button;
}

function ask(message: string, detail: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  const options = { modal: true, detail: inMessage(detail) };
  return window.showWarningMessage(inMessage(message), options, ...buttons);
}

/** Shows that something goes on until it is done; the signal is aborted when the person cancels it. */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, tell: (what: string) => void) => Promise<T>,
): Promise<T> {
  return await window.withProgress(
    { location: ProgressLocation.Notification, title: inMessage(title), cancellable: true },
    async (progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => {
        controller.abort();
      });
      return await work(controller.signal, (what) => {
        progress.report({ message: inMessage(what) });
      });
    },
  );
}
