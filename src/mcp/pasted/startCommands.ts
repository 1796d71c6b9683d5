/**
 * Guesses from its words what a command line starts. Nothing is run or looked
 * up.
 */
import { namedTransport } from '../dialects/dialects.ts';
import {
  isPath,
  type LaunchLine,
  assignmentsIn,
  readLaunch,
} from './launchers.ts';

type StartedThing = 'server' | 'installer' | 'languageServer' | 'task';

export function guessCommand(
  line: readonly string[],
): StartedThing | undefined {
  const launch = readLaunch(line);
  const { words, launcher, kind, subject, then } = launch;
  const isMcp = words.some((word) => /mcp/i.test(word));
  if (kind && /^[<[]/.test(subject)) return undefined;
  if (inspects(launch)) return 'task';
  if (words.join(' ') === 'docker mcp gateway run') return 'server';
  if (installs(launch)) return 'installer';
  if (!isMcp && languageServers.test(subject)) return 'languageServer';
  if (
    workingPackages.test(subject) ||
    (kind === 'program' && working.test(subject))
  )
    return 'task';
  if (
    (kind === undefined && workingPrograms.test(launcher)) ||
    working.test(then)
  )
    return isMcp ? undefined : 'task';
  return listens(launch) ? undefined : guessServer(launch, isMcp);
}

/** True for what shows or tries a server, and ends. */
function inspects({ words, subject, then }: LaunchLine): boolean {
  return (
    words.some((word) => /^--?(?:help|version)$/.test(word)) ||
    inspectors.test(subject) ||
    (/^(?:fast)?mcp$/.test(subject) && /^(?:dev|inspect)$/.test(then))
  );
}

function installs({ words, subject, then }: LaunchLine): boolean {
  return (
    words.some((word) =>
      /^--(?:[\w-]+-)?(?:setup|login|install)$/.test(word),
    ) ||
    installingPackages.test(subject) ||
    settingUp.test(then) ||
    installingPrograms.test(subject)
  );
}

function guessServer(
  launch: LaunchLine,
  isMcp: boolean,
): StartedThing | undefined {
  const { words, launcher, kind, subject, then } = launch;
  const isNamed =
    isServerName(subject) ||
    isServerName(then) ||
    words.some((word) => /^(?:--)?stdio$/.test(word));
  switch (kind) {
    case 'container':
      return container(launch, isMcp);
    case 'package':
      return isNamed || isLikely(launch) ? 'server' : undefined;
    case 'program':
      return isNamed || (isMcp && entryPoint.test(subject))
        ? 'server'
        : undefined;
    case undefined:
      return isServerProgram(launcher, words) ? 'server' : undefined;
  }
}

const entryPoint = /(?:^|[\\/.])(?:main|index|server|app)(?:\.\w+)?$/;

/** Recognizes names such as `weather-mcp` and `mcp_server_git`. */
function isServerName(name: string): boolean {
  if (/\s/.test(name)) return false;
  const base = name.replace(/(?<=.)@.*$/, '').replace(/^.*[\\/](?=[^\\/])/, '');
  const plain = base
    .replace(/\.(?:[cm]?[jt]s|py|jar|exe|cmd|sh)$/i, '')
    .replace(/-\d[\d.]*$/, '');
  return plain
    .split(':')
    .some((part) => /mcp$|mcp.*server|server.*mcp|^mcp-remote$/i.test(part));
}

/**
 * Other packages may be tools with commands of their own. npx asks before it
 * fetches a tool, but a server has nobody to ask: so `-y` indicates one.
 */
function isLikely({ words, launcher, subject, then }: LaunchLine): boolean {
  if (/mcp|modelcontext/i.test(subject)) return !/^[a-z][a-z-]*$/.test(then);
  // Only a path or value may follow.
  if (subject === '' || !/^$|=|^[<{$.~/]|^[A-Za-z]:\\/.test(then)) return false;
  return (
    launcher !== 'npx' || words.some((word) => /^(?:-y|--yes)$/.test(word))
  );
}

/**
 * Tells a command from a name in a text: a path, or a program with options or a
 * known command.
 */
function isServerProgram(program: string, words: readonly string[]): boolean {
  const [, next] = words;
  if (next === undefined)
    return isServerName(program) && isPath(words.join(''));
  if (/server|:/.test(next) && isServerName(next)) return true;
  return (
    isServerName(program) && /^-|^(?:stdio|mcp|serve|server|start)$/.test(next)
  );
}

/** True if the server waits for requests at a port. */
function listens({ words, variables, subject }: LaunchLine): boolean {
  const options = words.slice(words.indexOf(subject) + 1);
  const optionTransports = options.flatMap((word, i) => {
    const match =
      /^(?:-t|--(?:mcp-)?(?:transport|mode|protocol))(?:=(.*))?$/s.exec(word);
    return match ? [match[1] ?? options[i + 1] ?? ''] : [];
  });
  const environmentWords = words.flatMap((word, i) =>
    /^(?:-e|--env)$/.test(words[i - 1] ?? '') ? [word] : [],
  );
  const set = [...variables, ...assignmentsIn(environmentWords)].flatMap(
    ([name, value]) => {
      if (
        /(?:^|_)(?:HTTP|SSE)(?:_|$)/.test(name) &&
        /^(?:1|true)$/i.test(value)
      )
        return ['http'];
      return /TRANSPORT(?:_MODE|_TYPE)?$/.test(name) ? [value] : [];
    },
  );
  const transports = [
    ...optionTransports,
    ...set,
    ...options.filter((word) => /^(?:http|sse|streamable-?http)$/i.test(word)),
  ];
  // A URL makes it a client of a server elsewhere.
  if (
    transports.some((word) => /^(?:http|sse)$/.test(namedTransport(word) ?? ''))
  ) {
    return !options.some((word) => /^https?:/.test(word));
  }
  if (
    transports.length > 0 ||
    options.some((word) => /^(?:--)?stdio$/.test(word))
  )
    return false;
  return options.some((word) =>
    /^--(?:port|listen|http|sse|streamable-?http)(?:-port)?(?:=|$)/i.test(word),
  );
}

function container(
  { words, subject }: LaunchLine,
  isMcp: boolean,
): StartedThing | undefined {
  const options = words.slice(0, words.indexOf(subject));
  const has = (letter: string, name: string) =>
    options.some(
      (word) =>
        word === name || (/^-[a-z]+$/i.test(word) && word.includes(letter)),
    );
  if (subject === '' || plainImages.test(subject)) return 'task';
  if (!has('i', '--interactive') || has('d', '--detach'))
    return isMcp ? undefined : 'task';
  return isMcp || !has('t', '--tty') ? 'server' : 'task';
}

const inspectors = /(?:^|[/-])inspector(?:@|$)/;

const installingPackages =
  /^(?:smithery|add-mcp|install-mcp|mcp-add|mcp-install|mcpm|skills|@smithery\/cli|(?:@[\w-]+\/)?(?:mcp-get|create-[\w-]+|(?:[\w-]+-)?wizard))(?:@|$)/;
const installingPrograms =
  /^(?:pip3?|brew|apt(?:-get)?|yum|dnf|winget|choco|scoop|git|gem|conda|uv|docker|dotnet)$/;
const settingUp =
  /^(?:(?:un)?install(?:-[\w-]+)?|i|ci|init|set-?up|add|remove|rm|create|new|config(?:ure)?|log(?:in|out)|auth|update|upgrade|publish|generate|deploy|doctor|migrate|clone|pull|register|get|download|venv|sync)$/;

const workingPackages =
  /^(?:@[\w-]+\/)?(?:prettier|eslint|biome|tsc|typescript|tsx|ts-node|vitest|jest|mocha|playwright|cypress|vite|next|nx|turbo|wrangler|vercel|netlify|serve|http-server|nodemon|rimraf|degit|husky|lint-staged|ncu|cowsay|ruff|black|mypy|pyright|pytest|tox|nox|pre-commit|cookiecutter|twine|poetry|jupyter|mcp-scan|mcp-cli|mcptools|mcp-publisher)(?:@|$)/;
const workingPrograms =
  /^(?:npm|pnpm|yarn|make|just|task|cargo|gradlew?|mvnw?|go|echo|cat|curl|wget|ls|rm|cp|mv|mkdir|chmod|cd|source|sleep|grep|sed|awk|kill|pytest|eslint|prettier|tsc|jest|vitest|ruff|black|mypy)$/;
const working =
  /^(?:build|compile|test|lint|format|fmt|check|fix|clean|list|ls|help|version|status|audit|scan|search|show|call|inspect|eval|go|chat|edit|batch)$/;

const languageServers =
  /language-?server|langserver|(?:^|[/-])lsp(?:-|$)|^(?:gopls|clangd|rust-analyzer|pylsp|jdtls|solargraph)$/i;

const plainImages =
  /^(?:(?:docker\.io\/)?library\/)?(?:ubuntu|debian|alpine|busybox|fedora|centos|hello-world|node|python|golang|rust|openjdk|ruby|php|nginx|httpd|redis|postgres|mysql|mongo)(?::|@|$)/;
