import { reason, resultOr } from '../../base/errors.ts';
import { t, words } from '../../base/l10n.ts';
import type { Agents, Steering } from '../abilities/agentService.ts';
import {
  execution,
  readAgentServerConversation,
} from '../records/conversationRecord.ts';
import {
  type Approval,
  approvalAfter,
  type Conversation,
  type ModelProfile,
} from '../model/entities.ts';
import {
  eventReader,
  type EventTimes,
  requestOfOneEvent,
} from '../records/eventReader.ts';
import type { Message } from '../model/newMessage.ts';
import {
  agentServersIn,
  readServiceServers,
  toolsInPrompt,
} from '../records/serviceServer.ts';
import {
  isNotFound,
  isRejected,
  isUnknownId,
  Requests,
  type Wire,
} from '../http/requests.ts';
import type { CallOptions } from '../http/transport.ts';
import {
  array,
  identifier,
  isObject,
  link,
  shownLine,
} from '../http/wireValues.ts';
import { readApproval, wireAnalyzer, wirePolicy } from './approval.ts';
import { AgentServerFileChanges } from './fileChanges.ts';
import { outputOfGit } from './bash.ts';
import { openLive } from './live.ts';

const couldNot = words({
  readEvents: 'Could not read what has happened in the conversation',
  readEvent: 'Could not read the whole event',
  followAgent: 'Could not follow the agent',
  stopAgent: 'Could not stop the agent',
  answerAgent: 'Could not answer the agent',
  sendMessage: 'Could not send the message',
  runAgent: 'Could not continue the agent',
  readApproval: 'Could not read the approval setting',
  setConfirmation: 'Could not change the approval setting',
  rateActions: 'Could not turn on risk ratings',
  forkConversation: 'Could not fork the conversation',
  runGit: 'Could not run Git in the folder of the agent',
  askAside: 'Could not ask the agent',
  compact: 'Could not compact the conversation',
  readToolServers: 'Could not read which MCP servers the conversation has',
  listProfiles: 'Could not list the models of the service',
  switchProfile: 'Could not switch the model',
  findEditor: 'Could not find the editor beside the agent',
});

/**
 * Milliseconds for requests that wait for a model or the end of the running
 * step, or copy everything.
 */
const deadline = 120_000;

