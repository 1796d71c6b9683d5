/** What a command line starts, going by its words. Nothing is run or looked up. */
import { namedTransport } from '../dialects.ts';
import { withoutCmd } from './program.ts';

/** A `listener` is a server that is reached by an address once somebody has started it. */
export type Started = 'server' | 'listener' | 'installer' | 'inspector' | 'languageServer' | 'task' | 'usage';

/** What a launcher starts: a package that it fetches, a container, or a program that is on the machine. */
type Kind = 'package' | 'container' | 'program';

const launchers: ReadonlyMap<string, Kind> = new Map([
  ...names('package', 'npx|bunx|pnpx|uvx|dnx|pnpm dlx|yarn dlx|bun x|npm exec|npm x|uv tool run|pipx run'),
  ...names('package', 'dotnet tool exec|dotnet tool execute|jbang'),
  ...names('container', 'docker run|docker container run|podman run|nerdctl run'),
  ...names('program', 'node|deno|deno run|bun|bun run|python|python3|py|uv run|poetry run|pdm run|hatch run'),
  ...names('program', 'java|dotnet|dotnet run|go run|cargo run|php|ruby|pnpm exec|yarn exec'),
]);

function names(kind: Kind, all: string): [string, Kind][] {
  return all.split('|').map((name) => [name, kind]);
}

/** Options of launchers that are followed by a value. */
const valued = new Set([
  ...['--directory', '--project', '--from', '--with', '--with-requirements', '--python', '--package', '-p'],
  ...['--index', '--index-url', '--default-index', '--extra-index-url', '--source', '--env-file', '--env'],
  ...['-e', '--volume', '-v', '--mount', '--name', '--network', '--net', '--workdir', '-w', '--user', '-u'],
  ...['--platform', '--entrypoint', '--add-host', '--publish', '--label', '--spec', '--pull', '--group'],
]);

const inspectors = /(?:^|[/-])inspector(?:@|$)/;
const installers =
  /^(?:@smithery\/cli|smithery|(?:@[\w-]+\/)?mcp-get|install-mcp|mcp-install|add-mcp|mcp-add|mcpm|skills|(?:@[\w-]+\/)?create-[\w-]+|(?:@[\w-]+\/)?(?:[\w-]+-)?wizard)(?:@|$)/;
const tools =
  /^(?:@[\w-]+\/)?(?:prettier|eslint|biome|tsc|typescript|tsx|ts-node|vitest|jest|mocha|playwright|cypress|vite|next|nx|turbo|wrangler|vercel|netlify|serve|http-server|nodemon|rimraf|degit|husky|lint-staged|ncu|cowsay|ruff|black|mypy|pyright|pytest|tox|nox|pre-commit|cookiecutter|twine|poetry|jupyter|httpie|mcp-scan|mcp-cli|mcptools|mcp-publisher)(?:@|$)/;
const languageServers =
  /language-?server|langserver|(?:^|[/-])lsp(?:-|$)|^(?:gopls|clangd|rust-analyzer|pylsp|jdtls|solargraph)$/i;
/** They do nothing without a command of their own. */
const plainImages =
  /^(?:(?:docker\.io\/)?library\/)?(?:ubuntu|debian|alpine|busybox|fedora|centos|hello-world|node|python|golang|rust|openjdk|ruby|php|nginx|httpd|redis|postgres|mysql|mongo)(?::|@|$)/;

const settingUp =
  /^(?:(?:un)?install|i|ci|init|set-?up|add|remove|rm|create|new|config(?:ure)?|log(?:in|out)|auth|update|upgrade|publish|generate|deploy|doctor|migrate|clone|pull|register|get|download|venv|sync)$/;
const working =
  /^(?:build|compile|test|lint|format|fmt|check|fix|clean|list|ls|help|version|status|audit|scan|search|show|call|inspect|start-task|eval)$/;
/** Programs that set up or do something, whatever they are told. */
const setters = /^(?:pip3?|brew|apt(?:-get)?|yum|dnf|winget|choco|scoop|git|curl|wget|gem|conda|mamba)$/;
const workers =
  /^(?:npm|pnpm|yarn|make|just|task|cargo|gradlew?|mvnw?|go|echo|cat|ls|rm|cp|mv|mkdir|chmod|cd|source|sleep|grep|sed|awk|kill|pytest|eslint|prettier|tsc|jest|vitest|ruff|black|mypy)$/;

