import assert from 'node:assert/strict';
import { redact } from '../../../../src/base/masks/redact.ts';
import { mask, Secret } from '../../../../src/base/secret.ts';

describe('the redaction of secrets', () => {
  it('masks a known secret and anything that looks like one', () => {
    const clean = redact(
      'the key canary-value at https://me:canary1@host/x?tkn=canary2&a=1, Authorization: Bearer canary3, "api_key": "canary4"',
      [new Secret('canary-value')],
    );
    assert.doesNotMatch(clean, /canary/);
    assert.match(clean, /&a=1/);
  });

  it('masks a known secret in its plain, URL, JSON and Base64 forms', () => {
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

  it('masks a known secret even if it looks like an ordinary word', () => {
    const known = [new Secret('correct-horse')];
    assert.equal(
      redact('no key correct-horse here', known),
      'no key •••••• here',
    );
    assert.equal(
      redact('no key Y29ycmVjdC1ob3JzZQ== here', known),
      'no key ••••••== here',
    );
    assert.equal(
      redact('no key correct-horse here'),
      'no key correct-horse here',
    );
    assert.equal(
      redact('no key Pj4-Pg here', [new Secret('>>>>')]),
      'no key •••••• here',
    );
    assert.equal(
      redact('no key Pz8_Pw here', [new Secret('????')]),
      'no key •••••• here',
    );
    assert.equal(redact('a b%2fc d', [new Secret('b/c_')]), 'a b%2fc d');
    assert.equal(redact('a b%2fc_ d', [new Secret('b/c_')]), 'a •••••• d');
  });

  it('masks a secret as a whole when it contains another secret', () => {
    const known = ['canary', 'canary-long', 'long'].map(
      (value) => new Secret(value),
    );
    assert.equal(
      redact('x canary-long y canary z', known),
      'x •••••• y •••••• z',
    );
  });

  it('ignores a secret of fewer than 4 characters and masks one with a lone surrogate', () => {
    assert.equal(
      redact('abcd abc', [new Secret('abc'), new Secret('')]),
      'abcd abc',
    );
    assert.equal(redact('abcd abc', [new Secret('abcd')]), '•••••• abc');
    assert.equal(
      redact('a \uD800bcd e', [new Secret('\uD800bcd')]),
      'a •••••• e',
    );
  });
});

describe('the redaction of an external text', () => {
  for (const [text, shown] of [
    [
      'cannot clone https://x-access-token:ghp_canary@h/x',
      'cannot clone https://••••••@h/x',
    ],
    ['bad credentials ghp_canarycanary', 'bad credentials ••••••'],
    ['https://:canary@h is down', 'https://••••••@h is down'],
    [
      'sh -c "npx x --api-key canary" ended',
      'sh -c "npx x --api-key ••••••" ended',
    ],
    ['{"detail": {"api_key": "canary"}}', '{"detail": {"api_key": ••••••}}'],
    ['The token has expired.', 'The token has expired.'],
  ] as const) {
    it(`shows ${JSON.stringify(text)} as ${shown}`, () => {
      assert.equal(redact(text), shown);
    });
  }

  it('masks secrets first, then truncates long text between words', () => {
    const words = 'word '.repeat(799);
    assert.equal(redact(`${words}words`), `${words}words`);
    assert.equal(redact(`${words}word`), `${words}word`);
    assert.equal(redact(`${words}token=canary`), `${words.trimEnd()}…`);
    assert.equal(redact(`${words}words x`), `${words.trimEnd()}…`);
    assert.equal(redact(`${words}\ntoken=canary`), `${words}…`);
    assert.equal(redact('canary-'.repeat(1000)), mask);
    const known = new Secret('a known secret');
    assert.equal(
      redact(`${'word '.repeat(798)}a known secret`, [known]),
      `${'word '.repeat(798)}••••••`,
    );
    assert.equal(
      redact(`${'a known secret'.repeat(100_000)} x`, [known]),
      mask,
    );
  });
});
