/** Explanations of things that look like servers. */
import { words } from '../../base/l10n.ts';
import { ownName } from '../dialects/dialects.ts';
import type { Fields, Value } from '../text/values.ts';
import { splitLine } from '../cli/shellWords.ts';
import { whatIsAt } from './addresses.ts';
import { whatStarts } from './startCommands.ts';

export const otherThings = words({
  address: 'Nothing here says that there is an MCP server at this URL.',
  agent: 'This configures an agent that an editor starts. It is not an MCP server.',
  command:
    'Nothing here says that this command starts an MCP server. Copy the whole example from the instructions.',
  hook: 'This is a hook or a status line: a command that another program runs at certain events. It is not an MCP server.',
  inspector: 'This starts a tool for trying out MCP servers. It is not an MCP server itself.',
  installer:
    'This command installs or sets up something, but does not say how the MCP server is started. Look for JSON or a command that does.',
  languageServer: 'This is a language server. It is not an MCP server.',
  listener: 'This starts an MCP server that listens on a port. Start it yourself, then paste its URL.',
  model: 'This is the address of a language model, not of an MCP server.',
  page: 'This is the address of a web page, not of an MCP server.',
  request: 'This is a request to a web service, not an MCP server.',
  task: 'This is a task: a command that does its work and ends. It is not an MCP server.',
  usage: 'This only shows how the command is written. Paste an example with real values.',
});

export type OtherThing = keyof typeof otherThings;

const of = (thing: OtherThing, ...names: readonly string[]) =>
  names.map((name): [string, OtherThing] => [name, thing]);

const places: ReadonlyMap<string, OtherThing> = new Map([
  ...of('hook', 'hooks', 'statusLine'),
  ...of('task', 'tasks', 'jobs', 'steps', 'scripts', 'stages', 'workflows', 'services', 'launch'),
  ...of('task', 'formatter', 'formatters', 'linters'),
  ...of('languageServer', 'lsp', 'lspServers', 'languageServers', 'language_servers', 'language-server'),
  ...of('agent', 'agent_servers', 'agentServers'),
  ...of('model', 'models', 'provider', 'providers'),
  ...of(
    'request',
    'arguments',
    'parameters',
    'params',
    'input',
    'tool_input',
    'updated_input',
    'updatedInput',
  ),
]);

const signs: ReadonlyMap<string, OtherThing> = new Map([
  ...of('hook', 'matcher', 'hooks', 'statusMessage'),
  ...of('task', 'label', 'problemMatcher', 'dependsOn', 'depends_on', 'presentation', 'runOptions', 'steps'),
  ...of('task', 'run', 'uses', 'script', 'stage', 'image', 'build', 'ports', 'volumes', 'when'),
  ...of(
    'languageServer',
    'filetypes',
    'fileTypes',
    'file_types',
    'rootPatterns',
    'root_markers',
    'rootMarkers',
  ),
  ...of(
    'languageServer',
    'extensionToLanguage',
    'initializationOptions',
    'initialization_options',
    'languages',
  ),
  ...of('request', 'method', 'body'),
  ...of('model', 'model', 'models'),
]);

const thingsOfType: ReadonlyMap<Value, OtherThing> = new Map<Value, OtherThing>([
  ...of('hook', 'command'),
  ...of('task', 'shell', 'process', 'npm'),
]);

export function whatElseIn(root: Fields): OtherThing | undefined {
  return firstOf(root, places);
}

function firstOf(fields: Fields, table: ReadonlyMap<string, OtherThing>): OtherThing | undefined {
  const key = [...fields.keys()].find((each) => table.has(each));
  return key === undefined ? undefined : table.get(key);
}

/**
 * Recognizes an entry outside a list of servers that is something else. `isNamed`: the name of its configuration says
 * that it holds servers.
 */
export function whatElse(name: string | undefined, entry: Fields, isNamed = false): OtherThing | undefined {
  const place = name === undefined || entry.has('args') ? undefined : places.get(name);
  const known = place ?? firstOf(entry, signs);
  if (known) return known;
  const said = new Map([...entry].map(([key, value]) => [ownName(key), value]));
  const [command, url] = [said.get('command'), said.get('url')];
  if (typeof url === 'string') return whatElseAt(url, entry);
  if (typeof command !== 'string') return undefined;
  const started = whatStarts(splitLine(command) ?? [command]);
  if (started === 'languageServer') return started;
  // Arguments or variables indicate a long-running program, as a server is.
  if (started === 'server' || said.has('args') || said.has('env')) return undefined;
  const type = thingsOfType.get(entry.get('type') ?? null);
  if (type && !isNamed) return type;
  if (started === 'installer' || started === 'inspector' || started === 'task') return started;
  const isSaid = name !== undefined || entry.has('name') || entry.has('type') || /mcp/i.test(command);
  return isSaid ? undefined : 'command';
}

function whatElseAt(url: string, entry: Fields): OtherThing | undefined {
  const at = whatIsAt(url);
  if (at) return at === 'page' ? at : undefined;
  const isSaid = [...entry.keys()].some((key) => /^(?:headers|type|transport|.*Url|server_url)$/.test(key));
  return isSaid && !entry.has('baseUrl') ? undefined : 'address';
}
