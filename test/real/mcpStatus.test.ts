/**
 * Compares the MCP status of conversations with the tools that the stand-in
 * model was offered.
 */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { sameId } from '../../src/service/model/entities.ts';
import { ActiveServers } from '../../src/state/activeServers.ts';
import { windowAt } from './client.ts';
import {
  atAgentServer,
  type Begun,
  inSandbox,
  write,
} from './conversations.ts';
import {
  answers,
  type RealService,
  realService,
  startService,
  theModel,
} from './services.ts';
import { until } from './until.ts';

/**
 * A place that a server is in. `toolOff`: its tool "echo" is off in the file.
 * `broken`: its program does not exist.
 */
type Setting = 'absent' | 'on' | 'off' | 'broken';
type InFile = 'absent' | 'on' | 'off' | 'toolOff';

interface Combination {
  readonly file: InFile;
  /** The servers "one" and "two" in the settings of the service. */
  readonly one: Setting;
  readonly two: Setting;
  /**
   * The settings after the conversation was created; the service is restarted
   * with them before its second message.
   */
  readonly later?: { readonly one: Setting; readonly two: Setting };
}

const settings: readonly Setting[] = ['absent', 'on', 'off', 'broken'];
const files: readonly InFile[] = ['absent', 'on', 'off', 'toolOff'];

/**
 * All 16 combinations of two servers, with the four states of the file in turn,
 * and 4 with later changes and a restart.
 */
const combinations: readonly Combination[] = [
  ...settings.flatMap((one, i) =>
    settings.map((two, k) => ({
      file: files[(i + k) % files.length] ?? 'on',
      one,
      two,
    })),
  ),
  { file: 'on', one: 'on', two: 'absent', later: { one: 'off', two: 'on' } },
  {
    file: 'toolOff',
    one: 'on',
    two: 'on',
    later: { one: 'absent', two: 'on' },
  },
  { file: 'off', one: 'off', two: 'off', later: { one: 'on', two: 'on' } },
  {
    file: 'absent',
    one: 'absent',
    two: 'absent',
    later: { one: 'on', two: 'broken' },
  },
];

const program = join(import.meta.dirname, 'mcpServer.ts');
const entryOf = (home: string, name: string) => ({
  command: process.execPath,
  args: ['--no-warnings', program, join(home, `started-${name}`)],
});

/**
 * The places of the home folder of the service in which the command line has
 * its file.
 */
async function writeFiles({ home }: RealService, state: InFile): Promise<void> {
  const entry = {
    ...entryOf(home, 'file'),
    enabled: state !== 'off',
    ...(state === 'toolOff' && { tools: { echo: { enabled: false } } }),
  };
  const text = JSON.stringify({
    mcpServers: state === 'absent' ? {} : { everything: entry },
  });
  for (const folder of ['.openhands', '.agent']) {
    await mkdir(join(home, folder), { recursive: true });
    await writeFile(join(home, folder, 'mcp.json'), text);
  }
}

async function set(
  { ask, home }: RealService,
  name: string,
  state: Setting,
): Promise<void> {
  const path = `/api/settings/mcp/${name}`;
  await ask(path, { method: 'DELETE' });
  if (state === 'absent') return;
  const entry =
    state === 'broken'
      ? { command: '/nowhere/at/all', args: [] }
      : entryOf(home, name);
  const body = JSON.stringify({ ...entry, enabled: state !== 'off' });
  await answers(ask(path, { method: 'POST', body }), 201);
}

/** The status of a conversation as a window shows it. */
async function statusOf(
  real: RealService,
  begun: Begun,
  kind: 'agentServer' | 'v1',
) {
  const { switchboard, service } = windowAt(real, kind);
  await service.refresh();
  const active = new ActiveServers(switchboard, systemClock);
  await active.refresh();
  const status = active.conversations.find(({ conversation }) =>
    sameId(conversation.id, begun.id),
  );
  switchboard.dispose();
  assert.ok(status?.kind === 'known', JSON.stringify(status));
  return status;
}

/** The tools of our servers among those that the model was offered last. */
async function offered(): Promise<readonly string[]> {
  const model = await theModel();
  return [...model.offered()]
    .filter((name) => /(?:^|_)(?:echo|forget|tell)$/.test(name))
    .sort();
}

type Known = Awaited<ReturnType<typeof statusOf>>;
const toolsIn = ({ servers }: Known) =>
  servers.flatMap(({ tools }) => tools ?? ['unknown']).sort();
const hasFinished = ({ ask, id }: Begun, answersSoFar: number) =>
  until(async () => {
    const path = `/api/conversations/${id}/events/search?limit=100&kind=MessageEvent&source=agent`;
    const { items } = await answers<{ items: readonly unknown[] }>(ask(path));
    return items.length >= answersSoFar ? true : undefined;
  });

describe('the MCP status of a conversation of a real service', function () {
  this.timeout(600_000);

  it('lists the tools that the model was offered, for 20 combinations of file and settings', async () => {
    assert.equal(combinations.length, 20);
    const real = await startService('agentServer');
    for (const [index, { file, one, two, later }] of combinations.entries()) {
      const label = JSON.stringify(combinations[index]);
      await writeFiles(real, file);
      await set(real, 'one', one);
      await set(real, 'two', two);
      const place = await atAgentServer.place(real, `status-${index}`);
      const begun = await atAgentServer.begin(
        real,
        `Status ${index}`,
        place,
        'NeverConfirm',
        'say: Hello.',
      );
      const first = await statusOf(real, begun, 'agentServer');
      assert.deepEqual(toolsIn(first), await offered(), label);
      const enabled = Object.entries({ one, two }).flatMap(([name, state]) =>
        state === 'on' || state === 'broken' ? [name] : [],
      );
      assert.deepEqual(
        first.servers.map(({ name }) => name).sort(),
        enabled,
        label,
      );
      assert.deepEqual(first.changes, [], label);
      if (!later) continue;
      await set(real, 'one', later.one);
      await set(real, 'two', later.two);
      await real.restart();
      await write(begun, 'say: Again.');
      await hasFinished(begun, 2);
      const second = await statusOf(real, begun, 'agentServer');
      assert.deepEqual(toolsIn(second), await offered(), label);
      assert.deepEqual(toolsIn(second), toolsIn(first), label);
      assert.notDeepEqual(second.changes, [], label);
    }
  });

  it('lists them in a sandbox of an app server too', async () => {
    const real = await realService('appServer');
    const place = await inSandbox.place(real, 'status');
    const begun = await inSandbox.begin(
      real,
      'Status',
      place,
      'NeverConfirm',
      'say: Hello.',
    );
    const status = await statusOf(real, begun, 'v1');
    const model = await theModel();
    const missing = toolsIn(status).filter(
      (tool) => !model.offered().includes(tool),
    );
    assert.deepEqual(missing, [], JSON.stringify(status.servers));
    assert.notDeepEqual(status.servers, []);
    assert.equal(status.changes, undefined);
  });
});
