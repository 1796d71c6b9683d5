/** Which conversations have begun to ask for a person between two looks. */
import type { Conversation } from '../service/entities.ts';
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
  // Of an agent that was not heard of before it is not known since when it does what it does.
  const isNews = before.execution !== undefined || after.execution === undefined;
  if (is === 'waiting' && before.execution !== after.execution && isNews) return 'waits';
  if (is === 'error' && was !== 'error' && (isNews || hasBrokenDown(after))) return 'failed';
  if (after.execution === 'finished' && before.execution !== 'finished' && is === 'idle' && isNews)
    return 'finished';
  return undefined;
}

/** Whether it is not the agent alone that has failed. */
function hasBrokenDown(conversation: Conversation): boolean {
  return activityOf({ ...conversation, execution: undefined }) === 'error';
}

/** What to compare with the next time: where the service does not tell what the agent does, what it told last. */
export function remember(
  before: ReadonlyMap<string, Conversation>,
  after: ReadonlyMap<string, Conversation>,
): ReadonlyMap<string, Conversation> {
  return new Map(
    [...after].map(([key, conversation]) => {
      const execution = conversation.execution ?? before.get(key)?.execution;
      return [key, { ...conversation, execution }];
    }),
  );
}

/** Those that a person has to do something about. */
export function needsPerson(conversation: Conversation): boolean {
  const asking: readonly Activity[] = ['waiting', 'error'];
  return asking.includes(activityOf(conversation));
}
