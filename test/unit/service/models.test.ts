import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Secret } from '../../../src/base/secret.ts';
import type { ModelDraft } from '../../../src/service/abilities/models.ts';
import { ServiceError } from '../../../src/service/http/serviceError.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../support/demo/faults/misbehavingDemo.ts';
import type { WholeService } from '../../support/wholeService.ts';
import { type Answering, saying, startAnswering } from './answering.ts';
import { key, Lines, serviceOf } from './support.ts';

const draft: ModelDraft = {
  model: 'openai/new',
  baseUrl: 'https://llm.example.com/v1',
  key: new Secret('demo-key-canary'),
  cost: { input: 0.3, output: 15 },
};

async function failure(promise: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await promise.catch((error: unknown) => error);
  assert.ok(error instanceof ServiceError, inspect(error));
  return error;
}

describe('the models of an Agent Server', () => {
  let demo: MisbehavingDemo;
  let service: WholeService;
  const log = new Lines();

  beforeEach(async () => {
    demo = await startMisbehavingDemo({ interface: 'agentServer', key });
    service = serviceOf(demo, 'agentServer', { log });
  });

  afterEach(async () => {
    await demo.stop();
    assert.doesNotMatch(log.all.join('\n'), /canary/);
  });

  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = {
      'x-session-api-key': key,
      'x-expose-secrets': 'encrypted',
      'content-type': 'application/json',
    };
    const answer = await fetch(`${demo.url}/api/${path}`, { headers, ...init });
    return (await answer.json()) as Record<string, Record<string, unknown>>;
  };
  const stored = async (name: string) => (await ask(`profiles/${name}`)).config;
  const list = () => service.models.list();
  const defaults = async () =>
    (await list()).models
      .filter(({ isDefault }) => isDefault)
      .map(({ name }) => name);

  it('lists models and agent profiles in two requests', async () => {
    const { models, agentProfiles } = await list();
    assert.equal(demo.requests.length, 2);
    assert.ok(models.length >= 3);
    const active = agentProfiles.find(({ isActive }) => isActive);
    assert.deepEqual(await defaults(), [active?.model]);
    assert.equal(active?.servers, undefined);
  });

  it('adds a model with its key and its cost per token', async () => {
    await service.models.save('new', draft);
    const config = await stored('new');
    assert.equal(config?.model, 'openai/new');
    assert.equal(config.base_url, 'https://llm.example.com/v1');
    assert.equal(config.input_cost_per_token, 0.0000003);
    assert.equal(config.output_cost_per_token, 0.000015);
    assert.equal(await service.models.test('new', draft), undefined);
  });

  it('keeps the key, the cost and fields that it does not know in a change', async () => {
    const llm = {
      model: 'openai/odd',
      api_key: 'demo-key-canary "\\ü€',
      input_cost_per_token: 0.0000001,
      from_tomorrow: { list: [1, 2], exact: 0.1 },
    };
    await ask('profiles/odd', {
      method: 'POST',
      body: JSON.stringify({ llm }),
    });
    const before = await stored('odd');
    const read = await service.models.read('odd');
    assert.equal(read.key, 'kept');
    assert.doesNotMatch(inspect(read, { depth: 9 }), /canary|gAAAA/);
    await service.models.save('odd', { ...read, model: 'openai/other' });
    assert.deepEqual(await stored('odd'), { ...before, model: 'openai/other' });
  });

  it('keeps numbers as the service wrote them', async () => {
    const config = '{"model": "openai/a", "seed": 12345678901234567890}';
    const answering = await startAnswering();
    let sent = '';
    answering.give((request) => {
      request.setEncoding('utf8').on('data', (text: string) => {
        sent += text;
      });
      return {
        headers: { 'content-type': 'application/json' },
        body: `{"name": "a", "config": ${config}, "api_key_set": false}`,
      };
    });
    const { models } = serviceOf(answering, 'agentServer', { log });
    await models.save('a', await models.read('a'));
    await answering.stop();
    assert.match(sent, /"seed":12345678901234567890/);
  });

  it('keeps the link of a model to a provider connection until it gets a key of its own', async () => {
    const answering = await startAnswering();
    let sent = '';
    answering.give((request) => {
      request.setEncoding('utf8').on('data', (text: string) => {
        sent += text;
      });
      return {
        headers: { 'content-type': 'application/json' },
        body: '{"name": "a", "api_key_set": true, "config": {"model": "openai/a", "api_key": null, "provider_connection_id": "c1"}}',
      };
    });
    const { models } = serviceOf(answering, 'agentServer', { log });
    const read = await models.read('a');
    assert.equal(read.key, 'kept');
    await models.save('a', { ...read, model: 'openai/b' });
    assert.match(sent, /"api_key":null,"provider_connection_id":"c1"/);
    const moved = models.save('a', { ...read, baseUrl: draft.baseUrl });
    assert.match((await failure(moved)).message, /its provider connection/);
    sent = '';
    await models.save('a', { ...read, ...draft });
    await answering.stop();
    assert.match(sent, /"provider_connection_id":null/);
  });

  it('replaces or takes away the key on request', async () => {
    await service.models.save('new', draft);
    const read = await service.models.read('new');
    await service.models.save('new', { ...read, key: 'none' });
    assert.equal((await service.models.read('new')).key, 'none');
    await service.models.save('new', { ...read, key: new Secret('canary') });
    assert.equal((await service.models.read('new')).key, 'kept');
  });

  it('refuses to save or test a model whose key the service does not return', async () => {
    const lost = { ...draft, key: 'lost' } as const;
    for (const work of [
      service.models.save('new', lost),
      service.models.test('new', lost),
    ])
      assert.match((await failure(work)).message, /api_key holds only a mask/);
  });

  it('tells why a test fails, without the key', async () => {
    const wrong = { ...draft, key: new Secret('wrong-canary') };
    const complaint = await service.models.test('new', wrong);
    assert.match(complaint ?? '', /Incorrect API key/);
    const unreachable = { ...draft, baseUrl: 'http://h:1' };
    assert.match(
      (await service.models.test('new', unreachable)) ?? '',
      /Connection error/,
    );
  });

  it('makes a model the default by the active agent profile, whose other fields stay', async () => {
    await service.models.save('new', draft);
    const [before] = await defaults();
    await service.models.makeDefault('new');
    assert.deepEqual(await defaults(), ['new']);
    const { profile } = await ask('agent-profiles/default');
    assert.equal(profile?.llm_profile_ref, 'new');
    assert.equal(profile.agent_kind, 'openhands');
    assert.equal((await ask('profiles')).active_profile, 'new');
    await service.models.makeDefault(before ?? '');
    assert.deepEqual(await defaults(), [before]);
  });

  it('renames a model, in the agent profiles too', async () => {
    const [before = ''] = await defaults();
    await service.models.rename(before, 'renamed');
    assert.deepEqual(await defaults(), ['renamed']);
    const error = await failure(service.models.rename('gone', 'other'));
    assert.match(error.message, /not found/);
  });

  it('refuses to remove a model that agent profiles use, and names these', async () => {
    const [used = ''] = await defaults();
    const error = await failure(service.models.remove(used));
    assert.match(error.message, /referenced by 1 agent profile\(s\): default/);
    await service.models.save('new', draft);
    await service.models.remove('new');
    assert.ok(!(await list()).models.some(({ name }) => name === 'new'));
  });

  it('lists recommended providers first, and the models of a provider', async () => {
    const providers = await service.models.providers();
    assert.equal(providers[0]?.name, 'anthropic');
    assert.ok(providers[0].recommended.length > 0);
    assert.ok(providers.some(({ name }) => name === 'ollama'));
    assert.ok((await service.models.modelsOf('ollama')).length > 0);
    assert.deepEqual(await service.models.modelsOf('none'), []);
  });

  it('shows what an agent profile gives, and what is wrong with it', async () => {
    const { agentProfiles } = service.models;
    const good = await agentProfiles.check('default');
    assert.deepEqual(good.problems, []);
    assert.deepEqual(good.servers, ['tracker', 'database', 'browser']);
    await agentProfiles.change('default', { servers: ['tracker', 'gone'] });
    const bad = await agentProfiles.check('default');
    assert.deepEqual(bad.problems, ['MCP server(s) not configured: gone']);
    assert.deepEqual(bad.servers, ['tracker']);
    await agentProfiles.change('default', { servers: null });
    assert.deepEqual((await agentProfiles.check('default')).problems, []);
  });

  it('activates an agent profile, which creation then uses', async () => {
    const { agentProfiles } = await list();
    const other = agentProfiles.find(({ isActive }) => !isActive);
    await service.models.agentProfiles.activate(other?.id ?? '');
    const profiles = await service.creation.profiles?.();
    assert.equal(profiles?.find(({ active }) => active)?.id, other?.id);
  });

  it('says which agent profile has no model, and why creation fails', async () => {
    await service.models.agentProfiles.change('default', { model: 'gone' });
    const [profile] = (await service.creation.profiles?.()) ?? [];
    assert.equal(profile?.lacksModel, true);
    const error = await failure(
      service.creation.create({ message: 'x', folder: '/srv' }),
    );
    assert.match(error.message, /LLM profile 'gone' not found/);
  });

  it('adds, replaces and removes secrets without reading a value', async () => {
    const { secrets } = service.models;
    const added = { name: 'TOKEN', description: undefined };
    await secrets.set(added, new Secret('canary'));
    await secrets.set({ ...added, description: 'For tests' }, new Secret('b'));
    const long = { name: 'LONG', description: `For\n${'tests '.repeat(50)}` };
    await secrets.set(long, new Secret('canary'));
    assert.deepEqual((await secrets.list()).at(-1), long);
    await secrets.remove('LONG');
    assert.deepEqual(await secrets.list(), [
      { name: 'DEPLOY_TOKEN', description: 'Deploys to the test environment' },
      { name: 'TOKEN', description: 'For tests' },
    ]);
    await secrets.remove('TOKEN');
    await secrets.remove('TOKEN');
    assert.equal((await secrets.list()).length, 1);
  });
});

