import { resultOr } from '../../base/errors.ts';
import { t, words } from '../../base/l10n.ts';
import { isEqual } from '../../base/same.ts';
import { Secret } from '../../base/secret.ts';
import type {
  ListedAgentProfile,
  ModelCost,
  ModelDraft,
  Models,
} from '../abilities/models.ts';
import { parseExactly } from '../http/exactJson.ts';
import { isNotFound, Requests, type Wire } from '../http/requests.ts';
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
import { hasMask, masksIn } from '../records/serviceServer.ts';

const couldNot = words({
  listModels: 'Could not list the models of the service',
  listKnownModels: 'Could not list the models that the service knows',
  readModel: 'Could not read the model',
  saveModel: 'Could not save the model',
  testModel: 'Could not test the model',
  renameModel: 'Could not rename the model',
  removeModel: 'Could not remove the model',
  makeDefault: 'Could not make the model the default',
  checkProfile: 'Could not check the agent profile',
  changeProfile: 'Could not change the agent profile',
  activateProfile: 'Could not activate the agent profile',
  listSecrets: 'Could not list the secrets of the service',
  setSecret: 'Could not save the secret',
  removeSecret: 'Could not remove the secret',
});

type Operation = keyof typeof couldNot;

const models = ['api', 'profiles'];
const profiles = ['api', 'agent-profiles'];
const secretsPath = ['api', 'settings', 'secrets'];

/** The service gives a model 15 s, and its library time to start. */
const testDeadlineMs = 120_000;

const tokensPerPrice = 1_000_000;

