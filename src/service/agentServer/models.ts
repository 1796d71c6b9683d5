import { resultOr } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { Secret } from '../../base/secret.ts';
import type {
  ListedAgentProfile,
  ModelDraft,
  Models,
} from '../abilities/models.ts';
import { isNotFound, type Wire } from '../http/requests.ts';
import { ServiceError } from '../http/serviceError.ts';
import type { CallOptions } from '../http/transport.ts';
import {
  array,
  complaint,
  identifier,
  isObject,
  shownLine,
  type WireRecord,
} from '../http/wireValues.ts';
import { hasMask } from '../records/serviceServer.ts';
import {
  connectionOf,
  listedModels,
  type ModelOperation,
  ModelRequests,
  post,
  readSecret,
} from './modelRequests.ts';

const models = ['api', 'profiles'];
const profiles = ['api', 'agent-profiles'];
const secretsPath = ['api', 'settings', 'secrets'];

/** The service gives a model 15 s, and its library time to start. */
const testDeadlineMs = 120_000;

export function modelsOfAgentServer(wire: Wire): Models {
  const { source } = wire.transport;
  const requests = new ModelRequests(wire, models);

  /** Empty if the service does not tell what it knows. */
  async function known(
    path: readonly string[],
    query: Readonly<Record<string, string>>,
    call: CallOptions,
  ): Promise<WireRecord> {
    const sent = { path: ['api', 'llm', ...path], query };
    const request = requests.send('listKnownModels', sent, call);
    const answer = await resultOr(request, isNotFound, undefined);
    return isObject(answer) ? answer : {};
  }

  async function listProfiles(
    operation: ModelOperation,
    call: CallOptions,
  ): Promise<readonly ListedAgentProfile[]> {
    const answer = await requests.ask(operation, { path: profiles }, call);
    return array(answer.profiles).flatMap((record) => {
      if (!isObject(record)) return [];
      const name = identifier(record.name);
      const id = identifier(record.id);
      if (name === undefined || id === undefined) return [];
      const { mcp_server_refs: servers, llm_profile_ref: model } = record;
      return [
        {
          id,
          name,
          isActive: id === answer.active_agent_profile_id,
          model: identifier(model),
          servers: Array.isArray(servers) ? texts(servers) : undefined,
        },
      ];
    });
  }

  async function changeProfile(
    operation: ModelOperation,
    name: string,
    change: WireRecord,
    call: CallOptions,
  ): Promise<void> {
    const path = [...profiles, name];
    const read = { path, keepsNumbers: true } as const;
    const { profile } = await requests.ask(operation, read, call);
    if (!isObject(profile)) {
      const why = t('it does not contain the profile');
      throw requests.notUnderstood(operation, why);
    }
    await requests.ask(operation, post(path, { ...profile, ...change }), call);
  }

  async function read(name: string, call: CallOptions): Promise<ModelDraft> {
    const sent = { path: [...models, name], keepsNumbers: true } as const;
    const plain = await requests.ask('readModel', sent, call);
    const isLinked =
      isObject(plain.config) && connectionOf(plain.config) !== undefined;
    const hasSecret = plain.api_key_set === true || hasMask(plain.config);
    // Encrypted, so that only the service can read it.
    const headers = { 'x-expose-secrets': 'encrypted' };
    const encrypted = hasSecret
      ? await resultOr(
          requests.ask('readModel', { ...sent, headers, once: true }, call),
          cannotEncrypt,
          undefined,
        )
      : undefined;
    const { config } = encrypted ?? plain;
    const isMissing = isObject(config) && config.api_key === null && !isLinked;
    const keyState = isMissing || hasMask(config) ? 'lost' : 'kept';
    return requests.readDraft(
      config,
      hasSecret || isLinked ? keyState : 'none',
    );
  }

  async function makeDefault(name: string, call: CallOptions): Promise<void> {
    const all = await listProfiles('makeDefault', call);
    const active = all.find(({ isActive }) => isActive);
    if (active?.model === undefined)
      throw requests.refused(
        'makeDefault',
        active
          ? t('the agent of its active profile chooses the model itself')
          : t('none of its agent profiles is active: choose one'),
      );
    const change = { llm_profile_ref: name };
    await changeProfile('makeDefault', active.name, change, call);
    // Other clients take this one for the default.
    await requests.ask(
      'makeDefault',
      post([...models, name, 'activate']),
      call,
    );
  }

  return {
    list: async (call = {}) => {
      // The service makes the first agent profile when it is asked for them.
      const agentProfiles = await listProfiles('listModels', call);
      const answer = await requests.ask('listModels', { path: models }, call);
      const active = agentProfiles.find(({ isActive }) => isActive);
      return { models: listedModels(answer, active?.model), agentProfiles };
    },
    providers: async (call = {}) => {
      const verified = await known(['models', 'verified'], {}, call);
      const all = await known(['providers'], {}, call);
      const recommended = isObject(verified.models) ? verified.models : {};
      const names = [...Object.keys(recommended), ...texts(all.providers)];
      return [...new Set(names)].map((name) => ({
        name,
        recommended: texts(
          Object.hasOwn(recommended, name) ? recommended[name] : [],
        ),
      }));
    },
    modelsOf: async (provider, call = {}) => {
      const answer = await known(['models'], { provider }, call);
      return texts(answer.models);
    },
    read: (name, call = {}) => read(name, call),
    save: async (name, draft, call = {}) => {
      const body = requests.bodyOf('saveModel', draft);
      await requests.ask('saveModel', post([...models, name], body), call);
    },
    test: async (name, draft, call = {}) => {
      const sent = {
        ...post(
          [...models, name, 'validate'],
          requests.bodyOf('testModel', draft),
        ),
        deadline: testDeadlineMs,
        once: true,
      } as const;
      const { valid, error } = await requests.ask('testModel', sent, call);
      if (valid === true) return undefined;
      const { type, message } = isObject(error) ? error : {};
      const secrets = draft.key instanceof Secret ? [draft.key] : [];
      return (
        complaint(withoutClasses(message), [...source.secrets, ...secrets]) ??
        shownLine(type) ??
        t('it says no more')
      );
    },
    rename: (name, newName, call) => requests.rename(name, newName, call),
    remove: (name, call) => requests.remove(name, call),
    makeDefault: (name, call = {}) => makeDefault(name, call),
    agentProfiles: {
      check: async (name, call = {}) => {
        const sent = post([...profiles, name, 'materialize']);
        const report = await requests.ask('checkProfile', sent, call);
        return {
          problems: texts(report.errors).flatMap(
            (problem) => complaint(problem, source.secrets) ?? [],
          ),
          servers: texts(report.resolved_mcp_config_keys),
          skills: texts(report.resolved_skills),
          secrets: Array.isArray(report.secret_refs)
            ? texts(report.secret_refs)
            : undefined,
        };
      },
      change: async (name, { model, servers }, call = {}) => {
        const change = {
          ...(model !== undefined && { llm_profile_ref: model }),
          ...(servers !== undefined && { mcp_server_refs: servers }),
        };
        await changeProfile('changeProfile', name, change, call);
      },
      activate: async (id, call = {}) => {
        await requests.ask(
          'activateProfile',
          post([...profiles, id, 'activate']),
          call,
        );
      },
    },
    secrets: {
      list: async (call = {}) => {
        const answer = await requests.ask(
          'listSecrets',
          { path: secretsPath },
          call,
        );
        return array(answer.secrets).flatMap(
          (record) => readSecret(record) ?? [],
        );
      },
      set: async ({ name, description }, value, call = {}) => {
        const body = { name, value: value.reveal(), description };
        const sent = { method: 'PUT', path: secretsPath, body } as const;
        await requests.ask('setSecret', sent, call);
      },
      remove: async (name, call = {}) => {
        const path = [...secretsPath, name];
        const removed = requests.send(
          'removeSecret',
          { method: 'DELETE', path },
          call,
        );
        await resultOr(removed, isNotFound, undefined);
      },
    },
  };
}

/** Leaves out the names that a complaint of LiteLLM begins with. */
function withoutClasses(message: unknown): unknown {
  return typeof message === 'string'
    ? message.replace(/^(?:litellm\.)?(?:\w+Error: )+/, '')
    : message;
}

/** True if the service has no key of its own to encrypt with. */
function cannotEncrypt(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const { failure } = error;
  return (
    failure.kind === 'serverFailed' && /encrypt/i.test(failure.detail ?? '')
  );
}

function texts(values: unknown): readonly string[] {
  return Array.isArray(values)
    ? values.filter((value) => typeof value === 'string')
    : [];
}
