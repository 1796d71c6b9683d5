import assert from 'node:assert/strict';
import { type About, heading } from '../../support/heading.ts';

describe('the heading of the bench', () => {
  const about: About = {
    date: new Date('2026-11-21T23:59:00Z'),
    version: '1.2.3',
    cores: 8,
    processor: 'Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz',
    arch: 'x64',
    memory: 33_604_472_832,
    platform: 'linux',
    node: '24.0.1',
  };

  it('shows the version, the date and the kind of machine', () => {
    assert.equal(
      heading(about),
      'Agent Switchboard 1.2.3, 2026-11-21, on 8 x64 cores (Intel Xeon), 31 GB of memory, Linux, Node 24.0.1.',
    );
  });

  it('shows only the family of a processor', () => {
    const kind = (processor: string) =>
      /\((.*)\)/.exec(heading({ ...about, processor }))?.[1];
    assert.equal(kind('Apple M2 Pro'), 'Apple M2');
    assert.equal(kind('AMD EPYC 7763 64-Core Processor'), 'AMD EPYC');
    assert.equal(kind('AMD Ryzen 7 5800X 8-Core Processor'), 'AMD Ryzen 7');
    assert.equal(kind('12th Gen Intel(R) Core(TM) i7-1260P'), 'Intel Core i7');
    assert.equal(kind('Intel(R) Core(TM) Ultra 7 155H'), 'Intel Core Ultra 7');
    assert.equal(kind('host-17 virtual processor'), undefined);
    assert.equal(kind(''), undefined);
  });

  it('says "core" for one core', () => {
    assert.match(
      heading({ ...about, cores: 1, processor: '', platform: 'freebsd' }),
      /on 1 x64 core, 31 GB .* freebsd,/,
    );
  });
});
