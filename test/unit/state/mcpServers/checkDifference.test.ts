import assert from 'node:assert/strict';
import type { ProbeFailure } from '../../../../src/probe/probe.ts';
import {
  differenceOfChecks,
  elsewhereShort,
} from '../../../../src/editor/words/mcpServers/checkWords.ts';
import type { ServerCheck } from '../../../../src/state/mcpServers/checkMemory.ts';

const common = { at: 0, digest: '', saved: true };
const works = (where: ServerCheck['where']): ServerCheck => ({
  ...{ ...common, where, result: { kind: 'works', tools: 2, milliseconds: 1 } },
});
const fails = (
  where: ServerCheck['where'],
  failure: ProbeFailure,
): ServerCheck => ({
  ...{ ...common, where, result: { kind: 'fails', failure, milliseconds: 1 } },
});
const said = (detail: string): ProbeFailure => ({
  reason: 'other',
  detail,
  lastLines: [],
});
const there = { service: 'http://a' };
const difference = (
  here: ServerCheck | undefined,
  ...elsewhere: readonly ServerCheck[]
) => differenceOfChecks({ here, elsewhere }, () => 'Local');

describe('the difference between the checks of a server', () => {
  it('shows both results when one check works and the other fails', () => {
    const noDocker = said(
      "Client failed to connect: [Errno 2] No such file or directory: 'docker'",
    );
    assert.equal(
      difference(works('here'), fails(there, noDocker)),
      'works here, not at Local: docker not found there',
    );
    assert.equal(
      difference(
        works('here'),
        fails(there, said('McpError: Connection closed')),
      ),
      'works here, not at Local: McpError: Connection closed',
    );
    const notFound: ProbeFailure = {
      reason: 'programNotFound',
      program: 'npx',
      lookedIn: [],
    };
    assert.equal(
      difference(fails('here', notFound), works(there)),
      'works at Local, not here: npx not found',
    );
    assert.equal(
      difference(
        works('here'),
        works({ service: 'http://b' }),
        fails(there, noDocker),
      ),
      'works here, not at Local: docker not found there',
    );
  });

  it('shows only the result at the service in the row', () => {
    const short = (
      here: ServerCheck | undefined,
      ...elsewhere: readonly ServerCheck[]
    ) => elsewhereShort({ here, elsewhere }, () => 'Local');
    const noDocker = said(
      "Client failed to connect: [Errno 2] No such file or directory: 'docker'",
    );
    assert.equal(
      short(works('here'), fails(there, noDocker)),
      'not at Local: docker not found there',
    );
    assert.equal(
      short(undefined, fails(there, noDocker)),
      'not at Local: docker not found there',
    );
    assert.equal(
      short(fails('here', said('a')), works(there)),
      'works at Local',
    );
    assert.equal(short(undefined, works(there)), 'works at Local');
    assert.equal(short(works('here'), works(there)), undefined);
  });

  it('shows nothing when the checks agree or only one exists', () => {
    assert.equal(difference(works('here'), works(there)), undefined);
    assert.equal(
      difference(fails('here', said('a')), fails(there, said('b'))),
      undefined,
    );
    assert.equal(difference(works('here')), undefined);
    assert.equal(difference(undefined, works(there)), undefined);
  });
});
