/**
 * Everything that a service can be asked for, for the tests that must not leave
 * anything out.
 */
import {
  modelProfileName,
  profiles,
} from '../../../src/demo/agentServer/records.ts';
import { firstAutomationIds } from '../../../src/demo/agentServer/storedAutomations.ts';
import { models } from '../../../src/demo/world/names.ts';
import { Secret } from '../../../src/base/secret.ts';
import type {
  AgentService,
  ServiceInterface,
} from '../../../src/service/abilities/agentService.ts';
import type { ServiceClient } from '../../../src/service/client.ts';
import type { StartTask } from '../../../src/service/model/entities.ts';
import type { WholeService } from '../../support/wholeService.ts';
import { steeringOf } from './support.ts';

const [automationId] = firstAutomationIds;

export interface Target {
  /**
   * Has not recognised the service yet, and takes it for nothing but the kind.
   */
  readonly client: ServiceClient;
  readonly service: WholeService;
  /** A sandbox that exists. */
  readonly sandboxId: string;
  readonly signal: AbortSignal;
}

export interface ServiceCall {
  /** The called function, as a path in the target. */
  readonly name: string;
  readonly kind: ServiceInterface;
  /** Apart from the kind and the name, what is special about it. */
  readonly how?: string;
  readonly changes?: true;
  readonly run: (target: Target) => Promise<unknown>;
  /** Also finds out whether the service is of this kind. */
  readonly recognises?: true;
  /** Searches V0 if V1 does not have it. */
  readonly looksInV0?: true;
  /** Undefined if the service refuses or does not find it. */
  readonly mayBeMissing?: true;
  /** Number of requests if answers are too large: it asks for fewer rows. */
  readonly asksForFewer?: number;
  /** Number of lookups if it is unknown whether the call was done. */
  readonly looksFor?: number;
  /**
   * The result if it is not found, which is looked up but for `doneAtOnce`;
   * `done` if that is right.
   */
  readonly ifNotFound?: 'fails' | 'done' | 'doneAtOnce';
  /** Has a path that no demo of another kind has. */
  readonly needsItsKind?: true;
  /**
   * Is not sent again after it was refused for the moment, or, if it changes
   * nothing, at all.
   */
  readonly once?: true;
  /** Meets a short failure three times before it gives up. */
  readonly isPatient?: true;
}

const task: StartTask = {
  id: '5f0c0f6a-9f4e-4c0d-b7a7-a3a0e3b1c2d5',
  stage: 'working',
  conversationId: undefined,
  sandboxId: undefined,
  detail: undefined,
};

const conversationId = '5f0c0f6a9f4e4c0db7a7a3a0e3b1c2d4';

const message = { texts: ['x'], pictures: [] };

const server = {
  transport: 'stdio',
  command: 'x',
  args: [],
  env: new Map(),
  extras: {},
} as const;

/** A model of the demo that no agent profile uses. */
const modelName = modelProfileName(models[1]);

const modelDraft = {
  model: 'openai/x',
  baseUrl: undefined,
  key: 'none',
  cost: undefined,
} as const;

