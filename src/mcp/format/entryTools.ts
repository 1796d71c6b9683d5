/** What the program that reads mcp.json makes of `tools` in an entry. */
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

/** Whether what an entry says about a tool lets agents get it. What cannot be understood says nothing. */
export function isToolOn(tool: Node): boolean {
  const enabled = lastOf(objectOf(tool), 'enabled')?.value;
  return !enabled || takenForBoolean(enabled) !== false;
}

/** The tools that an entry names, and whether agents get each. */
export function toolsOf(keys: ReadonlyMap<string, Member>): ReadonlyMap<string, boolean> {
  const obeyed = obeyedTools(keys);
  const tools = lastOfEach(objectOf(keys.get('tools')?.value));
  return new Map([...tools].map(([name, { value }]) => [name, !obeyed || isToolOn(value)]));
}

/** What an entry makes of the name of a tool. An empty name counts as none. */
export function toolName(keys: ReadonlyMap<string, Member>, tool: string): string {
  const name = stringOf(lastOf(objectOf(lastOf(obeyedTools(keys), tool)?.value), 'name')?.value) ?? '';
  return name === '' ? tool : name;
}

/** Undefined where nothing that is said about tools counts. */
function obeyedTools(keys: ReadonlyMap<string, Member>): ObjectNode | undefined {
  return ignoredTags(keys).length === 0 ? objectOf(keys.get('tools')?.value) : undefined;
}

/** The tags that the program does not take, for which it ignores `tools` too. */
export function ignoredTags(keys: ReadonlyMap<string, Member>): readonly Member[] {
  return [keys.get('include_tags'), keys.get('exclude_tags')]
    .filter((tags) => tags !== undefined)
    .filter(({ value }) => value.type !== 'null' && !isTagList(value));
}

function isTagList(value: Node): boolean {
  return value.type === 'array' && value.items.every(({ type }) => type === 'string');
}

/**
 * The name that agents know a tool by. The program that reads mcp.json puts the name of the server before it as soon as
 * two servers are enabled, whether they can be reached or not.
 */
export function toolNameForAgents(server: string, tool: string, enabledServers: number): string {
  return enabledServers > 1 ? `${server}_${tool}` : tool;
}
