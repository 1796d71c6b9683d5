import assert from 'node:assert/strict';
import type { Conversation } from '../../../../src/service/model/entities.ts';
import { EventTimes } from '../../../../src/service/records/eventReader.ts';

describe('the times of events in local time', () => {
  it('shows the right time after the end of summer time, once an event has changed the record', () => {
    const times = new EventTimes();
    const record = {
      id: 'a',
      createdAt: Date.parse('2026-10-24T10:00:00Z'),
    } as Conversation;
    times.note(record);
    times.learn('a', '2026-10-24T12:00:00.5');
    const at = (timestamp: string) =>
      new Date(times.at('a', timestamp) ?? 0).toISOString();
    assert.equal(at('2026-10-26T12:00:00'), '2026-10-26T10:00:00.000Z');
    times.note({ ...record, updatedAt: Date.parse('2026-10-26T11:00:01Z') });
    times.compare('a', ['2026-10-26T12:00:00', '2026-10-26T11:00:00']);
    assert.equal(at('2026-10-26T12:00:00'), '2026-10-26T11:00:00.000Z');
    assert.equal(at('2026-10-24T13:00:00'), '2026-10-24T11:00:00.000Z');
    // A rename changes the record, too.
    times.note({ ...record, updatedAt: Date.parse('2026-10-26T11:40:00Z') });
    times.compare('a', ['2026-10-26T12:00:00']);
    assert.equal(at('2026-10-26T12:00:00'), '2026-10-26T11:00:00.000Z');
  });
});
