/** What a command line starts, going by its words. Nothing is run or looked up. */
import { namedTransport } from '../dialects/dialects.ts';
import {
  inspectors,
  installingPackages,
  installingPrograms,
  languageServers,
  plainImages,
  settingUp,
  working,
  workingPackages,
  workingPrograms,
} from './commandWords.ts';
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
