/**
 * The real services, each on a free port of this machine, with a home folder of
 * its own and a model that answers by rule.
 */
import {
  copyFile,
  mkdir,
  mkdtemp,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ensureBrowser } from '../host/browser.ts';
import { type Group, start } from '../host/processes.ts';
import { StepError } from '../host/steps.ts';
import { type EnvironmentName, ensureEnvironment } from './environment.ts';
import { type Model, startModel } from './model.ts';
import { quiet } from './program.ts';
import { until } from './until.ts';

export type ServiceName = Exclude<
  EnvironmentName,
  'program' | 'reader' | 'automations'
>;

export interface RealService {
  readonly name: ServiceName;
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly key: string;
  /** The home folder that it has. */
  readonly home: string;
  /** An answer to a request with its key. */
  readonly ask: <Body = unknown>(
    path: string,
    init?: RequestInit,
  ) => Promise<Reply<Body>>;
  /** Its output since it was started last. */
  output(): string;
  /** Ends it, and starts it again on the same folders and address. */
  restart(): Promise<void>;
}

export interface Reply<Body = unknown> {
  /** The method and the address. */
  readonly asked: string;
  readonly status: number;
  /** Parsed where it is JSON, otherwise as text. */
  readonly body: Body;
}

interface Kind {
  /** The program in its environment, and what it is told. */
  command(port: string): readonly [program: string, ...args: string[]];
  env(home: string, url: string): NodeJS.ProcessEnv;
  /** Answers without a key when it is up. */
  readonly alive: string;
  /** Tells it which model to use. */
  readonly settings: readonly [
    method: string,
    path: string,
    body: (model: string) => unknown,
  ];
}

const key = 'key-of-the-real-tests';

const model = (base_url: string) => ({
  agent_settings_diff: {
    llm: { model: 'openai/rule', base_url, api_key: 'x' },
  },
});

const agentServer: Kind = {
  command: (port) => ['agent-server', '--host', '127.0.0.1', '--port', port],
  env: (home) => ({
    OH_SESSION_API_KEYS_0: key,
    OH_PERSISTENCE_DIR: join(home, '.openhands'),
    OH_CONVERSATIONS_PATH: join(home, 'conversations'),
    OH_BASH_EVENTS_DIR: join(home, 'bash'),
    OH_ENABLE_VSCODE: '0',
    OH_PRELOAD_TOOLS: '0',
  }),
  alive: '/server_info',
  settings: ['PATCH', '/api/settings', model],
};

const kinds: Readonly<Record<ServiceName, Kind>> = {
  agentServer,
  olderAgentServer: agentServer,
  appServer: {
    command: (port) => [
      'uvicorn',
      'appServer:app',
      '--host',
      '127.0.0.1',
      '--port',
      port,
    ],
    env: (home, url) => ({
      PYTHONPATH: home,
      RUNTIME: 'process',
      SESSION_API_KEY: key,
      OH_PERSISTENCE_DIR: join(home, 'data'),
      SERVE_FRONTEND: 'false',
      OH_WEBHOOKS_0_BASE_URL: `${url}/api/v1/webhooks`,
      OH_WEB_URL: url,
    }),
    alive: '/alive',
    settings: ['POST', '/api/v1/settings', model],
  },
  serviceWithV0: {
    command: (port) => [
      'uvicorn',
      'openhands.server.listen:app',
      '--host',
      '127.0.0.1',
      '--port',
      port,
    ],
    env: (home) => ({
      RUNTIME: 'local',
      SKIP_DEPENDENCY_CHECK: '1',
      SESSION_API_KEY: key,
      FILE_STORE_PATH: join(home, 'store'),
      OH_PERSISTENCE_DIR: join(home, 'data'),
      SERVE_FRONTEND: 'false',
    }),
    alive: '/alive',
    settings: [
      'POST',
      '/api/settings',
      (llm_base_url) => ({
        llm_model: 'openai/rule',
        llm_base_url,
        llm_api_key: 'x',
        agent: 'CodeActAgent',
        language: 'en',
      }),
    ],
  },
};

const running = new Map<ServiceName, Promise<RealService>>();

/**
 * The same one for all test files, because each takes long to start. Ends with
 * the other processes of a test run.
 */
export function realService(name: ServiceName): Promise<RealService> {
  const service = running.get(name) ?? startService(name);
  running.set(name, service);
  return service;
}