describe('the models of an app server', () => {
  let demo: MisbehavingDemo;
  let service: WholeService;
  const log = new Lines();

  beforeEach(async () => {
    demo = await startMisbehavingDemo({ interface: 'v1', key });
    service = serviceOf(demo, 'v1', { log });
  });

  afterEach(async () => {
    await demo.stop();
    assert.doesNotMatch(log.all.join('\n'), /canary/);
  });

  const list = () => service.models.list();
  const ask = async (path: string) => {
    const headers = { 'x-session-api-key': key };
    const answer = await fetch(`${demo.url}/api/v1/${path}`, { headers });
    return (await answer.json()) as Record<string, unknown>;
  };
  const defaults = async () =>
    (await list()).models
      .filter(({ isDefault }) => isDefault)
      .map(({ name }) => name);

  it('lists models in one request, without agent profiles or a test', async () => {
    const { models, agentProfiles } = await list();
    assert.equal(demo.requests.length, 1);
    assert.deepEqual(models[0], {
      name: 'claude-sonnet-4-5',
      model: 'anthropic/claude-sonnet-4-5',
      baseUrl: undefined,
      isDefault: true,
    });
    assert.deepEqual(agentProfiles, []);
    assert.equal(service.models.agentProfiles, undefined);
    assert.equal(service.models.test, undefined);
  });

  it('keeps the key, the default and unknown fields in a change', async () => {
    const { models } = service;
    await models.save('new', draft);
    const [before] = await defaults();
    const read = await models.read('new');
    assert.equal(read.key, 'bound');
    assert.deepEqual(read.cost, draft.cost);
    await models.save('new', { ...read, model: 'openai/newer' });
    await models.makeDefault('new');
    await models.save('new', {
      ...(await models.read('new')),
      cost: undefined,
    });
    const { config, api_key_set } = (await ask('settings/profiles/new')) as {
      config: Record<string, unknown>;
      api_key_set: boolean;
    };
    assert.equal(config.model, 'openai/newer');
    assert.equal(config.num_retries, 5);
    assert.equal(config.input_cost_per_token, null);
    assert.equal(api_key_set, true);
    assert.equal(before, 'claude-sonnet-4-5');
    assert.deepEqual(await defaults(), ['new']);
  });

  it('takes away the key on request', async () => {
    await service.models.save('new', draft);
    await service.models.save('new', { ...draft, key: 'none' });
    assert.equal((await service.models.read('new')).key, 'none');
  });

  it('renames and removes the default, after which the service chooses another', async () => {
    const { models } = service;
    await models.rename('claude-sonnet-4-5', 'mine');
    assert.deepEqual(await defaults(), ['mine']);
    await models.remove('mine');
    assert.deepEqual(await defaults(), ['claude-haiku-4-5']);
  });

  it('lists recommended providers first, and the models of a provider', async () => {
    const providers = await service.models.providers();
    assert.equal(providers[0]?.name, 'anthropic');
    assert.ok(providers[0].recommended.includes('claude-opus-5-5'));
    assert.deepEqual(providers.at(-1), { name: 'ollama', recommended: [] });
    assert.deepEqual(await service.models.modelsOf('ollama'), [
      'codellama',
      'llama3',
    ]);
  });

  it('adds, replaces and removes secrets without reading a value', async () => {
    const { secrets } = service.models;
    const secret = { name: 'TOKEN', description: 'For tests' };
    await secrets.set(secret, new Secret('canary'));
    await secrets.set(secret, new Secret('canary-2'));
    assert.deepEqual((await secrets.list()).at(-1), secret);
    await secrets.remove('TOKEN');
    await secrets.remove('TOKEN');
    assert.equal((await secrets.list()).length, 1);
  });
});

describe('the models of an older or smaller Agent Server', () => {
  let answering: Answering;
  const log = new Lines();
  const config = { model: 'openai/a', api_key: null };
  const models = () => serviceOf(answering, 'agentServer', { log }).models;

  beforeEach(async () => {
    answering = await startAnswering();
  });

  afterEach(() => answering.stop());

  it('reports that they are missing where the service does not know them', async () => {
    answering.give(saying({ detail: 'Not Found' }, 404));
    const error = await failure(models().list());
    assert.match(error.message, /it is too old for that/);
    assert.deepEqual(await models().providers(), []);
  });

  it('reports a lost key where the service cannot encrypt', async () => {
    answering.give(({ headers }) =>
      headers['x-expose-secrets'] === undefined
        ? saying({ name: 'a', config, api_key_set: true })
        : saying({ detail: 'Encryption not available' }, 503),
    );
    assert.equal((await models().read('a')).key, 'lost');
    assert.equal(answering.asked.length, 2);
  });

  it('reports no key where none is set', async () => {
    answering.give(saying({ name: 'a', config, api_key_set: false }));
    assert.equal((await models().read('a')).key, 'none');
  });
});
