/**
 * Remembered checks of MCP servers, in a storable form without secrets, unless
 * a server repeats one in the name of a tool.
 */
import { randomBytes } from 'node:crypto';
import type { Entry } from '../../mcp/format/entry.ts';
import { saltedDigest } from '../../mcp/format/saltedDigest.ts';
import {
  type FailingServer,
  type ProbedTool,
  shownToolName,
  type WorkingServer,
} from '../../probe/probeResult.ts';
import type { ShownStart } from '../../probe/shownStart.ts';
import type { Time } from '../../service/model/entities.ts';
import { isEqual } from '../../base/same.ts';

/** Names this machine, or the service at an address. */
export type CheckPlace = 'here' | { readonly service: string };

export interface ServerCheck {
  readonly where: CheckPlace;
  readonly at: Time;
  readonly digest: string;
  /** False if the check used unsaved text. */
  readonly saved: boolean;
  readonly result: CheckResult;
}

/** Tools are stored apart, because they outlive a failing check. */
export type CheckResult =
  (Omit<WorkingServer, 'tools'> & { readonly tools: number }) | FailingServer;

export interface KnownTool extends ProbedTool {
  /**
   * The digest of everything that the server reports, including truncated
   * parts.
   */
  readonly digest: string;
}

interface Agreed {
  readonly digest: string;
  readonly start: ShownStart;
  /** The tools at the time of consent, or else those of the first check. */
  readonly tools?: readonly KnownTool[] | undefined;
}

export interface RememberedServer {
  readonly path: string;
  readonly name: string;
  readonly agreed?: Agreed | undefined;
  readonly checks: readonly ServerCheck[];
  readonly tools?: readonly KnownTool[] | undefined;
}

export interface CheckMemory {
  /** Prevents guessing values from digests. */
  readonly salt: string;
  /** Sorted by their last change. */
  readonly servers: readonly RememberedServer[];
}

/** Other formats are discarded. */
const format = 1;
const maxServers = 300;
const maxDescriptionLength = 1_000;

export function readMemory(text: string): CheckMemory {
  const nothing = { salt: randomBytes(16).toString('base64url'), servers: [] };
  try {
    const memory = JSON.parse(text) as Partial<
      CheckMemory & { format: unknown }
    > | null;
    if (
      memory?.format !== format ||
      typeof memory.salt !== 'string' ||
      !Array.isArray(memory.servers)
    )
      return nothing;
    return {
      salt: memory.salt,
      servers: memory.servers as readonly RememberedServer[],
    };
  } catch {
    return nothing;
  }
}

export function memoryText({ salt, servers }: CheckMemory): string {
  return JSON.stringify({ format, salt, servers: servers.slice(-maxServers) });
}

/**
 * A digest of everything that affects how a server is started or reached;
 * enabling tools does not.
 */
export function digestOfEntry({ fields }: Entry, salt: string): string {
  const settings = [...(fields ?? [])].filter(
    ([field]) => field !== 'enabled' && field !== 'tools',
  );
  return saltedDigest(new Map(settings), salt);
}

export function knownTools(
  tools: readonly ProbedTool[],
  salt: string,
): KnownTool[] {
  // The last of several tools with one name counts.
  const single = new Map(tools.map((tool) => [tool.name, tool]));
  return [...single.values()].map((tool) => ({
    ...tool,
    ...(tool.description !== undefined && {
      description: tool.description.slice(0, maxDescriptionLength),
    }),
    digest: saltedDigest(
      [tool.title, tool.description, tool.readOnly, tool.destructive].map(
        (value) => value ?? null,
      ),
      salt,
    ),
  }));
}

export interface CheckChanges {
  /** Undefined if the entry is unchanged. */
  readonly start:
    | {
        readonly before: ShownStart;
        /** False if only masked values differ. */
        readonly isVisible: boolean;
      }
    | undefined;
  /** Names to show. */
  readonly added: readonly string[];
  readonly gone: readonly string[];
  readonly changed: readonly {
    readonly before: KnownTool;
    readonly after: KnownTool;
  }[];
}

export function changesSince(
  agreed: Agreed,
  now: Agreed,
): CheckChanges | undefined {
  const start =
    agreed.digest === now.digest
      ? undefined
      : { before: agreed.start, isVisible: !isEqual(agreed.start, now.start) };
  // There is nothing to compare with before the first check.
  const isComparable = agreed.tools !== undefined && now.tools !== undefined;
  const before = new Map(
    isComparable ? agreed.tools.map((tool) => [tool.name, tool]) : [],
  );
  const after = new Map(
    isComparable ? now.tools.map((tool) => [tool.name, tool]) : [],
  );
  const changed = [...after.values()].flatMap((tool) => {
    const old = before.get(tool.name);
    return old && old.digest !== tool.digest
      ? [{ before: old, after: tool }]
      : [];
  });
  const changes = {
    start,
    added: namesOutside(after, before),
    gone: namesOutside(before, after),
    changed,
  };
  const isSame =
    !start && changes.added.length + changes.gone.length + changed.length === 0;
  return isSame ? undefined : changes;
}

function namesOutside(
  tools: ReadonlyMap<string, KnownTool>,
  others: ReadonlyMap<string, KnownTool>,
): string[] {
  return [...tools.values()].flatMap((tool) =>
    others.has(tool.name) ? [] : [shownToolName(tool)],
  );
}

export interface ServerTool {
  /** The exact name, as the file has it. */
  readonly name: string;
  /** True if agents get the tool along with its server. */
  readonly on: boolean;
  /** `undefined` if only the file names the tool. */
  readonly known: KnownTool | undefined;
  /** True if the checked server lacks the tool. */
  readonly isGone: boolean;
}

export function serverTools(
  { tools: named }: Pick<Entry, 'tools'>,
  checkedTools: readonly KnownTool[] | undefined,
): ServerTool[] {
  const names = new Set(checkedTools?.map(({ name }) => name));
  return [
    ...(checkedTools ?? []).map((tool) => ({
      name: tool.name,
      on: named.get(tool.name) ?? true,
      known: tool,
      isGone: false,
    })),
    ...[...named].flatMap(([name, on]) =>
      names.has(name)
        ? []
        : [{ name, on, known: undefined, isGone: checkedTools !== undefined }],
    ),
  ];
}
