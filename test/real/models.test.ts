/** Models, agent profiles and secrets at real services. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Secret } from '../../src/base/secret.ts';
import type { ServiceClient } from '../../src/service/client.ts';
import type { ModelDraft } from '../../src/service/abilities/models.ts';
import type { WholeService } from '../support/wholeService.ts';
import { clientOf, followed } from './client.ts';
import {
  answers,
  type RealService,
  startService,
  theModel,
} from './services.ts';
import { until } from './until.ts';

/** A key that a header can carry. */
const oddKey = String.raw`sk-"quoted"\back'slash {"json": 1}`;

describe('the models of a real Agent Server', function () {
  this.timeout(300_000);
  let real: RealService;
  let service: WholeService;
  let gateway: Gateway;
  let baseUrl: string;
  let requests: string[] = [];

  before(async () => {
    real = await startService('agentServer');
    // The settings of a fresh service, which makes an agent profile of them.
    const llm = { model: 'gpt-5.5', api_key: null, base_url: null };
    const body = JSON.stringify({ agent_settings_diff: { llm } });
    await answers(real.ask('/api/settings', { method: 'PATCH', body }));
    const client = clientOf(real, {
      interface: 'agentServer',
      requestsPerSecond: Infinity,
      fetch: (input, init) => {
        const path = input instanceof URL ? input.pathname : '';
        requests.push(`${init?.method ?? 'GET'} ${path}`);
        return fetch(input, init);
      },
    });
    service = (await client.recognise()) as WholeService;
    gateway = await startGateway();
    ({ baseUrl } = gateway);
  });

  beforeEach(() => {
    requests = [];
  });

  after(() => {
    gateway.stop();
  });

  const draft = (key: string, url = baseUrl): ModelDraft => ({
    model: 'openai/rule',
    baseUrl: url,
    key: new Secret(key),
    cost: { input: 3, output: 15 },
  });

  async function begin(message: string) {
    const folder = await mkdtemp(join(real.home, 'work-'));
    const created = await service.creation.create({ message, folder });
    assert.ok(created.kind === 'conversation');
    return created.conversation;
  }

  async function record(id: string) {
    return await answers<{
      execution_status: string;
      agent: { llm: { model: string; base_url: string } };
    }>(real.ask(`/api/conversations/${id}`));
  }

  async function ended(id: string) {
    return await until(async () => {
      const { execution_status } = await record(id);
      return ['finished', 'error'].includes(execution_status)
        ? execution_status
        : undefined;
    });
  }

  async function plainKey(name: string): Promise<unknown> {
    const response = await fetch(`${real.url}/api/profiles/${name}`, {
      headers: {
        'x-session-api-key': real.key,
        'x-expose-secrets': 'plaintext',
        connection: 'close',
      },
    });
    const { config } = (await response.json()) as {
      config: { api_key: unknown };
    };
    return config.api_key;
  }

  it('has a profile without a model when it is fresh, and says so', async () => {
    const { models, agentProfiles } = await service.models.list();
    assert.deepEqual(models, []);
    assert.equal(agentProfiles[0]?.model, 'default');
    assert.deepEqual(requests, [
      'GET /api/agent-profiles',
      'GET /api/profiles',
    ]);
    const [profile] = (await service.creation.profiles?.()) ?? [];
    assert.equal(profile?.lacksModel, true);
    await assert.rejects(begin('say: hi'), /LLM profile 'default' not found/);
    const check = await service.models.agentProfiles.check('default');
    assert.deepEqual(check.problems, ["LLM profile 'default' not found"]);
  });

  it('tests a new model, says why it fails, and uses the corrected one by default', async () => {
    const { models } = service;
    const nowhere = draft(oddKey, 'http://127.0.0.1:1/v1');
    await models.save('mine', nowhere);
    assert.match(
      (await models.test('mine', nowhere)) ?? '',
      /Connection error/,
    );
    const wrong = draft('sk-wrong-0123456789abcdefghij');
    await models.save('mine', wrong);
    const complaint = (await models.test('mine', wrong)) ?? '';
    assert.match(complaint, /Incorrect API key/);
    assert.doesNotMatch(complaint, /0123456789/);
    const stored = await models.read('mine');
    await models.save('mine', { ...stored, key: new Secret(oddKey) });
    assert.equal(
      await models.test('mine', await models.read('mine')),
      undefined,
    );
    await models.makeDefault('mine');
    assert.ok((await models.list()).models[0]?.isDefault);
    const { id } = await begin('say: hi');
    assert.equal(await ended(id), 'finished');
    const { agent } = await record(id);
    assert.equal(agent.llm.model, 'openai/rule');
    assert.equal(agent.llm.base_url, baseUrl);
  });

  it('keeps the key and everything else in an edit', async () => {
    const { models } = service;
    for (const key of [oddKey, 'schlüssel-€-😀', ' inner  spaces']) {
      const llm = { model: 'openai/a', api_key: key, num_retries: 2, seed: 7 };
      const body = JSON.stringify({ llm });
      await answers(
        real.ask('/api/profiles/odd', { method: 'POST', body }),
        201,
      );
      const config = async () =>
        (
          await answers<{ config: Record<string, unknown> }>(
            real.ask('/api/profiles/odd'),
          )
        ).config;
      const before = await config();
      const read = await models.read('odd');
      await models.save('odd', { ...read, model: 'openai/b' });
      assert.deepEqual(await config(), { ...before, model: 'openai/b' });
      assert.equal(await plainKey('odd'), key);
    }
  });

  it('changes a model whose key is in a provider connection', async () => {
    const { models } = service;
    const connection = JSON.stringify({
      display_name: 'Gateway',
      provider: 'openai',
      api_key: oddKey,
      base_url: baseUrl,
    });
    const { id } = await answers<{ id: string }>(
      real.ask('/api/llm/provider-connections', {
        method: 'POST',
        body: connection,
      }),
      201,
    );
    const llm = { model: 'openai/a', provider_connection_id: id };
    const body = JSON.stringify({ llm });
    await answers(
      real.ask('/api/profiles/linked', { method: 'POST', body }),
      201,
    );
    const read = await models.read('linked');
    await models.save('linked', { ...read, model: 'openai/rule' });
    assert.equal(
      await models.test('linked', await models.read('linked')),
      undefined,
    );
    await models.save('linked', { ...read, ...draft('its own') });
    assert.equal(await plainKey('linked'), 'its own');
    await models.remove('linked');
  });

  it('keeps a removed model for Undo, and refuses to remove one in use', async () => {
    const { models } = service;
    await models.save('spare', draft(oddKey));
    const read = await models.read('spare');
    await models.remove('spare');
    await models.save('spare', read);
    assert.equal(await plainKey('spare'), oddKey);
    await assert.rejects(
      models.remove('mine'),
      /referenced by 1 agent profile\(s\): default/,
    );
    await models.rename('mine', 'renamed');
    const { agentProfiles } = await models.list();
    assert.equal(agentProfiles[0]?.model, 'renamed');
  });

  it('tells which error another model solves, and continues with it', async () => {
    const { models } = service;
    await models.save('broken', draft('sk-wrong'));
    await models.makeDefault('broken');
    const { id } = await begin('say: hi');
    assert.equal(await ended(id), 'error');
    const { value: page } = await service.agents.events(id).next();
    const errors = page?.items.filter((event) => event.kind === 'error') ?? [];
    assert.ok(errors.length > 0);
    for (const error of errors) assert.equal(error.isAboutModel, true);
    await models.makeDefault('renamed');
    const location = await service.agents.locateAgent(id);
    assert.ok(location.status === 'ready');
    await location.steering.switchProfile(id, 'renamed');
    await location.steering.add(id, { texts: ['say: again'], pictures: [] });
    await location.steering.run(id);
    // The record may tell the earlier error for a moment.
    await until(async () => (await record(id)).execution_status === 'finished');
  });

  it('knows providers and models', async () => {
    const providers = await service.models.providers();
    assert.ok(providers[0]?.recommended.length);
    assert.ok(providers.some(({ name }) => name === 'ollama'));
    const known = await service.models.modelsOf('anthropic');
    assert.ok(known.some((name) => name.includes('claude')));
  });

  it('changes the MCP servers of an agent profile, and nothing else', async () => {
    const { agentProfiles } = service.models;
    const read = async () =>
      (
        await answers<{ profile: Record<string, unknown> }>(
          real.ask('/api/agent-profiles/default'),
        )
      ).profile;
    const before = await read();
    await agentProfiles.change('default', { servers: ['gone'] });
    const { problems } = await agentProfiles.check('default');
    assert.deepEqual(problems, ['MCP server(s) not configured: gone']);
    await agentProfiles.change('default', { servers: null });
    const { revision } = await read();
    assert.deepEqual(await read(), { ...before, revision });
    const [profile] = (await service.models.list()).agentProfiles;
    await agentProfiles.activate(profile?.id ?? '');
  });

  it('keeps secrets by name', async () => {
    const { secrets } = service.models;
    const secret = { name: 'TOKEN', description: 'For tests' };
    await secrets.set(secret, new Secret('first'));
    await secrets.set(secret, new Secret('line\nöther "value"'));
    assert.deepEqual(await secrets.list(), [secret]);
    const { body } = await real.ask('/api/settings/secrets/TOKEN');
    assert.equal(body, 'line\nöther "value"');
    await secrets.remove('TOKEN');
    await secrets.remove('TOKEN');
    assert.deepEqual(await secrets.list(), []);
  });
});

