import assert from 'node:assert/strict';
import { plainText } from '../../../src/base/plainText.ts';

describe('the cleaning of untrusted text', () => {
  it('returns a single line without invisible characters', () => {
    assert.equal(
      plainText(' a\n\tb\u0000c\u001b[31m \u202egnp.exe \u200bx\u2028y '),
      'a b c [31m gnp.exe x y',
    );
    assert.equal(plainText('你\u202e好'), '你 好');
  });

  it('collapses white space to single spaces between words', () => {
    for (const text of [
      'a b',
      ' a b',
      'a b ',
      'a  b',
      'a   b',
      'a\u00A0b',
      'a\r\nb',
    ])
      assert.equal(plainText(text), 'a b');
  });

  it('keeps visible characters, including emoji', () => {
    assert.equal(
      plainText('Grüße 你好 👍🏽 $(alert) **bold**'),
      'Grüße 你好 👍🏽 $(alert) **bold**',
    );
  });

  it('truncates long text between characters, never inside one', () => {
    assert.equal(plainText('👍'.repeat(1_000_000), 5), '👍👍👍👍…');
    assert.equal(plainText('abcde', 5), 'abcde');
    assert.equal(plainText('äbcde', 5), 'äbcde');
    assert.equal(plainText('äbcdef', 5), 'äbcd…');
    assert.equal(plainText('a'.repeat(201)), `${'a'.repeat(199)}…`);
    assert.equal(plainText('a'.repeat(200)), 'a'.repeat(200));
  });

  it('replaces every kind of invisible character with a space', () => {
    const invisible = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) =>
        /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u.test(character),
      );
    assert.ok(invisible.length > 4000);
    for (const character of [
      '\u00AD',
      '\u034F',
      '\u115F',
      '\u1160',
      '\u180E',
      '\u3164',
      '\uFE0F',
      '\uFFA0',
      '\u{E0100}',
    ])
      assert.ok(invisible.includes(character));
    for (const character of invisible) {
      assert.equal(
        plainText(`git${character}hub`),
        'git hub',
        `U+${character.codePointAt(0)?.toString(16)}`,
      );
    }
    assert.equal(
      plainText(`git${invisible.slice(0, 100).join('')}hub`),
      'git hub',
    );
  });

  it('keeps at most three marks on a letter, which would cover other lines', () => {
    assert.equal(
      plainText(`o${'\u0301'.repeat(300)}k`),
      'o\u0301\u0301\u0301k',
    );
    assert.equal(
      plainText('Việt บที่ བསྒྲུབས שּׁ֔'.normalize('NFD')),
      'Việt บที่ བསྒྲུབས שּׁ֔'.normalize('NFD'),
    );
  });

  it('keeps emoji readable without their invisible characters', () => {
    assert.equal(plainText('⚠️: 1️⃣ ❤️‍🔥 👍🏽 ©️'), '⚠: 1⃣ ❤ 🔥 👍🏽 ©');
    assert.equal(plainText('1\uFE0Fa'), '1 a');
  });
});
