/** Which conversations have begun to ask for a person between two looks. */
import type { Conversation } from '../service/types.ts';
import { type Activity, activityOf } from './activity.ts';

export type Occasion = 'waits' | 'failed' | 'finished';

export interface Notice {
  readonly occasion: Occasion;
  readonly conversation: Conversation;
}

/** What happened to conversations that were known before. What is seen for the first time is no news. */
export function noticesBetween(
  before: ReadonlyMap<string, Conversation>,
  after: ReadonlyMap<string, Conversation>,
): Notice[] {
  const notices: Notice[] = [];
  for (const [key, conversation] of after) {
    const old = before.get(key);
    const occasion = old && occasionBetween(old, conversation);
    if (occasion) notices.push({ occasion, conversation });
  }
  return notices;
}

function occasionBetween(before: Conversation, after: Conversation): Occasion | undefined {
  const was = activityOf(before);
  const is = activityOf(after);
  if (is === 'waiting' && was !== 'waiting') return 'waits';
  if (is === 'error' && was !== 'error') return 'failed';
  if (after.execution === 'finished' && before.execution !== 'finished' && is === 'idle') return 'finished';
  return undefined;
}

/** Those that a person has to do something about. */
export function needsPerson(conversation: Conversation): boolean {
  const asking: readonly Activity[] = ['waiting', 'error'];
  return asking.includes(activityOf(conversation));
}