export function agentsAtAgentServer(
  eventTimes: EventTimes,
  wire: Wire,
): Agents & Steering {
  const { transport, log, clock } = wire;
  const requests = new Requests(wire, couldNot);
  const pathOf = (id: string, ...rest: readonly string[]) => [
    'api',
    'conversations',
    id,
    ...rest,
  ];

  const reader = eventReader({
    requests,
    eventTimes,
    log,
    path: (id) => pathOf(id, 'events', 'search'),
    isCursorId: true,
  });

  /** Sent once: another action may be waiting by a retry. */
  const post = (path: readonly string[], body?: unknown) => ({
    method: 'POST' as const,
    path,
    once: true as const,
    ...(body !== undefined && { body }),
  });

  const notUnderstood = (
    operation: keyof typeof couldNot,
    why: string,
    outcomeUnknown = true,
  ) =>
    requests.error(operation, { kind: 'notUnderstood', why }, outcomeUnknown);

  /**
   * Sets the model of a fork again: servers do not copy its key (seen with
   * 1.58.2), which its profile has.
   */
  async function giveModel(
    { id, model }: Conversation,
    usage = '',
    call: CallOptions,
  ): Promise<void> {
    const name = /^profile:(.+)$/.exec(usage)?.[1];
    const all = await steering.profiles(call);
    const [profile, other] = all.filter((candidate) =>
      name === undefined ? candidate.model === model : candidate.name === name,
    );
    if (profile && !other) await steering.switchProfile(id, profile.name, call);
  }

  /**
   * A choice made while the model thinks is in the events at once, but in the
   * record only at the end of the step, after its event (seen with 1.58.2).
   * Events before the run tell nothing, because a restart forgets choices.
   */
  async function changedWhileThinking(
    id: string,
    recorded: Approval,
    call: CallOptions,
  ): Promise<Approval> {
    const { value: page } = await reader.pages(id, call).next();
    const states = (page?.items ?? []).filter(
      (event) => event.kind === 'state',
    );
    const begin = states.findIndex(({ execution }) => execution === 'running');
    return (begin === -1 ? states : states.slice(0, begin)).reduceRight(
      (before, { facts }) => approvalAfter(before, facts),
      recorded,
    );
  }

  const steering: Steering = {
    events: (id, call = {}) => reader.pages(id, call),
    cursorAt: (eventId) => eventId,
    event: async (id, eventId, call = {}) => {
      const sent = {
        path: pathOf(id, 'events', eventId),
        ...requestOfOneEvent,
      };
      const answer = await resultOr(
        requests.send('readEvent', sent, call),
        isUnknownId,
        undefined,
      );
      if (answer === undefined) return undefined;
      const [event] = reader.read(id, [answer]);
      if (event?.id === eventId) return event;
      throw requests.error('readEvent', {
        kind: 'notUnderstood',
        why: t('it does not contain the event'),
      });
    },
    interrupt: async (id, call = {}) => {
      const sent = { method: 'POST' as const, path: pathOf(id, 'interrupt') };
      const done = requests.change('stopAgent', sent, call).then(() => true);
      return await resultOr(done, isNotFound, false);
    },
    pause: async (id, call = {}) => {
      const sent = {
        method: 'POST' as const,
        path: pathOf(id, 'pause'),
        deadline,
      };
      await requests.change('stopAgent', sent, call);
    },
    answer: async (id, { accept, reason }, call = {}) => {
      const path = pathOf(id, 'events', 'respond_to_confirmation');
      await requests.change(
        'answerAgent',
        post(path, accept ? { accept } : { accept, reason }),
        call,
      );
    },
    add: async (id, message, call = {}) => {
      const body = { role: 'user', content: contentOf(message), run: false };
      const sent = { ...post(pathOf(id, 'events'), body), deadline };
      await requests.change('sendMessage', sent, call);
    },
    run: async (id, call = {}) => {
      const isRunning = (error: unknown) =>
        isRejected(error) &&
        'status' in error.failure &&
        error.failure.status === 409;
      const begun = requests
        .change('runAgent', post(pathOf(id, 'run')), call)
        .then(() => true);
      return await resultOr(begun, isRunning, false);
    },
    approval: async (id, call = {}) => {
      const record = await requests.send(
        'readApproval',
        { path: pathOf(id) },
        call,
      );
      const approval = readApproval(record);
      if (!approval)
        throw notUnderstood(
          'readApproval',
          t('it does not contain the approval setting'),
          false,
        );
      return isObject(record) &&
        execution(record.execution_status) === 'running'
        ? await changedWhileThinking(id, approval, call)
        : approval;
    },
    setConfirmation: async (id, policy, call = {}) => {
      const sent = post(pathOf(id, 'confirmation_policy'), {
        policy: wirePolicy(policy),
      });
      await requests.change('setConfirmation', sent, call);
    },
    rateActions: async (id, policy, rules, call = {}) => {
      const sent = post(pathOf(id, 'security_analyzer'), {
        security_analyzer: wireAnalyzer(policy, rules),
      });
      await requests.change('rateActions', sent, call);
    },
    fork: async (id, title, eventId, call = {}) => {
      const body = { title, from_event_id: eventId };
      const sent = {
        method: 'POST' as const,
        path: pathOf(id, 'fork'),
        body,
        deadline,
      };
      const answer = await requests.send('forkConversation', sent, call);
      const fork = readAgentServerConversation(answer, transport.source);
      if (!fork)
        throw notUnderstood(
          'forkConversation',
          t('it does not contain a conversation'),
        );
      await giveModel(fork, usageOf(answer), call).catch((error: unknown) => {
        log.warn(`The fork may lack the key of its model: ${reason(error)}`);
      });
      return { ...fork, title: fork.title || title };
    },
    runGit: (id, command, call = {}) =>
      outputOfGit(
        requests,
        'runGit',
        { path: ['conversations', id], command },
        call,
      ),
    askAside: async (id, question, call = {}) => {
      const sent = { ...post(pathOf(id, 'ask_agent'), { question }), deadline };
      const answer = await requests.send('askAside', sent, call);
      if (isObject(answer) && typeof answer.response === 'string')
        return answer.response;
      throw notUnderstood('askAside', t('it does not contain an answer'));
    },
    compact: async (id, call = {}) => {
      await requests.change(
        'compact',
        { ...post(pathOf(id, 'condense')), deadline },
        call,
      );
    },
    toolServers: async (id, call = {}) => {
      const records = agentServersIn(
        await requests.send('readToolServers', { path: pathOf(id) }, call),
      );
      if (!records)
        throw notUnderstood(
          'readToolServers',
          t('it does not contain the MCP servers'),
          false,
        );
      // The prompt is the first event. Versions disagree on the kinds that a
      // search takes.
      const query = { limit: 3, sort_order: 'TIMESTAMP' };
      const sent = {
        path: pathOf(id, 'events', 'search'),
        query,
        ...requestOfOneEvent,
      };
      const { items } = await requests.page(
        'readToolServers',
        sent,
        call,
        toolsInPrompt,
      );
      return { servers: readServiceServers(records, false), tools: items[0] };
    },
    profiles: async (call = {}) => {
      const profiles = await listModelProfiles(requests, call);
      if (profiles) return profiles;
      throw notUnderstood(
        'listProfiles',
        t('it does not contain a list'),
        false,
      );
    },
    switchProfile: async (id, profile_name, call = {}) => {
      await requests.change(
        'switchProfile',
        post(pathOf(id, 'switch_profile'), { profile_name }),
        call,
      );
    },
    editorPage: async (folder, call = {}) => {
      const ask = (what: string, query = {}) =>
        requests.send(
          'findEditor',
          { path: ['api', 'vscode', what], query },
          call,
        );
      const status = await ask('status');
      if (!isObject(status) || status.enabled !== true) return undefined;
      const answer = await ask('url', { workspace_dir: folder });
      return isObject(answer) ? link(answer.url) : undefined;
    },
    live: (id, listener) =>
      openLive(
        {
          address: transport.socketAddress({
            couldNot: couldNot.followAgent,
            path: ['sockets', 'events', id],
            query: {
              resend_mode: listener.since === undefined ? undefined : 'since',
              after_timestamp: listener.since,
            },
          }),
          key: transport.key,
          clock,
          read: (event) => reader.read(id, [event]),
          error: (failure) => requests.error('followAgent', failure),
        },
        listener,
      ),
  };
  const changes = new AgentServerFileChanges(wire);
  return {
    ...steering,
    locateAgent: () => Promise.resolve({ status: 'ready', steering, changes }),
  };
}

