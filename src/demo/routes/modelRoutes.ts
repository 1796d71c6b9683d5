import { type Call, failed, type HttpAnswer, json } from '../wire/http.ts';
import { answerFrom } from '../wire/paging.ts';
import {
  type BodyFields,
  type BodyReader,
  QueryReader,
  withBody,
} from '../wire/validate.ts';
import {
  defaults,
  type StoredModel,
  type StoredModels,
  type StoredProfile,
} from '../agentServer/storedModels.ts';
import { decrypted, encrypted, redacted } from '../toolServers/record.ts';
import type { AnswerRequest, RouteContext, Routes } from './route.ts';

export const modelRoutesV1: Routes = {
  'GET api/v1/settings/profiles': (_, { models }) =>
    json({ profiles: listed(models), active_profile: models.activeModel }),
  'GET api/v1/settings/profiles/*': onModel((model, _, call) =>
    json({
      name: nameOf(call),
      config: { ...model, api_key: null },
      api_key_set: hasKey(model.api_key),
    }),
  ),
  'POST api/v1/settings/profiles/*': saveModelV1,
  'DELETE api/v1/settings/profiles/*': removeModelV1,
  'POST api/v1/settings/profiles/*/rename': onModel(renameModel),
  'POST api/v1/settings/profiles/*/activate': onModel(
    ({ model }, { models }, call) => {
      const name = nameOf(call);
      models.activeModel = name;
      return json({ name, message: `Switched to profile '${name}'`, model });
    },
  ),
  'GET api/v1/config/providers/search': ({ query }) =>
    answerFrom(
      new QueryReader(query),
      [...new Set([...Object.keys(verified), ...providers])],
      (name) => name,
      (name) => ({ name, verified: name in verified }),
    ),
  'GET api/v1/config/models/search': searchKnown,
  'GET api/v1/secrets/search': ({ query }, { models }) =>
    answerFrom(
      new QueryReader(query),
      [...models.secrets],
      ([name]) => name,
      ([name, description]) => ({ name, description: description ?? '' }),
    ),
  'POST api/v1/secrets': saveSecret(() =>
    json({ message: 'Secret created successfully' }, 201),
  ),
  'DELETE api/v1/secrets/*': ({ segments: [, , , name = ''] }, { models }) =>
    models.secrets.delete(name)
      ? json({ message: 'Secret deleted successfully' })
      : failed(404, `Secret with ID ${name} not found`),
};

export const modelRoutes: Routes = {
  'GET api/profiles': listModels,
  'GET api/profiles/*': onModel(readModel),
  'POST api/profiles/*': saveModel,
  'DELETE api/profiles/*': removeModel,
  'POST api/profiles/*/validate': testModel,
  'POST api/profiles/*/rename': onModel(renameModel),
  'POST api/profiles/*/activate': onModel(activateModel),
  'GET api/agent-profiles': listProfiles,
  'GET api/agent-profiles/*': onProfile((profile) =>
    json({ name: profile.name, profile }),
  ),
  'POST api/agent-profiles/*': saveProfile,
  'POST api/agent-profiles/*/materialize': onProfile(materialize),
  'POST api/agent-profiles/*/activate': activateProfile,
  'GET api/llm/providers': () => json({ providers }),
  'GET api/llm/models': ({ query }) =>
    json({ models: known[query.get('provider') ?? ''] ?? [] }),
  'GET api/llm/models/verified': () => json({ models: verified }),
  'GET api/settings/secrets': (_, { models }) =>
    json({
      secrets: [...models.secrets].map(([name, description]) => ({
        name,
        description,
      })),
    }),
  'PUT api/settings/secrets': saveSecret(json),
  'DELETE api/settings/secrets/*': (
    { segments: [, , , name = ''] },
    context,
  ) =>
    context.models.secrets.delete(name)
      ? json({ deleted: true })
      : failed(404, 'Secret not found'),
};

const verified = {
  anthropic: ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'],
  openai: ['gpt-6-sol', 'gpt-5.3-codex'],
  mistral: ['devstral-2512'],
};

const known: Readonly<Record<string, readonly string[]>> = {
  ...verified,
  ollama: ['ollama/codellama', 'ollama/llama3'],
};

const providers = ['anthropic', 'azure', 'lm_studio', 'mistral', 'ollama'];

const nameOf = ({ segments }: Call) =>
  segments[segments[1] === 'v1' ? 4 : 2] ?? '';

function onModel(
  answer: (model: StoredModel, context: RouteContext, call: Call) => HttpAnswer,
): AnswerRequest {
  return (call, context) => {
    const model = context.models.models.get(nameOf(call));
    return model
      ? answer(model, context, call)
      : failed(404, `Profile '${nameOf(call)}' not found`);
  };
}

function onProfile(
  answer: (profile: StoredProfile, context: RouteContext) => HttpAnswer,
): AnswerRequest {
  return (call, context) => {
    const profile = context.models.profiles.get(nameOf(call));
    return profile
      ? answer(profile, context)
      : failed(404, `Agent profile '${nameOf(call)}' not found`);
  };
}