export function whatStarts(all: readonly string[]): Started | undefined {
  const { words, variables } = withoutVariables(withoutCmd(all) ?? all);
  const plain = operandsIn(words);
  const first = baseName(plain[0] ?? '');
  const [kind, from] = launcherOf([first, ...plain.slice(1, 3)]);
  const [subject = '', then = ''] = plain.slice(from);
  const named = baseName(subject);
  const isMcp = words.some((word) => /mcp/i.test(word));
  if (words.some((word) => /^<[^<>]*>$|^\[[^\]]*\.{3}\]$/.test(word)) && /^<|^$/.test(subject)) return 'usage';
  if (words.some((word) => /^--?(?:help|version)$/.test(word))) return 'task';

  if (inspectors.test(subject) || (/^(?:fast)?mcp$/.test(named) && /^(?:dev|inspect)$/.test(then))) {
    return 'inspector';
  }
  if (kind === undefined && (setters.test(first) || settingUp.test(plain[1] ?? ''))) return 'installer';
  if (kind === undefined && /^(?:uv|docker|dotnet)$/.test(first)) {
    return plain.join(' ') === 'docker mcp gateway run' ? 'server' : 'installer';
  }
  if (installers.test(subject) || settingUp.test(then)) return 'installer';
  if (!isMcp && (languageServers.test(first) || languageServers.test(named))) return 'languageServer';
  if (kind === undefined && workers.test(first)) return isMcp ? undefined : 'task';
  if (tools.test(subject) || working.test(then)) return isMcp && !tools.test(subject) ? undefined : 'task';

  const options = words.slice(words.indexOf(subject) + 1);
  if (listens(options, variables)) return 'listener';
  switch (kind) {
    case 'container':
      return container(words, subject, isMcp);
    case 'package':
      if (subject === '') return undefined;
      // Whoever starts a tool by hand can be asked whether it may be fetched. A server has nobody to ask.
      return isMcp || first !== 'npx' || words.some((word) => /^(?:-y|--yes)$/.test(word)) ? 'server' : undefined;
    case 'program':
      return isMcp ? 'server' : undefined;
    case undefined:
      return /mcp/i.test(first) && /^(?:-|stdio$)/.test(words[1] ?? '') ? 'server' : undefined;
  }
}

/** Variables that are set before a command: `KEY=value npx ...`, `env KEY=value npx ...`. */
export function withoutVariables(words: readonly string[]): {
  readonly words: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
} {
  const start = words[0] === 'env' ? 1 : 0;
  const end = words.findIndex((word, i) => i >= start && !/^[A-Za-z_]\w*=/.test(word));
  if (end <= 0) return { words, variables: new Map() };
  const pairs = words.slice(start, end).map((word): [string, string] => {
    const cut = word.indexOf('=');
    return [word.slice(0, cut), word.slice(cut + 1)];
  });
  return { words: words.slice(end), variables: new Map(pairs) };
}

function operandsIn(words: readonly string[]): string[] {
  return words.filter((word, i) => !word.startsWith('-') && !valued.has(words[i - 1] ?? ''));
}

function launcherOf(plain: readonly string[]): [kind: Kind | undefined, words: number] {
  for (let count = Math.min(plain.length, 3); count > 0; count--) {
    const kind = launchers.get(plain.slice(0, count).join(' '));
    if (kind) return [kind, count];
  }
  return [undefined, 0];
}

/** A program without its folders and what Windows adds. */
function baseName(path: string): string {
  return path.replace(/^.*[\\/](?=[^\\/])/, '').replace(/\.(?:exe|cmd|bat)$/i, '');
}

/** Whether a server is told to wait for requests at a port, instead of reading them. */
function listens(options: readonly string[], variables: ReadonlyMap<string, string>): boolean {
  const isWeb = (word = '') => /^(?:http|sse)$/.test(namedTransport(word) ?? '');
  const named = options.flatMap((word, i) => {
    const [, given] = /^(?:-t|--(?:mcp-)?(?:transport|mode|protocol))(?:=(.*))?$/.exec(word) ?? [undefined, null];
    return given === null ? [] : [given ?? options[i + 1] ?? ''];
  });
  const transports = [...named, ...[...variables].flatMap(([name, value]) => (/TRANSPORT$/.test(name) ? [value] : []))];
  if (transports.some(isWeb)) return !options.some((word) => /^https?:/.test(word));
  if (transports.length > 0 || options.some((word) => /^(?:--)?stdio$/.test(word))) return false;
  return options.some((word) => /^--(?:port|listen|http|sse|streamable-?http|http-port|sse-port)(?:=|$)/i.test(word));
}

function container(words: readonly string[], image: string, isMcp: boolean): Started | undefined {
  if (image === '') return undefined;
  const options = words.slice(0, words.indexOf(image));
  const has = (letter: string, name: string) =>
    options.some((word) => word === name || new RegExp(`^-[a-z]*${letter}[a-z]*$`, 'i').test(word));
  if (plainImages.test(image)) return 'task';
  if (!has('i', '--interactive') || has('d', '--detach')) return isMcp ? 'listener' : 'task';
  return isMcp || !has('t', '--tty') ? 'server' : 'task';
}
