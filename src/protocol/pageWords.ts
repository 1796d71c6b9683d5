/** The words that the page itself needs. Numbers and names are put into the places `{0}`, `{1}` by the page. */
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
  readonly loadMoreToFind: string;
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
  readonly states: Readonly<Record<'running' | 'waiting' | 'done' | 'failed' | 'rejected', string>>;
}
