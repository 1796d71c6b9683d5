/**
 * switchboard mcp tools: shows and changes the tools in the file. It starts no
 * server, so it knows no other tools.
 */
import { plainText } from '../base/plainText.ts';
import type { SwitchTools } from '../mcp/edit/wantedChange.ts';
import { findServer } from '../mcp/format/document.ts';
import type { Entry } from '../mcp/format/entry.ts';
import { shellWord } from '../mcp/format/mask.ts';
import { type SortedArguments, UsageError } from '../mcp/cli/options.ts';
import { findProblems } from '../mcp/problems/findProblems.ts';
import { positionsIn } from '../mcp/text/refusal.ts';
import { toolNameForAgents } from '../mcp/format/verdict.ts';
import { changeFile } from './serverChanges.ts';
import {
  coloursOf,
  inColumns,
  nameText,
  printJson,
  stateText,
} from './output.ts';
import type { CommandContext, TerminalHost } from './host.ts';
import { printWarnings, readServers, type FileWarning } from './readServers.ts';

export async function toolsCommand(
  context: CommandContext,
  name: string,
  { values }: SortedArguments,
): Promise<void> {
  const on = values.get('--enable') ?? [];
  const off = values.get('--disable') ?? [];
  if ([...on, ...off].includes(''))
    throw new UsageError('The name of a tool is empty.');
  const both = on.find((tool) => off.includes(tool));
  if (both !== undefined) {
    throw new UsageError(
      `Both --enable and --disable name ${nameText(both)}. Leave one out.`,
    );
  }
  if (on.length + off.length > 0)
    await switchTools(context, { do: 'tools', name, on, off });
  else await listTools(context, name);
}

async function switchTools(
  context: CommandContext,
  change: SwitchTools,
): Promise<void> {
  const label = nameText(change.name);
  await changeFile(context, change, {
    done: (before, after) => `${switched(before, after)} of ${label} in`,
    already: `The tools of ${label} are like that already.`,
    json: toolsJson,
    warnings: (entry, text, before) => [
      ...toolWarnings(entry, text),
      ...unverifiedTools(change, before()),
    ],
  });
}

function switched({ tools: before }: Entry, { tools: after }: Entry): string {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const isOff = (tools: ReadonlyMap<string, boolean>, name: string) =>
    tools.get(name) === false;
  const off = names.filter(
    (name) => isOff(after, name) && !isOff(before, name),
  );
  const on = names.filter((name) => isOff(before, name) && !isOff(after, name));
  const parts = [
    ...(off.length > 0 ? [`disabled ${off.map(nameText).join(', ')}`] : []),
    ...(on.length > 0 ? [`enabled ${on.map(nameText).join(', ')}`] : []),
  ];
  const sentence = parts.join(' and ') || 'changed the tools';
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

async function listTools(
  { host, file, json }: CommandContext,
  name: string,
): Promise<void> {
  const {
    entries,
    text,
    warnings: fileWarnings,
  } = await readServers(host, file);
  const entry = findServer(entries, name);
  const warnings = [...fileWarnings, ...toolWarnings(entry, text)];
  if (json) printJson(host, { file, ...toolsJson(entry, entries), warnings });
  else host.stdout.write(toolsText(host, entry, entries, file));
  printWarnings(host, file, warnings);
}

function toolsText(
  host: TerminalHost,
  entry: Entry,
  entries: readonly Entry[],
  file: string,
): string {
  const label = nameText(entry.name);
  const place = plainText(file, 1000);
  if (entry.tools.size === 0)
    return `Agents get all tools of ${label}: ${place} switches none of them off.\n`;
  const colours = coloursOf(host.stdout, host);
  const rows = toolsIn(entry, entries).map(
    ({ name, enabled, nameForAgents }) =>
      [
        nameText(name),
        stateText(enabled),
        nameForAgents === null ? '' : nameText(nameForAgents),
      ] as const,
  );
  const [head = [], ...lines] = inColumns([
    ['TOOL', 'STATE', 'NAME FOR AGENTS'],
    ...rows,
  ]);
  const paint = (line: readonly string[], i: number) =>
    rows[i]?.[1] === stateText(true)
      ? line.join('  ')
      : colours.dim(line.join('  ').trimEnd());
  const off = rows.filter(([, state]) => state === stateText(false)).length;
  const hasTags = ['include_tags', 'exclude_tags'].some(
    (key) => (entry.keys.get(key)?.value.type ?? 'null') !== 'null',
  );
  const restSentence = hasTags
    ? 'Of its other tools, agents get those that its tags let through.'
    : `Agents get all other tools of ${label}.`;
  const summary = `${off} of them disabled, in ${place}. ${restSentence}`;
  return `${[colours.bold(head.join('  ')), ...lines.map(paint)].join('\n')}\n\n${colours.dim(summary)}\n`;
}

/** Warns of tools new to the file: only the server knows if it has them. */
function unverifiedTools(
  { name, off }: SwitchTools,
  { tools: before }: Entry,
): FileWarning[] {
  const unknown = off.filter((tool) => !before.has(tool)).map(nameText);
  if (unknown.length === 0) return [];
  const message = `${nameText(name)} was not started, and may have no tool ${unknown.join(', ')}. To list its tools: switchboard mcp check --run ${shellWord(name)}`;
  return [{ kind: 'unverifiedTools', message }];
}

/** The tools of an entry. A disabled tool has no name for agents. */
function toolsIn(entry: Entry, entries: readonly Entry[]) {
  const enabledServers = entries.filter(
    (server) => server.enabled || server.name === entry.name,
  ).length;
  return [...entry.tools].map(([name, enabled]) => ({
    name,
    enabled,
    nameForAgents: enabled
      ? toolNameForAgents(entry.name, entry.toolName(name), enabledServers)
      : null,
  }));
}

function toolsJson(entry: Entry, entries: readonly Entry[]): object {
  return { name: entry.name, tools: toolsIn(entry, entries) };
}

/** Warnings about tools that are ignored or keep the server from starting. */
function toolWarnings({ start, end }: Entry, text: string): FileWarning[] {
  const positionOf = positionsIn(text);
  return findProblems(text).flatMap(({ code, message, start: at }) => {
    if (code !== 'ignoredTools' && code !== 'badTool') return [];
    if (at < start || at >= end) return [];
    const { line, column } = positionOf(at);
    return [{ kind: code, message, line, column }];
  });
}
