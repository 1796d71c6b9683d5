/**
 * The sentences that the page itself needs. It fills the places `{0}` and
 * `{1}`.
 */
export function pageWords(
  words: <T extends Readonly<Record<string, string>>>(table: T) => T,
) {
  return {
    ...words({
      history: 'Conversation',
      loadOlder: 'Load Older',
      toNewest: 'Jump to Latest',
      workingFor: 'Working for {0}',
      details: 'Details',
      moreActions: 'More Actions…',
      confirmation: 'Approval:',
      retry: 'Try Again',
      find: 'Find (Ctrl+F)',
      findPlaceholder: 'Find in loaded entries',
      nextMatch: 'Next Match (Enter)',
      previousMatch: 'Previous Match (Shift+Enter)',
      closeFind: 'Close (Escape)',
      matches: '{0} of {1}',
      noMatches: 'Not found',
      waits: 'The agent is waiting for your answer',
      accept: 'Accept',
      reject: 'Reject',
      acceptByRule: "Accept, and Don't Ask Again for {0}…",
      byRule: 'Accepted by rule “{0}”',
      chooseModel: 'Choose a Model…',
      readFirst: 'Scroll to the end before accepting.',
      message: 'Message to the agent',
      enterSends: 'Write to the agent. Enter sends.',
      controlEnterSends: 'Write to the agent. Ctrl+Enter sends.',
      enterChooses:
        'Tell the agent what to do instead. Press Enter twice for {0}.',
      controlEnterChooses:
        'Tell the agent what to do instead. Press Ctrl+Enter, then Enter, for {0}.',
      enterCreates: 'What should the agent do? Enter creates the conversation.',
      controlEnterCreates:
        'What should the agent do? Ctrl+Enter creates the conversation.',
      choices: 'The agent works with',
      leftOut: 'Not included:',
      attachFile: 'Attach File…',
      attachSelection: 'Attach Editor Selection',
      detach: 'Remove {0}',
      picture: 'Picture',
      pictureFromElsewhere: 'External picture, not loaded:',
      showAll: 'Show All',
      unchangedLines: '{0} unchanged lines',
      tooLargeToCompare:
        'Too many changes to compare line by line. Before and after:',
      writing: 'is writing…',
      forkFromHere: 'Fork From Here',
      editAndResend: 'Edit and Resend…',
      editQueued: 'Edit Queued Message',
      removeQueued: 'Remove Queued Message',
      aside: 'Side question:',
      asking: 'Asking…',
      cancel: 'Cancel',
      copy: 'Copy',
      closeAside: 'Close',
    }),
    states: words({
      running: 'running',
      waiting: 'waiting for your answer',
      done: 'done',
      failed: 'failed',
      rejected: 'rejected',
      stopped: 'stopped',
    }),
  };
}

export type PageWords = ReturnType<typeof pageWords>;
