import assert from 'node:assert/strict';
import { wayOutOf } from '../../../src/probe/failureSteps.ts';
import type { ProbeFailure } from '../../../src/probe/probe.ts';
import { eachFailure as all } from './eachFailure.ts';

describe('a check that failed', () => {
  for (const failure of Object.values(all)) {
    it(`leads on to something that helps: ${failure.reason}`, () => {
      const { said, steps } = wayOutOf(failure);
      assert.match(said, /^[A-Z].*(?:\.|\})$/s);
      assert.ok(steps.length > 0);
    });
  }

  const first = (failure: ProbeFailure) => wayOutOf(failure).steps[0];

  it('leads to what is wrong in its entry', () => {
    assert.deepEqual(first(all.keyRefused), {
      do: 'show',
      places: ['headers.authorization', 'auth', 'headers', 'url'],
    });
    assert.deepEqual(first({ reason: 'variableMissing', names: ['A', 'B'] }), {
      do: 'show',
      places: ['${A}', '${B}'],
    });
  });

  it('leads to the setting that it concerns', () => {
    assert.deepEqual(first(all.proxy), { do: 'setting', name: 'http.proxy' });
    assert.deepEqual(first(all.certificate), { do: 'setting', name: 'http.systemCertificates' });
  });

  it('leads to the address to which it redirects only where all of that is known', () => {
    const to = (address: string) => first({ reason: 'redirected', status: 301, to: address }).do;
    assert.equal(to('https://h/mcp'), 'changeUrl');
    assert.equal(to('https://h/mcp?key=••••••'), 'show');
    assert.equal(to('https://h/long…'), 'show');
    assert.equal(to('javascript:alert(1)'), 'show');
    assert.equal(to('h/mcp'), 'show');
  });

  it('is tried again where that may be enough', () => {
    assert.equal(first({ ...all.unreachable, why: 'refused' }).do, 'again');
    assert.equal(first({ ...all.timedOut, lastLines: [] }).do, 'again');
  });
});
