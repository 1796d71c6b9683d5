/** Which conversations have begun to need a person since somebody last looked. */
import { type Conversation, type Execution, keyOf, type Time } from '../service/entities.ts';
import { type Activity, activityOf } from './activity.ts';
import type { ConnectedService } from './connectedService.ts';
import type { WaitingAction } from './waiting.ts';

export type Occasion = 'waits' | 'failed' | 'finished';

export interface Notice {
  readonly occasion: Occasion;
  readonly conversation: Conversation;
  /** What it waits for; undefined if that is not known. */
  readonly actions?: readonly WaitingAction[] | undefined;
}

/** A conversation as the service was seen to have it. */
export interface Sight {
  readonly conversation: Conversation;
  readonly actions: readonly WaitingAction[] | undefined;
  /** When that was asked for: what happened later, it does not show. */
  readonly at: Time;
}

/** What is remembered of a sight: nothing that a person or an agent has written. */
export interface Seen {
  readonly activity: Activity;
  readonly execution: Execution | undefined;
  /** The id of the last action that waited. */
  readonly waitsFor: string | undefined;
  readonly at: Time;
}

/** Remembers what was seen, and tells what is new in it. Each notice is given once. */
export interface Memory {
  add(sights: readonly Sight[]): Promise<readonly Notice[]>;
}

/** What is seen of a service now, without the rows that may be wrong as yet. */
export function sightsOf({ conversations, agentStates }: ConnectedService): Sight[] {
  const { rows, askedAt } = conversations;
  if (askedAt === undefined) return [];
  return [...rows.values()].flatMap((conversation) => {
    if (agentStates.isDoubtful(conversation)) return [];
    const at = agentStates.toldAt(conversation) ?? askedAt;
    return [{ conversation, actions: agentStates.waitsFor(conversation), at }];
  });
}

/** What is different from what was seen before, by key, and what of that is news. A new conversation is not. */
export function newsIn(
  sights: readonly Sight[],
  before: ReadonlyMap<string, Seen>,
): { readonly notices: Notice[]; readonly changed: Map<string, Seen> } {
  const notices: Notice[] = [];
  const changed = new Map<string, Seen>();
  for (const sight of sights) {
    const { conversation, actions } = sight;
    const key = keyOf(conversation);
    const old = before.get(key);
    // Somebody has looked later.
    if (old && old.at > sight.at) continue;
    const now = seen(sight, old);
    if (old && isAsBefore(old, now)) continue;
    changed.set(key, now);
    const occasion = old && occasionBetween(old, now, conversation);
    if (occasion) notices.push({ occasion, conversation, actions });
  }
  return { notices, changed };
}

/** Where the service leaves out what the agent does, its last answer counts. */
function seen({ conversation, actions, at }: Sight, before: Seen | undefined): Seen {
  const execution = conversation.execution ?? before?.execution;
  const waitsFor = actions?.at(-1)?.id ?? (execution === before?.execution ? before?.waitsFor : undefined);
  return { activity: activityOf({ ...conversation, execution }), execution, waitsFor, at };
}

function isAsBefore(a: Seen, b: Seen): boolean {
  return a.activity === b.activity && a.execution === b.execution && a.waitsFor === b.waitsFor;
}

function occasionBetween(before: Seen, now: Seen, conversation: Conversation): Occasion | undefined {
  const { execution } = conversation;
  const is = activityOf(conversation);
  // If the agent's state was unknown before, it may have been the same for long.
  const isNews = before.execution !== undefined || execution === undefined;
  const waitsForAnother = before.waitsFor !== undefined && before.waitsFor !== now.waitsFor;
  if (is === 'waiting' && (before.execution !== execution || waitsForAnother) && isNews) return 'waits';
  if (is === 'error' && before.activity !== 'error' && (isNews || hasBrokenDown(conversation)))
    return 'failed';
  if (execution === 'finished' && before.execution !== 'finished' && is === 'idle' && isNews)
    return 'finished';
  return undefined;
}

/** Whether more than the agent has failed. */
function hasBrokenDown(conversation: Conversation): boolean {
  return activityOf({ ...conversation, execution: undefined }) === 'error';
}

/** Of one window, for as long as it is open. */
export class OwnMemory implements Memory {
  readonly #seen = new Map<string, Seen>();

  add(sights: readonly Sight[]): Promise<readonly Notice[]> {
    const { notices, changed } = newsIn(sights, this.#seen);
    for (const [key, seen] of changed) this.#seen.set(key, seen);
    return Promise.resolve(notices);
  }
}

/** Whether a person should do something about it. */
export function needsPerson(conversation: Conversation): boolean {
  const asking: readonly Activity[] = ['waiting', 'error'];
  return asking.includes(activityOf(conversation));
}
