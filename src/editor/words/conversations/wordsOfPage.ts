/** The sentences of the page of a conversation that never change. */
import { t } from '../../../base/l10n.ts';
import type { PageWords } from '../../../protocol/pageWords.ts';

export function pageWords(): PageWords {
  return {
    history: t('What happened'),
    loadOlder: t('Load Older'),
    toNewest: t('Jump to Latest'),
    details: t('Details'),
    moreActions: t('More Actions…'),
    confirmation: t('Approval:'),
    retry: t('Try Again'),
    find: t('Find (Ctrl+F)'),
    findPlaceholder: t('Find in loaded entries'),
    nextMatch: t('Next Match (Enter)'),
    previousMatch: t('Previous Match (Shift+Enter)'),
    closeFind: t('Close (Escape)'),
    matches: t('{0} of {1}'),
    noMatches: t('Not found'),
    waits: t('The agent waits for your answer'),
    accept: t('Accept'),
    reject: t('Reject'),
    readFirst: t('Scroll to the end before you accept.'),
    message: t('Message to the agent'),
    enterSends: t('Write to the agent. Enter sends.'),
    controlEnterSends: t('Write to the agent. Ctrl+Enter sends.'),
    enterChooses: t('Tell the agent what to do instead. Enter goes to {0}.'),
    controlEnterChooses: t('Tell the agent what to do instead. Ctrl+Enter goes to {0}.'),
    attachFile: t('Attach File…'),
    attachSelection: t('Attach Editor Selection'),
    detach: t('Remove {0}'),
    picture: t('Picture'),
    pictureFromElsewhere: t('External picture, not loaded:'),
    showAll: t('Show All'),
    unchangedLines: t('{0} unchanged lines'),
    tooLargeToCompare: t('Too many changes to compare line by line. Before and after:'),
    writing: t('is writing…'),
    states: {
      running: t('running'),
      waiting: t('waiting for your answer'),
      done: t('done'),
      failed: t('failed'),
      rejected: t('rejected'),
    },
  };
}
