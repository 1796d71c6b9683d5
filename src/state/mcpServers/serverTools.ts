/** The tools of an MCP server: those it had at its last check, and those that the file names. */
import type { Entry } from '../../mcp/format/entry.ts';
import type { KnownTool } from './checkMemory.ts';

export interface ServerTool {
  readonly name: string;
  /** Whether agents get it, if they get the server. */
  readonly on: boolean;
  /** Undefined for one that only the file names. */
  readonly known: KnownTool | undefined;
  /** The server was checked, and does not have it. */
  readonly isGone: boolean;
}

export function serverTools(
  { tools: named }: Pick<Entry, 'tools'>,
  known: readonly KnownTool[] | undefined,
): ServerTool[] {
  const names = new Set(known?.map(({ name }) => name));
  return [
    ...(known ?? []).map((tool) => ({
      name: tool.name,
      on: named.get(tool.name) ?? true,
      known: tool,
      isGone: false,
    })),
    ...[...named].flatMap(([name, on]) =>
      names.has(name) ? [] : [{ name, on, known: undefined, isGone: known !== undefined }],
    ),
  ];
}
