/** Asks a server for its name and its tools. */
import type { Client, Tool } from '@modelcontextprotocol/client';
import {
  type ServerConnection,
  probeLimits,
  type OfficialClient,
  ProbeError,
  tooMuch,
} from './serverConnection.ts';
import type { ProbedTool, ProbeStep, WorkingServer } from './probeResult.ts';
import type { Redactor } from './shown.ts';

export interface Asking {
  readonly official: OfficialClient;
  readonly connection: ServerConnection;
  /** `auto` begins with the handshake of newer servers, as the agent does. */
  readonly handshake: 'auto' | 'legacy';
  /** Milliseconds for each request. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly redactor: Redactor;
  readonly onStep: (step: ProbeStep) => void;
}

export type FoundTools = Pick<
  WorkingServer,
  'tools' | 'serverName' | 'serverVersion'
>;

/** Throws a ProbeError, or whatever the client throws. */
export async function askForTools(asking: Asking): Promise<FoundTools> {
  const { deadline, signal, redactor, onStep } = asking;
  const options = { timeout: deadline, signal };
  const client = await connected(asking, options);
  onStep('listing');
  const tools = new Map<string, ProbedTool>();
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request(
      { method: 'tools/list', params },
      options,
    );
    for (const tool of answer.tools) {
      if (!tools.has(tool.name)) tools.set(tool.name, toolOf(tool, redactor));
    }
    if (tools.size > probeLimits.tools) throw tooMuch('tools');
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
    if (page === probeLimits.pages) throw tooMuch('pages');
  }
  const about = client.getServerVersion();
  return {
    tools: [...tools.values()],
    ...(about && {
      serverName: redactor.words(about.title ?? about.name, 100),
      serverVersion: redactor.words(about.version, 50),
    }),
  };
}

async function connected(
  { official, connection, handshake, deadline, redactor }: Asking,
  options: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<Client> {
  const isProgram = 'pid' in connection.transport;
  for (let attempt = 1; ; attempt++) {
    const client = new official.Client(
      { name: 'agent-switchboard', title: 'Agent Switchboard', version: '1' },
      {
        // No tool is called, so no result needs a check.
        jsonSchemaValidator: {
          getValidator: () => (input) => ({
            valid: true,
            data: input as never,
            errorMessage: undefined,
          }),
        },
        // An older program may be silent on the newer handshake.
        versionNegotiation: {
          mode: handshake,
          probe: { timeoutMs: isProgram ? deadline / 3 : deadline },
        },
      },
    );
    try {
      await client.connect(connection.transport, options);
      return client;
    } catch (error) {
      // A slow program has taken the newer handshake when the older one
      // arrives, and now answers at once.
      if (attempt === 1 && isRefusedVersion(error) && isProgram) continue;
      const version = versionIn(error);
      if (version === undefined) throw error;
      throw new ProbeError({
        reason: 'protocolVersion',
        ...(version !== '' && { theirs: redactor.text(version, 50) }),
      });
    }
  }
}

/** True for the code that the protocol has for an unsupported version. */
function isRefusedVersion(error: unknown): boolean {
  return (
    error instanceof Error && (error as { code?: unknown }).code === -32_022
  );
}

/**
 * The version of the protocol that a server insists on; empty if it does not
 * say which. Undefined for other errors.
 */
function versionIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isRefusedVersion(error)) {
    const supported = (error as { data?: { supported?: unknown } }).data
      ?.supported;
    return Array.isArray(supported) ? supported.map(String).join(', ') : '';
  }
  return /protocol version is not supported: (.*)/is.exec(error.message)?.[1];
}

function toolOf(
  { name, title, description, annotations = {} }: Tool,
  redactor: Redactor,
): ProbedTool {
  const { readOnlyHint, destructiveHint } = annotations;
  const heading = title ?? annotations.title;
  const shownName = redactor.words(name, 200);
  return {
    name,
    ...(shownName !== name && { shownName }),
    ...(heading !== undefined && { title: redactor.words(heading, 200) }),
    ...(description !== undefined && {
      description: redactor.words(description, 2000),
    }),
    ...(readOnlyHint !== undefined && { readOnly: readOnlyHint }),
    // A tool that only reads destroys nothing, whatever its hint says.
    ...(destructiveHint !== undefined && {
      destructive: destructiveHint && !readOnlyHint,
    }),
  };
}
