import assert from 'node:assert/strict';
import {
  taskKind,
  taskMessage,
} from '../../../../../src/editor/words/conversations/startWords.ts';

describe('a suggested task', () => {
  const task = (kind: string) => ({
    kind,
    number: 87,
    title: 'Show prices',
    repository: { name: 'northwind/storefront', provider: 'code_host_a' },
  });

  it('becomes a message that says what to do, different for each kind', () => {
    const kinds = [
      'mergeConflicts',
      'failingChecks',
      'unresolvedComments',
      'openPullRequest',
      'openIssue',
    ];
    const messages = kinds.map((kind) => taskMessage(task(kind)));
    assert.equal(new Set(messages).size, kinds.length);
    assert.equal(
      messages[1],
      'Fix the failing checks of pull request #87 of northwind/storefront: Show prices',
    );
    for (const message of messages)
      assert.match(message, /#87 of northwind\/storefront: Show prices$/);
  });

  it('shows an unknown kind as it is', () => {
    assert.equal(taskKind('NEW_KIND'), 'NEW_KIND');
    assert.equal(
      taskMessage(task('NEW_KIND')),
      'Work on #87 of northwind/storefront: Show prices',
    );
  });
});
