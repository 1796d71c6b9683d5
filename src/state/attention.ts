/** Which conversations have begun to need a person since the last refresh. */
import type { Conversation } from '../service/entities.ts';
import { type Activity, activityOf } from './activity.ts';

export type Occasion = 'waits' | 'failed' | 'finished';

export interface Notice {
  readonly occasion: Occasion;
  readonly conversation: Conversation;
}

/** What happened to conversations that were known before. A new conversation is not news. */
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
  // If the agent's state was unknown before, it may have been the same for long.
  const isNews = before.execution !== undefined || after.execution === undefined;
  if (is === 'waiting' && before.execution !== after.execution && isNews) return 'waits';
  if (is === 'error' && was !== 'error' && (isNews || hasBrokenDown(after))) return 'failed';
  if (after.execution === 'finished' && before.execution !== 'finished' && is === 'idle' && isNews)
    return 'finished';
  return undefined;
}

/** Whether more than the agent has failed. */
function hasBrokenDown(conversation: Conversation): boolean {
  return activityOf({ ...conversation, execution: undefined }) === 'error';
}

/** What to compare with next time. Where the service leaves out what the agent does, its last answer counts. */
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

/** Whether a person should do something about it. */
export function needsPerson(conversation: Conversation): boolean {
  const asking: readonly Activity[] = ['waiting', 'error'];
  return asking.includes(activityOf(conversation));
}
