import { resultOr } from '../../base/errors.ts';
import type { ModelList, Models } from '../abilities/models.ts';
import {
  listedModels,
  ModelRequests,
  post,
  readSecret,
} from '../agentServer/modelRequests.ts';
import type { Pager } from '../http/pager.ts';
import { isNotFound, type Wire } from '../http/requests.ts';
import type { CallOptions } from '../http/transport.ts';
import {
  identifier,
  isObject,
  recordReader,
  shownLine,
  type WireRecord,
} from '../http/wireValues.ts';

const v1 = ['api', 'v1'];
const settings = [...v1, 'settings'];
const path = [...settings, 'profiles'];
const secrets = [...v1, 'secrets'];

/** Models of new conversations. Keys are never returned, even encrypted. */
export function modelsV1(wire: Wire): Models {
  const requests = new ModelRequests(wire, path);

  async function list(call: CallOptions): Promise<ModelList> {
    const answer = await requests.ask('listModels', { path }, call);
    const active = identifier(answer.active_profile);
    const models = listedModels(answer, active);
    if (active !== undefined) return { models, agentProfiles: [] };
    const read = requests.ask('listModels', { path: settings }, call);
    const all = await resultOr<WireRecord, WireRecord>(read, isNotFound, {});
    const { agent_settings: agent, llm_api_key_set: hasKey } = all;
    const { llm } = isObject(agent) ? agent : {};
    // Fresh settings have a model too, which nobody has set up.
    const isSetUp =
      isObject(llm) &&
      (hasKey === true || identifier(llm.base_url) !== undefined);
    const unlistedDefault = isSetUp ? shownLine(llm.model) : undefined;
    return { models, agentProfiles: [], unlistedDefault };
  }

  /** Empty if the service does not tell what it knows. */
  async function known(
    collection: 'models' | 'providers',
    query: Readonly<Record<string, string>>,
    call: CallOptions,
  ): Promise<readonly KnownName[]> {
    const found = requests.pager(
      'listKnownModels',
      { path: [...v1, 'config', collection, 'search'], query },
      readKnown,
      ({ name, provider }) => `${provider ?? ''}/${name}`,
      call,
    );
    return await resultOr(allRows(found), isNotFound, []);
  }

  return {
    list: (call = {}) => list(call),
    providers: async (call = {}) => {
      const all = await known('providers', {}, call);
      const verified = await known('models', { verified__eq: 'true' }, call);
      const byProvider = Map.groupBy(verified, ({ provider }) => provider);
      return all.map(({ name }) => ({
        name,
        recommended: (byProvider.get(name) ?? []).map((model) => model.name),
      }));
    },
    modelsOf: async (provider, call = {}) => {
      const models = await known('models', { provider__eq: provider }, call);
      return models.map(({ name }) => name);
    },
    read: async (name, call = {}) => {
      const sent = { path: [...path, name], keepsNumbers: true } as const;
      const answer = await requests.ask('readModel', sent, call);
      const key = answer.api_key_set === true ? 'bound' : 'none';
      return requests.readDraft(answer.config, key);
    },
    save: async (name, draft, call = {}) => {
      const { active_profile: active } = await requests.ask(
        'saveModel',
        { path },
        call,
      );
      const body = {
        ...requests.bodyOf('saveModel', draft),
        // The service keeps the key of a model that is saved without one.
        include_secrets: draft.key !== 'none',
      };
      const save = () =>
        requests.ask('saveModel', post([...path, name], body), call);
      if (!(await resultOr(save(), isNotFound, undefined))) {
        // A service that nobody has set up has no settings yet.
        await requests.ask('saveModel', post(settings), call);
        await save();
      }
      // Saving any model makes the service forget its default.
      if (typeof active === 'string')
        await requests.ask(
          'saveModel',
          post([...path, active, 'activate']),
          call,
        );
    },
    rename: (name, newName, call) => requests.rename(name, newName, call),
    remove: (name, call) => requests.remove(name, call),
    makeDefault: async (name, call = {}) => {
      const { models, unlistedDefault } = await list(call);
      if (unlistedDefault !== undefined) {
        const taken = new Set(models.map((model) => model.name));
        let kept = 'former-default';
        while (taken.has(kept)) kept += '-2';
        // Keeps it with its key, which would be lost.
        await requests.ask('makeDefault', post([...path, kept]), call);
      }
      const sent = post([...path, name, 'activate']);
      await requests.ask('makeDefault', sent, call);
    },
    secrets: {
      list: (call = {}) =>
        allRows(
          requests.pager(
            'listSecrets',
            { path: [...secrets, 'search'] },
            readSecret,
            ({ name }) => name,
            call,
          ),
        ),
      set: async ({ name, description }, value, call = {}) => {
        const body = { name, value: value.reveal(), description };
        await requests.ask('setSecret', post(secrets, body), call);
      },
      remove: async (name, call = {}) => {
        const sent = { method: 'DELETE', path: [...secrets, name] } as const;
        const removed = requests.send('removeSecret', sent, call);
        await resultOr(removed, isNotFound, undefined);
      },
    },
  };
}

interface KnownName {
  readonly name: string;
  readonly provider: string | undefined;
}

const readKnown = recordReader<KnownName>('name', (name, record) => ({
  name,
  provider: identifier(record.provider),
}));

async function allRows<T>(pages: Pager<T>): Promise<readonly T[]> {
  return (await Array.fromAsync(pages)).flatMap(({ items }) => items);
}
