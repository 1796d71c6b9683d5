import { randomUUID } from 'node:crypto';
import { models as firstModels } from '../world/names.ts';
import { modelProfileName, profiles } from './records.ts';

export interface StoredModel {
  readonly model: string;
  readonly base_url: string | null;
  readonly api_key: string | null;
  readonly [field: string]: unknown;
}

export interface ProfileFields {
  readonly llm_profile_ref: string;
  readonly mcp_server_refs: readonly string[] | null;
  readonly [field: string]: unknown;
}

export interface StoredProfile extends ProfileFields {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
}

/** The models, agent profiles and secrets in the settings of an Agent Server. */
export class StoredModels {
  readonly models = new Map<string, StoredModel>(
    firstModels.map((model) => [
      modelProfileName(model),
      { ...defaults, model, api_key: 'demo-key' },
    ]),
  );
  /** The default of an app server. Agent profiles do not read it. */
  activeModel: string | null = modelProfileName(firstModels[0]);
  readonly profiles = new Map<string, StoredProfile>(
    profiles.map((profile) => [profile.name, profile]),
  );
  activeId: string = profiles[0].id;
  /** Descriptions by name. The demo keeps no values. */
  readonly secrets = new Map<string, string | null>([
    ['DEPLOY_TOKEN', 'Deploys to the test environment'],
  ]);

  profileWith(id: string): StoredProfile | undefined {
    return [...this.profiles.values()].find((profile) => profile.id === id);
  }

  /** Keeps the id of a profile of this name. */
  saveProfile(name: string, fields: ProfileFields): void {
    const before = this.profiles.get(name);
    const id = before?.id ?? randomUUID();
    const revision = before ? before.revision + 1 : 0;
    this.profiles.set(name, { ...fields, id, name, revision });
  }

  usersOf(model: string): readonly string[] {
    return [...this.profiles.values()].flatMap(({ name, llm_profile_ref }) =>
      llm_profile_ref === model ? [name] : [],
    );
  }
}

export const defaults = {
  base_url: null,
  input_cost_per_token: null,
  output_cost_per_token: null,
  num_retries: 5,
  timeout: 300,
  reasoning_effort: 'high',
  usage_id: 'default',
};
