import assert from 'node:assert/strict';
import { failureWords } from '../../../src/probe/failureWords.ts';
import type { ProbeFailure } from '../../../src/probe/probe.ts';
import { eachFailure as all } from './eachFailure.ts';

describe('a failed check', () => {
  for (const failure of Object.values(all)) {
    it(`offers an explanation and a next step for ${failure.reason}`, () => {
      const { said, steps } = failureWords(failure);
      assert.match(said, /^[A-Z].*(?:\.|\})$/s);
      assert.ok(steps.length > 0);
    });
  }

  const first = (failure: ProbeFailure) => failureWords(failure).steps[0];

  it('offers to show the part of the entry that caused the failure', () => {
    assert.deepEqual(first(all.keyRefused), {
      do: 'show',
      places: ['headers.authorization', 'auth', 'headers', 'url'],
    });
    assert.deepEqual(first({ reason: 'variableMissing', names: ['A', 'B'] }), {
      do: 'show',
      places: ['${A}', '${B}'],
    });
  });

  it('offers the VS Code setting for a proxy or certificate failure', () => {
    assert.deepEqual(first(all.proxy), { do: 'setting', name: 'http.proxy' });
    assert.deepEqual(first(all.certificate), {
      do: 'setting',
      name: 'http.systemCertificates',
    });
  });

  it('offers a redirect target as the new URL only if it is a complete web address', () => {
    const to = (address: string) =>
      first({ reason: 'redirected', status: 301, to: address }).do;
    assert.equal(to('https://h/mcp'), 'changeUrl');
    assert.equal(to('https://h/mcp?key=••••••'), 'show');
    assert.equal(to('https://h/long…'), 'show');
    assert.equal(to('javascript:alert(1)'), 'show');
    assert.equal(to('h/mcp'), 'show');
  });

  it('offers to check again after a refused connection or a timeout without output', () => {
    assert.equal(first({ ...all.unreachable, why: 'refused' }).do, 'again');
    assert.equal(first({ ...all.timedOut, lastLines: [] }).do, 'again');
  });
});
