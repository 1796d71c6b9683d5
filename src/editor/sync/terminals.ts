/** In the terminals of the editor, `switchboard` is there, and changes the file that the editor shows. */
import { delimiter, join } from 'node:path';
import { type Disposable, type ExtensionContext, workspace } from 'vscode';
import { t } from '../../base/l10n.ts';
import { configPath } from '../configuration/configFile.ts';

export function equipTerminals({
  environmentVariableCollection: variables,
  extensionPath,
}: Pick<ExtensionContext, 'environmentVariableCollection' | 'extensionPath'>): Disposable {
  variables.description = t(
    'Puts the program `switchboard` on the PATH, for the MCP servers of your agents.',
  );
  variables.prepend('PATH', join(extensionPath, 'dist', 'bin') + delimiter);
  variables.replace('SWITCHBOARD_NODE', process.execPath);
  const nameFile = () => {
    try {
      variables.replace('SWITCHBOARD_MCP_FILE', configPath());
    } catch {
      // The settings name no file; whoever asks for it is told.
      variables.delete('SWITCHBOARD_MCP_FILE');
    }
  };
  nameFile();
  return workspace.onDidChangeConfiguration((event) => {
    if (['switchboard.mcp.file', 'switchboard.cliDirectory'].some((key) => event.affectsConfiguration(key))) {
      nameFile();
    }
  });
}