export const calls: readonly ServiceCall[] = [
  {
    name: 'client.recognise',
    kind: 'v1',
    recognises: true,
    run: ({ client, signal }) => client.recognise({ signal }),
  },
  {
    name: 'client.conversations',
    kind: 'v0',
    recognises: true,
    run: ({ client, signal }) => client.conversations({}, { signal }).next(),
  },
  {
    name: 'client.conversations',
    kind: 'v1',
    recognises: true,
    run: ({ client, signal }) => client.conversations({}, { signal }).next(),
  },
  {
    name: 'client.conversations',
    kind: 'agentServer',
    recognises: true,
    asksForFewer: 3,
    run: ({ client, signal }) => client.conversations({}, { signal }).next(),
  },
  {
    name: 'client.sandboxes',
    kind: 'v1',
    run: ({ client, signal }) => client.sandboxes({ signal }).next(),
  },
  {
    name: 'client.followStart',
    kind: 'v1',
    isPatient: true,
    run: ({ client, signal }) =>
      Array.fromAsync(client.followStart(task, { signal })),
  },
  {
    name: 'conversations.list',
    kind: 'v0',
    run: ({ service, signal }) =>
      service.conversations.list({}, { signal }).next(),
  },
  {
    name: 'conversations.list',
    kind: 'v1',
    run: ({ service, signal }) =>
      service.conversations.list({}, { signal }).next(),
  },
  {
    name: 'conversations.list',
    kind: 'v1',
    how: 'by title',
    run: ({ service, signal }) =>
      service.conversations.list({ title: 'a' }, { signal }).next(),
  },
  {
    name: 'conversations.find',
    kind: 'v0',
    looksInV0: true,
    run: ({ service, signal }) =>
      service.conversations.find(conversationId, { signal }),
  },
  {
    name: 'conversations.find',
    kind: 'v1',
    mayBeMissing: true,
    run: ({ service, signal }) =>
      service.conversations.find(conversationId, { signal }),
  },
  {
    name: 'conversations.list',
    kind: 'agentServer',
    asksForFewer: 3,
    run: ({ service, signal }) =>
      service.conversations.list({}, { signal }).next(),
  },
  {
    name: 'conversations.find',
    kind: 'agentServer',
    mayBeMissing: true,
    run: ({ service, signal }) =>
      service.conversations.find(conversationId, { signal }),
  },
  {
    name: 'conversations.changes',
    kind: 'agentServer',
    run: async ({ service, signal }) =>
      await service.conversations.changes?.([], { signal }),
  },
  {
    name: 'creation.create',
    kind: 'agentServer',
    changes: true,
    looksFor: 3,
    run: ({ service, signal }) =>
      service.creation.create(
        {
          message: 'x',
          folder: '/srv/agent',
          profile: { id: 'p1', name: 'first' },
        },
        { signal },
      ),
  },
  {
    name: 'creation.profiles',
    kind: 'agentServer',
    run: async ({ service, signal }) =>
      await service.creation.profiles?.({ signal }),
  },
  {
    name: 'creation.ratesActions',
    kind: 'agentServer',
    run: async ({ service, signal }) =>
      await service.creation.ratesActions?.({ signal }),
  },
  {
    name: 'creation.takesWorktreeStart',
    kind: 'agentServer',
    run: async ({ service, signal }) =>
      await service.creation.takesWorktreeStart?.({ signal }),
  },
  {
    name: 'creation.folders.below',
    kind: 'agentServer',
    run: async ({ service, signal }) =>
      await service.creation.folders?.below('/srv/agent', { signal }).next(),
  },
  {
    name: 'creation.folders.runGit',
    kind: 'agentServer',
    needsItsKind: true,
    changes: true,
    once: true,
    run: async ({ service, signal }) =>
      await service.creation.folders?.runGit('git --version', { signal }),
  },
  ...(['v1', 'agentServer'] as const).flatMap((kind): ServiceCall[] => [
    {
      name: 'editing.rename',
      kind,
      changes: true,
      ...(kind === 'v1' ? { ifNotFound: 'fails' } : {}),
      run: ({ service, signal }) =>
        service.editing.rename(conversationId, 'x', { signal }),
    },
    {
      name: 'editing.remove',
      kind,
      changes: true,
      ifNotFound: 'done',
      run: ({ service, signal }) =>
        service.editing.remove(conversationId, { signal }),
    },
  ]),
  {
    name: 'agents.fork',
    kind: 'agentServer',
    changes: true,
    run: ({ service, signal }) =>
      steeringOf(service).fork(conversationId, 'Another', undefined, {
        signal,
      }),
  },
  {
    name: 'agents.profiles',
    kind: 'agentServer',
    run: ({ service, signal }) => steeringOf(service).profiles({ signal }),
  },
  {
    name: 'editing.mark',
    kind: 'agentServer',
    how: 'before it changes anything',
    run: async ({ service, signal }) => {
      await service.editing.mark?.(conversationId, 'pin', { signal });
    },
  },
  {
    name: 'editing.setLimit',
    kind: 'agentServer',
    how: 'before it changes anything',
    run: async ({ service, signal }) => {
      await service.editing.setLimit?.(conversationId, 5, { signal });
    },
  },
  {
    name: 'agents.events',
    kind: 'agentServer',
    asksForFewer: 3,
    run: ({ service, signal }) =>
      service.agents.events(conversationId, { signal }).next(),
  },
  {
    name: 'agents.interrupt',
    kind: 'agentServer',
    changes: true,
    ifNotFound: 'fails',
    run: async ({ service, signal }) => {
      const steering = steeringOf(service);
      const isDone = await steering.interrupt(conversationId, { signal });
      if (!isDone) await steering.pause(conversationId, { signal });
    },
  },
  {
    name: 'agents.pause',
    kind: 'agentServer',
    changes: true,
    run: ({ service, signal }) =>
      steeringOf(service).pause(conversationId, { signal }),
  },
  {
    name: 'agents.answer',
    kind: 'agentServer',
    changes: true,
    once: true,
    run: ({ service, signal }) =>
      steeringOf(service).answer(conversationId, { accept: true }, { signal }),
  },
  ...(
    [
      'add',
      'run',
      'runGit',
      'askAside',
      'compact',
      'switchProfile',
      'rateActions',
      'setConfirmation',
    ] as const
  ).map((name): ServiceCall => ({
    name: `agents.${name}`,
    kind: 'agentServer',
    changes: true,
    once: true,
    run: ({ service, signal }) => {
      const steering = steeringOf(service);
      const call = { signal };
      if (name === 'add') return steering.add(conversationId, message, call);
      if (name === 'run') return steering.run(conversationId, call);
      if (name === 'runGit')
        return steering.runGit(conversationId, 'git status', call);
      if (name === 'askAside')
        return steering.askAside(conversationId, 'Why?', call);
      if (name === 'compact') return steering.compact(conversationId, call);
      if (name === 'switchProfile')
        return steering.switchProfile(conversationId, 'x', call);
      if (name === 'rateActions')
        return steering.rateActions(conversationId, 'risky', [], call);
      return steering.setConfirmation(conversationId, 'always', call);
    },
  })),
  {
    name: 'agents.toolServers',
    kind: 'agentServer',
    run: ({ service, signal }) =>
      steeringOf(service).toolServers(conversationId, { signal }),
  },
  {
    name: 'agents.editorPage',
    kind: 'agentServer',
    run: ({ service, signal }) =>
      steeringOf(service).editorPage('/srv/agent', { signal }),
  },
  {
    name: 'agents.approval',
    kind: 'agentServer',
    run: ({ service, signal }) =>
      steeringOf(service).approval(conversationId, { signal }),
  },
  {
    name: 'agents.event',
    kind: 'agentServer',
    mayBeMissing: true,
    run: ({ service, signal }) =>
      service.agents.event(conversationId, 'x', { signal }),
  },
  {
    name: 'agents.events',
    kind: 'v1',
    asksForFewer: 3,
    run: ({ service, signal }) =>
      service.agents.events(conversationId, { signal }).next(),
  },
  {
    name: 'agents.event',
    kind: 'v1',
    run: ({ service, signal }) =>
      service.agents.event(conversationId, 'x', { signal }),
  },
  {
    name: 'agents.locateAgent',
    kind: 'v1',
    mayBeMissing: true,
    run: async ({ service, signal }) => {
      const where = await service.agents.locateAgent(conversationId, {
        signal,
      });
      return where.status === 'gone' ? undefined : where;
    },
  },
  {
    name: 'agents.queue',
    kind: 'v1',
    changes: true,
    once: true,
    run: async ({ service, signal }) =>
      await service.agents.queue?.(conversationId, message, { signal }),
  },
  ...(['v1', 'agentServer'] as const).map((kind): ServiceCall => ({
    name: 'toolServers.list',
    kind,
    run: ({ service, signal }) => service.toolServers.list({ signal }),
  })),
  {
    name: 'toolServers.check',
    kind: 'agentServer',
    changes: true,
    once: true,
    run: async ({ service, signal }) =>
      await service.toolServers.check?.('x', server, { signal }),
  },
  {
    name: 'toolServers.checkOwn',
    kind: 'agentServer',
    run: async ({ service, signal }) =>
      await service.toolServers.checkOwn?.('x', { signal }),
  },
  {
    name: 'toolServers.changing.add',
    kind: 'agentServer',
    changes: true,
    run: async ({ service, signal }) =>
      await service.toolServers.changing?.add('x', server, true, { signal }),
  },
  {
    name: 'toolServers.changing.change',
    kind: 'agentServer',
    changes: true,
    run: async ({ service, signal }) =>
      await service.toolServers.changing?.change(
        'x',
        { enabled: true },
        { signal },
      ),
  },
  {
    name: 'toolServers.changing.replace',
    kind: 'agentServer',
    changes: true,
    run: async ({ service, signal }) =>
      await service.toolServers.changing?.replace(
        { name: 'x', enabled: true, extras: {}, transport: undefined },
        server,
        true,
        { signal },
      ),
  },
  {
    name: 'toolServers.changing.remove',
    kind: 'agentServer',
    changes: true,
    ifNotFound: 'doneAtOnce',
    run: async ({ service, signal }) =>
      await service.toolServers.changing?.remove('x', { signal }),
  },
  ...(['v1', 'agentServer'] as const).flatMap((kind): ServiceCall[] => [
    {
      name: 'models.list',
      kind,
      needsItsKind: true,
      run: ({ service, signal }) => service.models.list({ signal }),
    },
    {
      name: 'models.providers',
      kind,
      needsItsKind: true,
      ifNotFound: 'done',
      run: ({ service, signal }) => service.models.providers({ signal }),
    },
    {
      name: 'models.modelsOf',
      kind,
      needsItsKind: true,
      ifNotFound: 'doneAtOnce',
      run: ({ service, signal }) => service.models.modelsOf('x', { signal }),
    },
    {
      name: 'models.read',
      kind,
      needsItsKind: true,
      run: ({ service, signal }) => service.models.read(modelName, { signal }),
    },
    {
      name: 'models.rename',
      kind,
      needsItsKind: true,
      changes: true,
      run: ({ service, signal }) =>
        service.models.rename(modelName, 'y', { signal }),
    },
    {
      name: 'models.remove',
      kind,
      needsItsKind: true,
      changes: true,
      run: ({ service, signal }) =>
        service.models.remove(modelName, { signal }),
    },
    {
      name: 'models.makeDefault',
      kind,
      needsItsKind: true,
      run: ({ service, signal }) =>
        service.models.makeDefault(modelName, { signal }),
    },
    {
      name: 'models.secrets.list',
      kind,
      needsItsKind: true,
      run: ({ service, signal }) => service.models.secrets.list({ signal }),
    },
    {
      name: 'models.secrets.set',
      kind,
      needsItsKind: true,
      changes: true,
      run: ({ service, signal }) =>
        service.models.secrets.set(
          { name: 'x', description: undefined },
          new Secret('x'),
          { signal },
        ),
    },
    {
      name: 'models.secrets.remove',
      kind,
      needsItsKind: true,
      changes: true,
      ifNotFound: 'doneAtOnce',
      run: ({ service, signal }) =>
        service.models.secrets.remove('DEPLOY_TOKEN', { signal }),
    },
  ]),
  {
    name: 'automations.list',
    kind: 'agentServer',
    needsItsKind: true,
    once: true,
    run: ({ service, signal }) => service.automations.list({ signal }),
  },
  {
    name: 'automations.lastRun',
    kind: 'agentServer',
    needsItsKind: true,
    once: true,
    run: ({ service, signal }) =>
      service.automations.lastRun(automationId, { signal }),
  },
  {
    name: 'automations.runNow',
    kind: 'agentServer',
    needsItsKind: true,
    changes: true,
    run: ({ service, signal }) =>
      service.automations.runNow(automationId, { signal }),
  },
  {
    name: 'automations.turn',
    kind: 'agentServer',
    needsItsKind: true,
    changes: true,
    run: ({ service, signal }) =>
      service.automations.turn(automationId, false, { signal }),
  },
  {
    name: 'models.save',
    kind: 'agentServer',
    needsItsKind: true,
    changes: true,
    run: ({ service, signal }) =>
      service.models.save(modelName, modelDraft, { signal }),
  },
  {
    name: 'models.save',
    kind: 'v1',
    needsItsKind: true,
    run: ({ service, signal }) =>
      service.models.save(modelName, modelDraft, { signal }),
  },
  {
    name: 'models.test',
    kind: 'agentServer',
    needsItsKind: true,
    changes: true,
    once: true,
    run: ({ service, signal }) =>
      service.models.test(modelName, modelDraft, { signal }),
  },
  {
    name: 'models.agentProfiles.check',
    kind: 'agentServer',
    needsItsKind: true,
    changes: true,
    run: ({ service, signal }) =>
      service.models.agentProfiles.check('default', { signal }),
  },
  {
    name: 'models.agentProfiles.change',
    kind: 'agentServer',
    needsItsKind: true,
    run: ({ service, signal }) =>
      service.models.agentProfiles.change('default', {}, { signal }),
  },
  {
    name: 'models.agentProfiles.activate',
    kind: 'agentServer',
    needsItsKind: true,
    changes: true,
    run: ({ service, signal }) =>
      service.models.agentProfiles.activate(profiles[0].id, { signal }),
  },
  {
    name: 'creation.create',
    kind: 'v1',
    changes: true,
    run: ({ service, signal }) =>
      service.creation.create({ message: 'x' }, { signal }),
  },
  {
    name: 'creation.task',
    kind: 'v1',
    run: ({ service, signal }) => service.creation.task(task.id, { signal }),
  },
  {
    name: 'git.providers',
    kind: 'v1',
    run: ({ service, signal }) => service.git.providers({ signal }),
  },
  {
    name: 'git.repositories',
    kind: 'v1',
    run: ({ service, signal }) =>
      service.git.repositories('github', 'x', { signal }).next(),
  },
  {
    name: 'git.branches',
    kind: 'v1',
    run: ({ service, signal }) =>
      service.git
        .branches({ name: 'a/b', provider: 'github' }, '', { signal })
        .next(),
  },
  {
    name: 'git.suggestedTasks',
    kind: 'v1',
    run: ({ service, signal }) => service.git.suggestedTasks({ signal }).next(),
  },
  {
    name: 'sandboxes.list',
    kind: 'v1',
    run: ({ service, signal }) => service.sandboxes.list({ signal }).next(),
  },
  {
    name: 'sandboxes.specs',
    kind: 'v1',
    run: ({ service, signal }) => service.sandboxes.specs({ signal }).next(),
  },
  {
    name: 'sandboxes.start',
    kind: 'v1',
    changes: true,
    run: ({ service, signal }) =>
      service.sandboxes.start(undefined, { signal }),
  },
  {
    name: 'sandboxes.pause',
    kind: 'v1',
    changes: true,
    run: ({ service, sandboxId, signal }) =>
      service.sandboxes.pause(sandboxId, { signal }),
  },
  {
    name: 'sandboxes.resume',
    kind: 'v1',
    changes: true,
    run: ({ service, sandboxId, signal }) =>
      service.sandboxes.resume(sandboxId, { signal }),
  },
  {
    name: 'sandboxes.remove',
    kind: 'v1',
    changes: true,
    run: ({ service, sandboxId, signal }) =>
      service.sandboxes.remove(sandboxId, { signal }),
  },
];

