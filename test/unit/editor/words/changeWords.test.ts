import assert from 'node:assert/strict';
import {
  changesTitle,
  fileStatusWord,
  filesWord,
  shownFilePath,
  sideInWords,
} from '../../../../src/editor/words/changeWords.ts';

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
    const file = {
      path: 'x',
      from: undefined,
      version: undefined,
      modes: { before: '', after: '' },
      binary: false,
    };
    assert.equal(fileStatusWord({ ...file, status: 'updated' }), 'changed');
    assert.equal(fileStatusWord({ ...file, status: 'TRUNCATED' }), 'TRUNCATED');
  });

  it('shows the target of a link on one line, and says when a side is unknown or too large', () => {
    assert.equal(sideInWords({ kind: 'link', target: '/etc/\npasswd' }), 'Link to /etc/ passwd');
    assert.equal(sideInWords({ kind: 'none' }), '');
    assert.notEqual(sideInWords({ kind: 'unknown' }), '');
    assert.notEqual(sideInWords({ kind: 'tooLarge' }), '');
  });

  it('says in the title since when the changes count', () => {
    assert.equal(changesTitle('A', 'start'), 'Changes of “A”');
    assert.equal(changesTitle('A', 'lastCommit'), 'Changes of “A” since its last commit');
    assert.equal(changesTitle('A', { commit: '0123456789abcdef' }), 'Commit 01234567 of “A”');
  });
});
