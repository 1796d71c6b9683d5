/** What is remembered of the checks of MCP servers, in a form that can be stored: nothing secret is in it. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Entry } from '../../mcp/format/entry.ts';
import { canonicalJson } from '../../mcp/format/pending.ts';
import type { FailingServer, ProbedTool, WorkingServer } from '../../probe/probe.ts';
import type { ShownStart } from '../../probe/shownStart.ts';
import type { Time } from '../../service/entities.ts';

/** Where a server was checked: on this machine, or at the service with this address. */
export type CheckPlace = 'here' | { readonly service: string };

export interface Check {
  readonly where: CheckPlace;
  readonly at: Time;
  /** Of the entry that was checked. */
  readonly digest: string;
  /** Whether agents found the entry in the file as it was checked. */
  readonly saved: boolean;
  readonly result: CheckResult;
}

/** The tools themselves are kept apart from it, because they outlive a check that fails. */
export type CheckResult = (Omit<WorkingServer, 'tools'> & { readonly tools: number }) | FailingServer;

export interface KnownTool extends ProbedTool {
  /** Of all that the server said of it, also where that is too long to be kept. */
  readonly digest: string;
}

/** What the person agreed to. */
export interface Agreed {
  readonly digest: string;
  readonly start: ShownStart;
  /** As they were known then; those of the first check, if none were. */
  readonly tools?: readonly KnownTool[] | undefined;
}

export interface RememberedServer {
  readonly path: string;
  readonly name: string;
  readonly agreed?: Agreed | undefined;
  readonly checks: readonly Check[];
  /** Of the last check that worked. */
  readonly tools?: readonly KnownTool[] | undefined;
}

export interface CheckMemory {
  /** Makes the digests useless for guessing values. */
  readonly salt: string;
  /** The one that changed last comes last. */
  readonly servers: readonly RememberedServer[];
}

/** A memory of another format is forgotten. */
const format = 1;
const mostServers = 300;
const longestDescription = 1_000;

export function readMemory(text: string): CheckMemory {
  const nothing = { salt: randomBytes(16).toString('base64url'), servers: [] };
  try {
    const found = JSON.parse(text) as Partial<CheckMemory & { format: unknown }> | null;
    if (found?.format !== format || typeof found.salt !== 'string' || !Array.isArray(found.servers))
      return nothing;
    return { salt: found.salt, servers: found.servers as readonly RememberedServer[] };
  } catch {
    return nothing;
  }
}

export function memoryText({ salt, servers }: CheckMemory): string {
  return JSON.stringify({ format, salt, servers: servers.slice(-mostServers) });
}

/** Of what decides how a server is started or reached. Which of its tools are on does not. */
export function digestOfEntry({ fields }: Entry, salt: string): string {
  const said = [...(fields ?? [])].filter(([field]) => field !== 'enabled' && field !== 'tools');
  return digest(canonicalJson(new Map(said)), salt);
}

export function knownTools(tools: readonly ProbedTool[], salt: string): KnownTool[] {
  // A server that has two of one name offers the last one.
  const single = new Map(tools.map((tool) => [tool.name, tool]));
  return [...single.values()].map((tool) => ({
    ...tool,
    ...(tool.description !== undefined && { description: tool.description.slice(0, longestDescription) }),
    digest: digest(JSON.stringify([tool.title, tool.description, tool.readOnly, tool.destructive]), salt),
  }));
}

function digest(text: string, salt: string): string {
  return createHmac('sha256', salt).update(text).digest('base64url');
}
