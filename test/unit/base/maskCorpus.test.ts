import assert from 'node:assert/strict';
import { harmless } from '../../support/maskCorpus/harmless.ts';
import { entriesWithSecrets, leakRate, maskRate } from '../../support/maskCorpus/rates.ts';
import { secrets } from '../../support/maskCorpus/secrets.ts';

describe('the mask corpus', () => {
  const entries = entriesWithSecrets();

  it('covers every secret with at least 600 generated commands', () => {
    assert.ok(entries.length >= 600);
    const used = new Set(entries.map(({ secret }) => secret));
    assert.deepEqual(
      secrets.filter(({ text }) => !used.has(text)),
      [],
    );
    for (const { secret, server } of entries.slice(0, 100)) {
      const [part = ''] = /\p{L}{4,}/u.exec(secret) ?? [];
      assert.ok(JSON.stringify(server).includes(part));
    }
  });

  it('leaks at most 3 % of its secrets', () => {
    assert.ok(leakRate(entries) <= 3, `${leakRate(entries).toFixed(2)} %`);
  });

  it('masks at most 8 % of its harmless texts', () => {
    assert.ok(harmless.length >= 100);
    assert.ok(maskRate(harmless) <= 8, `${maskRate(harmless).toFixed(2)} %`);
  });
});
