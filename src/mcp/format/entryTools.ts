/** The program's reading of `tools` in an entry. */
import { takenForBoolean } from './verdict.ts';
import {
  lastOf,
  lastOfEach,
  type Member,
  type Node,
  type ObjectNode,
  objectOf,
  stringOf,
} from '../text/nodes.ts';

/** True if agents get the tool. A value the program cannot use changes nothing. */
export function isToolOn(tool: Node): boolean {
  const enabled = lastOf(objectOf(tool), 'enabled')?.value;
  return !enabled || takenForBoolean(enabled) !== false;
}

export function toolsOf(keys: ReadonlyMap<string, Member>): ReadonlyMap<string, boolean> {
  const obeyed = obeyedTools(keys);
  const tools = lastOfEach(objectOf(keys.get('tools')?.value));
  return new Map([...tools].map(([name, { value }]) => [name, !obeyed || isToolOn(value)]));
}

/** The name of a tool after the changes in the entry. An empty new name counts as none. */
export function toolName(keys: ReadonlyMap<string, Member>, tool: string): string {
  const name = stringOf(lastOf(objectOf(lastOf(obeyedTools(keys), tool)?.value), 'name')?.value) ?? '';
  return name === '' ? tool : name;
}

/** `undefined` if the program ignores `tools`. */
function obeyedTools(keys: ReadonlyMap<string, Member>): ObjectNode | undefined {
  return ignoredTags(keys).length === 0 ? objectOf(keys.get('tools')?.value) : undefined;
}

/** Invalid tags, which make the program ignore `tools` too. */
export function ignoredTags(keys: ReadonlyMap<string, Member>): readonly Member[] {
  return [keys.get('include_tags'), keys.get('exclude_tags')]
    .filter((tags) => tags !== undefined)
    .filter(({ value }) => value.type !== 'null' && !isTagList(value));
}

function isTagList(value: Node): boolean {
  return value.type === 'array' && value.items.every(({ type }) => type === 'string');
}

/** The program puts the name of the server before the tool as soon as two servers are enabled, reachable or not. */
export function toolNameForAgents(server: string, tool: string, enabledServers: number): string {
  return enabledServers > 1 ? `${server}_${tool}` : tool;
}
