/** What a command line starts, going by its words. Nothing is run or looked up. */
import { namedTransport } from '../dialects/dialects.ts';
import { isPath, type Launch, pairs, readLaunch } from './launchers.ts';

/** A `listener` is a server that is reached by an address once somebody has started it. */
export type Started = 'server' | 'listener' | 'installer' | 'inspector' | 'languageServer' | 'task' | 'usage';

/** Undefined where the words do not tell. */
export function whatStarts(line: readonly string[]): Started | undefined {
  const launch = readLaunch(line);
  const { words, launcher, kind, subject, then } = launch;
  const isMcp = words.some((word) => /mcp/i.test(word));
  if (kind && /^[<[]/.test(subject)) return 'usage';
  if (words.some((word) => /^--?(?:help|version)$/.test(word))) return 'task';
  if (inspectors.test(subject) || (/^(?:fast)?mcp$/.test(subject) && /^(?:dev|inspect)$/.test(then))) {
    return 'inspector';
  }
  if (words.join(' ') === 'docker mcp gateway run') return 'server';
  if (words.some((word) => /^--(?:[\w-]+-)?(?:setup|login|install)$/.test(word))) return 'installer';
  if (installingPackages.test(subject) || settingUp.test(then) || installingPrograms.test(subject)) {
    return 'installer';
  }
  if (!isMcp && languageServers.test(subject)) return 'languageServer';
  if (workingPackages.test(subject) || (kind === 'program' && working.test(subject))) return 'task';
  if ((kind === undefined && workingPrograms.test(launcher)) || working.test(then))
    return isMcp ? undefined : 'task';
  if (listens(launch)) return 'listener';
  const isNamed =
    isServerName(subject) || isServerName(then) || words.some((word) => /^(?:--)?stdio$/.test(word));
  switch (kind) {
    case 'container':
      return container(launch, isMcp);
    case 'package':
      return isNamed || isLikely(launch) ? 'server' : undefined;
    case 'program':
      return isNamed || (isMcp && entryPoint.test(subject)) ? 'server' : undefined;
    case undefined:
      return isServerProgram(launcher, words) ? 'server' : undefined;
  }
}

/** What a program is called in any project. */
const entryPoint = /(?:^|[\\/.])(?:main|index|server|app)(?:\.\w+)?$/;

/** Whether a package, a program or a module is called after what it is, as `weather-mcp` and `mcp_server_git`. */
function isServerName(name: string): boolean {
  if (/\s/.test(name)) return false;
  const base = name.replace(/(?<=.)@.*$/, '').replace(/^.*[\\/](?=[^\\/])/, '');
  const plain = base.replace(/\.(?:[cm]?[jt]s|py|jar|exe|cmd|sh)$/i, '').replace(/-\d[\d.]*$/, '');
  return plain.split(':').some((part) => /mcp$|mcp.*server|server.*mcp|^mcp-remote$/i.test(part));
}

/**
 * A package that is called otherwise may be a tool with commands of its own. And whoever starts a tool by hand can be
 * asked whether it may be fetched, but a server has nobody to ask.
 */
function isLikely({ words, launcher, subject, then }: Launch): boolean {
  if (/mcp|modelcontext/i.test(subject)) return !/^[a-z][a-z-]*$/.test(then);
  // A path or a value may follow, and no word of its own.
  if (subject === '' || !/^$|=|^[<{$.~/]|^[A-Za-z]:\\/.test(then)) return false;
  return launcher !== 'npx' || words.some((word) => /^(?:-y|--yes)$/.test(word));
}

/** Whether it is a command, and no name in a text: a path, or a program with options or with a command to start. */
function isServerProgram(program: string, words: readonly string[]): boolean {
  const [, next] = words;
  if (next === undefined) return isServerName(program) && isPath(words.join(''));
  if (/server|:/.test(next) && isServerName(next)) return true;
  return isServerName(program) && /^-|^(?:stdio|mcp|serve|server|start)$/.test(next);
}

/** Whether a server is told to wait for requests at a port, instead of reading them. */
function listens({ words, variables, subject }: Launch): boolean {
  const options = words.slice(words.indexOf(subject) + 1);
  const named = options.flatMap((word, i) => {
    const match = /^(?:-t|--(?:mcp-)?(?:transport|mode|protocol))(?:=(.*))?$/s.exec(word);
    return match ? [match[1] ?? options[i + 1] ?? ''] : [];
  });
  const given = words.flatMap((word, i) => (/^(?:-e|--env)$/.test(words[i - 1] ?? '') ? [word] : []));
  const set = [...variables, ...pairs(given)].flatMap(([name, value]) => {
    if (/(?:^|_)(?:HTTP|SSE)(?:_|$)/.test(name) && /^(?:1|true)$/i.test(value)) return ['http'];
    return /TRANSPORT(?:_MODE|_TYPE)?$/.test(name) ? [value] : [];
  });
  const transports = [
    ...named,
    ...set,
    ...options.filter((word) => /^(?:http|sse|streamable-?http)$/i.test(word)),
  ];
  // With an address, it is what a server is reached with that is elsewhere.
  if (transports.some((word) => /^(?:http|sse)$/.test(namedTransport(word) ?? ''))) {
    return !options.some((word) => /^https?:/.test(word));
  }
  if (transports.length > 0 || options.some((word) => /^(?:--)?stdio$/.test(word))) return false;
  return options.some((word) => /^--(?:port|listen|http|sse|streamable-?http)(?:-port)?(?:=|$)/i.test(word));
}

function container({ words, subject }: Launch, isMcp: boolean): Started | undefined {
  const options = words.slice(0, words.indexOf(subject));
  const has = (letter: string, name: string) =>
    options.some((word) => word === name || (/^-[a-z]+$/i.test(word) && word.includes(letter)));
  if (subject === '' || plainImages.test(subject)) return 'task';
  if (!has('i', '--interactive') || has('d', '--detach')) return isMcp ? 'listener' : 'task';
  return isMcp || !has('t', '--tty') ? 'server' : 'task';
}

/** Programs, packages and their commands by what they do, as far as names tell. */

/** They try servers out. */
export const inspectors = /(?:^|[/-])inspector(?:@|$)/;

/** They install or set up something, whatever they are told. */
export const installingPackages =
  /^(?:smithery|add-mcp|install-mcp|mcp-add|mcp-install|mcpm|skills|@smithery\/cli|(?:@[\w-]+\/)?(?:mcp-get|create-[\w-]+|(?:[\w-]+-)?wizard))(?:@|$)/;
export const installingPrograms =
  /^(?:pip3?|brew|apt(?:-get)?|yum|dnf|winget|choco|scoop|git|gem|conda|uv|docker|dotnet)$/;
export const settingUp =
  /^(?:(?:un)?install(?:-[\w-]+)?|i|ci|init|set-?up|add|remove|rm|create|new|config(?:ure)?|log(?:in|out)|auth|update|upgrade|publish|generate|deploy|doctor|migrate|clone|pull|register|get|download|venv|sync)$/;

/** They do something and end, whatever they are told. */
export const workingPackages =
  /^(?:@[\w-]+\/)?(?:prettier|eslint|biome|tsc|typescript|tsx|ts-node|vitest|jest|mocha|playwright|cypress|vite|next|nx|turbo|wrangler|vercel|netlify|serve|http-server|nodemon|rimraf|degit|husky|lint-staged|ncu|cowsay|ruff|black|mypy|pyright|pytest|tox|nox|pre-commit|cookiecutter|twine|poetry|jupyter|mcp-scan|mcp-cli|mcptools|mcp-publisher)(?:@|$)/;
export const workingPrograms =
  /^(?:npm|pnpm|yarn|make|just|task|cargo|gradlew?|mvnw?|go|echo|cat|curl|wget|ls|rm|cp|mv|mkdir|chmod|cd|source|sleep|grep|sed|awk|kill|pytest|eslint|prettier|tsc|jest|vitest|ruff|black|mypy)$/;
export const working =
  /^(?:build|compile|test|lint|format|fmt|check|fix|clean|list|ls|help|version|status|audit|scan|search|show|call|inspect|eval|go|chat|edit|batch)$/;

export const languageServers =
  /language-?server|langserver|(?:^|[/-])lsp(?:-|$)|^(?:gopls|clangd|rust-analyzer|pylsp|jdtls|solargraph)$/i;

/** They do nothing without a command of their own. */
export const plainImages =
  /^(?:(?:docker\.io\/)?library\/)?(?:ubuntu|debian|alpine|busybox|fedora|centos|hello-world|node|python|golang|rust|openjdk|ruby|php|nginx|httpd|redis|postgres|mysql|mongo)(?::|@|$)/;
