/** Conversations of a real service. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { answers, type RealService } from './services.ts';
import { until } from './until.ts';

export interface Begun {
  readonly id: string;
  readonly title: string;
  /** Where its agent works. */
  readonly folder: string;
}

/** A call of the terminal, as the model takes it. */
export const command = (text: string) => `terminal ${JSON.stringify({ command: text })}`;

/** One with this title. Its agent has answered already, and asks before it does anything. */
export async function begin(service: RealService, title: string): Promise<Begun> {
  const folder = join(service.home, title.toLowerCase().replaceAll(/\W+/g, '-'));
  await mkdir(folder, { recursive: true });
  return await create(service, { title, folder }, 'AlwaysConfirm', 'say: Good morning.');
}

/** One with this title. Its agent runs these commands in a folder that is there, and asks nobody. */
export async function beginToWork(
  service: RealService,
  where: Omit<Begun, 'id'>,
  script: readonly string[],
): Promise<Begun> {
  const text = [...script.map((line) => `call: ${command(line)}`), 'say: Done.'].join('\n');
  return await create(service, where, 'NeverConfirm', text);
}

async function create(
  service: RealService,
  { title, folder }: Omit<Begun, 'id'>,
  policy: 'AlwaysConfirm' | 'NeverConfirm',
  text: string,
): Promise<Begun> {
  const { active_agent_profile_id } = await answers<{ active_agent_profile_id: string }>(
    service.ask('/api/agent-profiles'),
  );
  const body = {
    workspace: { working_dir: folder },
    agent_profile_id: active_agent_profile_id,
    confirmation_policy: { kind: policy },
    initial_message: { role: 'user', content: [{ type: 'text', text }], run: true },
  };
  const sent = { method: 'POST', body: JSON.stringify(body) };
  const { id } = await answers<{ id: string }>(service.ask('/api/conversations', sent), 201);
  const named = { method: 'PATCH', body: JSON.stringify({ title }) };
  await answers(service.ask(`/api/conversations/${id}`, named));
  return { id, title, folder };
}

/** Lets its agent do this, from elsewhere. */
export async function write(service: RealService, { id }: Begun, text: string): Promise<void> {
  const body = { role: 'user', content: [{ type: 'text', text }], run: true };
  await answers(
    service.ask(`/api/conversations/${id}/events`, { method: 'POST', body: JSON.stringify(body) }),
  );
}

export async function recordOf(service: RealService, { id }: Begun): Promise<{ title: string } | undefined> {
  const { status, body } = await service.ask<{ title: string }>(`/api/conversations/${id}`);
  return status === 404 ? undefined : body;
}

/** One in a sandbox of its own, which runs then. The service gives it the title a while later. */
export async function beginInSandbox(service: RealService, title: string): Promise<void> {
  const text = `title: ${title}\nsay: Good morning.`;
  const body = { initial_message: { content: [{ type: 'text', text }] } };
  const sent = { method: 'POST', body: JSON.stringify(body) };
  const path = '/api/v1/app-conversations';
  const { id: task } = await answers<{ id: string }>(service.ask(path, sent));
  await until(async () => {
    const [found] = await answers<readonly StartTask[]>(service.ask(`${path}/start-tasks?ids=${task}`));
    if (found?.status === 'ERROR') throw new Error(found.detail ?? 'It did not start.');
    return found?.app_conversation_id ?? undefined;
  });
}

interface StartTask {
  readonly status: string;
  readonly detail: string | null;
  readonly app_conversation_id: string | null;
}
