import assert from 'node:assert/strict';
import { SandboxStates } from '../../../src/service/records/sandboxStates.ts';
import { ConversationReader } from '../../../src/service/v1/conversations.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

describe('a conversation in a sandbox that does not answer its service', () => {
  let reader: ConversationReader;
  const start = Date.parse('2026-01-01T00:00:00Z');

  beforeEach(() => {
    reader = new ConversationReader(new SandboxStates(new SteppedClock()));
  });

  /** Reads the execution in a record after this many seconds. */
  const execution = (seconds: number, execution_status: string | null) => {
    const record = {
      id: 'a',
      sandbox_id: 's',
      sandbox_status: 'RUNNING',
      execution_status,
      created_at: '2025-01-01T00:00:00Z',
    };
    const source = {
      service: 'https://agents.test',
      secrets: [],
      now: start + seconds * 1_000,
    };
    return reader.read(record, source)?.execution;
  };

  it('counts as unknown at first, and as lost only after half a minute', () => {
    const looks = [
      execution(0, 'running'),
      execution(100, null),
      execution(129, null),
      execution(130, null),
    ];
    assert.deepEqual(looks, ['running', undefined, undefined, 'lost']);
  });

  it('counts as unknown again when its agent was known in between', () => {
    execution(0, 'running');
    execution(100, null);
    execution(120, 'finished');
    assert.equal(execution(140, null), undefined);
  });

  it('counts as lost at once if its agent was never known', () => {
    assert.equal(execution(0, null), 'lost');
    assert.equal(execution(5, null), 'lost');
  });
});
