import assert from 'node:assert/strict';
import {
  changesTitle,
  fileStatusWord,
  filesWord,
  leftOutInWords,
  noChanges,
  reviewStateWords,
  shownFilePath,
  sideInWords,
  toReviewWord,
} from '../../../../../src/editor/words/conversations/changeWords.ts';

describe('a changed file in words', () => {
  it('shows a path on one line, cut short, with “..” in parentheses and invisible characters replaced', () => {
    assert.equal(shownFilePath('src/cart.ts'), 'src/cart.ts');
    assert.equal(shownFilePath('../../etc/passwd'), '(..)/(..)/etc/passwd');
    assert.equal(shownFilePath('/etc//x'), '()/etc/()/x');
    assert.equal(shownFilePath('a\nb/c\u202Etxt.exe'), 'a b/c txt.exe');
    assert.ok(shownFilePath('x'.repeat(5_000)).length < 200);
  });

  it('counts the files, and names the status of each', () => {
    assert.equal(filesWord(1), '1 file');
    assert.equal(filesWord(5), '5 files');
    assert.equal(fileStatusWord('updated'), 'changed');
    assert.equal(fileStatusWord('TRUNCATED'), 'TRUNCATED');
  });

  it('shows the target of a link on one line, and says when a side is unknown or too large', () => {
    assert.equal(
      sideInWords({ kind: 'link', target: '/etc/\npasswd' }),
      'Link to /etc/ passwd',
    );
    assert.equal(sideInWords({ kind: 'none' }), '');
    assert.notEqual(sideInWords({ kind: 'unknown' }), '');
    assert.notEqual(sideInWords({ kind: 'tooLarge' }), '');
  });

  it('says in the title since when the changes count', () => {
    assert.equal(changesTitle('A', 'start', true), 'Changes in “A”');
    assert.equal(
      changesTitle('A', 'lastCommit', true),
      'Uncommitted changes in “A”',
    );
    assert.equal(
      changesTitle('A', { commit: '0123456789abcdef' }, true),
      'Commit 01234567 of “A”',
    );
    assert.equal(changesTitle('A', 'reviewed', true), 'To review in “A”');
    assert.equal(
      changesTitle('A', 'message', true),
      'Changes in “A” since your last message',
    );
    const sha = '0123456789abcdef'.repeat(3).slice(0, 40);
    assert.equal(
      changesTitle('A', `after:${sha}`, true),
      'Changes in “A” since commit 01234567',
    );
    assert.equal(
      noChanges('A', 'reviewed', true),
      'Nothing is left to review in “A”.',
    );
    assert.equal(
      noChanges('A', 'message', true),
      'No changes in “A” since your last message.',
    );
    assert.equal(
      noChanges('A', `after:${sha}`, true),
      'No changes in “A” since commit 01234567.',
    );
  });

  it('says how many files are left to review, and why', () => {
    assert.equal(toReviewWord(3, 8), '3 of 8 to review');
    assert.equal(toReviewWord(0, 8), 'reviewed');
    assert.equal(toReviewWord(0, 8, true), 'new work since your review');
    assert.equal(toReviewWord(3, 8, true), '3 of 8 to review, new work since');
    assert.equal(
      reviewStateWords.changedAgain,
      'changed since you reviewed it',
    );
  });

  it('does not call the changes of a shared folder those of one conversation', () => {
    assert.equal(
      changesTitle('A', 'start', false),
      'Changes in the folder of “A”',
    );
    assert.equal(
      changesTitle('A', 'lastCommit', false),
      'Uncommitted changes in the folder of “A”',
    );
    const commit = changesTitle('A', { commit: '0123456789abcdef' }, false);
    assert.equal(commit, 'Commit 01234567 in the folder of “A”');
    assert.equal(noChanges('A', 'start', true), 'No changes yet in “A”.');
    assert.equal(
      noChanges('A', 'start', false),
      'Nothing has changed in this folder since the last commit before “A”.',
    );
    assert.equal(
      noChanges('A', 'lastCommit', false),
      'There are no uncommitted changes in the folder of “A”.',
    );
  });

  it('says that modes and last line breaks are missing', () => {
    assert.equal(leftOutInWords(true, true), undefined);
    assert.equal(
      leftOutInWords(true, false),
      'The service does not report the modes of these files.',
    );
    assert.match(
      leftOutInWords(false, true) ?? '',
      /how some of these files end/,
    );
    assert.match(
      leftOutInWords(false, false) ?? '',
      /neither the modes .+ nor how some of them end/,
    );
  });
});
