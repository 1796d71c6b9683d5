import assert from 'node:assert/strict';
import { plainText } from '../../../src/base/plainText.ts';

describe('text from elsewhere', () => {
  it('becomes one line without anything that cannot be seen', () => {
    assert.equal(
      plainText(' a\n\tb\u0000c\u001b[31m \u202egnp.exe \u200bx\u2028y '),
      'a b c [31m gnp.exe x y',
    );
  });

  it('keeps what can be seen, emoji and all', () => {
    assert.equal(plainText('Grüße 你好 👍🏽 $(alert) **bold**'), 'Grüße 你好 👍🏽 $(alert) **bold**');
  });

  it('is capped between characters', () => {
    assert.equal(plainText('👍'.repeat(1_000_000), 5), '👍👍👍👍…');
    assert.equal(plainText('abcde', 5), 'abcde');
  });
});
