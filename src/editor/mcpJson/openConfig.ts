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

/** Opens the configuration file at a place in it. Creates a missing file. */
export async function showConfig(placeOf?: (text: string) => number | undefined): Promise<TextEditor> {
  const path = configPath();
  await createConfigFile(path);
  const document = await workspace.openTextDocument(Uri.file(path));
  const editor = await window.showTextDocument(document, { preview: false });
  // The editor rereads a cached document once it is shown.
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

/** False if the editor cached the document before another program wrote the file. */
async function isFresh(document: TextDocument): Promise<boolean> {
  const found = await readConfig(document.uri.fsPath);
  const lines = (text: string) => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  return found !== undefined && lines(found.text) === lines(document.getText());
}
