/** The sentences that the page itself needs. It fills the places `{0}` and `{1}`. */
import type { ActionState } from './drawn.ts';

export interface PageWords {
  readonly history: string;
  readonly loadOlder: string;
  readonly toNewest: string;
  readonly details: string;
  readonly moreActions: string;
  readonly confirmation: string;
  readonly retry: string;
  readonly find: string;
  readonly findPlaceholder: string;
  readonly nextMatch: string;
  readonly previousMatch: string;
  readonly closeFind: string;
  readonly matches: string;
  readonly noMatches: string;
  readonly waits: string;
  readonly accept: string;
  readonly reject: string;
  readonly readFirst: string;
  readonly message: string;
  readonly enterSends: string;
  readonly controlEnterSends: string;
  readonly enterChooses: string;
  readonly controlEnterChooses: string;
  readonly attachFile: string;
  readonly attachSelection: string;
  readonly detach: string;
  readonly picture: string;
  readonly pictureFromElsewhere: string;
  readonly showAll: string;
  readonly unchangedLines: string;
  readonly tooLargeToCompare: string;
  readonly writing: string;
  readonly states: Readonly<Record<ActionState, string>>;
}
