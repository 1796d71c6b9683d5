/** Describes the program or address of a check, for the question before. Contains no secrets. */
import { plainText } from '../base/plainText.ts';
import { codeAssignments, showServer, targetText } from '../mcp/format/mask.ts';
import type { Probed } from './probe.ts';

export interface ShownStart {
  /** The program with its arguments, as a shell takes them; undefined for a server that is reached. */
  readonly commandLine?: string;
  readonly url?: string;
  /** The working folder, if the entry names one. */
  readonly folder?: string;
  /** The names of the variables that the entry sets. */
  readonly variables: readonly string[];
  /** The variables that change what runs, with their values; undefined for none. */
  readonly codeVariables?: readonly string[];
  /** The names of the headers that are sent, with the one of a bearer token. */
  readonly headers: readonly string[];
}

export function shownStart({ server, cwd }: Probed): ShownStart {
  const shown = showServer(server);
  const line = plainText(targetText(server), 10_000);
  if (shown.transport === 'stdio') {
    const code = codeAssignments(server).map((assignment) => plainText(assignment, 10_000));
    return {
      commandLine: line,
      ...(cwd !== undefined && { folder: plainText(cwd, 1000) }),
      variables: names(shown.env),
      ...(code.length > 0 && { codeVariables: code }),
      headers: [],
    };
  }
  const headers = names(shown.headers);
  const isToken = shown.auth !== null && shown.auth !== 'oauth';
  const has = headers.some((name) => name.toLowerCase() === 'authorization');
  return { url: line, variables: [], headers: isToken && !has ? [...headers, 'authorization'] : headers };
}

function names(values: Readonly<Record<string, string>>): string[] {
  return Object.keys(values).map((name) => plainText(name, 200));
}
