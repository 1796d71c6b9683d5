/** Where the servers stand in a text. */
import { t } from '../base/l10n.ts';
import { type Member, type ObjectText, type Reading, readText } from './reader.ts';
import { Refusal } from './refusal.ts';

export interface Outline extends Reading {
  readonly text: string;
  /** The object with the servers. Undefined where the file has none yet. */
  readonly servers: ObjectText | undefined;
  /** The last `mcpServers`, where the root has one. */
  readonly property: Member | undefined;
}

/** Throws a Refusal for a text in which no server can be found. */
export function outline(text: string): Outline {
  const reading = readText(text);
  const property = reading.root.members.findLast(({ name }) => name === 'mcpServers');
  if (!property) return { ...reading, text, property, servers: serversAtRoot(reading.root) };
  const { valueStart: start, end, members } = property;
  if (!members) throw new Refusal('wrongType', t('"mcpServers" is not a JSON object.'), text, start);
  return { ...reading, text, property, servers: { start, end, members } };
}

/** The reading program takes the root for the servers where nothing is called `mcpServers`. */
function serversAtRoot(root: ObjectText): ObjectText | undefined {
  const isServer = ({ members }: Member) =>
    members?.some(({ name }) => name === 'command' || name === 'url') === true;
  return root.members.some(isServer) ? root : undefined;
}

export function isAtRoot({ servers, property }: Outline): boolean {
  return servers !== undefined && property === undefined;
}

/** The entry that counts: readers take the last of a name. */
export function lastOf(servers: ObjectText | undefined, name: string): Member | undefined {
  return servers?.members.findLast((member) => member.name === name);
}

/** The entries that count, by their names. */
export function lastOfEach(servers: ObjectText | undefined): ReadonlyMap<string, Member> {
  return new Map(servers?.members.map((member) => [member.name, member]));
}
