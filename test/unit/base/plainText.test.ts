import assert from 'node:assert/strict';
import { plainText } from '../../../src/base/plainText.ts';

describe('untrusted text', () => {
  it('becomes one line without invisible characters', () => {
    assert.equal(
      plainText(' a\n\tb\u0000c\u001b[31m \u202egnp.exe \u200bx\u2028y '),
      'a b c [31m gnp.exe x y',
    );
  });

  it('keeps visible characters, including emoji', () => {
    assert.equal(plainText('Grüße 你好 👍🏽 $(alert) **bold**'), 'Grüße 你好 👍🏽 $(alert) **bold**');
  });

  it('is cut off between characters, never inside one', () => {
    assert.equal(plainText('👍'.repeat(1_000_000), 5), '👍👍👍👍…');
    assert.equal(plainText('abcde', 5), 'abcde');
  });
});
