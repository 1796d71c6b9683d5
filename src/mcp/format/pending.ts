/**
 * Changes that a conversation gets when it starts again: until then it uses the servers of its start. Only digests of
 * values are remembered.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Entry } from './entry.ts';
import type { Value } from '../text/values.ts';

/** Servers at the start of a conversation, in a form to store. */
export interface RememberedServers {
  /** Prevents guessing values from their digests. */
  readonly salt: string;
  readonly servers: readonly RememberedServer[];
}

interface RememberedServer {
  readonly name: string;
  readonly enabled: boolean;
  /** Digests of the fields other than `enabled`. */
  readonly fields: Readonly<Record<string, string>>;
}

export type PendingChange =
  | { readonly name: string; readonly kind: 'added' | 'removed' | 'disabled' }
  /** `fields`: the changed fields of a server that was there before. */
  | { readonly name: string; readonly kind: 'enabled' | 'changed'; readonly fields: readonly string[] };

export function rememberEntries(
  entries: readonly Entry[],
  salt: string = randomBytes(16).toString('base64url'),
): RememberedServers {
  return {
    salt,
    servers: entries.map((entry) => ({
      name: entry.name,
      enabled: entry.enabled,
      fields: Object.fromEntries(fieldsOf(entry).map(([field, value]) => [field, saltedDigest(value, salt)])),
    })),
  };
}

export function activeServers({ servers }: RememberedServers): string[] {
  return servers.filter(({ enabled }) => enabled).map(({ name }) => name);
}

/** Leaves out servers that were disabled and still are. */
export function pendingChanges(start: RememberedServers, now: readonly Entry[]): PendingChange[] {
  const before = new Map(start.servers.map((server) => [server.name, server]));
  const after = rememberEntries(now, start.salt).servers;
  const names = new Set(after.map(({ name }) => name));
  const gone = start.servers.filter(({ name, enabled }) => enabled && !names.has(name));
  return [
    ...after.flatMap((server) => compare(before.get(server.name), server)),
    ...gone.map(({ name }): PendingChange => ({ name, kind: 'removed' })),
  ];
}

function compare(
  before: RememberedServer | undefined,
  { name, enabled, fields }: RememberedServer,
): PendingChange[] {
  if (!before) return enabled ? [{ name, kind: 'added' }] : [];
  if (!enabled) return before.enabled ? [{ name, kind: 'disabled' }] : [];
  const all = new Set([...Object.keys(before.fields), ...Object.keys(fields)]);
  const changed = [...all].filter((field) => before.fields[field] !== fields[field]);
  if (!before.enabled) return [{ name, kind: 'enabled', fields: changed }];
  return changed.length > 0 ? [{ name, kind: 'changed', fields: changed }] : [];
}

/** The fields with content. Programs write null or an empty value for the others. */
function fieldsOf({ fields, kind }: Entry): [string, Value][] {
  const says = (field: string, value: Value) =>
    field !== 'enabled' &&
    value !== null &&
    !(kind === 'local' && ['transport', 'type'].includes(field)) &&
    !(['args', 'env', 'headers'].includes(field) && isEmpty(value));
  return [...(fields ?? [])].filter(([field, value]) => says(field, value));
}

function isEmpty(value: Value): boolean {
  return value instanceof Map ? value.size === 0 : Array.isArray(value) && value.length === 0;
}

export function saltedDigest(value: Value, salt: string): string {
  return createHmac('sha256', salt).update(canonicalJson(value)).digest('base64url');
}

/** The same text for equal values, in any order of members. */
function canonicalJson(value: Value): string {
  if (value instanceof Map) {
    const members = [...(value as ReadonlyMap<string, Value>)].sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join()}}`;
  }
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map(canonicalJson).join()}]`;
  return JSON.stringify(value);
}
