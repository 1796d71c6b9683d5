import {
  Selection,
  type TextDocument,
  type TextEditor,
  TextEditorRevealType,
  Uri,
  window,
  workspace,
} from 'vscode';
import { sleep, systemClock } from '../../base/clock.ts';
import { configPath } from './places.ts';
import { readConfig } from '../../files/read.ts';
import { createConfigFile } from '../../files/update.ts';

/** Opens the configuration file of the MCP servers, at a place in it; makes one where there is none. */
export async function showConfig(placeOf?: (text: string) => number | undefined): Promise<TextEditor> {
  const path = configPath();
  await createConfigFile(path);
  const document = await workspace.openTextDocument(Uri.file(path));
  const editor = await window.showTextDocument(document, { preview: false });
  // One that the editor has kept is read again when it is shown.
  for (let turn = 0; turn < 40 && !document.isDirty && !(await isFresh(document)); turn++) {
    await sleep(systemClock, 50);
  }
  const offset = placeOf?.(document.getText());
  if (offset !== undefined) {
    const place = document.positionAt(offset);
    editor.selection = new Selection(place, place);
    editor.revealRange(editor.selection, TextEditorRevealType.InCenterIfOutsideViewport);
  }
  return editor;
}

/** Whether a document says what is on the disk. The editor may have kept it since before another program wrote. */
async function isFresh(document: TextDocument): Promise<boolean> {
  const found = await readConfig(document.uri.fsPath);
  const lines = (text: string) => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  return found !== undefined && lines(found.text) === lines(document.getText());
}
