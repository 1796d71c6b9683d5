/** The pages of one service’s models: lists to pick from, and back again. */
import type { QuickPickItem } from 'vscode';
import type { Models } from '../../service/abilities/models.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import { askPick, back, type PickQuestion } from '../ui/steps.ts';

/** Shows itself, and returns the page after it, if there is one. */
export type ModelPage = () => Promise<ModelPage | undefined>;

export interface ModelPlace {
  readonly service: ConnectedService;
  readonly models: Models;
  /** The list of models. */
  readonly home: ModelPage;
}

export type PageItem = QuickPickItem & { readonly next?: ModelPage };

/** Leads to the page of the picked item. An item without one stays here. */
export async function pickPage(
  question: Pick<PickQuestion<PageItem>, 'title' | 'placeholder' | 'items'>,
  here: ModelPage,
  before?: ModelPage,
): Promise<ModelPage | undefined> {
  const answer = await askPick({ ...question, hasBack: before !== undefined });
  if (answer === back) return before;
  return answer && (answer.next ?? here);
}
