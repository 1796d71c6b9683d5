import assert from 'node:assert/strict';
import { mask, Secret } from '../../../../src/base/secret.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../../support/demo/faults/misbehavingDemo.ts';
import { leakedToken } from '../../../support/demo/faults/oddRecords.ts';
import { ServiceError } from '../../../../src/service/http/serviceError.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';
import { reachableText } from '../../../support/reachable.ts';
import {
  type Answering,
  type GivenAnswer,
  saying,
  startAnswering,
} from '../answering.ts';
import { allRows, connect, Lines, serviceOf } from '../support.ts';

/** Nothing but knowing it tells that it is a key. */
const key = 'wombat/lemming';
const secret = /wombat|lemming|ghp_/;

describe('the reason that a service gives for a failure', () => {
  let lines: Lines;

  beforeEach(() => {
    lines = new Lines();
  });

  describe('in a task or a sandbox', () => {
    let demo: MisbehavingDemo;
    const clock = new HurriedClock(50);
    const options = () => ({ key: new Secret(key), clock, log: lines });

    beforeEach(async () => {
      demo = await startMisbehavingDemo({
        key,
        clock,
        misbehaviour: { taskFails: true, leakyDetails: true },
      });
    });

    afterEach(async () => {
      await demo.stop();
    });

    it('shows why a start task failed, without its secrets', async () => {
      const created = await serviceOf(demo, 'v1', options()).creation.create({
        message: 'x',
      });
      assert.equal(created.kind, 'task');
      const tasks = await Array.fromAsync(
        connect(demo, options()).followStart(created.task),
      );
      const { detail } = tasks.at(-1) ?? assert.fail();
      assert.match(
        detail ?? '',
        /^Cloning https:.+•.+ for •+ .+setup script ended with exit code 1/,
      );
      assert.doesNotMatch(reachableText(tasks) + lines.all.join('\n'), secret);
    });

    it('shows the details of every sandbox, without their secrets', async () => {
      const { sandboxes } = serviceOf(demo, 'v1', options());
      const rows = [
        ...(await allRows(sandboxes.list())),
        await sandboxes.start(),
      ];
      const details = rows.flatMap(({ detail }) => detail ?? []);
      assert.ok(details.some((detail) => detail.includes('out of memory')));
      assert.equal(details.at(-1)?.endsWith('Starting the container'), true);
      assert.ok(details.every((detail) => detail.includes(mask)));
      assert.doesNotMatch(reachableText(rows) + lines.all.join('\n'), secret);
    });
  });

  describe('in a response', () => {
    let server: Answering;

    beforeEach(async () => {
      server = await startAnswering();
    });

    afterEach(async () => {
      await server.stop();
    });

    async function failureOf(
      answer: GivenAnswer,
      known = key,
    ): Promise<ServiceError> {
      server.give(answer);
      const { sandboxes } = serviceOf(server, 'v1', {
        key: new Secret(known),
        log: lines,
      });
      const error: unknown = await sandboxes
        .list()
        .next()
        .catch((error: unknown) => error);
      assert.ok(error instanceof ServiceError);
      return error;
    }

    const html = { 'content-type': 'text/html' };
    const shapes: Readonly<Record<string, (text: string) => GivenAnswer>> = {
      'a detail': (text) => saying({ detail: text }, 400),
      'the message of a detail': (text) =>
        saying({ detail: { message: text } }, 403),
      'a validation error': (text) =>
        saying({ detail: [{ loc: ['query', 'x'], msg: text }] }, 422),
      'the place of a validation error': (text) =>
        saying({ detail: [{ loc: [text], msg: 'no' }] }, 422),
      'a message': (text) => saying({ message: text }, 404),
      'an error': (text) => saying({ error: text }, 500),
      'a bare string': (text) => saying(text, 409),
      'plain text': (text) => ({ status: 400, body: text }),
      'the title of a web page': (text) => ({
        status: 500,
        headers: html,
        body: `<title>${text}</title>`,
      }),
    };

    for (const [name, shape] of Object.entries(shapes)) {
      it(`masks the key, plain or encoded, in ${name}`, async () => {
        for (const form of [key, encodeURIComponent(key)]) {
          const error = await failureOf(shape(`Nobody is called ${form} here`));
          assert.ok(
            error.message.includes(`Nobody is called ${mask} here`),
            error.message,
          );
          assert.doesNotMatch(
            reachableText(error) + lines.all.join('\n'),
            secret,
          );
        }
      });
    }

    it('masks the key in the target of a redirect', async () => {
      const headers = { location: 'http://wombat.lemming.example/' };
      const error = await failureOf(
        { status: 307, headers, body: '' },
        'wombat.lemming',
      );
      assert.ok(
        error.message.includes(`it redirects to http://${mask}.example.`),
        error.message,
      );
      assert.doesNotMatch(reachableText(error) + lines.all.join('\n'), secret);
    });

    it('shows no part of a secret that is cut off in a long text', async () => {
      for (const each of [key, `https://me:${leakedToken}@code.invalid/`]) {
        for (let shown = 1; shown < each.length; shown++) {
          // Masked, it is so short that everything after it is shown.
          const before = `token=${'9f3c7a1e'.repeat(250).slice(0, 2_000 - shown - 8)} `;
          const { message } = await failureOf(
            saying({ detail: `${before} ${each} and so on` }, 400),
          );
          assert.ok(message.includes(`token=${mask}`), message);
          assert.doesNotMatch(
            message,
            /wom|https:\/\/m|ghp/,
            `${shown} characters of ${each}`,
          );
        }
      }
    });
  });

  it('masks the key in the details of a start task that failed at once', async () => {
    const server = await startAnswering();
    server.give(
      saying({
        id: 'task',
        status: 'ERROR',
        detail: `${key} has no sandboxes left`,
      }),
    );
    const { creation } = serviceOf(server, 'v1', {
      key: new Secret(key),
      log: lines,
    });
    const created = await creation.create({ message: 'x' });
    assert.equal(created.kind, 'task');
    assert.equal(created.task.detail, `${mask} has no sandboxes left`);
    await server.stop();
  });

  it('masks secrets in an unknown status', async () => {
    const server = await startAnswering();
    const status = `CLONING https://me:${leakedToken}@code.invalid/`;
    server.give(saying({ items: [{ id: 'box', status }] }));
    const [row] = await allRows(
      serviceOf(server, 'v1', { log: lines }).sandboxes.list(),
    );
    assert.match(row?.status ?? '', /^CLONING https:.*•/);
    assert.doesNotMatch(row?.status ?? '', secret);
    await server.stop();
  });
});
