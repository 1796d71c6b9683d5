import { plainText } from '../base/plainText.ts';
import { lossText } from '../files/losses.ts';
import { updateConfig } from '../files/update.ts';
import type { Change } from '../mcp/edit/wantedChange.ts';
import type { AddedServer } from '../mcp/cli/commandLine.ts';
import { entriesIn, findServer } from '../mcp/format/document.ts';
import { editText } from '../mcp/edit/editText.ts';
import type { Entry } from '../mcp/format/entry.ts';
import { codeAssignments, shellWord } from '../mcp/format/mask.ts';
import { UsageError } from '../mcp/cli/options.ts';
import type { Server } from '../mcp/format/server.ts';
import { nameText, printJson, serverJson, stateText } from './output.ts';
import { type CommandContext, OutputError } from './host.ts';
import { printWarnings, type FileWarning, warningsOf } from './readServers.ts';

/** Words about a change. `done` is followed by the file. */
interface Words {
  readonly done: string | ((before: Entry, after: Entry) => string);
  readonly already?: string;
  readonly next?: string;
  /** The answer with --json, if not the server. */
  readonly json?: (entry: Entry, entries: readonly Entry[]) => object;
  /** Further warnings about the entry. */
  readonly warnings?: (
    entry: Entry,
    text: string,
    before: () => Entry,
  ) => readonly FileWarning[];
}

export async function addCommand(
  context: CommandContext,
  { name, server, enabled }: AddedServer,
): Promise<void> {
  checkNewName(name);
  const words = {
    done: `Added ${nameText(name)} (${server.transport}, ${stateText(enabled)}) to`,
    ...(!enabled && {
      next: `Agents can use it once it is enabled: switchboard mcp enable ${shellWord(name)}`,
    }),
    warnings: () => codeWarnings(server),
  };
  await changeFile(context, { do: 'add', name, server, enabled }, words);
}

/** Shows variables that may have been pasted unseen. */
function codeWarnings(server: Server): FileWarning[] {
  const assignments = codeAssignments(server);
  if (assignments.length === 0) return [];
  return [
    {
      kind: 'codeVariables',
      message: `These variables change what runs: ${assignments.join(' ')}`,
    },
  ];
}

function checkNewName(name: string): void {
  if (name.trim() === '')
    throw new UsageError('The name of the server is empty.');
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new UsageError(
      'The name of the server has a line break or another control character. Remove it.',
    );
  }
}

export async function changeServer(
  context: CommandContext,
  command: 'remove' | 'enable' | 'disable',
  name: string,
): Promise<void> {
  const label = nameText(name);
  const done = {
    remove: `Removed ${label} from`,
    enable: `Enabled ${label} in`,
    disable: `Disabled ${label} in`,
  };
  await changeFile(
    context,
    { do: command, name },
    { done: done[command], already: `${label} is already ${command}d.` },
  );
}

export async function changeFile(
  { host, file, json }: CommandContext,
  change: Change & { readonly name: string },
  {
    done,
    already = 'There was nothing to do.',
    next = 'This takes effect when the OpenHands command line starts or restarts a conversation.',
    json: jsonOf = (entry) => ({
      [change.do === 'remove' ? 'removed' : 'server']: serverJson(entry),
    }),
    warnings: warningsAbout = () => [],
  }: Words,
): Promise<void> {
  const { after, openToOthers, losses } = await updateConfig(
    file,
    (text) => editText(text, change),
    {
      disk: host.disk,
    },
  );
  const { before: oldOutline, after: newOutline } = after;
  const changed = oldOutline.text !== newOutline.text;
  const entries = entriesIn(newOutline);
  const entry = findServer(
    change.do === 'remove' ? entriesIn(oldOutline) : entries,
    change.name,
  );
  const previous = () => findServer(entriesIn(oldOutline), change.name);
  const warnings = [
    ...(await warningsOf(file, newOutline, openToOthers)),
    ...losses.map((kind): FileWarning => ({ kind, message: lossText(kind) })),
    ...warningsAbout(entry, newOutline.text, previous),
  ];
  const words = typeof done === 'string' ? done : done(previous(), entry);
  const message = changed
    ? `${words} ${plainText(file, 1000)}.`
    : `${already} Nothing was changed.`;
  try {
    if (json) {
      printJson(host, { file, changed, ...jsonOf(entry, entries), warnings });
    } else {
      host.stdout.write(changed ? `${message}\n${next}\n` : `${message}\n`);
    }
  } catch (error) {
    throw error instanceof OutputError
      ? new OutputError(error.cause, message)
      : error;
  } finally {
    printWarnings(host, file, warnings);
  }
}
