import assert from 'node:assert/strict';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../support/demo/faults/misbehavingDemo.ts';
import {
  assertFailedInterruptsOnly,
  isFailedInterrupt,
} from '../../soak/failedInterrupts.ts';
import { request, UnexpectedAnswer } from '../../soak/serviceRequests.ts';

describe('a request of a test to a service', () => {
  let demo: MisbehavingDemo;

  before(async () => {
    demo = await startMisbehavingDemo({ interface: 'agentServer', key: 'k' });
  });

  after(async () => {
    await demo.stop();
  });

  const list = 'api/conversations/search?limit=1';
  const log = () =>
    Promise.resolve(
      'what was before\n'.repeat(50) + 'Traceback\nRuntimeError: no\n',
    );

  async function failure(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<UnexpectedAnswer> {
    const before = demo.requests.length;
    const error: unknown = await request(
      { ...demo, log },
      method,
      path,
      body,
    ).catch((e: unknown) => e);
    assert.equal(demo.requests.length, before + 1, 'it was sent again');
    assert.ok(error instanceof UnexpectedAnswer, String(error));
    return error;
  }

  it('resolves to what the service answers', async () => {
    demo.misbehave({});
    const { items } = await request<{ items: unknown[] }>(demo, 'GET', list);
    assert.equal(items.length, 1);
  });

  it('reports the request and the answer when the service refuses it', async () => {
    demo.misbehave({ errorBody: 'validation', errorStatus: 422 });
    const { message } = await failure('POST', 'api/conversations', {});
    assert.match(
      message,
      /^POST \/api\/conversations was answered with 422: \{"detail":/,
    );
    assert.doesNotMatch(message, /own fault|Traceback/);
  });

  it("calls a 5xx the service's own fault, shows the end of its log, and sends nothing again", async () => {
    for (const errorStatus of [500, 503]) {
      demo.misbehave({ errorBody: 'text', errorStatus });
      const { message, answer } = await failure('GET', list);
      const begin = `GET /${list} was answered with ${errorStatus}, the service's own fault: `;
      assert.ok(message.startsWith(begin), message);
      assert.match(
        message,
        /\nThe end of its log:\n(what was before\n){28}Traceback\nRuntimeError: no$/,
      );
      assert.equal(answer.status, errorStatus);
    }
  });

  it('shows the beginning of an answer that is not JSON', async () => {
    demo.misbehave({ htmlAt200: true });
    const { message } = await failure('GET', list);
    assert.match(message, /was answered with 200: <!doctype html>/i);
    assert.match(message, / \(this is not JSON\)$/);
  });
});

describe('a failed interrupt of an Agent Server', () => {
  const access = (path: string, status: number) =>
    `2026-11-25 15:22:02,554 - INFO - uvicorn.access - 127.0.0.1:35944 - "POST ${path} HTTP/1.1" ${status}\n`;
  const traceback = (where: string, error: string) =>
    `2026-11-25 15:22:02,554 - ERROR - uvicorn.error - Exception in ASGI application\n` +
    `Traceback (most recent call last):\n  File "event_service.py", line 2134, in ${where}\n    await it\n${error}\n`;
  const interrupt = '/api/conversations/a/interrupt';
  const fault =
    traceback('interrupt', 'asyncio.exceptions.CancelledError') +
    access(interrupt, 500);

  it('differs from other failures by its answer', () => {
    const answer = {
      method: 'POST',
      path: interrupt.slice(1),
      status: 500,
      body: 'Internal Server Error',
    };
    assert.ok(isFailedInterrupt(answer));
    for (const other of [
      { method: 'GET' },
      { path: 'api/conversations/a/run' },
      { status: 503 },
      { body: '{"detail": "Internal Server Error"}' },
    ])
      assert.ok(
        !isFailedInterrupt({ ...answer, ...other }),
        JSON.stringify(other),
      );
  });

  it('accounts for every 5xx in the log', () => {
    assertFailedInterruptsOnly(access(interrupt, 200), 0);
    assertFailedInterruptsOnly(fault + access(interrupt, 200) + fault, 2);
    for (const [log, count] of [
      [fault, 0],
      [fault, 2],
      [fault + access('/api/conversations/a/run', 500), 1],
      [fault + access('/api/conversations/a/run', 500), 2],
      [traceback('interrupt', 'RuntimeError: no') + access(interrupt, 500), 1],
      [
        traceback('run', 'asyncio.exceptions.CancelledError') +
          access(interrupt, 500),
        1,
      ],
      [access(interrupt, 500), 1],
    ] as const)
      assert.throws(() => {
        assertFailedInterruptsOnly(log, count);
      }, assert.AssertionError);
  });
});
