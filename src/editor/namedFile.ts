/** What a window gets from its start where the settings, or the environment, name a file for the MCP servers. */
import { Disposable, type ExtensionContext } from 'vscode';
import { onConfiguredFileOpen } from './configuration/places.ts';
import { nameFileInTerminals } from './sync/terminals.ts';

/** Calls back when the file is open. */
export function followNamedFile(context: ExtensionContext, onOpen: () => void): Disposable {
  return Disposable.from(nameFileInTerminals(context), onConfiguredFileOpen(onOpen));
}
