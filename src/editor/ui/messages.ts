/**
 * Shows all messages of the extension. The editor makes a link of
 * `[text](target)`, which may run any command, and most messages contain
 * foreign text.
 */
import { type MessageOptions, ProgressLocation, window } from 'vscode';
import { atMost, systemClock } from '../../base/clock.ts';
import { reason, UserError } from '../../base/errors.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import { t } from '../../base/l10n.ts';
import { present } from '../../base/parts.ts';
import { inMessage } from '../words/foreignText.ts';

type Show = (
  message: string,
  ...buttons: readonly string[]
) => Thenable<string | undefined>;

export const showInformation: Show = (message, ...buttons) =>
  window.showInformationMessage(inMessage(message), ...buttons);

export const showWarning: Show = (message, ...buttons) =>
  window.showWarningMessage(inMessage(message), ...buttons);

export const showError: Show = (message, ...buttons) =>
  window.showErrorMessage(inMessage(message), ...buttons);

/** The actions of a message, by their buttons. */
export type Actions = Readonly<Record<string, () => unknown>>;

/** Says what was done, without waiting: the message may stay open. */
export function offerUndo(
  message: string,
  undo: () => Promise<unknown>,
  button = t('Undo'),
  moreActions: Actions = {},
): void {
  const actions: Actions = { [button]: undo, ...moreActions };
  offerActions(showInformation, message, actions).catch((error: unknown) => {
    void showError(reason(error));
    if (!(error instanceof UserError)) throw error;
  });
}

/** Shows a message with buttons, and acts if one is pressed. */
export async function offerActions(
  show: Show,
  message: string,
  actions: Actions,
): Promise<void> {
  const answer = await show(message, ...Object.keys(actions));
  if (answer !== undefined) await actions[answer]?.();
}

/** Shows a message with one button, and acts if it is pressed. */
export async function offerAction(
  show: Show,
  message: string,
  button: string,
  act: () => unknown,
): Promise<void> {
  await offerActions(show, message, { [button]: act });
}

/** Lines of a question, if present. Foreign text is kept on one line. */
export type Detail = string | readonly (string | false | undefined)[];

/**
 * Asks before an action; the editor adds Cancel. Returns true if the user
 * agrees.
 */
export async function confirm(
  message: string,
  detail: Detail,
  button: string,
): Promise<boolean> {
  return (await askModal(message, detail, button)) === button;
}

/** Resolves with the pressed button, or with `undefined`. */
export function askModal(
  message: string,
  detail: Detail,
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  return window.showWarningMessage(
    inMessage(message),
    modalOptions(detail),
    ...buttons,
  );
}

/** Informs until the user closes the dialog. */
export async function informModal(
  message: string,
  detail: Detail,
): Promise<void> {
  await window.showInformationMessage(inMessage(message), modalOptions(detail));
}

function modalOptions(detail: Detail): MessageOptions {
  const lines = present(...[detail].flat());
  return { modal: true, detail: lines.map(inMessage).join('\n') };
}

/**
 * Faster work shows no progress: it would only flash up, and the editor drops
 * some of many notifications.
 */
const progressDelayMs = 300;

/** Work that can be canceled, and says how far it is. */
export type ShownWork<T> = (
  signal: AbortSignal,
  report: (what: string) => void,
) => Promise<T>;

/** Shows progress until the work is done. Canceling aborts the signal. */
export async function withProgress<T>(
  title: string,
  work: ShownWork<T>,
): Promise<T> {
  const controller = new AbortController();
  let lastText: string | undefined;
  let report = (what: string): void => {
    lastText = what;
  };
  let isDone = false as boolean;
  const result = work(controller.signal, (what) => {
    report(what);
  }).finally(() => {
    isDone = true;
  });
  await atMost(systemClock, progressDelayMs, result);
  if (isDone) return await result;
  return await window.withProgress(
    {
      location: ProgressLocation.Notification,
      title: inMessage(title),
      cancellable: true,
    },
    async (progress, token) => {
      token.onCancellationRequested(() => {
        controller.abort();
      });
      report = (what) => {
        progress.report({ message: inMessage(what) });
      };
      if (lastText !== undefined) report(lastText);
      return await result;
    },
  );
}

/**
 * Does the same as `withProgress`, but resolves with `undefined` if the user
 * cancels.
 */
export async function unlessCancelled<T>(
  title: string,
  work: ShownWork<T>,
): Promise<T | undefined> {
  return await withProgress(title, async (signal, report) => {
    try {
      return await work(signal, report);
    } catch (error) {
      // A request that was canceled before it was sent needs no message.
      const needsMessage =
        error instanceof ServiceError
          ? error.circumstances.outcomeUnknown
          : error instanceof UserError;
      if (signal.aborted && !needsMessage) return undefined;
      throw error;
    }
  });
}