function listModels(_: Call, { models }: RouteContext): HttpAnswer {
  const profiles = listed(models).map((model) => ({
    ...model,
    provider_connection_id: null,
    provider_connection_broken: false,
  }));
  return json({ profiles, active_profile: models.activeModel });
}

function listed({ models }: StoredModels) {
  return [...models].map(([name, { model, base_url, api_key }]) => ({
    name,
    model,
    base_url,
    api_key_set: hasKey(api_key),
  }));
}

function hasKey(key: string | null): boolean {
  return (key ?? '').trim() !== '';
}

function readModel(model: StoredModel, _: RouteContext, call: Call) {
  const isEncrypted = call.headers['x-expose-secrets'] === 'encrypted';
  const { api_key: key } = model;
  const apiKey = isEncrypted && key !== null ? encrypted(key) : null;
  return json({
    name: nameOf(call),
    config: { ...model, api_key: apiKey },
    api_key_set: hasKey(key),
  });
}

function readLlm(reader: BodyReader, fields: BodyFields) {
  const llm = reader.object(['llm'], fields.llm);
  if (!llm) return undefined;
  const text = (name: string) =>
    reader.optional(llm, name, (loc, value) =>
      reader.string(['llm', ...loc], value),
    );
  const model = reader.string(['llm', 'model'], llm.model) ?? '';
  const key = text('api_key');
  const api_key =
    key === undefined || key === redacted || key === '' ? null : decrypted(key);
  const base_url = text('base_url') ?? null;
  return { ...defaults, ...llm, model, base_url, api_key };
}

function saveModel(call: Call, { models }: RouteContext): HttpAnswer {
  const name = nameOf(call);
  return withBody(call, readLlm, (model) => {
    models.models.set(name, model);
    return json({ name, message: `Profile '${name}' saved` }, 201);
  });
}

const maxModelsV1 = 10;

/** Keeps the stored key where none is sent. */
function saveModelV1(call: Call, { models }: RouteContext): HttpAnswer {
  const name = nameOf(call);
  const read = (reader: BodyReader, fields: BodyFields) => {
    const model = readLlm(reader, fields);
    return model && { model, hasSecrets: fields.include_secrets !== false };
  };
  return withBody(call, read, ({ model, hasSecrets }) => {
    const before = models.models.get(name);
    if (!before && models.models.size >= maxModelsV1)
      return failed(
        409,
        `Profile limit reached (${maxModelsV1}). Delete a profile before saving a new one.`,
      );
    const key = model.api_key ?? before?.api_key ?? null;
    models.models.set(name, { ...model, api_key: hasSecrets ? key : null });
    // A real service compares it with the settings, which differ by then.
    models.activeModel = null;
    return json({ name, message: `Profile '${name}' saved` }, 201);
  });
}

/** The first of the others becomes the default. */
function removeModelV1(call: Call, { models }: RouteContext): HttpAnswer {
  const name = nameOf(call);
  models.models.delete(name);
  if (models.activeModel === name)
    [models.activeModel = null] = models.models.keys();
  return json({ name, message: `Profile '${name}' deleted` });
}

function searchKnown({ query }: Call): HttpAnswer {
  const reader = new QueryReader(query);
  const provider = reader.text('provider__eq');
  const areVerified = reader.flag('verified__eq');
  const items = Object.entries(areVerified ? verified : known).flatMap(
    ([owner, names]) =>
      names.map((name) => ({
        provider: owner,
        name: name.replace(`${owner}/`, ''),
        verified: owner in verified,
        hidden: false,
        canonical: null,
      })),
  );
  return answerFrom(
    reader,
    items.filter((item) => !provider || item.provider === provider),
    (item) => item.name,
  );
}

function removeModel(call: Call, { models }: RouteContext): HttpAnswer {
  const name = nameOf(call);
  const users = models.usersOf(name);
  if (users.length > 0)
    return failed(
      409,
      `LLM profile is referenced by ${users.length} agent profile(s): ${users.join(', ')}`,
    );
  models.models.delete(name);
  if (models.activeModel === name) models.activeModel = null;
  return json({ name, message: `Profile '${name}' deleted` });
}

function renameModel(
  model: StoredModel,
  { models }: RouteContext,
  call: Call,
): HttpAnswer {
  const name = nameOf(call);
  const read = (reader: BodyReader, { new_name: newName }: BodyFields) =>
    reader.string(['new_name'], newName, { least: 1, most: 64 });
  return withBody(call, read, (newName) => {
    if (newName !== name && models.models.has(newName))
      return failed(409, `Profile '${newName}' already exists`);
    models.models.delete(name);
    models.models.set(newName, model);
    if (models.activeModel === name) models.activeModel = newName;
    for (const [key, profile] of models.profiles)
      if (profile.llm_profile_ref === name)
        models.profiles.set(key, { ...profile, llm_profile_ref: newName });
    return json({ name: newName, message: `Profile '${name}' renamed` });
  });
}

