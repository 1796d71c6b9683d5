/**
 * An extension that skips time in the extension host of its window when a test
 * asks for it.
 */
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SkippingClock } from '../support/skippingClock.ts';

/**
 * The least delay of a timer that is skipped. Most shorter ones belong to the
 * editor.
 */
const minSkippedMs = 500;

const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

const clock = new SkippingClock({
  now: Date.now.bind(Date),
  after: (milliseconds, callback) => {
    const timer = startTimer(callback, milliseconds);
    return () => {
      stopTimer(timer);
    };
  },
});

const cancels = new Map<unknown, () => void>();

function startSkippable(
  callback: (...args: unknown[]) => void,
  delayMs = 0,
  ...args: unknown[]
) {
  if (delayMs < minSkippedMs) return startTimer(callback, delayMs, ...args);
  const identity = startTimer(() => undefined, 0);
  const cancel = clock.after(delayMs, () => {
    cancels.delete(identity);
    callback(...args);
  });
  cancels.set(identity, cancel);
  return identity;
}

function stopSkippable(timer: NodeJS.Timeout | undefined): void {
  cancels.get(timer)?.();
  cancels.delete(timer);
  stopTimer(timer);
}

/**
 * Replaces the timers and the time of this process, and listens for the
 * milliseconds to skip.
 */
export async function activate(): Promise<void> {
  Object.assign(globalThis, {
    setTimeout: Object.assign(startSkippable, startTimer),
    clearTimeout: stopSkippable,
  });
  Date.now = () => Math.floor(clock.now());
  const server = createServer((request, response) => {
    void clock.skip(Number(request.url?.slice(1))).then(() => response.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const ports = join(__dirname, 'ports');
  await mkdir(ports, { recursive: true });
  await writeFile(
    join(ports, String((server.address() as AddressInfo).port)),
    '',
  );
}
