import assert from 'node:assert/strict';
import { AllowedOrigins } from '../../../src/state/allowedOrigins.ts';
import { MemoryStore } from './support.ts';

describe('the list of origins that may receive sandbox keys', () => {
  const [service, other] = [
    'https://agents.example.com',
    'https://other.example.com',
  ];
  const [one, two] = ['http://10.0.0.1:8000', 'http://10.0.0.2:8000'];

  it('allows and revokes origins for each service separately', async () => {
    const store = new MemoryStore();
    const allowed = new AllowedOrigins(store);
    assert.deepEqual(allowed.of(service), []);
    await allowed.allow(service, one);
    await allowed.allow(service, two);
    await allowed.allow(service, one);
    assert.deepEqual(
      [allowed.of(service), allowed.of(other)],
      [[one, two], []],
    );
    assert.deepEqual(new AllowedOrigins(store).of(service), [one, two]);
    await allowed.revoke(service, one);
    assert.deepEqual(allowed.of(service), [two]);
    await allowed.revoke(service, two);
    assert.deepEqual(store.get('allowedOrigins'), {});
  });

  it('allows no origin when the stored data is invalid', async () => {
    for (const stored of [
      undefined,
      null,
      7,
      [],
      { [service]: one },
      { [service]: [7] },
    ]) {
      const store = new MemoryStore();
      await store.update('allowedOrigins', stored);
      assert.deepEqual(new AllowedOrigins(store).of(service), []);
    }
  });
});
