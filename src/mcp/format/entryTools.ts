/** The program's reading of `tools` in an entry. */
import { takenForBoolean } from './verdict.ts';
import { lastOf, type Member, type Node, objectOf } from '../text/nodes.ts';

/** True if agents get the tool. A value the program cannot use changes nothing. */
export function isToolOn(tool: Node): boolean {
  const enabled = lastOf(objectOf(tool), 'enabled')?.value;
  return !enabled || takenForBoolean(enabled) !== false;
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