describe('a real Agent Server without any key', function () {
  this.timeout(300_000);

  it('loses keys, which must be entered again', async () => {
    const real = await startService('agentServer', {
      OH_SECRET_KEY: '',
      OH_SESSION_API_KEYS_0: '',
    });
    const client = clientOf(real, {
      interface: 'agentServer',
      requestsPerSecond: Infinity,
    });
    const { models } = await client.recognise();
    assert.ok(models);
    await models.save('mine', {
      model: 'openai/rule',
      baseUrl: undefined,
      key: new Secret('k'),
      cost: undefined,
    });
    const read = await models.read('mine');
    assert.equal(read.key, 'lost');
    await assert.rejects(
      models.save('mine', read),
      /api_key holds only a mask/,
    );
  });
});

describe('an older real Agent Server', function () {
  this.timeout(300_000);

  it('keeps models, but cannot test them or return their keys', async () => {
    const real = await startService('olderAgentServer');
    const client = clientOf(real, {
      interface: 'agentServer',
      requestsPerSecond: Infinity,
    });
    const { models } = (await client.recognise()) as WholeService;
    const mine: ModelDraft = {
      model: 'openai/rule',
      baseUrl: undefined,
      key: new Secret(oddKey),
      cost: undefined,
    };
    await models.save('mine', mine);
    await assert.rejects(models.test('mine', mine), /it is too old for that/);
    assert.equal((await models.read('mine')).key, 'kept');
    await models.makeDefault('mine');
    const { models: listed } = await models.list();
    assert.ok(listed.find(({ name }) => name === 'mine')?.isDefault);
  });
});

