/** Our own client, at any service. */
import { systemClock } from '../../src/base/clock.ts';
import { Secret } from '../../src/base/secret.ts';
import { createClient, type ServiceClient } from '../../src/service/client.ts';
import type { Pager } from '../../src/service/http/pager.ts';
import type { StartTask } from '../../src/service/model/entities.ts';
import { Switchboard } from '../../src/state/switchboard.ts';
import { MemoryStore } from '../unit/state/support.ts';

export function clientOf(
  { url, key }: { readonly url: string; readonly key: string },
  options: Partial<Parameters<typeof createClient>[0]> = {},
): ServiceClient {
  return createClient({
    interface: 'auto',
    address: new URL(url),
    authentication: 'sessionKey',
    key: new Secret(key),
    ...options,
  });
}

/** The state of a window that is connected to this service alone. */
export function windowAt(
  at: { readonly url: string; readonly key: string },
  kind: 'agentServer' | 'v1',
  options: Partial<ConstructorParameters<typeof Switchboard>[0]> = {},
) {
  const switchboard = new Switchboard({
    store: new MemoryStore(),
    clock: systemClock,
    pageSize: () => 90,
    ...options,
  });
  const service = switchboard.connect({
    client: clientOf(at, { interface: kind, requestsPerSecond: Infinity }),
    address: at.url,
    name: 'real',
    demo: false,
  });
  return { switchboard, service };
}

export async function rowsOf<T>(pages: Pager<T>): Promise<T[]> {
  const rows: T[] = [];
  for await (const page of pages) rows.push(...page.items);
  return rows;
}

/** The last state of a start task, and all stages on the way. */
export async function followed(client: ServiceClient, task: StartTask) {
  const states: StartTask[] = [];
  for await (const state of client.followStart(task)) states.push(state);
  return {
    last: states.at(-1) ?? task,
    stages: states.map(({ stage }) => stage),
  };
}

/**
 * Asks for everything that the client can ask for, and changes what it finds.
 */
export async function askForEverything(client: ServiceClient): Promise<void> {
  const { conversations, creation, sandboxes, toolServers, models } =
    await client.recognise();
  const { models: listed = [], agentProfiles = [] } =
    (await models?.list()) ?? {};
  for (const { name } of listed.slice(0, 1)) {
    const draft = await models?.read(name);
    if (draft) await models?.test?.(name, draft);
  }
  for (const { name } of agentProfiles.slice(0, 1))
    await models?.agentProfiles?.check(name);
  await models?.providers();
  await models?.modelsOf('anthropic');
  await models?.secrets.list();
  for (const { name } of (await toolServers?.list()) ?? [])
    await toolServers?.checkOwn?.(name);
  const { value: page } = await conversations.list({}, { size: 20 }).next();
  const rows = page?.items ?? [];
  for (const { id } of rows.slice(0, 1)) await conversations.find(id);
  for (let time = 0; time < 2; time++) await conversations.changes?.(rows);

  await creation?.profiles?.();
  await creation?.ratesActions?.();
  await creation?.takesWorktreeStart?.();
  const folders = (await creation?.folders?.suggested()) ?? [];
  for (const { path } of folders.slice(0, 1))
    await creation?.folders?.below(path).next();
  const created = await creation?.create({
    message: 'Say hello.',
    folder: folders[0]?.path,
  });
  if (created?.kind === 'task') await followed(client, created.task);

  await sandboxes?.specs().next();
  const started = await sandboxes?.start();
  if (!sandboxes || !started) return;
  await sandboxes.list().next();
  for (const change of ['pause', 'resume', 'remove'] as const)
    await sandboxes[change](started.id);
}
