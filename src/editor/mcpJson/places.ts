/**
 * Recognizes configuration files of MCP servers: the configured one, and those
 * that package.json names.
 */
import { basename, dirname } from 'node:path';
import {
  Disposable,
  type DocumentFilter,
  extensions,
  RelativePattern,
  Uri,
  workspace,
} from 'vscode';
import type manifest from '../../../package.json';
import { UserError } from '../../base/errors.ts';
import { configFilePath } from '../../files/configPath.ts';
import { homeFolder } from '../../files/homeFolder.ts';
import { extensionId } from '../manifest.ts';
import { setting } from '../settings.ts';

/**
 * Throws a UserError if the settings name no file. The environment variable is
 * only for the terminal.
 */
export function configPath(): string {
  return configFilePath({
    home: homeFolder(),
    file: setting('mcp.file'),
    cliDirectory: setting('cliDirectory'),
  });
}

/**
 * True if the settings name a file or its folder. Without them, the file has a
 * usual name with a schema, and terminals find it too.
 */
export function isFileNamed(): boolean {
  return setting('mcp.file') !== '' || setting('cliDirectory') !== '';
}

export function onConfiguredFileChange(listener: () => void): Disposable {
  return workspace.onDidChangeConfiguration((event) => {
    const keys = ['switchboard.mcp.file', 'switchboard.cliDirectory'];
    if (keys.some((key) => event.affectsConfiguration(key))) listener();
  });
}

/**
 * Calls back when a configuration file is open, is opened, or is named by the
 * settings while open.
 */
export function onConfigFileOpen(listener: () => void): Disposable {
  const callIfOpen = () => {
    if (workspace.textDocuments.some(({ uri }) => isConfigFile(uri)))
      listener();
  };
  callIfOpen();
  return Disposable.from(
    workspace.onDidOpenTextDocument(({ uri }) => {
      if (isConfigFile(uri)) listener();
    }),
    onConfiguredFileChange(callIfOpen),
  );
}

export function configuredUri(): Uri | undefined {
  try {
    return Uri.file(configPath());
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

export function isConfigured(uri: Uri): boolean {
  const configured = configuredUri();
  return configured !== undefined && isFile(uri, configured.fsPath);
}

/** Windows paths ignore case. */
export function isFile(uri: Uri, path: string): boolean {
  return (
    uri.scheme === 'file' && folded(uri.path) === folded(Uri.file(path).path)
  );
}

export function hasSchema(uri: Uri): boolean {
  const path = folded(uri.path);
  return (
    uri.scheme === 'file' &&
    schemaPaths().some((end) => path.endsWith(`/${end}`))
  );
}

export function isConfigFile(uri: Uri): boolean {
  return hasSchema(uri) || isConfigured(uri);
}

export function configFileFilters(): DocumentFilter[] {
  const filters: DocumentFilter[] = schemaPaths().map((end) => ({
    scheme: 'file',
    pattern: `**/${end}`,
  }));
  const configured = configuredUri();
  if (!configured || hasSchema(configured)) return filters;
  const { fsPath } = configured;
  const literal = basename(fsPath).replace(/[*?[\]{}]/g, '[$&]');
  return [
    ...filters,
    {
      scheme: 'file',
      pattern: new RelativePattern(Uri.file(dirname(fsPath)), literal),
    },
  ];
}

function folded(path: string): string {
  return process.platform === 'win32' ? path.toLowerCase() : path;
}

function schemaPaths(): readonly string[] {
  const { contributes } = extensions.getExtension(extensionId)
    ?.packageJSON as typeof manifest;
  return contributes.jsonValidation.flatMap(({ fileMatch }) => fileMatch);
}
