import { mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../../src/base/secret.ts';
import type {
  LocalServer,
  RemoteServer,
} from '../../../src/mcp/format/server.ts';
import {
  probe,
  type ProbeFailure,
  type ProbeOptions,
  type ProbeResult,
} from '../../../src/probe/probe.ts';
import { root } from '../../host/paths.ts';

const program = join(root, 'test/support/servers/program.ts');

let scratches = 0;

/**
 * A new folder. Its name is not random: what is random looks like a secret, and
 * would be masked in what is said.
 */
export async function makeScratch(): Promise<string> {
  scratches += 1;
  const scratch = join(
    await realpath(tmpdir()),
    `switchboard-probe-${process.pid}-${scratches}`,
  );
  await mkdir(scratch);
  return scratch;
}

const secrets = (values: Readonly<Record<string, string>>) =>
  new Map(
    Object.entries(values).map(([name, value]) => [name, new Secret(value)]),
  );

/** The entry of the test server of this kind. */
export function serverOf(
  kind: string,
  {
    args = [],
    env = {},
  }: {
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): LocalServer {
  return {
    transport: 'stdio',
    command: process.execPath,
    args: [program, kind, ...args],
    env: secrets(env),
  };
}

export function command(
  line: readonly string[],
  env: Readonly<Record<string, string>> = {},
): LocalServer {
  const [name = '', ...args] = line;
  return { transport: 'stdio', command: name, args, env: secrets(env) };
}

export function address(
  url: string,
  {
    transport = 'http',
    headers = {},
    auth,
  }: {
    readonly transport?: 'http' | 'sse';
    readonly headers?: Readonly<Record<string, string>>;
    readonly auth?: string;
  } = {},
): RemoteServer {
  return {
    transport,
    url,
    headers: secrets(headers),
    ...(auth !== undefined && { auth: new Secret(auth) }),
  };
}

export interface Circumstances extends Partial<ProbeOptions> {
  readonly cwd?: string;
}

/**
 * A deadline that a program has started before, also on a busy machine, in
 * milliseconds.
 */
export const timeToStart = 4_000;

/**
 * A probe on this machine. It has time enough, so that only those that wait for
 * the deadline reach it.
 */
export async function check(
  server: LocalServer | RemoteServer,
  { cwd, ...options }: Circumstances = {},
): Promise<ProbeResult> {
  return await probe(
    { server, ...(cwd !== undefined && { cwd }) },
    {
      environment: process.env,
      platform: process.platform,
      home: root,
      deadline: 20_000,
      ...options,
    },
  );
}

/** The tools of a server that works. Throws with the failure of another. */
export async function toolsOf(
  server: LocalServer | RemoteServer,
  options?: Circumstances,
) {
  const result = await check(server, options);
  if (result.kind === 'works') return result.tools;
  throw new Error(JSON.stringify(result.failure));
}

/** The failure of a server that does not work. */
export async function failureOf(
  server: LocalServer | RemoteServer,
  options?: Circumstances,
): Promise<ProbeFailure> {
  const result = await check(server, options);
  if (result.kind === 'fails') return result.failure;
  throw new Error(`It works: ${JSON.stringify(result).slice(0, 500)}`);
}
