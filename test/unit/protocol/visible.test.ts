import assert from 'node:assert/strict';
import { visiblePieces, visibleText } from '../../../src/protocol/visible.ts';

describe('untrusted text', () => {
  it('shows bidirectional and invisible characters as escapes', () => {
    for (const kind of ['prose', 'code'] as const) {
      assert.equal(
        visibleText('a\u202eb\u200bc\u2066d\u00ade', kind),
        'a\\u202eb\\u200bc\\u2066d\\u00ade',
      );
      assert.equal(
        visibleText('\u001b[2J\u0007\u0000', kind),
        '\\u001b[2J\\u0007\\u0000',
      );
      assert.equal(
        visibleText('\u2028\u2029\u{e0041}', kind),
        '\\u2028\\u2029\\udb40\\udc41',
      );
      assert.equal(visibleText('\ud800 alone', kind), '\\ud800 alone');
    }
  });

  it('joins escapes that follow each other, however many', () => {
    const pieces = visiblePieces(`a${'\u0001'.repeat(50_000)}b\u0002`, 'code');
    assert.deepEqual(pieces, [
      { text: 'a', isUnseen: false },
      { text: '\\u0001'.repeat(50_000), isUnseen: true },
      { text: 'b', isUnseen: false },
      { text: '\\u0002', isUnseen: true },
    ]);
  });

  it('keeps lines, tabs and letters of all languages', () => {
    const text = 'one\n\ttwo  three äöü 中文 עברית العربية';
    assert.equal(visibleText(text, 'prose'), text);
    assert.equal(visibleText(text, 'code'), text);
  });

  it('keeps emoji sequences in prose, and escapes their joiners elsewhere', () => {
    assert.equal(
      visibleText('👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3', 'prose'),
      '👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3',
    );
    assert.equal(
      visibleText('a\u200db c\ufe0f', 'prose'),
      'a\\u200db c\\ufe0f',
    );
    assert.equal(visibleText('\u200d', 'prose'), '\\u200d');
  });

  it('escapes every invisible character in code, including those of emoji', () => {
    assert.equal(
      visibleText('[ 0 = 0\ufe0f ] || rm -rf ~/work', 'code'),
      '[ 0 = 0\\ufe0f ] || rm -rf ~/work',
    );
    assert.equal(
      visibleText('#\ufe0f *\ufe0f ❤\ufe0f', 'code'),
      '#\\ufe0f *\\ufe0f ❤\\ufe0f',
    );
    assert.equal(visibleText('👩\u200d💻', 'code'), '👩\\u200d💻');
  });

  it('escapes the third and later combining marks on a letter in code', () => {
    const pile = `o${'\u0301'.repeat(4)} x`;
    assert.equal(visibleText(pile, 'code'), 'o\u0301\u0301\\u0301\\u0301 x');
    assert.equal(
      visibleText('o\u0302\u0301 ệ เก๋ี', 'code'),
      'o\u0302\u0301 ệ เก๋ี',
    );
    assert.equal(visibleText(pile, 'prose'), pile);
  });

  it('treats CRLF as a line break in prose, and shows its CR in code', () => {
    assert.equal(
      visibleText('one\r\ntwo\rthree', 'prose'),
      'one\ntwo\\u000dthree',
    );
    assert.equal(visibleText('one\r\ntwo', 'code'), 'one\\u000d\ntwo');
  });

  it('shows unusual spaces as escapes in code, and keeps them in prose', () => {
    assert.equal(
      visibleText('rm\u00a0-rf\u3000/ \ue000', 'code'),
      'rm\\u00a0-rf\\u3000/ \\ue000',
    );
    assert.equal(visibleText('one\u00a0two', 'prose'), 'one\u00a0two');
  });
});
