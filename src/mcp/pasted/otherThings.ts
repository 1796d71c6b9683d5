/** Recognizes things that look like servers, but are not. */
import { withOwnNames } from '../dialects/dialects.ts';
import type { Fields } from '../text/values.ts';
import { splitLine } from '../cli/shellWords.ts';
import { guessUrl } from './addresses.ts';
import { guessCommand } from './startCommands.ts';

/** Names of hooks, tasks, language servers, agents, models and requests. */
const places: ReadonlySet<string> = new Set([
  'hooks',
  'statusLine',
  'tasks',
  'jobs',
  'steps',
  'scripts',
  'stages',
  'workflows',
  'services',
  'launch',
  'formatter',
  'formatters',
  'linters',
  'lsp',
  'lspServers',
  'languageServers',
  'language_servers',
  'language-server',
  'agent_servers',
  'agentServers',
  'models',
  'provider',
  'providers',
  'arguments',
  'parameters',
  'params',
  'input',
  'tool_input',
  'updated_input',
  'updatedInput',
]);

const signs: ReadonlySet<string> = new Set([
  'matcher',
  'hooks',
  'statusMessage',
  'label',
  'problemMatcher',
  'dependsOn',
  'depends_on',
  'presentation',
  'runOptions',
  'steps',
  'run',
  'uses',
  'script',
  'stage',
  'image',
  'build',
  'ports',
  'volumes',
  'when',
  'filetypes',
  'fileTypes',
  'file_types',
  'rootPatterns',
  'root_markers',
  'rootMarkers',
  'extensionToLanguage',
  'initializationOptions',
  'initialization_options',
  'languages',
  'method',
  'body',
  'model',
  'models',
]);

/**
 * True for an entry outside a list of servers that is something else.
 * `isNamed`: the name of its configuration says that it holds servers.
 */
export function isOtherThing(
  name: string | undefined,
  entry: Fields,
  isNamed = false,
): boolean {
  if (name !== undefined && !entry.has('args') && places.has(name)) return true;
  if ([...entry.keys()].some((key) => signs.has(key))) return true;
  const own = withOwnNames(entry);
  const command = own.get('command');
  const url = own.get('url');
  if (typeof url === 'string') return isOtherUrl(url, entry);
  if (typeof command !== 'string') return false;
  const started = guessCommand(splitLine(command) ?? [command]);
  if (started === 'languageServer') return true;
  // Arguments or variables indicate a long-running program, as a server is.
  if (started === 'server' || own.has('args') || own.has('env')) return false;
  const type = entry.get('type');
  if (
    !isNamed &&
    typeof type === 'string' &&
    /^(?:command|shell|process|npm)$/.test(type)
  )
    return true;
  if (started !== undefined) return true;
  return (
    name === undefined &&
    !entry.has('name') &&
    !entry.has('type') &&
    !/mcp/i.test(command)
  );
}

function isOtherUrl(url: string, entry: Fields): boolean {
  const guess = guessUrl(url);
  if (guess) return guess === 'page';
  const hasTransport = [...entry.keys()].some((key) =>
    /^(?:headers|type|transport|.*Url|server_url)$/.test(key),
  );
  return !hasTransport || entry.has('baseUrl');
}
