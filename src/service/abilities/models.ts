/**
 * The models that agents of a service can use, the agent profiles that choose
 * among them, and the named secrets that agents get.
 */
import type { Secret } from '../../base/secret.ts';
import type { CallOptions } from '../http/transport.ts';

export interface Models {
  list(call?: CallOptions): Promise<ModelList>;
  /** Providers that the service knows, the recommended ones first. */
  providers(call?: CallOptions): Promise<readonly ModelProvider[]>;
  /** Names of the models of a provider that the service knows. */
  modelsOf(provider: string, call?: CallOptions): Promise<readonly string[]>;
  read(name: string, call?: CallOptions): Promise<ModelDraft>;
  /** Replaces a model of this name. */
  save(name: string, draft: ModelDraft, call?: CallOptions): Promise<void>;
  /**
   * Asks the model once. Resolves with its complaint, if it has one. Absent if
   * the service cannot do that.
   */
  readonly test?: (
    name: string,
    draft: ModelDraft,
    call?: CallOptions,
  ) => Promise<string | undefined>;
  /** Renames it in the agent profiles too. */
  rename(name: string, newName: string, call?: CallOptions): Promise<void>;
  /** Fails while an agent profile uses it. Another may become the default. */
  remove(name: string, call?: CallOptions): Promise<void>;
  /** Has new conversations use this model without a choice. */
  makeDefault(name: string, call?: CallOptions): Promise<void>;
  /** Absent if no agent profile chooses among the models. */
  readonly agentProfiles?: AgentProfiles;
  readonly secrets: NamedSecrets;
}

export interface ModelList {
  readonly models: readonly ListedModel[];
  readonly agentProfiles: readonly ListedAgentProfile[];
  /** The model of new conversations, if it is none of `models`. */
  readonly unlistedDefault?: string | undefined;
}

export interface ListedModel {
  readonly name: string;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  /** True if new conversations use it without a choice. */
  readonly isDefault: boolean;
}

interface ModelProvider {
  readonly name: string;
  /** Empty for a provider that is not recommended. */
  readonly recommended: readonly string[];
}

export interface ModelDraft {
  readonly model: string;
  readonly baseUrl: string | undefined;
  /**
   * `kept`: the stored one, which only the service can read. `bound`: the
   * stored one, which the service keeps under this name alone. `lost`: it has
   * one, but does not return it even encrypted.
   */
  readonly key: Secret | 'kept' | 'bound' | 'lost' | 'none';
  /** US dollars for a million tokens; undefined where the service decides. */
  readonly cost: ModelCost | undefined;
  /** All that the service has stored, as JSON with an encrypted key. */
  readonly stored?: Secret;
}

export interface ModelCost {
  readonly input: number;
  readonly output: number;
}

export interface ListedAgentProfile {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  /** The name of a model; undefined if the agent chooses its model itself. */
  readonly model: string | undefined;
  /** Names of MCP servers; undefined for all of the service. */
  readonly servers: readonly string[] | undefined;
}

export interface AgentProfiles {
  /** Has the service make an agent in thought, without starting it. */
  check(name: string, call?: CallOptions): Promise<AgentProfileCheck>;
  change(
    name: string,
    change: AgentProfileChange,
    call?: CallOptions,
  ): Promise<void>;
  /** Has new conversations use it without a choice. */
  activate(id: string, call?: CallOptions): Promise<void>;
}

export interface AgentProfileChange {
  readonly model?: string;
  /** Null for all. */
  readonly servers?: readonly string[] | null;
}

export interface AgentProfileCheck {
  readonly problems: readonly string[];
  readonly servers: readonly string[];
  readonly skills: readonly string[];
  /** Names; undefined for all of the service. */
  readonly secrets: readonly string[] | undefined;
}

/** Secrets whose values are never read. */
interface NamedSecrets {
  list(call?: CallOptions): Promise<readonly NamedSecret[]>;
  /** Adds it, or replaces its value. */
  set(secret: NamedSecret, value: Secret, call?: CallOptions): Promise<void>;
  /** Does nothing if it is gone. */
  remove(name: string, call?: CallOptions): Promise<void>;
}

export interface NamedSecret {
  readonly name: string;
  readonly description: string | undefined;
}
