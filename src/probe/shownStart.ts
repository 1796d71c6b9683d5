/**
 * Describes the program or address of a check, for the question before.
 * Contains no secrets.
 */
import { maxMaskedLength } from '../base/masks/maskUrl.ts';
import { plainText } from '../base/plainText.ts';
import {
  showServer,
  targetText,
  variableAssignments,
} from '../mcp/format/mask.ts';
import type { Probed } from './probe.ts';

export interface ShownStart {
  /**
   * The program with its arguments, as a shell takes them; undefined for a
   * server that is reached.
   */
  readonly commandLine?: string;
  readonly url?: string;
  /** The working folder, if the entry names one. */
  readonly folder?: string;
  /**
   * The variables that the entry sets, with their values: any of them may
   * change what runs.
   */
  readonly variables: readonly string[];
  /** The names of the headers that are sent, with the one of a bearer token. */
  readonly headers: readonly string[];
}

export function shownStart({ server, cwd }: Probed): ShownStart {
  const view = showServer(server);
  const line = plainText(targetText(server), 10_000);
  if (view.transport === 'stdio') {
    return {
      commandLine: line,
      ...(cwd !== undefined && { folder: plainText(cwd, maxMaskedLength) }),
      variables: variableAssignments(server).map((assignment) =>
        plainText(assignment, 10_000),
      ),
      headers: [],
    };
  }
  const headers = names(view.headers);
  const isToken = view.auth !== null && view.auth !== 'oauth';
  const has = headers.some((name) => name.toLowerCase() === 'authorization');
  return {
    url: line,
    variables: [],
    headers: isToken && !has ? [...headers, 'authorization'] : headers,
  };
}

function names(values: Readonly<Record<string, string>>): string[] {
  return Object.keys(values).map((name) => plainText(name, 200));
}
