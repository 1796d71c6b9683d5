/** What add, remove, enable and disable have in common. */
import { plainText } from '../base/plainText.ts';
import { readConfig } from '../files/read.ts';
import { updateConfig } from '../files/update.ts';
import { findServer, readDocument } from '../mcp/document.ts';
import { type Change, editText } from '../mcp/edit.ts';
import type { Context } from './context.ts';
import { printJson, serverJson } from './json.ts';
import { printWarnings, warningsOf } from './warnings.ts';

/** Makes the change and says so. The file is named behind `done`. */
export async function change(
  { host, file, json }: Context,
  wanted: Change & { readonly name: string },
  words: { readonly done: string; readonly already?: string; readonly next?: string },
): Promise<void> {
  const { before = '', after } = await updateConfig(file, (text) => editText(text, wanted).text);
  const changed = after !== before;
  const document = readDocument(after);
  const warnings = warningsOf(file, after, document.remarks, await isOpenToOthers(file));
  if (json) {
    const removed = wanted.do === 'remove';
    const entry = findServer(removed ? readDocument(before) : document, wanted.name);
    printJson(host, { file, changed, [removed ? 'removed' : 'server']: serverJson(entry), warnings });
  } else if (changed) {
    const next = words.next ?? 'This takes effect when a conversation is started or restarted.';
    host.stdout.write(`${words.done} ${plainText(file, 1000)}.\n${next}\n`);
  } else {
    host.stdout.write(`${words.already ?? 'That is so already.'} Nothing was changed.\n`);
  }
  printWarnings(host, file, warnings);
}

/** The change has been made by now, so that what fails here does not make it fail. */
async function isOpenToOthers(file: string): Promise<boolean> {
  const found = await readConfig(file).catch(() => undefined);
  return found?.openToOthers === true;
}
