/** Command lines taken apart: what launches, what is launched, and the variables before it. */
import { withoutCmd } from './program.ts';

/** What is launched: a package that is fetched, a container, or a program that is on the machine. */
export type LaunchKind = 'package' | 'container' | 'program';

export interface Launch {
  readonly words: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
  /** The program that the line names first, without its folder. */
  readonly launcher: string;
  /** Undefined where that is launched itself. */
  readonly kind: LaunchKind | undefined;
  /** The package, the image or the program. */
  readonly subject: string;
  /** The first word behind it that is no option. */
  readonly then: string;
}

const launchers: ReadonlyMap<string, LaunchKind> = new Map([
  ...kinds(
    'package',
    'npx|bunx|pnpx|uvx|dnx|jbang|pnpm dlx|yarn dlx|bun x|npm exec|npm x|uv tool run|pipx run',
  ),
  ...kinds('package', 'dotnet tool exec|dotnet tool execute'),
  ...kinds('container', 'docker run|docker container run|podman run|nerdctl run'),
  ...kinds('program', 'node|deno|deno run|bun|bun run|python|python3|py|uv run|poetry run|pdm run|hatch run'),
  ...kinds('program', 'java|dotnet|dotnet run|go run|cargo run|php|ruby|pnpm exec|yarn exec'),
]);

function kinds(kind: LaunchKind, names: string): [string, LaunchKind][] {
  return names.split('|').map((name) => [name, kind]);
}

/** Options of launchers that are followed by a value. */
export const takesValue: ReadonlySet<string> = new Set([
  ...['--directory', '--project', '--from', '--with', '--with-requirements', '--python', '--package', '-p'],
  ...['--index', '--index-url', '--default-index', '--extra-index-url', '--source', '--env-file', '--env'],
  ...['-e', '--volume', '-v', '--mount', '--name', '--network', '--net', '--workdir', '-w', '--user', '-u'],
  ...['--platform', '--entrypoint', '--add-host', '--publish', '--label', '--spec', '--pull', '--group'],
]);

export function readLaunch(line: readonly string[]): Launch {
  const { words: all, variables } = withoutVariables(line);
  const words = withoutCmd(all) ?? all;
  const plain = words.filter((word, i) => !word.startsWith('-') && !takesValue.has(words[i - 1] ?? ''));
  const launcher = baseName(plain[0] ?? '');
  const names = [launcher, ...plain.slice(1, 3)];
  const count = [3, 2, 1].find((each) => launchers.has(names.slice(0, each).join(' '))) ?? 0;
  const kind = launchers.get(names.slice(0, count).join(' '));
  const [subject = '', then = ''] = plain.slice(kind ? count : 0);
  return { words, variables, launcher, kind, subject: kind ? subject : launcher, then };
}

/** Variables that are set before a command: `KEY=value npx ...`, `cmd /c "set KEY=value && npx ..."`. */
export function withoutVariables(words: readonly string[]): Pick<Launch, 'words' | 'variables'> {
  const inner = withoutCmd(words) ?? [];
  const and = inner[0] === 'set' ? inner.indexOf('&&') : -1;
  if (and > 0) return { words: inner.slice(and + 1), variables: pairs([inner.slice(1, and).join(' ')]) };
  const start = words[0] === 'env' ? 1 : 0;
  const end = words.findIndex((word, i) => i >= start && !/^[A-Za-z_]\w*=/.test(word));
  return { words: words.slice(Math.max(end, 0)), variables: pairs(words.slice(start, Math.max(end, start))) };
}

export function pairs(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(texts.map((text) => [text.replace(/=[^]*$/, ''), text.slice(text.indexOf('=') + 1)]));
}

export function isPath(program: string): boolean {
  return /^(?:\.{1,2}|~|[A-Za-z]:|\/[^/]+)[\\/]/.test(program);
}

/** A program without its folders and what Windows adds. */
function baseName(path: string): string {
  return path.replace(/^.*[\\/](?=[^\\/])/, '').replace(/\.(?:exe|cmd|bat)$/i, '');
}
