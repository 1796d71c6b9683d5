/**
 * The demo service is only worth something while it answers as real services
 * do. README.md says how they are compared.
 */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { startDemo } from '../../src/demo/demoService.ts';
import type { ServiceInterface } from '../../src/service/abilities/agentService.ts';
import { scriptOfTests } from '../support/demo/script.ts';
import { askForEverything, clientOf } from './client.ts';
import {
  type Asked,
  compare,
  type Difference,
  type Question,
  describeDifference,
} from './comparison.ts';
import { explained } from './explained.ts';
import { FieldsRead } from './fieldsRead.ts';
import {
  creation,
  ofAgentServer,
  ofModels,
  ofModelsV1,
  ofSandboxes,
  ofSteering,
  ofToolServers,
  ofToolServersV1,
  ofV0,
  ofV1,
  workingFolder,
} from './questions.ts';
import { answers, askerOf, realService, type ServiceName } from './services.ts';
import { until } from './until.ts';

interface Conversation {
  readonly id: string;
  readonly execution_status: string | null;
  readonly sandbox_id: string;
}

interface StartTask {
  readonly id: string;
  readonly status: string;
  readonly detail: string | null;
  readonly app_conversation_id: string | null;
}

/**
 * Asks the demo and the real one. `prepare` makes what can be asked for by its
 * id.
 */
async function comparison(
  demoInterface: ServiceInterface,
  name: ServiceName,
  rounds: readonly {
    readonly questions: readonly Question[];
    readonly prepare: (service: Asked) => Promise<string>;
  }[],
): Promise<readonly Difference[]> {
  const real = await realService(name);
  const demo = await startDemo({
    interface: demoInterface,
    script: scriptOfTests,
  });
  try {
    const asked = { url: demo.url, ask: askerOf(demo.url, demo.key) };
    const found: Difference[] = [];
    for (const { questions, prepare } of rounds) {
      const ids = { demo: await prepare(asked), real: await prepare(real) };
      found.push(...(await compare(asked, real, questions, ids)));
    }
    return found;
  } finally {
    await demo.stop();
  }
}

/**
 * The fields that our client reads, by request. What it reads does not depend
 * on what the service is.
 */
async function fieldsRead(
  demoInterface: ServiceInterface,
): Promise<FieldsRead['read']> {
  const fields = new FieldsRead();
  const demo = await startDemo({ interface: demoInterface });
  try {
    await fields.during(() =>
      askForEverything(clientOf(demo, { fetch: fields.fetch })),
    );
  } finally {
    await demo.stop();
  }
  return fields.read;
}

/**
 * Every difference has its explanation, every explanation its difference, and
 * none is in a field that we read. What the demo itself leaves out of some
 * records, or sends as null, we can do without.
 */
async function judge(
  name: ServiceName,
  demoInterface: ServiceInterface,
  differences: readonly Difference[],
): Promise<void> {
  const all = new Map(
    differences.map((difference) => [
      describeDifference(difference),
      difference,
    ]),
  );
  const known = explained[name];
  const explains = (
    [pattern]: readonly [string, string, string?],
    line: string,
  ) =>
    new RegExp(
      `^${pattern.replace(/[.?[\](){}|^$+\\]/g, '\\$&').replaceAll('*', '.*')}$`,
    ).test(line);
  for (const [pattern, why] of known)
    console.log(`      ${pattern}\n        ${why}`);
  assert.deepEqual(
    [...all.keys()].filter((line) => !known.some((row) => explains(row, line))),
    [],
    'has no explanation',
  );
  assert.deepEqual(
    known.filter((row) => ![...all.keys()].some((line) => explains(row, line))),
    [],
    'explains nothing',
  );
  const read = await fieldsRead(demoInterface);
  assert.ok(read.size > 3);
  const ours = [...all].filter(
    ([line, { request, path, what }]) =>
      path !== undefined &&
      !known.some((row) => row[2] === 'optional' && explains(row, line)) &&
      !what.endsWith('the demo has it, and not always') &&
      read.get(request)?.has(path.replace(/\[\w+\]/g, '[]')),
  );
  assert.deepEqual(
    ours.map(([line]) => line),
    [],
    'is in a field that the client reads',
  );
}

