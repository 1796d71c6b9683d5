/** The pending actions as a page shows them, with the answer given there. */
import { t } from '../../../base/l10n.ts';
import type { Time } from '../../../service/model/entities.ts';
import {
  areSame,
  type WaitingAction,
} from '../../../state/transcript/waiting.ts';
import { wholeCommand } from '../../words/conversations/noticeWords.ts';

export interface ApprovalRequest {
  /** Names exactly these actions between the page and the editor. */
  readonly version: number;
  readonly actions: readonly WaitingAction[];
  /** Start of showing them. */
  readonly since: Time;
  readonly answer: 'none' | 'underWay' | 'given';
}

/** Keeps the request, with its answer, while the same actions wait. */
export function requestFor(
  actions: readonly WaitingAction[] | undefined,
  current: ApprovalRequest | undefined,
  newVersion: () => number,
  now: Time,
): ApprovalRequest | undefined {
  if (actions && current && areSame(current.actions, actions)) return current;
  return (
    actions && { version: newVersion(), actions, since: now, answer: 'none' }
  );
}

/**
 * The palette does not accept newer actions, which may have come while it
 * covered the page.
 */
const seenAfterMs = 5_000;

/**
 * True if a command may answer the actions without showing them: rejecting is
 * safe, and accepting is if all of them were on screen long enough.
 */
export function canAnswerUnasked(
  { actions, since }: ApprovalRequest,
  accept: boolean,
  now: Time,
): boolean {
  if (!accept) return true;
  return now - since >= seenAfterMs && wholeCommand(actions) !== undefined;
}

/** The reason why the actions cannot be answered on the page. */
export function obstacleOf(
  { answer }: ApprovalRequest,
  canSteer: boolean | undefined,
  isAcceptedByRule = false,
): string | undefined {
  if (isAcceptedByRule) return t('Your rule accepts this.');
  if (answer === 'underWay') return t('Your answer is being sent…');
  if (answer === 'given') return t('Already answered.');
  return canSteer === false ? t('You cannot answer it from here.') : undefined;
}