let modelOfAll: Promise<Model> | undefined;

/** The model that all services share. */
export function theModel(): Promise<Model> {
  return (modelOfAll ??= startModel());
}

/**
 * One of its own, in which nothing has happened yet. It ends with the other
 * processes of a test run, too.
 */
export async function startService(
  name: ServiceName,
  env: NodeJS.ProcessEnv = {},
): Promise<RealService> {
  const kind = kinds[name];
  const bin = await ensureEnvironment(name);
  const home = await mkdtemp(join(tmpdir(), 'switchboard-service-'));
  // Python writes beside what it runs.
  await copyFile(
    join(import.meta.dirname, 'appServer.py'),
    join(home, 'appServer.py'),
  );
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [program, ...args] = kind.command(String(port));
  const programs = await firstPrograms(home);
  let isRestarting = false;
  const launch = async () => {
    const group = start(join(bin, program), args, {
      cwd: home,
      env: {
        ...quiet(home),
        PATH: [programs, bin, process.env.PATH].join(delimiter),
        TMPDIR: join(home, 'tmp'),
        OH_SECRET_KEY: 'secret-of-the-tests',
        JWT_SECRET: 'secret-of-the-tests',
        ...kind.env(home, url),
        ...env,
      },
      cleanUp: async () => {
        if (!isRestarting)
          await rm(home, { recursive: true, force: true, maxRetries: 5 });
      },
    });
    await untilAlive(group, `${url}${kind.alive}`, name);
    return group;
  };
  let group = await launch();
  const ask = askerOf(url, key);
  const [method, path, body] = kind.settings;
  const { url: modelUrl } = await theModel();
  await answers(ask(path, { method, body: JSON.stringify(body(modelUrl)) }));
  return {
    name,
    url,
    key,
    home,
    ask,
    output: () => group.output(),
    restart: async () => {
      isRestarting = true;
      await group.stop();
      isRestarting = false;
      group = await launch();
    },
  };
}

/** Asks a service with this key. */
export function askerOf(url: string, key: string) {
  return async <Body>(
    path: string,
    init: RequestInit = {},
  ): Promise<Reply<Body>> => {
    // It closes a connection on which nothing happened, at a moment that nobody
    // knows.
    const headers = {
      'x-session-api-key': key,
      'content-type': 'application/json',
      connection: 'close',
    };
    const asked = `${init.method ?? 'GET'} ${url}${path}`;
    const response = await fetch(url + path, { ...init, headers }).catch(
      (cause: unknown) => {
        throw new Error(`${asked}: no answer`, { cause });
      },
    );
    return {
      asked,
      status: response.status,
      body: parsed(await response.text()) as Body,
    };
  };
}

/** The body of an answer that has this status. */
export async function answers<Body>(
  reply: Promise<Reply>,
  status = 200,
): Promise<Body> {
  const { asked, status: found, body } = await reply;
  if (found === status) return body as Body;
  throw new Error(`${asked}: ${found} instead of ${status}: ${startOf(body)}`);
}

/** The start of a body, enough to tell a fault of the service from ours. */
function startOf(body: unknown): string {
  return (typeof body === 'string' ? body : JSON.stringify(body)).slice(0, 500);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * A folder of programs that come before those of the machine. With tmux, agents
 * would leave programs behind that are in no group; without it, they use a
 * terminal of their own. Without a Chromium, the agent of a sandbox does not
 * start.
 */
async function firstPrograms(home: string): Promise<string> {
  const folder = join(home, 'programs');
  await mkdir(join(home, 'tmp'), { recursive: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tmux'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  await symlink(await ensureBrowser(), join(folder, 'chromium'));
  return folder;
}

/** A slow machine needs a minute, and longer the first time. */
export async function untilAlive(
  group: Group,
  address: string,
  name: string,
): Promise<void> {
  const isAlive = () =>
    fetch(address, {
      signal: AbortSignal.timeout(5_000),
      headers: { connection: 'close' },
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  const end = Date.now() + 170_000;
  const { answered } = await until(async () => {
    if (await isAlive()) return { answered: true };
    return group.process.exitCode !== null || Date.now() > end
      ? { answered: false }
      : undefined;
  });
  if (answered) return;
  throw new StepError(
    `The real ${name} does not answer:\n${group.output().slice(-2_000)}`,
    'Run the command again. If it fails again, delete the folder .vscode-test/real and start over.',
  );
}