function activateModel(
  _: StoredModel,
  { models }: RouteContext,
  call: Call,
): HttpAnswer {
  const name = nameOf(call);
  models.activeModel = name;
  return json({ name, message: `Profile '${name}' activated` });
}

/** A real model needs longer. */
const testTimeMs = 400;

/** Simulates a question to the model: the outcome follows from its fields. */
function testModel(call: Call): HttpAnswer {
  return withBody(call, readLlm, (model) => {
    const error = errorOf(model);
    return {
      ...json({ valid: !error, error: error ?? null }),
      wait: testTimeMs,
    };
  });
}

function errorOf({ model, base_url, api_key }: StoredModel) {
  const host =
    base_url === null ? 'example.com' : URL.parse(base_url)?.hostname;
  if (!model.includes('/')) {
    return {
      type: 'LLMBadRequestError',
      message: `litellm.BadRequestError: LLM Provider NOT provided. Pass in the LLM provider you are trying to call. You passed model=${model}`,
    };
  }
  if (host !== 'localhost' && !host?.endsWith('example.com')) {
    return {
      type: 'LLMServiceUnavailableError',
      message:
        'litellm.InternalServerError: InternalServerError: OpenAIException - Connection error.',
    };
  }
  if (host === 'localhost' || api_key?.startsWith('demo-key')) return undefined;
  return {
    type: 'LLMAuthenticationError',
    message:
      'litellm.AuthenticationError: AuthenticationError: Incorrect API key provided.',
  };
}

function listProfiles(_: Call, { models }: RouteContext): HttpAnswer {
  const profiles = [...models.profiles.values()].map(
    ({ id, name, agent_kind, revision, llm_profile_ref, mcp_server_refs }) => ({
      id,
      name,
      agent_kind,
      revision,
      llm_profile_ref,
      mcp_server_refs,
    }),
  );
  return json({ profiles, active_agent_profile_id: models.activeId });
}

function saveProfile(call: Call, { models }: RouteContext): HttpAnswer {
  const name = nameOf(call);
  const read = (reader: BodyReader, fields: BodyFields) => {
    const reference = reader.string(
      ['llm_profile_ref'],
      fields.llm_profile_ref,
      { least: 1 },
    );
    const servers = reader.optional(fields, 'mcp_server_refs', (loc, value) =>
      reader.list(loc, value),
    );
    return {
      ...fields,
      llm_profile_ref: reference ?? '',
      mcp_server_refs: servers?.map(String) ?? null,
    };
  };
  return withBody(call, read, (profile) => {
    models.saveProfile(name, profile);
    return json({ name, message: `Agent profile '${name}' saved` }, 201);
  });
}

function activateProfile(call: Call, { models }: RouteContext): HttpAnswer {
  const id = nameOf(call);
  if (!models.profileWith(id))
    return failed(404, `Agent profile with id '${id}' not found`);
  models.activeId = id;
  return json({
    id,
    message: `Agent profile '${id}' activated`,
    agent_settings_applied: false,
  });
}

function materialize(
  { llm_profile_ref: reference, mcp_server_refs: servers }: StoredProfile,
  { models, toolServers }: RouteContext,
): HttpAnswer {
  const model = models.models.get(reference);
  const serverNames = servers ?? [...toolServers.keys()];
  const dangling = serverNames.filter((name) => !toolServers.has(name));
  const errors = [
    ...(model ? [] : [`LLM profile '${reference}' not found`]),
    ...(dangling.length > 0
      ? [`MCP server(s) not configured: ${dangling.join(', ')}`]
      : []),
  ];
  return json({
    agent_kind: 'openhands',
    valid: errors.length === 0,
    errors,
    llm_profile_ref: reference,
    llm_profile_resolved: model !== undefined,
    llm_api_key_set: hasKey(model?.api_key ?? null),
    mcp_server_refs: servers,
    resolved_mcp_config_keys: serverNames.filter((name) =>
      toolServers.has(name),
    ),
    dangling_mcp_server_refs: dangling,
    disabled_skills: [],
    resolved_skills: ['code-review', 'release-notes'],
    secret_refs: null,
  });
}

function saveSecret(
  answer: (secret: {
    readonly name: string;
    readonly description: string | null;
  }) => HttpAnswer,
): AnswerRequest {
  const read = (reader: BodyReader, fields: BodyFields) => {
    const name = reader.string(['name'], fields.name);
    reader.string(['value'], fields.value, { least: 1 });
    const description = reader.optional(fields, 'description', (loc, value) =>
      reader.string(loc, value),
    );
    return name === undefined ? undefined : { name, description };
  };
  return (call, { models }) =>
    withBody(call, read, ({ name, description = null }) => {
      models.secrets.set(name, description);
      return answer({ name, description });
    });
}
