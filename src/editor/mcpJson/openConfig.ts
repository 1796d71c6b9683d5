import {
  commands,
  Selection,
  type TextEditor,
  TextEditorRevealType,
  Uri,
  window,
  workspace,
} from 'vscode';
import { createConfigFile } from '../../files/update.ts';
import { configPath } from './places.ts';

/** Opens the configuration file at a place in it. Creates a missing file. */
export async function showConfig(
  placeOf?: (text: string) => number | undefined,
): Promise<TextEditor> {
  const path = configPath();
  await createConfigFile(path);
  const document = await workspace.openTextDocument(Uri.file(path));
  const editor = await window.showTextDocument(document, { preview: false });
  // The editor may have read the file before another program wrote it. The
  // command acts on the active editor, whichever that is.
  if (!document.isDirty && window.activeTextEditor === editor)
    await commands.executeCommand('workbench.action.files.revert');
  const offset = placeOf?.(document.getText());
  if (offset !== undefined) {
    const place = document.positionAt(offset);
    editor.selection = new Selection(place, place);
    editor.revealRange(
      editor.selection,
      TextEditorRevealType.InCenterIfOutsideViewport,
    );
  }
  return editor;
}
