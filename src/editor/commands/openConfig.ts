import { homedir } from 'node:os';
import { Uri, window } from 'vscode';
import { configFilePath } from '../../files/configFile.ts';
import { createConfigFile } from '../../files/createConfigFile.ts';
import { setting } from '../settings.ts';

/** Opens the configuration file of the MCP servers; makes one where there is none. */
export async function openConfig(): Promise<void> {
  const path = configFilePath({
    home: homedir(),
    file: setting('mcp.file'),
    cliDirectory: setting('cliDirectory'),
  });
  await createConfigFile(path);
  await window.showTextDocument(Uri.file(path), { preview: false });
}
