import assert from 'node:assert/strict';
import type {
  AgentLocation,
  AgentService,
  Agents,
  ReadyLocation,
  Steering,
} from '../../../../src/service/abilities/agentService.ts';
import type { ServiceClient } from '../../../../src/service/client.ts';
import type { FileChanges } from '../../../../src/service/abilities/fileChanges.ts';
import {
  type Failure,
  ServiceError,
} from '../../../../src/service/http/serviceError.ts';
import { AgentLocations } from '../../../../src/state/conversation/agentLocations.ts';
import { conversation } from '../support.ts';

describe('the location of an agent', () => {
  const one = conversation();
  let asked: number;
  let now: AgentLocation;
  let locations: AgentLocations;

  const ready = (more: Partial<ReadyLocation> = {}): AgentLocation => ({
    status: 'ready',
    steering: {} as Steering,
    changes: {} as FileChanges,
    ...more,
  });
  const failure = (kind: Failure['kind']) =>
    new ServiceError({ kind } as Failure, {
      couldNot: 'Could not read',
      address: 'https://agents.test',
    });
  const use = () =>
    locations.use(one, {}, (location) => Promise.resolve(location));
  /** Fails at the locations before the one that is there now. */
  const useThere = (kind: Failure['kind']) =>
    locations.use(one, {}, (location) =>
      location === now
        ? Promise.resolve(location)
        : Promise.reject(failure(kind)),
    );

  beforeEach(() => {
    asked = 0;
    now = ready();
    const agents = {
      locateAgent: () => {
        asked++;
        return Promise.resolve(now);
      },
    } as unknown as Agents;
    const service = { agents } as AgentService;
    locations = new AgentLocations({
      recognise: () => Promise.resolve(service),
    } as unknown as ServiceClient);
  });

  it('comes from one request while the agent is ready', async () => {
    for (let i = 0; i < 3; i++) assert.equal(await use(), now);
    assert.equal(asked, 1);
  });

  it('comes from a request each time while the agent is not ready', async () => {
    now = { status: 'sandboxStarting' };
    for (let i = 0; i < 3; i++) assert.equal(await use(), now);
    assert.equal(asked, 3);
  });

  for (const kind of [
    'unreachable',
    'unauthorised',
    'notFound',
    'serverFailed',
    'notThisService',
  ] as const) {
    it(`changes when the agent was moved, and the read is repeated there (${kind})`, async () => {
      await use();
      now = ready();
      assert.equal(await useThere(kind), now);
      assert.equal(await useThere(kind), now);
      assert.equal(asked, 2);
    });
  }

  it('changes with the next use after another failure', async () => {
    await use();
    now = ready();
    await assert.rejects(useThere('timedOut'), /Could not read/);
    assert.equal(asked, 1);
    assert.equal(await useThere('timedOut'), now);
    assert.equal(asked, 2);
  });

  it('gets no second request when the agent is where it was', async () => {
    const known = await use();
    let reads = 0;
    now = { ...(known as ReadyLocation) };
    const read = locations.use(one, {}, () => {
      reads++;
      return Promise.reject(failure('serverFailed'));
    });
    await assert.rejects(read, /Could not read/);
    assert.equal(reads, 1);
  });

  it('loses its use when the user no longer allows its origin', async () => {
    let isAllowed = true;
    now = ready({ isAllowed: () => isAllowed });
    await use();
    isAllowed = false;
    now = {
      status: 'outOfReach',
      why: 'Not allowed.',
      origin: 'https://sandbox.test',
    };
    assert.equal(await use(), now);
    assert.equal(asked, 2);
  });

  describe('that is listed', () => {
    const atService = {};
    const atAgent = {};
    let isAnswering: boolean;
    const readNearest = () =>
      locations.readNearest(one, {}, (source) =>
        source === atAgent && !isAnswering
          ? Promise.reject(failure('unreachable'))
          : Promise.resolve(source),
      );

    beforeEach(() => {
      isAnswering = true;
      const listed = ready({ steering: atAgent as Steering });
      const agents = Object.assign(atService, {
        locateAgent: () => {
          asked++;
          return Promise.resolve(now);
        },
        listedAgent: () => listed,
      });
      locations = new AgentLocations({
        recognise: () => Promise.resolve({ agents }),
      } as unknown as ServiceClient);
    });

    it('comes from the list without a request', async () => {
      for (let i = 0; i < 2; i++) assert.equal(await readNearest(), atAgent);
      assert.equal(asked, 0);
    });

    it('gives way to the service after it did not answer, until its sandbox has changed', async () => {
      isAnswering = false;
      await assert.rejects(readNearest(), /Could not read/);
      isAnswering = true;
      assert.equal(await readNearest(), atService);
      locations.forget(one);
      assert.equal(await readNearest(), atAgent);
      assert.equal(asked, 0);
    });

    it('gives way to the location that was requested', async () => {
      now = ready({ steering: {} as Steering });
      await use();
      assert.equal(
        await readNearest(),
        now.status === 'ready' ? now.steering : undefined,
      );
    });
  });

  it('gives the reason to those who need an agent that is ready', async () => {
    now = { status: 'sandboxPaused', sandboxId: 's' };
    await assert.rejects(
      locations.useReady(one, {}, () => Promise.resolve()),
      /Its sandbox is paused\./,
    );
  });
});
