import { randomUUID } from 'node:crypto';
import { sleep } from '../../base/clock.ts';
import { resultOr } from '../../base/errors.ts';
import { t, words } from '../../base/l10n.ts';
import type {
  Created,
  Creation,
  Folders,
  NewConversation,
} from '../abilities/agentService.ts';
import { fetchUpstream, upstream } from '../git/upstream.ts';
import type { AgentProfile, Conversation, Folder } from '../model/entities.ts';
import { partsOf } from '../model/newMessage.ts';
import {
  isAbsent,
  isNotOffered,
  Requests,
  type Wire,
} from '../http/requests.ts';
import { ServiceError } from '../http/serviceError.ts';
import type { CallOptions } from '../http/transport.ts';
import {
  array,
  identifier,
  isObject,
  shownLine,
  type WireRecord,
} from '../http/wireValues.ts';
import { approvalFields } from './approval.ts';
import { outputOfGit } from './bash.ts';
import type { Rows } from './rows.ts';
import { contentOf, listModelProfiles } from './agents.ts';

const couldNot = words({
  suggestFolders: 'Could not list the folders to work in',
  listFolders: 'Could not list the folders',
  runGit: 'Could not run Git at the service',
  createConversation: 'Could not create a conversation',
  listProfiles: 'Could not list the agent profiles',
  readVersion: 'Could not read the version of the service',
});

/** A profile of an agent that names the profile of its model. */
type ProfileOfModel = AgentProfile & {
  readonly modelProfile: string | undefined;
};

/**
 * Creation takes 2 to 9 s, and longer on a slow machine or in a large
 * repository.
 */
const deadline = 120_000;

/**
 * Pauses before the lookups of a conversation that may have been created
 * despite a failure.
 */
const lookupDelaysMs = [500, 2_500, 7_000];

export function creationAtAgentServer(rows: Rows, wire: Wire): Creation {
  const requests = new Requests(wire, couldNot);

  async function profiles(
    call: CallOptions = {},
  ): Promise<readonly ProfileOfModel[]> {
    const answer = await requests.send(
      'listProfiles',
      { path: ['api', 'agent-profiles'] },
      call,
    );
    const { profiles: records, active_agent_profile_id: active } = isObject(
      answer,
    )
      ? answer
      : {};
    return array(records).flatMap((profile) => {
      const id = isObject(profile) ? identifier(profile.id) : undefined;
      if (!isObject(profile) || id === undefined) return [];
      const modelProfile = shownLine(profile.llm_profile_ref);
      return [
        {
          id,
          name: shownLine(profile.name) ?? id,
          active: id === active,
          modelProfile,
        },
      ];
    });
  }

  async function profilesWithModels(
    call: CallOptions = {},
  ): Promise<readonly AgentProfile[]> {
    const all = await profiles(call);
    const models = await listModelProfiles(requests, call).catch(
      () => undefined,
    );
    return all.map(({ modelProfile, ...profile }) => {
      const known = models?.find(({ name }) => name === modelProfile);
      const lacksModel = models && modelProfile !== undefined && !known;
      return {
        ...profile,
        model: known?.model,
        ...(lacksModel && { lacksModel }),
      };
    });
  }

  /** True for version 1 with this minor version or a newer one. */
  async function isAtLeast(least: number, call: CallOptions): Promise<boolean> {
    const answer = await requests.send(
      'readVersion',
      { path: ['server_info'] },
      call,
    );
    const version = isObject(answer) ? shownLine(answer.version) : undefined;
    const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
    return major > 1 || (major === 1 && minor >= least);
  }

  async function activeProfile(call: CallOptions): Promise<string> {
    const all = await resultOr(profiles(call), isAbsent, []);
    const profile =
      all.find(({ active }) => active) ??
      (all.length === 1 ? all[0] : undefined);
    if (profile) return profile.id;
    const detail =
      all.length === 0
        ? t('it has no agent profile: create one where its models are set up')
        : t('none of its agent profiles is active: choose one');
    throw requests.error('createConversation', {
      kind: 'rejected',
      fields: [],
      detail,
    });
  }

  async function worktreeOptions(
    folder: string,
    start: string | undefined,
    call: CallOptions,
  ): Promise<object | undefined> {
    if (start === undefined) return undefined;
    if (start === 'HEAD') return { base: 'head' };
    if (start !== upstream) return { base: 'ref', ref: start };
    // The service takes no name with other signs.
    const command = { command: fetchUpstream, cwd: folder };
    const output = await outputOfGit(
      requests,
      'createConversation',
      command,
      call,
    ).catch((error: unknown) => {
      throw error instanceof ServiceError ? notCreated(error) : error;
    });
    return { base: 'ref', ref: output.trim() };
  }

  async function create(
    draft: NewConversation,
    call: CallOptions,
  ): Promise<Conversation> {
    const { message: text, attached, folder, worktree, worktreeStart } = draft;
    // The service would create a relative folder in its own working folder.
    if (folder === undefined || !/^([/\\]|[a-z]:[/\\])/i.test(folder)) {
      const detail = t('it needs the full path of the folder to work in');
      throw requests.error('createConversation', {
        kind: 'rejected',
        fields: [],
        detail,
      });
    }
    const id = randomUUID();
    const body = {
      conversation_id: id,
      workspace: { working_dir: folder },
      initial_message: {
        role: 'user',
        content: contentOf(partsOf({ text, attached })),
        run: true,
      },
      agent_profile_id: draft.profile?.id ?? (await activeProfile(call)),
      ...approvalFields(draft.approval, draft.askRules),
      max_iterations: draft.maxSteps,
      worktree,
      worktree_options: await worktreeOptions(folder, worktreeStart, call),
    };
    try {
      const sent = {
        method: 'POST',
        path: ['api', 'conversations'],
        body,
        deadline,
      } as const;
      const created = rows.read(
        await requests.send('createConversation', sent, call),
        wire.transport.source,
      );
      if (created) return created;
      const why = t('it does not contain a conversation');
      throw requests.error(
        'createConversation',
        { kind: 'notUnderstood', why },
        true,
      );
    } catch (error) {
      if (
        !(error instanceof ServiceError) ||
        !error.circumstances.outcomeUnknown
      )
        throw error;
      if (error.kind === 'cancelled') throw error;
      return await lookFor(id, error, call);
    }
  }

  /**
   * Finds the conversation if it was created despite the failure; otherwise
   * throws that.
   */
  async function lookFor(
    id: string,
    failure: ServiceError,
    call: CallOptions,
  ): Promise<Conversation> {
    for (const pause of lookupDelaysMs) {
      await sleep(wire.clock, pause, call.signal).catch(() => {
        throw failure;
      });
      try {
        const [conversation] = (await rows.find([id], call)).values();
        if (conversation) return conversation;
        // The service itself failed, and has not created the conversation.
        if (
          failure.failure.kind === 'serverFailed' &&
          failure.failure.status === 500
        ) {
          throw notCreated(failure);
        }
      } catch (error) {
        if (!(error instanceof ServiceError) || error.cause === failure)
          throw error;
      }
    }
    throw failure;
  }

  return {
    folders: foldersWith(requests),
    profiles: profilesWithModels,
    takesApproval: true,
    takesMaxSteps: true,
    ratesActions: (call = {}) => isAtLeast(17, call),
    takesWorktreeStart: (call = {}) => isAtLeast(57, call),
    create: async (draft, call = {}): Promise<Created> => {
      const created = await create(draft, call);
      const { message: text, attached } = draft;
      rows.rememberFirstMessage(
        created,
        partsOf({ text, attached }).texts.join('\n'),
      );
      const [conversation = created] = await rows.named([created], call);
      return { kind: 'conversation', conversation };
    },
    task: () => Promise.resolve(undefined),
  };
}