function usageOf(record: unknown): string | undefined {
  const { agent } = isObject(record) ? record : {};
  return isObject(agent) && isObject(agent.llm)
    ? identifier(agent.llm.usage_id)
    : undefined;
}

/** Resolves with `undefined` for an answer that is no list. */
export async function listModelProfiles(
  requests: Pick<Requests<'listProfiles'>, 'send'>,
  call: CallOptions,
): Promise<readonly ModelProfile[] | undefined> {
  const answer = await requests.send(
    'listProfiles',
    { path: ['api', 'profiles'] },
    call,
  );
  return isObject(answer) && Array.isArray(answer.profiles)
    ? array(answer.profiles).flatMap(modelProfile)
    : undefined;
}

function modelProfile(record: unknown): ModelProfile | readonly [] {
  const name = isObject(record) ? identifier(record.name) : undefined;
  return name === undefined || !isObject(record)
    ? []
    : { name, model: shownLine(record.model) };
}

export function contentOf({ texts, pictures }: Message): readonly object[] {
  const image_urls = pictures.map(
    ({ mediaType, base64 }) => `data:${mediaType};base64,${base64}`,
  );
  return [
    ...texts.map((text) => ({ type: 'text', text })),
    ...(image_urls.length > 0 ? [{ type: 'image', image_urls }] : []),
  ];
}