export const nameOf = ({ kind, name, how }: ServiceCall): string =>
  [kind, name, how].filter(Boolean).join(' ');

/**
 * The functions of the client and of a service of each kind that no call calls.
 * What V0 leaves to V1 is called there.
 */
export function uncalled(
  client: ServiceClient,
  services: Readonly<Record<ServiceInterface, AgentService>>,
): string[] {
  const isCalled = (path: string, kind: ServiceInterface) =>
    calls.some(
      (call) =>
        call.name === path &&
        (call.kind === kind || !path.startsWith('conversations.')),
    );
  const ofClient = functionsIn(client, 'client').filter(
    (path) => !calls.some(({ name }) => name === path),
  );
  const ofServices = Object.entries(services).flatMap(([kind, service]) =>
    Object.entries(service)
      .flatMap(([ability, functions]) => functionsIn(functions, ability))
      .filter((path) => !sendNothing.has(path))
      .filter((path) => !isCalled(path, kind as ServiceInterface))
      .map((path) => `${kind} ${path}`),
  );
  return [...ofClient, ...ofServices];
}

/** Or no request. */
const sendNothing = new Set([
  'agents.cursorAt',
  'agents.listedAgent',
  'agents.live',
  'toolServers.whyNot',
]);

function functionsIn(value: unknown, name: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    typeof each === 'function' ? [`${name}.${key}`] : [],
  );
}
