/** Requests about models that all kinds of services answer alike. */
import { t, words } from '../../base/l10n.ts';
import { isEqual } from '../../base/same.ts';
import { Secret } from '../../base/secret.ts';
import type {
  ListedModel,
  ModelCost,
  ModelDraft,
  NamedSecret,
} from '../abilities/models.ts';
import { parseExactly } from '../http/exactJson.ts';
import { isNotFound, Requests, type Wire } from '../http/requests.ts';
import type { CallOptions } from '../http/transport.ts';
import {
  array,
  identifier,
  isObject,
  recordReader,
  shownLine,
  type WireRecord,
} from '../http/wireValues.ts';
import { masksIn } from '../records/serviceServer.ts';

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

export type ModelOperation = keyof typeof couldNot;

const tokensPerPrice = 1_000_000;

export class ModelRequests extends Requests<ModelOperation> {
  readonly #path: readonly string[];

  /** `path` leads to the models. */
  constructor(wire: Wire, path: readonly string[]) {
    super(wire, couldNot);
    this.#path = path;
  }

  refused(operation: ModelOperation, detail: string) {
    return this.error(operation, { kind: 'rejected', fields: [], detail });
  }

  notUnderstood(operation: ModelOperation, why: string) {
    return this.error(operation, { kind: 'notUnderstood', why });
  }

  /** Sends a request that servers without models do not know. */
  async ask(
    operation: ModelOperation,
    sent: Parameters<Requests<ModelOperation>['send']>[1],
    call: CallOptions,
  ): Promise<WireRecord> {
    try {
      const answer = await this.send(operation, sent, call);
      return isObject(answer) ? answer : {};
    } catch (error) {
      // A service that has these endpoints names what is missing.
      const isOlder =
        isNotFound(error) &&
        error.failure.kind === 'notFound' &&
        /^(?:Not Found|Method Not Allowed)$/.test(error.failure.detail ?? '');
      throw isOlder
        ? this.refused(
            operation,
            t('it is too old for that: update the service'),
          )
        : error;
    }
  }

  async rename(
    name: string,
    newName: string,
    call: CallOptions = {},
  ): Promise<void> {
    const body = { new_name: newName };
    const sent = post([...this.#path, name, 'rename'], body);
    await this.ask('renameModel', sent, call);
  }

  async remove(name: string, call: CallOptions = {}): Promise<void> {
    const sent = { method: 'DELETE', path: [...this.#path, name] } as const;
    await this.ask('removeModel', sent, call);
  }

  readDraft(config: unknown, key: ModelDraft['key']): ModelDraft {
    if (!isObject(config) || typeof config.model !== 'string')
      throw this.notUnderstood('readModel', t('it does not contain a model'));
    return {
      model: config.model,
      baseUrl: identifier(config.base_url),
      key,
      cost: costIn(config),
      stored: new Secret(JSON.stringify(config)),
    };
  }

  /** Fails where a value is unknown here, which saving would lose. */
  bodyOf(operation: ModelOperation, draft: ModelDraft): { llm: object } {
    const { model, baseUrl, key, cost, stored } = draft;
    const before = stored && parseExactly(stored.reveal());
    const record = isObject(before) ? before : {};
    const isLinked = connectionOf(record) !== undefined;
    const losesLink = isLinked && (key === 'none' || key instanceof Secret);
    if (isLinked && !losesLink && baseUrl !== undefined)
      throw this.refused(
        operation,
        t(
          'its provider connection sets the base URL: enter a key of its own first',
        ),
      );
    const llm = {
      ...record,
      model,
      base_url: baseUrl ?? null,
      api_key: key instanceof Secret ? key.reveal() : null,
      ...(key === 'kept' && { api_key: record.api_key }),
      ...(losesLink && { provider_connection_id: null }),
      ...(!isEqual(cost, costIn(record)) && {
        input_cost_per_token: cost ? cost.input / tokensPerPrice : null,
        output_cost_per_token: cost ? cost.output / tokensPerPrice : null,
      }),
    };
    const masked = masksIn(llm);
    if (key === 'lost') masked.push('api_key');
    if (masked.length > 0)
      throw this.refused(
        operation,
        t('{0} holds only a mask: enter the value itself', masked.join(', ')),
      );
    return { llm };
  }
}

export function post(path: readonly string[], body: unknown = {}) {
  return { method: 'POST', path, body } as const;
}

export function listedModels(
  { profiles }: WireRecord,
  defaultName: string | undefined,
): readonly ListedModel[] {
  const read = recordReader('name', (name, record) => ({
    name,
    model: shownLine(record.model),
    baseUrl: identifier(record.base_url),
    isDefault: name === defaultName,
  }));
  return array(profiles).flatMap((record) => read(record) ?? []);
}

/** The connection that has the key and the base URL of several models. */
export function connectionOf(record: WireRecord): string | undefined {
  return identifier(record.provider_connection_id);
}

/** The description is whole, because a new value is saved with it. */
export const readSecret = recordReader<NamedSecret>(
  'name',
  (name, { description }) => ({
    name,
    description:
      typeof description === 'string' && description !== ''
        ? description
        : undefined,
  }),
);

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
