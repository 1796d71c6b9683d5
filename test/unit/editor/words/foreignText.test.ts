import assert from 'node:assert/strict';
import { inMessage, inPick } from '../../../../src/editor/words/foreignText.ts';

describe('untrusted text', () => {
  const hostile = [
    '[click](https://evil.example)',
    '[a]](command:x) [b](command:y)',
    '$(trash) $(sync~spin) \\$(x) $$(y)((z)',
    'a\u202Eb\u0007\nc]\u200B(x)$\u200B(y)',
  ];

  it('makes no link in a message', () => {
    for (const text of hostile)
      assert.doesNotMatch(inMessage(text), /\]\(|[\p{Cc}\u200B\u202E]/u);
    assert.equal(inMessage('[WIP] (fix) array[0]'), '[WIP] (fix) array[0]');
  });

  it('makes no icon in a Quick Pick', () => {
    for (const text of hostile)
      assert.doesNotMatch(inPick(text), /\$\(|[\p{Cc}\u200B\u202E]/u);
    assert.equal(inPick('cost: $5 (net)'), 'cost: $5 (net)');
  });

  it('keeps at most 1,000 characters', () => {
    assert.ok(inMessage('a'.repeat(1_000_000)).length <= 1_000);
    assert.ok(inPick('a'.repeat(1_000_000)).length <= 1_000);
  });
});
