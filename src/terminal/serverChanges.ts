/** switchboard mcp add, remove, enable and disable */
import { plainText } from '../base/plainText.ts';
import { lossText } from '../files/losses.ts';
import { updateConfig } from '../files/update.ts';
import type { Change } from '../mcp/edit/wantedChange.ts';
import type { Addition } from '../mcp/cli/commandLine.ts';
import { type Document, documentOf, findServer } from '../mcp/format/document.ts';
import { type Edited, editText } from '../mcp/edit/editText.ts';
import type { Entry } from '../mcp/format/entry.ts';
import { codeAssignments, shellWord } from '../mcp/format/mask.ts';
import { UsageError } from '../mcp/cli/options.ts';
import type { Server } from '../mcp/format/server.ts';
import { nameText, printJson, serverJson, stateText } from './output.ts';
import { type Context, OutputError } from './host.ts';
import { printWarnings, type Warning, warningsOf } from './readServers.ts';

/** What is said about a change. `done` is followed by the file. */
interface Words {
  readonly done: string | ((before: Entry, after: Entry) => string);
  readonly already?: string;
  readonly next?: string;
  /** The answer to programs, where that is not the server. */
  readonly json?: (entry: Entry, document: Document) => object;
  /** What else there is to know about the entry. */
  readonly warnings?: (entry: Entry, text: string, before: () => Entry) => readonly Warning[];
}

export async function add(context: Context, { name, server, enabled }: Addition): Promise<void> {
  checkNewName(name);
  const words = {
    done: `Added ${nameText(name)} (${server.transport}, ${stateText(enabled)}) to`,
    ...(!enabled && {
      next: `Agents can use it once it is enabled: switchboard mcp enable ${shellWord(name)}`,
    }),
    warnings: () => codeWarnings(server),
  };
  await change(context, { do: 'add', name, server, enabled }, words);
}

/** Shows what was perhaps only pasted. */
function codeWarnings(server: Server): Warning[] {
  const assignments = codeAssignments(server);
  if (assignments.length === 0) return [];
  return [{ kind: 'codeVariables', message: `These variables change what runs: ${assignments.join(' ')}` }];
}

/** One that is in the file already can be used whatever it is. */
function checkNewName(name: string): void {
  if (name.trim() === '') throw new UsageError('The name of the server is empty.');
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new UsageError('The name of the server has a line break or another control character. Remove it.');
  }
}

export async function remove(context: Context, name: string): Promise<void> {
  await change(context, { do: 'remove', name }, { done: `Removed ${nameText(name)} from` });
}

export async function enable(context: Context, name: string): Promise<void> {
  const shown = nameText(name);
  const words = { done: `Enabled ${shown} in`, already: `${shown} is already enabled.` };
  await change(context, { do: 'enable', name }, words);
}

export async function disable(context: Context, name: string): Promise<void> {
  const shown = nameText(name);
  const words = { done: `Disabled ${shown} in`, already: `${shown} is already disabled.` };
  await change(context, { do: 'disable', name }, words);
}

export async function change(
  { host, file, json }: Context,
  wanted: Change & { readonly name: string },
  {
    done,
    already = 'There was nothing to do.',
    next = 'This takes effect when a conversation is started or restarted.',
    json: jsonOf = (entry) => ({ [wanted.do === 'remove' ? 'removed' : 'server']: serverJson(entry) }),
    warnings: warningsAbout = () => [],
  }: Words,
): Promise<void> {
  // If the file changes in between, it is edited again.
  const edited = new Map<string, Edited>();
  const {
    before = '',
    after,
    openToOthers,
    losses,
  } = await updateConfig(
    file,
    (text) => {
      const result = editText(text, wanted);
      edited.set(text, result);
      return result.text;
    },
    { disk: host.disk },
  );
  const { before: old, after: now } = edited.get(before) ?? editText(before, wanted);
  const changed = after !== before;
  const document = documentOf(now);
  const entry = findServer(wanted.do === 'remove' ? documentOf(old) : document, wanted.name);
  const previous = () => findServer(documentOf(old), wanted.name);
  const warnings = [
    ...(await warningsOf(file, now, document.remarks, openToOthers)),
    ...losses.map((kind): Warning => ({ kind, message: lossText(kind) })),
    ...warningsAbout(entry, now.text, previous),
  ];
  const words = typeof done === 'string' ? done : done(previous(), entry);
  const said = changed ? `${words} ${plainText(file, 1000)}.` : `${already} Nothing was changed.`;
  try {
    if (json) {
      printJson(host, { file, changed, ...jsonOf(entry, document), warnings });
    } else {
      host.stdout.write(changed ? `${said}\n${next}\n` : `${said}\n`);
    }
  } catch (error) {
    throw error instanceof OutputError ? new OutputError(error.cause, said) : error;
  } finally {
    printWarnings(host, file, warnings);
  }
}
