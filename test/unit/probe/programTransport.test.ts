import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { ProgramTransport } from '../../../src/probe/programTransport.ts';
import { probeLimits } from '../../../src/probe/serverConnection.ts';

describe('the transport to a program', () => {
  it('keeps nothing of notifications, but counts their bytes', async () => {
    const stdout = new PassThrough();
    const child: unknown = { stdout, stderr: new PassThrough() };
    const limits: string[] = [];
    const messages: unknown[] = [];
    const transport = new ProgramTransport(
      { child: child as ChildProcess },
      (of) => limits.push(of),
    );
    transport.onmessage = (message) => messages.push(message);
    await transport.start();
    const params = { level: 'info', data: 'x'.repeat(100_000) };
    const notification = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params })}\n`;
    const count = Math.floor(probeLimits.bytes / notification.length);
    stdout.emit('data', Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}\n'));
    for (let index = 1; index < count; index++)
      stdout.emit('data', Buffer.from(notification));
    assert.deepEqual(
      [limits, messages],
      [[], [{ jsonrpc: '2.0', id: 1, result: {} }]],
    );
    for (let index = 0; index < 2; index++)
      stdout.emit('data', Buffer.from(notification));
    assert.deepEqual(
      [limits, messages.length, transport.output],
      [['bytes'], 1, ''],
    );
  });
});