/** The same failure, after which there is certainly no conversation. */
function notCreated(failure: ServiceError): ServiceError {
  const circumstances = { ...failure.circumstances, outcomeUnknown: false };
  return new ServiceError(failure.failure, circumstances, { cause: failure });
}

function foldersWith(requests: Requests<keyof typeof couldNot>): Folders {
  /**
   * Empty if the service lacks the path or fails to read it: the other folders
   * still help.
   */
  async function ask(
    path: readonly string[],
    call: CallOptions,
  ): Promise<WireRecord> {
    const request = requests.send('suggestFolders', { path }, call);
    const isOwn = (error: unknown) =>
      error instanceof ServiceError && error.kind === 'serverFailed';
    const answer = await resultOr(
      request,
      (error) => isNotOffered(error) || isOwn(error),
      {},
    );
    return isObject(answer) ? answer : {};
  }

  return {
    suggested: async (call = {}) => {
      const [{ workspaces }, { favorites, home }] = await Promise.all([
        ask(['api', 'workspaces'], call),
        ask(['api', 'file', 'home'], call),
      ]);
      const all = [
        ...array(workspaces).flatMap((record) => folder(record, 'workspace')),
        ...array(favorites).flatMap((record) => folder(record, 'favourite')),
        ...folder({ path: home }, 'home'),
      ];
      return all.filter(
        ({ path }, index) =>
          all.findIndex((other) => other.path === path) === index,
      );
    },
    below: (path, call = {}) => {
      const search = {
        path: ['api', 'file', 'search_subdirs'],
        query: { path },
      };
      const read = (record: unknown) => folder(record, 'below')[0];
      return requests.pager(
        'listFolders',
        search,
        read,
        (row) => row.path,
        call,
      );
    },
    runGit: (command, call = {}) =>
      outputOfGit(requests, 'runGit', { command }, call),
  };
}

function folder(record: unknown, origin: Folder['origin']): Folder[] {
  const path = isObject(record) ? identifier(record.path) : undefined;
  return path === undefined ? [] : [{ path, origin }];
}