describe('the models of a real app server', function () {
  this.timeout(550_000);
  let real: RealService;
  let service: WholeService;
  let client: ServiceClient;
  let gateway: Gateway;
  let requests: string[] = [];

  before(async () => {
    real = await startService('appServer');
    client = clientOf(real, {
      interface: 'v1',
      requestsPerSecond: Infinity,
      fetch: (input, init) => {
        const path = input instanceof URL ? input.pathname : '';
        requests.push(`${init?.method ?? 'GET'} ${path}`);
        return fetch(input, init);
      },
    });
    service = (await client.recognise()) as WholeService;
    gateway = await startGateway();
  });

  beforeEach(() => {
    requests = [];
  });

  after(() => {
    gateway.stop();
  });

  const settingsFile = () => join(real.home, 'data', 'settings.json');

  async function storedKeys(): Promise<Record<string, string | null>> {
    const { llm_profiles } = JSON.parse(
      await readFile(settingsFile(), 'utf8'),
    ) as {
      llm_profiles: { profiles: Record<string, { api_key: string | null }> };
    };
    return Object.fromEntries(
      Object.entries(llm_profiles.profiles).map(([name, llm]) => [
        name,
        llm.api_key,
      ]),
    );
  }

  async function defaults() {
    const { models } = await service.models.list();
    return models.filter(({ isDefault }) => isDefault).map(({ name }) => name);
  }

  it('says which model new conversations use without a list', async () => {
    const list = await service.models.list();
    assert.deepEqual(list, {
      models: [],
      agentProfiles: [],
      unlistedDefault: 'openai/rule',
    });
    assert.deepEqual(requests, [
      'GET /api/v1/settings/profiles',
      'GET /api/v1/settings',
    ]);
  });

  it('keeps the model in use with its key when another becomes the default', async () => {
    const { models } = service;
    await models.save('first', {
      model: 'openai/first',
      baseUrl: gateway.baseUrl,
      key: new Secret(oddKey),
      cost: undefined,
    });
    await models.makeDefault('first');
    assert.deepEqual(await defaults(), ['first']);
    assert.deepEqual(await storedKeys(), {
      'former-default': 'x',
      first: oddKey,
    });
  });

  it('keeps key, default and the rest in changes, and uses them for new conversations', async () => {
    const { models } = service;
    const read = await models.read('first');
    assert.equal(read.key, 'bound');
    const cost = { input: 3, output: 15 };
    await models.save('first', { ...read, model: 'openai/changed', cost });
    await models.rename('first', 'mine');
    await models.save('second', { ...read, key: new Secret(oddKey) });
    assert.deepEqual(await defaults(), ['mine']);
    const before = requests.length;
    await models.list();
    assert.deepEqual(requests.slice(before), ['GET /api/v1/settings/profiles']);
    assert.equal((await storedKeys()).mine, oddKey);
    assert.deepEqual((await models.read('mine')).cost, cost);

    const created = await service.creation.create({ message: 'say: hi' });
    assert.ok(created.kind === 'task');
    const { last } = await followed(client, created.task);
    const id = last.conversationId ?? assert.fail(last.detail);
    const ended = () =>
      until(async () => {
        const { execution, model } =
          (await service.conversations.find(id)) ?? {};
        return execution === 'finished' || execution === 'error'
          ? { execution, model }
          : undefined;
      });
    const outcome = { execution: 'finished', model: 'openai/changed' };
    assert.deepEqual(await ended(), outcome);
    assert.deepEqual(gateway.received.at(-1), {
      authorization: `Bearer ${oddKey}`,
      model: 'changed',
    });

    const location = await service.agents.locateAgent(id);
    assert.ok(location.status === 'ready');
    const { steering } = location;
    const profiles = await steering.profiles();
    assert.ok(profiles.some(({ name }) => name === 'second'));
    await steering.switchProfile(id, 'second');
    await steering.add(id, { texts: ['say: again'], pictures: [] });
    await steering.run(id);
    await until(() =>
      Promise.resolve(
        gateway.received.some(({ model }) => model === 'first') || undefined,
      ),
    );
    assert.equal((await ended()).model, 'openai/first');
  });

  it('takes away a key, and chooses another default after a removal', async () => {
    const { models } = service;
    await models.save('second', {
      ...(await models.read('second')),
      key: 'none',
    });
    assert.equal((await models.read('second')).key, 'none');
    assert.equal((await storedKeys()).second, null);
    await models.remove('mine');
    assert.deepEqual(await defaults(), ['former-default']);
  });

  it('knows providers and models', async () => {
    const providers = await service.models.providers();
    assert.ok(providers.some(({ recommended }) => recommended.length > 0));
    assert.ok(providers.some(({ name }) => name === 'ollama'));
    const known = await service.models.modelsOf('anthropic');
    assert.ok(known.some((name) => name.includes('claude')));
  });

  it('keeps secrets by name', async () => {
    const { secrets } = service.models;
    const secret = { name: 'TOKEN', description: 'For tests' };
    await secrets.set(secret, new Secret('first'));
    await secrets.set(secret, new Secret('line\nöther "value"'));
    assert.deepEqual(await secrets.list(), [secret]);
    const file = join(real.home, 'data', 'secrets.json');
    const stored = JSON.parse(await readFile(file, 'utf8')) as {
      custom_secrets: Record<string, { secret: string }>;
    };
    assert.equal(stored.custom_secrets.TOKEN?.secret, 'line\nöther "value"');
    await secrets.remove('TOKEN');
    await secrets.remove('TOKEN');
    assert.deepEqual(await secrets.list(), []);
  });

  it('takes the first model of a service that nobody has set up', async () => {
    await rm(settingsFile());
    const { models } = service;
    assert.equal((await models.list()).unlistedDefault, undefined);
    await models.save('fresh', {
      model: 'openai/fresh',
      baseUrl: undefined,
      key: new Secret('k'),
      cost: undefined,
    });
    await models.makeDefault('fresh');
    assert.deepEqual(await defaults(), ['fresh']);
    assert.deepEqual(await storedKeys(), { fresh: 'k' });
  });
});

interface Gateway {
  readonly baseUrl: string;
  readonly received: readonly {
    readonly authorization: string | undefined;
    readonly model: unknown;
  }[];
  stop(): void;
}

/** Passes questions with the odd key on to the model, and refuses others. */
async function startGateway(): Promise<Gateway> {
  const { url } = await theModel();
  const received: { authorization: string | undefined; model: unknown }[] = [];
  const server = createServer((question, response) => {
    const answer = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of question) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const { model } = JSON.parse(body || '{}') as { model?: unknown };
      received.push({ authorization: question.headers.authorization, model });
      if (question.headers.authorization !== `Bearer ${oddKey}`) {
        const message = `Incorrect API key provided: ${question.headers.authorization?.slice(7) ?? ''}.`;
        const error = { message, code: 'invalid_api_key' };
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error }));
        return;
      }
      const path = (question.url ?? '').replace(/^\/v1/, '');
      const passed = await fetch(url + path, {
        method: question.method ?? 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      response.writeHead(passed.status, {
        'content-type': passed.headers.get('content-type') ?? '',
      });
      response.end(Buffer.from(await passed.arrayBuffer()));
    };
    void answer();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    received,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
