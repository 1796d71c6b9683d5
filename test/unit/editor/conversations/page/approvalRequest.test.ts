import assert from 'node:assert/strict';
import {
  type ApprovalRequest,
  canAnswerUnasked,
  obstacleOf,
  requestFor,
} from '../../../../../src/editor/conversations/page/approvalRequest.ts';
import { waitingAction } from '../../../../support/waitingAction.ts';
import type { WaitingAction } from '../../../../../src/state/transcript/waiting.ts';

const action = (id: string, command = 'npm test'): WaitingAction =>
  waitingAction({ command, is_input: false, timeout: null, reset: false }, id);

describe('the request for approval on a page', () => {
  let versions: number;
  const newVersion = () => ++versions;

  beforeEach(() => {
    versions = 0;
  });

  const begin = (...actions: readonly WaitingAction[]): ApprovalRequest =>
    requestFor(actions, undefined, newVersion, 1_000) ?? assert.fail();

  it('begins unanswered, with a version of its own', () => {
    const actions = [action('a')];
    const expected = { version: 1, actions, since: 1_000, answer: 'none' };
    assert.deepEqual(begin(...actions), expected);
    assert.equal(
      requestFor(undefined, undefined, newVersion, 1_000),
      undefined,
    );
    assert.equal(versions, 1);
  });

  it('stays with its answer while the same actions wait', () => {
    const answeredRequest = {
      ...begin(action('a'), action('b')),
      answer: 'given',
    } as const;
    const actions = [action('a'), action('b')];
    assert.equal(
      requestFor(actions, answeredRequest, newVersion, 9_000),
      answeredRequest,
    );
    assert.equal(versions, 1);
  });

  it('begins again when any action is another one, and ends with the last', () => {
    const answeredRequest = { ...begin(action('a')), answer: 'given' } as const;
    for (const actions of [
      [action('b')],
      [action('a', 'npm publish')],
      [action('a'), action('b')],
    ]) {
      const request = requestFor(actions, answeredRequest, newVersion, 9_000);
      assert.deepEqual(request, {
        version: versions,
        actions,
        since: 9_000,
        answer: 'none',
      });
    }
    assert.equal(versions, 4);
    assert.equal(
      requestFor(undefined, answeredRequest, newVersion, 9_000),
      undefined,
    );
  });

  it('lets a command accept it only after 5 s whole on screen, and reject it at once', () => {
    const accepts = (request: ApprovalRequest, now: number) =>
      canAnswerUnasked(request, true, now);
    assert.equal(accepts(begin(action('a')), 5_999), false);
    assert.equal(accepts(begin(action('a')), 6_000), true);
    const cut = begin(action('a', 'npm test\nnpm publish'));
    assert.equal(accepts(cut, 60_000), false);
    assert.equal(accepts(begin(action('a'), action('b')), 60_000), false);
    assert.equal(canAnswerUnasked(cut, false, 1_000), true);
  });

  it('says why it cannot be answered', () => {
    const request = begin(action('a'));
    const obstacle = (
      answer: ApprovalRequest['answer'],
      canSteer: boolean | undefined = true,
    ) => obstacleOf({ ...request, answer }, canSteer);
    assert.equal(obstacle('none'), undefined);
    assert.equal(obstacleOf(request, undefined), undefined);
    assert.equal(obstacle('underWay'), 'Your answer is being sent…');
    assert.equal(obstacle('given', false), 'Already answered.');
    assert.equal(obstacle('none', false), 'You cannot answer it from here.');
  });
});
