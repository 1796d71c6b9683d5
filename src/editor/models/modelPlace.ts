/** The pages of one service’s models: lists to pick from, and back again. */
import type { QuickPickItem } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { Models } from '../../service/abilities/models.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import { showError, unlessCancelled } from '../ui/messages.ts';
import { askPick, back, type PickQuestion } from '../ui/steps.ts';

/** Shows itself, and returns the page after it, if there is one. */
export type ModelPage = () => Promise<ModelPage | undefined>;

export interface ModelPlace {
  readonly service: ConnectedService;
  readonly models: Models;
  /** The list of models. */
  readonly home: ModelPage;
}

type PageItem = QuickPickItem & { readonly next?: ModelPage };

/** Leaves out what the service cannot do. */
export type PageItems = readonly (PageItem | false | undefined)[];

/** The answer to a question; undefined if the user cancels it. */
export type PageAnswer<T> = Promise<
  { readonly value: T } | typeof back | undefined
>;

/** Resolves with `undefined` if the user cancels. */
export function askService<T>(
  { service }: Pick<ModelPlace, 'service'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  return unlessCancelled(t('Waiting for {0}', service.name), work);
}

/** Leads to the page of the picked item. An item without one stays here. */
export async function pickPage(
  question: Pick<PickQuestion<PageItem>, 'title' | 'placeholder'> & {
    readonly items: PageItems;
  },
  here: ModelPage,
  before?: ModelPage,
): Promise<ModelPage | undefined> {
  const answer = await askPick({
    ...question,
    items: question.items.filter((item) => !!item),
    hasBack: before !== undefined,
  });
  if (answer === back) return before;
  return answer && (answer.next ?? here);
}

/**
 * Does something after a question in a dialog, and is the last page: the editor
 * gives the focus back after a dialog, which would close a list that is already
 * open.
 */
export function removalPage(
  question: () => Promise<boolean>,
  remove: () => Promise<unknown>,
): ModelPage {
  return async () => {
    try {
      if (await question()) await remove();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      void showError(error.message);
    }
    return undefined;
  };
}

/** Asks, does what was answered, and leads to the next page. */
export function questionPage<T>(
  place: ModelPlace,
  before: ModelPage,
  question: () => PageAnswer<T>,
  act: (value: T, signal: AbortSignal) => Promise<unknown>,
  next: ModelPage = before,
): ModelPage {
  return async () => {
    const answer = await question();
    if (answer === back) return before;
    if (!answer) return undefined;
    await askService(place, (signal) => act(answer.value, signal));
    return next;
  };
}
