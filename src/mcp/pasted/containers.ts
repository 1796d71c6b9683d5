/** Where servers stand in the configuration of whichever program. */
import type { Fields } from '../server.ts';
import type { Value } from '../values.ts';
import type { Found } from './types.ts';

/** Keys whose members are servers by their names, whatever they look like. */
const containers = [
  'mcpServers',
  'servers',
  'mcp.servers',
  'context_servers',
  'mcp_servers',
  'amp.mcpServers',
] as const;

/** The servers of a configuration; none where there are none. */
export function findServers(root: Fields, inherited: Found['inputs'] = new Map()): Found[] {
  const inputs = new Map([...inherited, ...readInputs(root.get('inputs'))]);
  const named = containers.flatMap((key) => members(root.get(key), key, inputs));
  const nested = [root.get('mcp'), ...mapOf(root.get('projects')).values()].flatMap((value) =>
    value instanceof Map ? findServers(value as Fields, inputs) : [],
  );
  if (named.length + nested.length > 0) return [...named, ...nested];
  // After those, because what describes a plugin can have a URL of its own beside its servers.
  if (looksLikeServer(root)) return [single(root, inputs)];
  return [...root].flatMap(([name, value]) => (looksLikeServer(value) ? [found(name, value, inputs)] : []));
}

function single(entry: Fields, inputs: Found['inputs']): Found {
  const name = entry.get('name');
  return found(typeof name === 'string' && name !== '' ? name : undefined, entry, inputs);
}

function found(name: string | undefined, value: Value, inputs: Found['inputs']): Found {
  return { name, entry: mapOf(value), inputs, notes: [] };
}

function members(value: Value | undefined, key: string, inputs: Found['inputs']): Found[] {
  if (value instanceof Map) {
    return [...(value as Fields)].map(([name, entry]) => found(name, entry, inputs));
  }
  // A list with that key is a common thing elsewhere, as in descriptions of web services.
  if (!Array.isArray(value) || key === 'servers') return [];
  return (value as readonly Value[]).map((entry) => single(mapOf(entry), inputs));
}

function looksLikeServer(value: Value): boolean {
  const entry = mapOf(value);
  const command = entry.get('command');
  return (
    typeof command === 'string' ||
    Array.isArray(command) ||
    mapOf(command).has('path') ||
    ['url', 'serverUrl', 'httpUrl'].some((key) => typeof entry.get(key) === 'string')
  );
}

function readInputs(value: Value | undefined): Map<string, string> {
  const inputs = new Map<string, string>();
  for (const item of Array.isArray(value) ? (value as readonly Value[]) : []) {
    const [id, description] = [mapOf(item).get('id'), mapOf(item).get('description')];
    if (typeof id === 'string' && typeof description === 'string') inputs.set(id, description);
  }
  return inputs;
}

/** The value, or an empty map for what is none. */
export function mapOf(value: Value | undefined): Fields {
  return value instanceof Map ? (value as Fields) : new Map();
}
