import { t } from '../../base/l10n.ts';
import { isTargetKey } from '../dialects/dialects.ts';
import { readText, readUnfinished, type Tree } from '../text/reader.ts';
import { Refusal } from '../text/refusal.ts';
import {
  lastOf,
  type Member,
  type ObjectNode,
  objectOf,
} from '../text/nodes.ts';

export interface Outline extends Tree {
  /** The object with the servers; `undefined` in a file without one. */
  readonly servers: ObjectNode | undefined;
  /** The last `mcpServers` at the root. */
  readonly property: Member | undefined;
}

/** Throws a Refusal for a text without a place for servers. */
export function outline(text: string): Outline {
  const file = outlineOf(readText(text));
  const { servers, property } = file;
  if (servers || !property) return file;
  throw new Refusal(
    'wrongType',
    t('"mcpServers" is not a JSON object.'),
    text,
    property.value.start,
  );
}

/** Reads as much as possible of a text being typed. */
export function outlineUnfinished(text: string): Outline {
  return outlineOf(readUnfinished(text));
}

function outlineOf(tree: Tree): Outline {
  const property = lastOf(tree.root, 'mcpServers');
  return {
    ...tree,
    property,
    servers: property ? objectOf(property.value) : serversAtRoot(tree.root),
  };
}

/** The program reads servers at the root if there is no `mcpServers`. */
function serversAtRoot(root: ObjectNode): ObjectNode | undefined {
  const isServer = ({ value }: Member) =>
    objectOf(value)?.members.some(({ name }) => isTargetKey(name)) === true;
  return root.members.some(isServer) ? root : undefined;
}

export function isAtRoot({ servers, property }: Outline): boolean {
  return servers !== undefined && property === undefined;
}
