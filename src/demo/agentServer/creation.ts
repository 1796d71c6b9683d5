import { failed, json, type HttpAnswer, type Call } from '../http.ts';
import type { RouteContext } from '../route.ts';
import { BodyReader, invalid } from '../validate.ts';
import { readTags } from './changeConversation.ts';
import { causeOf, readMessage } from './message.ts';
import { readPolicy } from './policy.ts';
import type { WantedConversation } from './conversations.ts';
import { profiles } from './profiles.ts';
import { heldConversation } from './records.ts';

/** Milliseconds that it takes. A real one needs seconds. */
const creationTime = 300;

export function createConversation(call: Call, { agentServer }: RouteContext): HttpAnswer {
  const reader = new BodyReader();
  const wanted = readWanted(reader, call);
  if (!wanted || reader.errors.length > 0) return invalid(reader.errors);
  const { profileId } = wanted;
  if (!profiles.some(({ id }) => id === profileId)) {
    return failed(404, `Agent profile with id '${profileId}' not found`);
  }
  // The same request again, with the id that the caller has chosen.
  const before = wanted.id === undefined ? undefined : agentServer.find(wanted.id);
  const held = before ?? agentServer.create(wanted, causeOf(call));
  return { ...json(heldConversation(held), before ? 200 : 201), wait: creationTime };
}

const sources = ['agent', 'agent_settings', 'agent_profile_id'];

function readWanted(reader: BodyReader, { headers, body }: Call): WantedConversation | undefined {
  const request = reader.parse(headers['content-type'] ?? '', body);
  if (!request) return undefined;
  /** Null counts as missing. */
  const optional = <Value>(name: string, read: (loc: readonly string[], value: unknown) => Value) => {
    const value = request[name] ?? undefined;
    return value === undefined ? undefined : read([name], value);
  };
  const workspace = reader.object(['workspace'], request.workspace);
  const folder = workspace && reader.string(['workspace', 'working_dir'], workspace.working_dir);
  const message = optional('initial_message', (loc, value) => {
    const given = reader.object(loc, value);
    return given && readMessage(reader, loc, given);
  });
  const profileId = optional('agent_profile_id', (loc, value) => reader.uuid(loc, value));
  const tags = optional('tags', (loc, value) => readTags(reader, loc, value));
  const id = optional('conversation_id', (loc, value) => reader.uuid(loc, value));
  const worktree = optional('worktree', (loc, value) => reader.boolean(loc, value));
  optional('worktree_options', (loc, value) => {
    readWorktreeOptions(reader, loc, value);
  });
  const autotitle = optional('autotitle', (loc, value) => reader.boolean(loc, value));
  const policy = optional('confirmation_policy', (loc, value) => readPolicy(reader, loc, value));
  if (reader.errors.length === 0 && !sources.some((name) => (request[name] ?? undefined) !== undefined)) {
    reader.refuse([], 'One of `agent`, `agent_settings`, or `agent_profile_id` must be provided', request);
  }
  return {
    id,
    message: message?.text,
    run: message?.run ?? false,
    folder: folder ?? '/',
    worktree: worktree ?? false,
    profileId: profileId ?? profiles[0].id,
    tags: tags ?? {},
    autotitle: autotitle ?? true,
    policy,
  };
}

/** Only their form is read: the demo has no Git. */
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
