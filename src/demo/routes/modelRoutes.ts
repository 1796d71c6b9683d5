import {
  bodyOf,
  type Call,
  failed,
  type HttpAnswer,
  json,
} from '../wire/http.ts';
import { answerFrom } from '../wire/paging.ts';
import {
  defaults,
  type ProfileFields,
  type StoredModel,
  type StoredModels,
  type StoredProfile,
} from '../agentServer/storedModels.ts';
import { decrypted, encrypted } from '../toolServers/record.ts';
import type { AnswerRequest, RouteContext, Routes } from './route.ts';

export const modelRoutesV1: Routes = {
  'GET api/v1/settings/profiles': listModels,
  'GET api/v1/settings/profiles/*': onModel(readModel),
  'POST api/v1/settings/profiles/*': saveModelV1,
  'DELETE api/v1/settings/profiles/*': removeModelV1,
  'POST api/v1/settings/profiles/*/rename': onModel(renameModel),
  'POST api/v1/settings/profiles/*/activate': onModel(activateModel),
  'GET api/v1/config/providers/search': ({ query }) =>
    answerFrom(
      query,
      [...new Set([...Object.keys(verified), ...providers])],
      (name) => name,
      (name) => ({ name, verified: name in verified }),
    ),
  'GET api/v1/config/models/search': searchKnown,
  'GET api/v1/secrets/search': ({ query }, { models }) =>
    answerFrom(
      query,
      [...models.secrets],
      ([name]) => name,
      ([name, description]) => ({ name, description: description ?? '' }),
    ),
  'POST api/v1/secrets': (call, { models }) => {
    saveSecret(call, models);
    return json({ message: 'Secret created successfully' }, 201);
  },
  'DELETE api/v1/secrets/*': ({ segments }, { models }) =>
    removeSecret(models, segments[3], {
      message: 'Secret deleted successfully',
    }),
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
  'PUT api/settings/secrets': (call, { models }) =>
    json(saveSecret(call, models)),
  'DELETE api/settings/secrets/*': ({ segments }, { models }) =>
    removeSecret(models, segments[3], { deleted: true }),
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
  const profiles = [...models.models].map(
    ([name, { model, base_url, api_key }]) => ({
      name,
      model,
      base_url,
      api_key_set: api_key !== null,
    }),
  );
  return json({ profiles, active_profile: models.activeModel });
}

function readModel(model: StoredModel, _: RouteContext, call: Call) {
  const { api_key: key } = model;
  const isEncrypted = call.headers['x-expose-secrets'] === 'encrypted';
  return json({
    name: nameOf(call),
    config: { ...model, api_key: isEncrypted && key ? encrypted(key) : null },
    api_key_set: key !== null,
  });
}

interface ModelBody {
  readonly llm: Partial<StoredModel> & Pick<StoredModel, 'model'>;
  readonly include_secrets?: boolean;
}

function modelOf({ llm }: ModelBody): StoredModel {
  const api_key = llm.api_key ? decrypted(llm.api_key) : null;
  return { ...defaults, ...llm, api_key };
}

function saveModel(call: Call, { models }: RouteContext): HttpAnswer {
  const name = nameOf(call);
  models.models.set(name, modelOf(bodyOf(call) as ModelBody));
  return json({ name, message: `Profile '${name}' saved` }, 201);
}

/** Keeps the stored key where none is sent. */
function saveModelV1(call: Call, { models }: RouteContext): HttpAnswer {
  const name = nameOf(call);
  const body = bodyOf(call) as ModelBody;
  const model = modelOf(body);
  const key = model.api_key ?? models.models.get(name)?.api_key ?? null;
  const api_key = body.include_secrets === false ? null : key;
  models.models.set(name, { ...model, api_key });
  // A real service compares it with the settings, which differ by then.
  models.activeModel = null;
  return json({ name, message: `Profile '${name}' saved` }, 201);
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
  const provider = query.get('provider__eq');
  const items = Object.entries(
    query.get('verified__eq') === 'true' ? verified : known,
  ).flatMap(([owner, names]) =>
    names.map((name) => ({
      provider: owner,
      name: name.replace(`${owner}/`, ''),
    })),
  );
  return answerFrom(
    query,
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
  const { new_name: newName } = bodyOf(call) as { new_name: string };
  if (newName !== name && models.models.has(newName))
    return failed(409, `Profile '${newName}' already exists`);
  models.models.delete(name);
  models.models.set(newName, model);
  if (models.activeModel === name) models.activeModel = newName;
  for (const [key, profile] of models.profiles)
    if (profile.llm_profile_ref === name)
      models.profiles.set(key, { ...profile, llm_profile_ref: newName });
  return json({ name: newName, message: `Profile '${name}' renamed` });
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
  const error = errorOf(modelOf(bodyOf(call) as ModelBody));
  return {
    ...json({ valid: !error, error: error ?? null }),
    wait: testTimeMs,
  };
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
  const profiles = [...models.profiles.values()];
  return json({ profiles, active_agent_profile_id: models.activeId });
}

function saveProfile(call: Call, { models }: RouteContext): HttpAnswer {
  const name = nameOf(call);
  models.saveProfile(name, bodyOf(call) as ProfileFields);
  return json({ name, message: `Agent profile '${name}' saved` }, 201);
}

function activateProfile(call: Call, { models }: RouteContext): HttpAnswer {
  const id = nameOf(call);
  if (!models.profileWith(id))
    return failed(404, `Agent profile with id '${id}' not found`);
  models.activeId = id;
  return json({
    id,
    message: `Agent profile '${id}' activated`,
  });
}

/** Names what new conversations would get, and what they would lack. */
function materialize(
  { llm_profile_ref: reference, mcp_server_refs: servers }: StoredProfile,
  { models, toolServers }: RouteContext,
): HttpAnswer {
  const serverNames = servers ?? [...toolServers.keys()];
  const dangling = serverNames.filter((name) => !toolServers.has(name));
  const errors = [
    ...(models.models.has(reference)
      ? []
      : [`LLM profile '${reference}' not found`]),
    ...(dangling.length > 0
      ? [`MCP server(s) not configured: ${dangling.join(', ')}`]
      : []),
  ];
  return json({
    errors,
    resolved_mcp_config_keys: serverNames.filter((name) =>
      toolServers.has(name),
    ),
    resolved_skills: ['code-review', 'release-notes'],
    secret_refs: null,
  });
}

function saveSecret(call: Call, models: StoredModels) {
  const { name, description = null } = bodyOf(call) as {
    name: string;
    description?: string;
  };
  models.secrets.set(name, description);
  return { name, description };
}

function removeSecret(
  models: StoredModels,
  name: string | undefined,
  answer: object,
): HttpAnswer {
  return models.secrets.delete(name ?? '')
    ? json(answer)
    : failed(404, 'Secret not found');
}
