/** Conversations of real services, begun in the way of each kind of service. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  answers,
  askerOf,
  type RealService,
  type ServiceName,
} from './services.ts';
import { until } from './until.ts';

export interface Begun {
  readonly id: string;
  readonly title: string;
  /** The folder in which its agent works. */
  readonly folder: string;
  /** Asks the Agent Server that runs it. */
  readonly ask: RealService['ask'];
}

/** The folder of an agent that is to be begun. */
export interface AgentFolder {
  readonly folder: string;
  readonly sandboxId?: string;
}

type Policy = 'AlwaysConfirm' | 'NeverConfirm';

/** A kind of service whose agents can be followed and steered. */
export interface AgentKind {
  readonly service: ServiceName;
  readonly where: string;
  /**
   * A folder for agents that do not meet others; in an app server, a sandbox of
   * its own.
   */
  readonly place: (service: RealService, name: string) => Promise<AgentFolder>;
  /** Resolves once the agent has finished what the text asks of it. */
  readonly begin: (
    service: RealService,
    title: string,
    place: AgentFolder,
    policy: Policy,
    text: string,
  ) => Promise<Begun>;
  /** The titles of all its conversations. */
  readonly titles: (
    service: Pick<RealService, 'ask'>,
  ) => Promise<readonly string[]>;
  readonly rename: (
    service: RealService,
    begun: Begun,
    title: string,
  ) => Promise<void>;
}

/** A call of the terminal, as the model takes it. */
export const command = (text: string) =>
  `terminal ${JSON.stringify({ command: text })}`;

const post = (body: unknown) => ({
  method: 'POST',
  body: JSON.stringify(body),
});
const patch = (body: unknown) => ({
  method: 'PATCH',
  body: JSON.stringify(body),
});
const message = (text: string) => ({
  role: 'user',
  content: [{ type: 'text', text }],
  run: true,
});

const held = '/api/conversations';
const apps = '/api/v1/app-conversations';
const sandboxes = '/api/v1/sandboxes';

export const atAgentServer: AgentKind = {
  service: 'agentServer',
  where: 'at an Agent Server',
  place: async ({ home }, name) => {
    const folder = join(home, name);
    await mkdir(folder, { recursive: true });
    return { folder };
  },
  begin: async (service, title, { folder }, policy, text) => {
    const { ask } = service;
    const profiles = await answers<{ active_agent_profile_id: string }>(
      ask('/api/agent-profiles'),
    );
    const body = {
      workspace: { working_dir: folder },
      agent_profile_id: profiles.active_agent_profile_id,
      confirmation_policy: { kind: policy },
      initial_message: message(text),
    };
    const { id } = await answers<{ id: string }>(ask(held, post(body)), 201);
    const begun = { id, title, folder, ask };
    await atAgentServer.rename(service, begun, title);
    await hasFinished(begun);
    return begun;
  },
  titles: async ({ ask }) => titlesIn(await answers(ask(`${held}/search`))),
  rename: async ({ ask }, { id }, title) => {
    await answers(ask(`${held}/${id}`, patch({ title })));
  },
};

export const inSandbox: AgentKind = {
  service: 'appServer',
  where: 'in a sandbox of an app server',
  place: async ({ ask, home }) => {
    const { id } = await answers<{ id: string }>(ask(sandboxes, post({})), 200);
    await agentServerOf(ask, id);
    return {
      sandboxId: id,
      folder: join(home, 'tmp', 'openhands-sandboxes', id),
    };
  },
  begin: async ({ ask }, title, { folder, sandboxId = '' }, policy, text) => {
    const body = {
      initial_message: message(`title: ${title}\n${text}`),
      sandbox_id: sandboxId,
    };
    const task = await answers<StartTask>(ask(apps, post(body)));
    const id = await until(async () => {
      const [found] = await answers<readonly StartTask[]>(
        ask(`${apps}/start-tasks?ids=${task.id}`),
      );
      if (found?.status === 'ERROR')
        throw new Error(`${apps}/start-tasks: ${found.detail ?? 'no reason'}`);
      return found?.app_conversation_id ?? undefined;
    });
    const begun = {
      id,
      title,
      folder,
      ask: await agentServerOf(ask, sandboxId),
    };
    await hasFinished(begun);
    await answers(
      begun.ask(
        `${held}/${id}/confirmation_policy`,
        post({ policy: { kind: policy } }),
      ),
    );
    // The service hears of both a while later.
    await until(async () => {
      const [record] = await answers<readonly (AppConversation | null)[]>(
        ask(`${apps}?ids=${id}`),
      );
      return record?.title === title && record.execution_status === 'finished'
        ? true
        : undefined;
    });
    return begun;
  },
  titles: async ({ ask }) => titlesIn(await answers(ask(`${apps}/search`))),
  rename: async ({ ask }, { id }, title) => {
    await answers(ask(`${apps}/${id}`, patch({ title })));
  },
};

/** Both kinds of agents have the same tests. */
export const agentKinds = [atAgentServer, inSandbox] as const;

/** Lets its agent do this, from elsewhere. */
export async function write({ id, ask }: Begun, text: string): Promise<void> {
  await answers(ask(`${held}/${id}/events`, post(message(text))));
}

/** The text of the last message that its agent got. */
export async function lastMessage({
  id,
  ask,
}: Begun): Promise<string | undefined> {
  const query = 'limit=20&sort_order=TIMESTAMP_DESC&source=user';
  const { items } = await answers<{
    items: { llm_message?: { content: { text: string }[] } }[];
  }>(ask(`${held}/${id}/events/search?${query}`));
  return items[0]?.llm_message?.content[0]?.text;
}

async function hasFinished({ id, ask }: Begun): Promise<void> {
  await until(async () => {
    const { execution_status: state } = await answers<{
      execution_status: string;
    }>(ask(`${held}/${id}`));
    if (state === 'error' || state === 'stuck')
      throw new Error(`${held}/${id}: its state is ${state}.`);
    return state === 'finished' ? true : undefined;
  });
}

/** Asks the Agent Server of a sandbox, as soon as that runs. */
async function agentServerOf(
  ask: RealService['ask'],
  sandboxId: string,
): Promise<RealService['ask']> {
  return await until(async () => {
    const found = await answers<readonly (Sandbox | null)[]>(
      ask(`${sandboxes}?id=${sandboxId}`),
    );
    const {
      status,
      exposed_urls: exposed,
      session_api_key: key,
    } = found[0] ?? {};
    const url = exposed?.find(({ name }) => name === 'AGENT_SERVER')?.url;
    return status === 'RUNNING' && url !== undefined
      ? askerOf(url.replace(/\/$/, ''), key ?? '')
      : undefined;
  });
}

function titlesIn({
  items,
}: {
  readonly items: readonly { readonly title: string }[];
}): readonly string[] {
  return items.map(({ title }) => title);
}

interface StartTask {
  readonly id: string;
  readonly status: string;
  readonly detail: string | null;
  readonly app_conversation_id: string | null;
}

interface AppConversation {
  readonly title: string | null;
  readonly execution_status: string | null;
}

interface Sandbox {
  readonly status: string;
  readonly exposed_urls:
    readonly { readonly name: string; readonly url: string }[] | null;
  readonly session_api_key: string | null;
}
