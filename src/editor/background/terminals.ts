/**
 * Puts `switchboard` on the PATH of the editor's terminals, for the MCP file
 * that the editor shows. VS Code keeps the variables for windows in which the
 * extension does not run.
 */
import { delimiter, join } from 'node:path';
import {
  type Disposable,
  type EnvironmentVariableCollection,
  EnvironmentVariableMutatorType,
  type ExtensionContext,
} from 'vscode';
import { t } from '../../base/l10n.ts';
import {
  configuredUri,
  isFileNamed,
  onConfiguredFileChange,
} from '../mcpJson/places.ts';

const fileVariable = 'SWITCHBOARD_MCP_FILE';

export function equipTerminals({
  environmentVariableCollection: variables,
  extensionPath,
}: Pick<
  ExtensionContext,
  'environmentVariableCollection' | 'extensionPath'
>): Disposable {
  const description = t(
    'Adds `switchboard`, which manages the MCP servers of your agents, to the PATH.',
  );
  if (variables.description !== description)
    variables.description = description;
  const folder = join(extensionPath, 'dist', 'bin');
  set(
    variables,
    'PATH',
    folder + delimiter,
    EnvironmentVariableMutatorType.Prepend,
  );
  set(variables, 'SWITCHBOARD_NODE', process.execPath);
  const nameFile = () => {
    // The program finds the default file itself.
    const isNeeded = isFileNamed() || Boolean(process.env[fileVariable]);
    const path = isNeeded ? configuredUri()?.fsPath : undefined;
    if (path !== undefined) set(variables, fileVariable, path);
    else if (variables.get(fileVariable)) variables.delete(fileVariable);
  };
  nameFile();
  return onConfiguredFileChange(nameFile);
}

/**
 * Sets only a changed value: VS Code would store all of them again, and offer
 * to restart the terminals.
 */
function set(
  variables: EnvironmentVariableCollection,
  name: string,
  value: string,
  type = EnvironmentVariableMutatorType.Replace,
) {
  const current = variables.get(name);
  if (current?.value === value && current.type === type) return;
  if (type === EnvironmentVariableMutatorType.Prepend)
    variables.prepend(name, value);
  else variables.replace(name, value);
}
