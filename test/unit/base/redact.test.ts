import assert from 'node:assert/strict';
import { redact } from '../../../src/base/redact.ts';
import { mask, Secret } from '../../../src/base/secret.ts';

describe('a secret in a text', () => {
  it('is masked, together with anything that looks like a token', () => {
    const clean = redact(
      'the key canary-value at https://me:canary1@host/x?tkn=canary2&a=1, Authorization: Bearer canary3, "api_key": "canary4"',
      [new Secret('canary-value')],
    );
    assert.doesNotMatch(clean, /canary/);
    assert.match(clean, /&a=1/);
  });

  it('is masked in every form in which others repeat it', () => {
    const known = 'correct horse/ä">>>???';
    const forms = [
      known,
      encodeURIComponent(known),
      encodeURIComponent(known).toLowerCase(),
      encodeURIComponent(known).replaceAll('%20', '+'),
      JSON.stringify(known).slice(1, -1),
      Buffer.from(known).toString('base64'),
      Buffer.from(known).toString('base64url'),
    ];
    assert.equal(new Set(forms).size, 7);
    for (const form of forms) {
      const shown = redact(`a ${form} b`, [new Secret(known)]);
      assert.match(shown, /^a ••••••=* b$/);
    }
  });

  it('is masked though it is a word like others', () => {
    const known = [new Secret('correct-horse')];
    assert.equal(redact('no key correct-horse here', known), 'no key •••••• here');
    assert.equal(redact('no key Y29ycmVjdC1ob3JzZQ== here', known), 'no key ••••••== here');
    assert.equal(redact('no key correct-horse here'), 'no key correct-horse here');
    assert.equal(redact('no key Pj4-Pg here', [new Secret('>>>>')]), 'no key •••••• here');
    assert.equal(redact('no key Pz8_Pw here', [new Secret('????')]), 'no key •••••• here');
    assert.equal(redact('a b%2fc d', [new Secret('b/c_')]), 'a b%2fc d');
    assert.equal(redact('a b%2fc_ d', [new Secret('b/c_')]), 'a •••••• d');
  });

  it('is masked as a whole, if another one is a part of it', () => {
    const known = ['canary', 'canary-long', 'long'].map((value) => new Secret(value));
    assert.equal(redact('x canary-long y canary z', known), 'x •••••• y •••••• z');
  });

  it('is not looked for if it has few characters, or if it is not text', () => {
    assert.equal(redact('abcd abc', [new Secret('abc'), new Secret('')]), 'abcd abc');
    assert.equal(redact('abcd abc', [new Secret('abcd')]), '•••••• abc');
    assert.equal(redact('a \uD800bcd e', [new Secret('\uD800bcd')]), 'a •••••• e');
  });
});

describe('a text from outside', () => {
  for (const [text, shown] of [
    ['cannot clone https://x-access-token:ghp_canary@h/x', 'cannot clone https://••••••@h/x'],
    ['bad credentials ghp_canarycanary', 'bad credentials ••••••'],
    ['https://:canary@h is down', 'https://••••••@h is down'],
    ['sh -c "npx x --api-key canary" ended', 'sh -c "npx x --api-key ••••••" ended'],
    ['{"detail": {"api_key": "canary"}}', '{"detail": {"api_key": ••••••}}'],
    ['The token has expired.', 'The token has expired.'],
  ] as const) {
    it(`has no secrets: ${shown}`, () => {
      assert.equal(redact(text), shown);
    });
  }

  it('is cut off between words where it is long, secrets first', () => {
    const words = 'word '.repeat(799);
    assert.equal(redact(`${words}words`), `${words}words`);
    assert.equal(redact(`${words}word`), `${words}word`);
    assert.equal(redact(`${words}token=canary`), `${words.trimEnd()}…`);
    assert.equal(redact(`${words}words x`), `${words.trimEnd()}…`);
    assert.equal(redact(`${words}\ntoken=canary`), `${words}…`);
    assert.equal(redact('canary-'.repeat(1000)), mask);
    const known = new Secret('a known secret');
    assert.equal(redact(`${'word '.repeat(798)}a known secret`, [known]), `${'word '.repeat(798)}••••••`);
    assert.equal(redact(`${'a known secret'.repeat(100_000)} x`, [known]), mask);
  });
});
