/** The words that the page itself needs. A number in braces is filled in by the page. */
export interface PageWords {
  readonly history: string;
  readonly loadingOlder: string;
  readonly loadOlder: string;
  readonly toNewest: string;
  readonly newMessages: string;
  readonly details: string;
  readonly confirmation: string;
  readonly retry: string;
  readonly moreActions: string;
  readonly find: string;
  readonly findPlaceholder: string;
  readonly nextMatch: string;
  readonly previousMatch: string;
  readonly closeFind: string;
  /** {0} of {1}. */
  readonly matches: string;
  readonly noMatches: string;
  readonly loadMoreToFind: string;
  readonly waits: string;
  readonly accept: string;
  readonly reject: string;
  readonly rejectWithReason: string;
  readonly reason: string;
  readonly cancel: string;
  readonly readFirst: string;
  readonly message: string;
  readonly enterSends: string;
  readonly controlEnterSends: string;
  readonly attachFile: string;
  readonly attachSelection: string;
  /** {0}: its name. */
  readonly detach: string;
  readonly picture: string;
  readonly pictureFromElsewhere: string;
  readonly showAll: string;
  /** {0}: how many lines. */
  readonly unchangedLines: string;
  readonly tooLargeToCompare: string;
  readonly writing: string;
  readonly dropHere: string;
  readonly unseen: string;
  readonly states: {
    readonly running: string;
    readonly waiting: string;
    readonly done: string;
    readonly failed: string;
    readonly rejected: string;
  };
}