/** The questions need no id, but begin without MCP servers. */
async function withoutServers(service: Asked): Promise<string> {
  const { agent_settings } = await answers<{
    agent_settings: { mcp_config: object };
  }>(service.ask('/api/settings'));
  for (const name of Object.keys(agent_settings.mcp_config)) {
    await service.ask(`/api/settings/mcp/${name}`, { method: 'DELETE' });
  }
  return '';
}

/** A conversation whose agent has done its work. */
async function heldConversation(service: Asked): Promise<string> {
  const id = await createHeld(service);
  return await until(async () => {
    const { execution_status } = await answers<Conversation>(
      service.ask(`/api/conversations/${id}`),
    );
    return execution_status === 'finished' ? id : undefined;
  });
}

/** A conversation whose agent asks before everything that it does. */
function waitingConversation(service: Asked): Promise<string> {
  return createHeld(service, creation.waiting);
}

async function createHeld(service: Asked, more: object = {}): Promise<string> {
  const { active_agent_profile_id } = await answers<{
    active_agent_profile_id: string;
  }>(service.ask('/api/agent-profiles'));
  const made = await answers<Conversation>(
    service.ask('/api/conversations', {
      method: 'POST',
      body: JSON.stringify({
        ...creation.agentServer(active_agent_profile_id),
        ...more,
      }),
    }),
    201,
  );
  return made.id;
}

/** A conversation in a sandbox of its own. */
async function appConversation(service: Asked): Promise<string> {
  const path = '/api/v1/app-conversations';
  const made = await answers<StartTask>(
    service.ask(path, { method: 'POST', body: JSON.stringify(creation.app) }),
  );
  return await until(async () => {
    const [task] = await answers<StartTask[]>(
      service.ask(`${path}/start-tasks?ids=${made.id}`),
    );
    assert.ok(
      task && task.status !== 'ERROR',
      task?.detail ?? 'The start task is gone.',
    );
    return task.app_conversation_id ?? undefined;
  });
}

/** The sandbox of the newest conversation. */
async function sandbox(service: Asked): Promise<string> {
  const { items } = await answers<{ items: Conversation[] }>(
    service.ask('/api/v1/app-conversations/search?limit=1'),
  );
  return items[0]?.sandbox_id ?? '';
}

/** A conversation of V0; the demo has some. */
async function conversationV0(service: Asked): Promise<string> {
  await service.ask('/api/conversations', {
    method: 'POST',
    body: '{"initial_user_msg": "Say hello."}',
  });
  const { results } = await answers<{ results: { conversation_id: string }[] }>(
    service.ask('/api/conversations?limit=1'),
  );
  return results[0]?.conversation_id ?? '';
}

describe('the demo service', () => {
  after(() => rm(workingFolder, { recursive: true, force: true }));

  for (const name of ['agentServer', 'olderAgentServer'] as const) {
    it(`answers like a real Agent Server (${name}), apart from what is explained and not read`, async () => {
      const rounds = [
        { questions: ofAgentServer, prepare: heldConversation },
        // Older ones differ in what they say about it, and we do the same with
        // them.
        ...(name === 'agentServer'
          ? [
              { questions: ofSteering, prepare: waitingConversation },
              { questions: ofToolServers, prepare: withoutServers },
              { questions: ofModels, prepare: () => Promise.resolve('') },
            ]
          : []),
      ];
      await judge(
        name,
        'agentServer',
        await comparison('agentServer', name, rounds),
      );
    });
  }

  it('answers like a real app server, apart from what is explained and not read', async () => {
    const differences = await comparison('v1', 'appServer', [
      { questions: ofV1, prepare: appConversation },
      { questions: ofSandboxes, prepare: sandbox },
      { questions: ofToolServersV1, prepare: () => Promise.resolve('') },
      { questions: ofModelsV1, prepare: appConversation },
    ]);
    await judge('appServer', 'v1', differences);
  });

  it('answers like the last release with V0, apart from what is explained and not read', async () => {
    const rounds = [{ questions: ofV0, prepare: conversationV0 }];
    await judge(
      'serviceWithV0',
      'v0',
      await comparison('v0', 'serviceWithV0', rounds),
    );
  });
});