export function modelsOfAgentServer(wire: Wire): Models {
  const { source } = wire.transport;
  const requests = new Requests(wire, couldNot);

  const refused = (operation: Operation, detail: string) =>
    requests.error(operation, { kind: 'rejected', fields: [], detail });

  /** Sends a request that servers without models do not know. */
  async function send(
    operation: Operation,
    sent: Parameters<typeof requests.send>[1],
    call: CallOptions,
  ): Promise<WireRecord> {
    try {
      const answer = await requests.send(operation, sent, call);
      return isObject(answer) ? answer : {};
    } catch (error) {
      // A service that has these endpoints names what is missing.
      const isOlder =
        isNotFound(error) &&
        error.failure.kind === 'notFound' &&
        /^(?:Not Found|Method Not Allowed)$/.test(error.failure.detail ?? '');
      throw isOlder
        ? refused(operation, t('it is too old for that: update the service'))
        : error;
    }
  }

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

  const post = (path: readonly string[], body: unknown = {}) =>
    ({ method: 'POST', path, body }) as const;

  async function listProfiles(
    operation: Operation,
    call: CallOptions,
  ): Promise<readonly ListedAgentProfile[]> {
    const answer = await send(operation, { path: profiles }, call);
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
    operation: Operation,
    name: string,
    change: WireRecord,
    call: CallOptions,
  ): Promise<void> {
    const path = [...profiles, name];
    const read = { path, keepsNumbers: true } as const;
    const { profile } = await send(operation, read, call);
    if (!isObject(profile)) {
      const why = t('it does not contain the profile');
      throw requests.error(operation, { kind: 'notUnderstood', why });
    }
    await send(operation, post(path, { ...profile, ...change }), call);
  }

  async function read(name: string, call: CallOptions): Promise<ModelDraft> {
    const sent = { path: [...models, name], keepsNumbers: true } as const;
    const plain = await send('readModel', sent, call);
    const hasSecret = plain.api_key_set === true || hasMask(plain.config);
    // Encrypted, so that only the service can read it.
    const headers = { 'x-expose-secrets': 'encrypted' };
    const encrypted = hasSecret
      ? await resultOr(
          send('readModel', { ...sent, headers, once: true }, call),
          cannotEncrypt,
          undefined,
        )
      : undefined;
    const { config } = encrypted ?? plain;
    if (!isObject(config) || typeof config.model !== 'string') {
      const why = t('it does not contain a model');
      throw requests.error('readModel', { kind: 'notUnderstood', why });
    }
    const isMissing = config.api_key === null || hasMask(config);
    const keyState = isMissing ? 'lost' : 'kept';
    return {
      model: config.model,
      baseUrl: identifier(config.base_url),
      key: hasSecret ? keyState : 'none',
      cost: costIn(config),
      stored: new Secret(JSON.stringify(config)),
    };
  }

  function bodyOf(operation: Operation, draft: ModelDraft): { llm: object } {
    const { model, baseUrl, key, cost, stored } = draft;
    const before = stored && parseExactly(stored.reveal());
    const record = isObject(before) ? before : {};
    const llm = {
      ...record,
      model,
      base_url: baseUrl ?? null,
      api_key: key instanceof Secret ? key.reveal() : null,
      ...(key === 'kept' && { api_key: record.api_key }),
      ...(!isEqual(cost, costIn(record)) && {
        input_cost_per_token: cost ? cost.input / tokensPerPrice : null,
        output_cost_per_token: cost ? cost.output / tokensPerPrice : null,
      }),
    };
    const masked = masksIn(llm);
    if (key === 'lost') masked.push('api_key');
    if (masked.length > 0)
      throw refused(
        operation,
        t('{0} holds only a mask: enter the value itself', masked.join(', ')),
      );
    return { llm };
  }

  async function makeDefault(name: string, call: CallOptions): Promise<void> {
    const all = await listProfiles('makeDefault', call);
    const active = all.find(({ isActive }) => isActive);
    if (active?.model === undefined)
      throw refused(
        'makeDefault',
        active
          ? t('the agent of its active profile chooses the model itself')
          : t('none of its agent profiles is active: choose one'),
      );
    const change = { llm_profile_ref: name };
    await changeProfile('makeDefault', active.name, change, call);
    // Other clients take this one for the default.
    await send('makeDefault', post([...models, name, 'activate']), call);
  }

  return {
    list: async (call = {}) => {
      // The service makes the first agent profile when it is asked for them.
      const agentProfiles = await listProfiles('listModels', call);
      const answer = await send('listModels', { path: models }, call);
      const active = agentProfiles.find(({ isActive }) => isActive);
      const listed = array(answer.profiles).flatMap((record) => {
        const name = isObject(record) ? identifier(record.name) : undefined;
        if (name === undefined || !isObject(record)) return [];
        return [
          {
            name,
            model: shownLine(record.model),
            baseUrl: identifier(record.base_url),
            isDefault: active?.model === name,
          },
        ];
      });
      return { models: listed, agentProfiles };
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
      const body = bodyOf('saveModel', draft);
      await send('saveModel', post([...models, name], body), call);
    },
    test: async (name, draft, call = {}) => {
      const sent = {
        ...post([...models, name, 'validate'], bodyOf('testModel', draft)),
        deadline: testDeadlineMs,
        once: true,
      } as const;
      const { valid, error } = await send('testModel', sent, call);
      if (valid === true) return undefined;
      const { type, message } = isObject(error) ? error : {};
      const secrets = draft.key instanceof Secret ? [draft.key] : [];
      return (
        complaint(message, [...source.secrets, ...secrets]) ??
        shownLine(type) ??
        t('it says no more')
      );
    },
    rename: async (name, newName, call = {}) => {
      const sent = post([...models, name, 'rename'], { new_name: newName });
      await send('renameModel', sent, call);
    },
    remove: async (name, call = {}) => {
      const sent = { method: 'DELETE', path: [...models, name] } as const;
      await send('removeModel', sent, call);
    },
    makeDefault: (name, call = {}) => makeDefault(name, call),
    agentProfiles: {
      check: async (name, call = {}) => {
        const sent = post([...profiles, name, 'materialize']);
        const report = await send('checkProfile', sent, call);
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
        await send(
          'activateProfile',
          post([...profiles, id, 'activate']),
          call,
        );
      },
    },
    secrets: {
      list: async (call = {}) => {
        const answer = await send('listSecrets', { path: secretsPath }, call);
        return array(answer.secrets).flatMap((record) => {
          const name = isObject(record) ? identifier(record.name) : undefined;
          return name === undefined || !isObject(record)
            ? []
            : [{ name, description: shownLine(record.description) }];
        });
      },
      set: async ({ name, description }, value, call = {}) => {
        const body = { name, value: value.reveal(), description };
        const sent = { method: 'PUT', path: secretsPath, body } as const;
        await send('setSecret', sent, call);
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

/** Rounds off the error of a fraction such as 0.0000003. */
function perMillion(perToken: number): number {
  return Number((perToken * tokensPerPrice).toPrecision(12));
}

function costIn({
  input_cost_per_token: input,
  output_cost_per_token: output,
}: WireRecord): ModelCost | undefined {
  return typeof input === 'number' && typeof output === 'number'
    ? { input: perMillion(input), output: perMillion(output) }
    : undefined;
}
