import { failed, json, type HttpAnswer, type Call } from '../http.ts';
import type { RouteContext } from '../route.ts';
import { type BodyReader, type BodyFields, withBody } from '../validate.ts';
import { causeOf, readMessage, readTags } from './requestParts.ts';
import { readPolicy } from './policy.ts';
import type { WantedConversation } from './conversations.ts';
import { profiles } from './profiles.ts';
import { heldConversation } from './records.ts';

/** A real server needs seconds. */
const creationTimeMs = 300;

export function createConversation(call: Call, { agentServer }: RouteContext): HttpAnswer {
  return withBody(call, readWanted, (wanted) => {
    const { profileId } = wanted;
    if (!profiles.some(({ id }) => id === profileId))
      return failed(404, `Agent profile with id '${profileId}' not found`);
    // The same request again, with the id that the caller has chosen.
    const before = wanted.id === undefined ? undefined : agentServer.find(wanted.id);
    const held = before ?? agentServer.create(wanted, causeOf(call));
    return { ...json(heldConversation(held), before ? 200 : 201), wait: creationTimeMs };
  });
}

const sources = ['agent', 'agent_settings', 'agent_profile_id'];

function readWanted(reader: BodyReader, fields: BodyFields): WantedConversation {
  const optional = <Value>(name: string, read: (loc: readonly string[], value: unknown) => Value) =>
    reader.optional(fields, name, read);
  const boolean = (name: string) => optional(name, (loc, value) => reader.boolean(loc, value));
  const uuid = (name: string) => optional(name, (loc, value) => reader.uuid(loc, value));
  const workspace = reader.object(['workspace'], fields.workspace);
  const folder = workspace && reader.string(['workspace', 'working_dir'], workspace.working_dir);
  const message = optional('initial_message', (loc, value) => {
    const given = reader.object(loc, value);
    return given && readMessage(reader, loc, given);
  });
  const profileId = uuid('agent_profile_id') ?? profiles[0].id;
  const tags = optional('tags', (loc, value) => readTags(reader, loc, value)) ?? {};
  const id = uuid('conversation_id');
  const worktree = boolean('worktree') ?? false;
  optional('worktree_options', (loc, value) => {
    readWorktreeOptions(reader, loc, value);
  });
  const autotitle = boolean('autotitle') ?? true;
  const policy = optional('confirmation_policy', (loc, value) => readPolicy(reader, loc, value));
  if (reader.errors.length === 0 && !sources.some((name) => (fields[name] ?? undefined) !== undefined)) {
    reader.refuse([], 'One of `agent`, `agent_settings`, or `agent_profile_id` must be provided', fields);
  }
  const { text, run = false } = message ?? {};
  return { id, message: text, run, folder: folder ?? '/', worktree, profileId, tags, autotitle, policy };
}

/** Checks their form only: the demo has no Git. */
function readWorktreeOptions(reader: BodyReader, loc: readonly string[], value: unknown): void {
  const options = reader.object(loc, value);
  if (!options) return;
  const { base = 'default_branch', ref = null, branch_prefix: prefix, ...others } = options;
  reader.literal([...loc, 'base'], base, ['default_branch', 'head', 'ref']);
  if (ref !== null) reader.string([...loc, 'ref'], ref);
  if (prefix !== undefined) reader.string([...loc, 'branch_prefix'], prefix);
  for (const [name, other] of Object.entries(others)) reader.noteExtra([...loc, name], other);
  if (base === 'ref' && ref === null) reader.refuse(loc, 'A `ref` base needs a `ref`', value);
}
