import assert from 'node:assert/strict';
import { Cancellation } from '../../../../src/base/cancellation.ts';
import type { Misbehaviour } from '../../../support/demo/faults/misbehaviour.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../../support/demo/faults/misbehavingDemo.ts';
import type { Sandboxes } from '../../../../src/service/abilities/agentService.ts';
import type { ServiceClient } from '../../../../src/service/client.ts';
import { keyOf, type Sandbox } from '../../../../src/service/model/entities.ts';
import { noLog } from '../../../../src/base/log.ts';
import { Pager } from '../../../../src/service/http/pager.ts';
import { RemoteList } from '../../../../src/state/lists/remoteList.ts';
import { connectionClosed } from '../../../../src/state/connectedService.ts';
import { SandboxActions } from '../../../../src/state/sandboxes/sandboxActions.ts';
import { until } from '../../../support/eventually.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';
import { reachableText } from '../../../support/reachable.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import { clientOf, key, sandboxesOf, settle } from '../support.ts';

describe('an action on a sandbox', () => {
  const never = new AbortController().signal;
  let clock: HurriedClock;
  let demo: MisbehavingDemo;
  let client: ServiceClient;
  let sandboxes: Sandboxes;
  let list: RemoteList<Sandbox>;
  let actions: SandboxActions;
  /** The actions under way each time that something was told. */
  let told: string[];
  let work: Cancellation;
  /** Begins again with the same list. */
  let connect: () => void;

  async function serve(
    misbehaviour: Partial<Misbehaviour> = {},
    factor = 50,
  ): Promise<void> {
    clock = new HurriedClock(factor);
    demo = await startMisbehavingDemo({ key, clock, misbehaviour });
    client = clientOf(demo, clock);
    sandboxes = await sandboxesOf(client);
    list = new RemoteList({
      clock,
      pageSize: () => 99,
      open: () => sandboxes.list(),
    });
    connect = () => {
      work = new Cancellation();
      actions = new SandboxActions(list, demo.url, clock, work);
    };
    connect();
    told = [];
    actions.onChange(() =>
      told.push([...actions.underWay.values()].join() || 'nothing'),
    );
  }

  beforeEach(async () => {
    await serve();
    await list.refresh();
  });

  afterEach(async () => {
    work.cancel(connectionClosed());
    await demo.stop();
  });

  const all = () => [...list.rows.values()];
  const status = (id: string) =>
    list.rows.get(keyOf({ service: demo.url, id }))?.status;
  const one = (wanted: string) =>
    all().find((row) => row.status === wanted) ??
    assert.fail(`none is ${wanted}`);
  const posts = () =>
    demo.requests.filter(({ method }) => method === 'POST').length;
  const ids = (rows: readonly Sandbox[]) => rows.map(({ id }) => id);

  it('shows a sandbox as pausing until it is paused', async () => {
    const { id } = one('running');
    const paused = actions.pause(sandboxes, id, never);
    assert.deepEqual([...actions.underWay], [[id, 'pausing']]);
    await paused;
    assert.equal(status(id), 'paused');
    assert.deepEqual(told, ['pausing', 'nothing']);
    assert.equal(actions.underWay.size, 0);
  });

  it('shows a sandbox as resuming until it runs, and reports which sandbox the service paused for it', async () => {
    const running = ids(actions.othersRunning());
    assert.equal(running.length, 4);
    const { id } = one('paused');
    const paused = ids(await actions.resume(sandboxes, id, never));
    assert.equal(status(id), 'running');
    assert.deepEqual(told, ['resuming', 'nothing']);
    assert.deepEqual(paused, running.slice(-1), 'the oldest');
    assert.ok(paused.every((other) => status(other) === 'paused'));
  });

  it('starts a sandbox from a spec or the default, and waits until it runs', async () => {
    const running = ids(actions.othersRunning());
    const { value } = await sandboxes.specs().next();
    const spec = value?.items[1]?.id;
    const paused = ids(await actions.start(sandboxes, spec, never));
    const [newest] = all();
    assert.deepEqual([newest?.status, newest?.specId], ['running', spec]);
    assert.deepEqual(told, ['starting', 'nothing']);
    assert.deepEqual(paused, running.slice(-1));
    await actions.start(sandboxes, undefined, never);
    assert.equal(all()[0]?.status, 'running');
  });

  it('does not report a sandbox that the user paused as paused by the service', async () => {
    const [first] = actions.othersRunning();
    const { id } = one('paused');
    const [paused] = await Promise.all([
      actions.resume(sandboxes, id, never),
      actions.pause(sandboxes, first?.id ?? '', never),
    ]);
    await list.refresh();
    assert.equal(status(first?.id ?? ''), 'paused');
    assert.ok(!ids(paused).includes(first?.id ?? ''));
  });

  it('reports which sandbox the service paused even if nothing was loaded before', async () => {
    const { id } = one('paused');
    list.reset();
    assert.equal((await actions.resume(sandboxes, id, never)).length, 1);
  });

  it('reports only what the service paused for it, although the list is old', async () => {
    const [first, second] = all().filter((row) => row.status === 'paused');
    assert.ok(first && second);
    const [oldest] = ids(actions.othersRunning()).slice(-1);
    // Another client makes the service pause the oldest one.
    await sandboxes.resume(first.id);
    const isPaused = async () =>
      (await Array.fromAsync(sandboxes.list()))
        .flatMap(({ items }) => items)
        .find(({ id }) => id === oldest)?.status === 'paused';
    await until(isPaused);
    await until(() => clock.now() - (list.asOf ?? 0) > 60_000);
    const paused = ids(await actions.resume(sandboxes, second.id, never));
    assert.equal(paused.length, 1);
    assert.notEqual(paused[0], oldest);
  });

  describe('a sandbox that the service pauses for a new conversation', () => {
    const create = async () => {
      const created = await (
        await client.recognise()
      ).creation?.create({ message: 'Fix the build' });
      assert.equal(created?.kind, 'task');
      for await (const task of client.followStart(created.task))
        assert.notEqual(task.stage, 'error');
    };

    it('reports the oldest sandbox as paused for a new conversation', async () => {
      await list.refresh();
      const running = ids(actions.othersRunning());
      const pausedForIt = await actions.watchPausing();
      await create();
      assert.deepEqual(
        ids(await pausedForIt()),
        running.slice(-1),
        'the oldest',
      );
    });

    it('reports a sandbox paused for a new conversation even if nothing was loaded before', async () => {
      list.reset();
      const pausedForIt = await actions.watchPausing();
      await create();
      assert.equal((await pausedForIt()).length, 1);
    });

    it('does not report a sandbox that the user has paused since', async () => {
      const pausedForIt = await actions.watchPausing();
      await actions.pause(sandboxes, one('running').id, never);
      assert.deepEqual(await pausedForIt(), []);
    });

    it('reports no paused sandbox after the service is disconnected', async () => {
      const pausedForIt = await actions.watchPausing();
      await create();
      work.cancel(connectionClosed());
      list.reset();
      const { requestCount } = demo;
      assert.deepEqual(await pausedForIt(), []);
      assert.equal(demo.requestCount, requestCount);

      connect();
      await list.refresh();
      const again = (await actions.watchPausing())();
      work.cancel(connectionClosed());
      assert.deepEqual(await again, []);
    });
  });

  it('lists the other running sandboxes, which the service may pause', () => {
    const [first, ...others] = actions.othersRunning();
    assert.deepEqual(actions.othersRunning(first?.id), others);
    list.reset();
    assert.deepEqual(actions.othersRunning(), []);
  });

  it('rejects a second action on a sandbox while one is under way', async () => {
    const { id } = one('running');
    const paused = actions.pause(sandboxes, id, never);
    await assert.rejects(
      actions.resume(sandboxes, id, never),
      /is already pausing/,
    );
    await assert.rejects(actions.pause(sandboxes, id, never), {
      name: 'UserError',
    });
    assert.deepEqual([...actions.underWay], [[id, 'pausing']]);
    await paused;
    assert.equal(posts(), 1);
  });

  it('fails for a sandbox that the service does not know, and leaves nothing under way', async () => {
    await assert.rejects(
      actions.pause(sandboxes, 'gone', never),
      /could not find it/,
    );
    assert.equal(actions.underWay.size, 0);
    assert.deepEqual(told, ['pausing', 'nothing']);
  });

  it('reports the reason when a sandbox fails instead of resuming', async () => {
    const failed = one('error');
    const lying: Sandboxes = { ...sandboxes, resume: () => Promise.resolve() };
    await assert.rejects(
      actions.resume(lying, failed.id, never),
      / failed: .*137: out of memory.*Start another/,
    );
    assert.equal(actions.underWay.size, 0);
  });

  it('masks secrets in the reason when a sandbox fails instead of resuming', async () => {
    demo.misbehave({ leakyDetails: true });
    const failed = one('error');
    const lying: Sandboxes = { ...sandboxes, resume: () => Promise.resolve() };
    await assert.rejects(actions.resume(lying, failed.id, never), (error) => {
      assert.match(
        String(error),
        / failed: .*•.*137: out of memory.*Start another/,
      );
      assert.doesNotMatch(
        reachableText([error, all()]),
        /ghp_|demoSecret|key-of/,
      );
      return true;
    });
  });

  for (const empty of [204, 200]) {
    it(`pauses and resumes a sandbox when the service replies ${empty} without a body`, async () => {
      demo.misbehave({ emptyAnswers: empty });
      const { id } = one('running');
      await actions.pause(sandboxes, id, never);
      assert.equal(status(id), 'paused');
      await actions.resume(sandboxes, id, never);
      assert.equal(status(id), 'running');
    });
  }

  /**
   * Pauses one of which the service says these, one after the other, and the
   * last one from then on.
   */
  async function pauseSeenAs(
    states: Sandbox['status'][],
    takes: number,
  ): Promise<readonly number[]> {
    const clock = new SteppedClock(0);
    const checks: number[] = [];
    const slow = new RemoteList<Sandbox>({
      clock,
      pageSize: () => 99,
      open: () =>
        new Pager<Sandbox>(
          () => {
            checks.push(clock.now());
            clock.advance(takes);
            const status =
              (states.length > 1 ? states.shift() : states[0]) ?? assert.fail();
            const row = { ...one('running'), id: 'slow', status };
            return Promise.resolve({
              items: [row],
              skipped: 0,
              cursor: undefined,
            });
          },
          ({ id }) => id,
          noLog,
        ),
    });
    const willing: Sandboxes = { ...sandboxes, pause: () => Promise.resolve() };
    await clock.advanceUntil(
      new SandboxActions(slow, demo.url, clock, work).pause(
        willing,
        'slow',
        never,
      ),
      500,
    );
    return checks;
  }

  it('checks a sandbox less often when a check takes long', async () => {
    const checks = await pauseSeenAs(
      ['running', 'running', 'running', 'paused'],
      2_000,
    );
    assert.deepEqual(checks, [0, 10_000, 20_000, 30_000]);
  });

  it('waits for a sandbox that looks failed for a moment', async () => {
    const { id } = one('running');
    demo.misbehave({ busySandboxes: true });
    const seen = new Set<string | undefined>();
    list.onChange(() => seen.add(status(id)));
    await actions.pause(sandboxes, id, never);
    assert.deepEqual([...seen], ['unknown', 'paused']);
  });

  it('reports a sandbox that stays failed', async () => {
    await assert.rejects(
      pauseSeenAs(['running', 'error'], 5_000),
      /^UserError: Sandbox slow failed\. Start another one\.$/,
    );
  });

  it('stops waiting for a sandbox after 5 minutes', async () => {
    work.cancel(connectionClosed());
    await demo.stop();
    await serve({}, 1_000);
    await list.refresh();
    const { id } = one('paused');
    const lying: Sandboxes = { ...sandboxes, resume: () => Promise.resolve() };
    const { requestCount } = demo;
    await assert.rejects(
      actions.resume(lying, id, never),
      /did not start within five minutes/,
    );
    // Ten within the first ten seconds, and then one every three.
    const looks = demo.requestCount - requestCount;
    assert.ok(looks <= 10 + 290 / 3 + 1, `it has looked ${looks} times`);
    assert.equal(actions.underWay.size, 0);
  });

  it('waits for a sandbox although the service fails for a moment', async () => {
    const { id } = one('running');
    const paused = actions.pause(sandboxes, id, never);
    demo.misbehave({
      errorBody: 'detail',
      errorStatus: 500,
      only: '/search',
      times: 2,
    });
    await paused;
    assert.equal(status(id), 'paused');
  });

  it('stops waiting for a sandbox when the service keeps failing', async () => {
    const { id } = one('running');
    demo.misbehave({ errorBody: 'detail', errorStatus: 500, only: '/search' });
    await assert.rejects(
      actions.pause(sandboxes, id, never),
      /Could not list the sandboxes/,
    );
    assert.equal(
      demo.requests.filter(({ path }) => path.endsWith('/search')).length,
      1 + 3,
    );
  });

  for (const refusal of ['unauthorized', 'forbidden'] as const) {
    it(`stops checking a sandbox after a refusal (${refusal})`, async () => {
      const { id } = one('running');
      demo.misbehave({ [refusal]: true, only: '/search' });
      const { requestCount } = demo;
      await assert.rejects(actions.pause(sandboxes, id, never), {
        name: 'UserError',
      });
      assert.equal(demo.requestCount, requestCount + 2);
    });
  }

  it('sends no more requests after a cancellation', async () => {
    const controller = new AbortController();
    const { id } = one('running');
    const before = demo.requestCount;
    const lying: Sandboxes = { ...sandboxes, pause: () => Promise.resolve() };
    const paused = assert.rejects(actions.pause(lying, id, controller.signal), {
      name: 'AbortError',
    });
    await until(() => demo.requestCount > before + 1);
    controller.abort();
    await paused;
    assert.equal(actions.underWay.size, 0);
    const { requestCount } = demo;
    await settle();
    assert.equal(demo.requestCount, requestCount);
  });

  it('reports an unknown outcome when cancelled before the service replies', async () => {
    const controller = new AbortController();
    demo.misbehave({ slowHeaders: 60_000 });
    const started = assert.rejects(
      actions.start(sandboxes, undefined, controller.signal),
      /canceled.*The service may have done this already/,
    );
    await until(() => posts() > 0);
    controller.abort();
    await started;
  });

  it('fails with an explanation when the service is disconnected', async () => {
    const before = demo.requestCount;
    const lying: Sandboxes = { ...sandboxes, pause: () => Promise.resolve() };
    const [first, second] = actions.othersRunning();
    const paused = [first, second].map((row) =>
      assert.rejects(actions.pause(lying, row?.id ?? '', never), {
        name: 'UserError',
        message: /connection to the service was closed/,
      }),
    );
    await until(() => demo.requestCount > before + 1);
    work.cancel(connectionClosed());
    list.reset();
    await Promise.all(paused);
    assert.equal(actions.underWay.size, 0);
  });
});
