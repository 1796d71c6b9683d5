/**
 * The real automation server beside a real Agent Server, both behind one
 * address as Agent Canvas has them.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, start } from '../host/processes.ts';
import { ensureEnvironment } from './environment.ts';
import { quiet } from './program.ts';
import { type Proxy, startProxy } from './proxy.ts';
import {
  answers,
  askerOf,
  freePort,
  type RealService,
  untilAlive,
} from './services.ts';

const path = '/api/automation/v1';

export interface RealAutomations {
  /** The address that has both. */
  readonly proxy: Proxy;
  readonly ask: RealService['ask'];
  /** Creates an automation whose runs end with this status, and its id. */
  create(name: string, status: 'COMPLETED' | 'FAILED'): Promise<string>;
}

/** Ends with the other processes of a test run. */
export async function startAutomations({
  url,
  key,
}: RealService): Promise<RealAutomations> {
  const bin = await ensureEnvironment('automations');
  const home = await mkdtemp(join(tmpdir(), 'switchboard-automations-'));
  await mkdir(join(home, 'storage'));
  const port = String(await freePort());
  const address = `http://127.0.0.1:${port}`;
  const group = start(
    join(bin, 'uvicorn'),
    ['openhands.automation.app:app', '--host', '127.0.0.1', '--port', port],
    {
      cwd: home,
      env: {
        ...quiet(home),
        PATH: process.env.PATH,
        AUTOMATION_AGENT_SERVER_URL: url,
        AUTOMATION_AGENT_SERVER_API_KEY: key,
        AUTOMATION_LOCAL_API_KEY: key,
        AUTOMATION_BASE_URL: address,
        AUTOMATION_DB_URL: `sqlite+aiosqlite:///${join(home, 'automations.db')}`,
        AUTOMATION_WORKSPACE_BASE: join(home, 'workspaces'),
        AUTOMATION_DISPATCHER_INTERVAL_SECONDS: '1',
        LOCAL_STORAGE_PATH: join(home, 'storage'),
      },
      cleanUp: () => rm(home, { recursive: true, force: true, maxRetries: 5 }),
    },
  );
  await untilAlive(group, `${address}/ready`, 'automations');
  const proxy = await startProxy(url, { '/api/automation/': address });
  const ask = askerOf(proxy.url, key);
  return {
    proxy,
    ask,
    create: async (name, status) => {
      const work = await mkdtemp(join(home, 'program-'));
      await writeFile(join(work, 'main.py'), program(status));
      await run('tar', ['czf', 'program.tgz', 'main.py'], '', { cwd: work });
      const upload = await fetch(
        `${address}${path}/uploads?name=${encodeURIComponent(name)}`,
        {
          method: 'POST',
          headers: {
            'x-session-api-key': key,
            'content-type': 'application/gzip',
          },
          body: await readFile(join(work, 'program.tgz')),
        },
      );
      const { tarball_path } = (await upload.json()) as {
        tarball_path: string;
      };
      const body = JSON.stringify({
        name,
        trigger: { type: 'cron', schedule: '0 9 * * 1' },
        tarball_path,
        entrypoint: 'python3 main.py',
      });
      const { id } = await answers<{ id: string }>(
        ask(path, { method: 'POST', body }),
        201,
      );
      return id;
    },
  };
}

/** Creates a conversation, and reports how its run ended. */
function program(status: 'COMPLETED' | 'FAILED'): string {
  return `import json, os, urllib.request

def post(url, headers, body):
    request = urllib.request.Request(url, json.dumps(body).encode(),
        {"content-type": "application/json", **headers})
    return json.load(urllib.request.urlopen(request))

env = os.environ
server, key = env["AGENT_SERVER_URL"], {"x-session-api-key": env["SESSION_API_KEY"]}
profiles = json.load(urllib.request.urlopen(
    urllib.request.Request(server + "/api/agent-profiles", headers=key)))
conversation = post(server + "/api/conversations", key, {
    "workspace": {"working_dir": os.getcwd()},
    "agent_profile_id": profiles["active_agent_profile_id"],
    "tags": {"automationrunid": env["AUTOMATION_RUN_ID"]},
})
post(env["AUTOMATION_CALLBACK_URL"],
    {"authorization": "Bearer " + env["AUTOMATION_CALLBACK_API_KEY"]},
    {"status": "${status}", "run_id": env["AUTOMATION_RUN_ID"],
     "conversation_id": conversation["id"]${
       status === 'FAILED' ? ', "error": "No access to the repository"' : ''
     }})
`;
}
