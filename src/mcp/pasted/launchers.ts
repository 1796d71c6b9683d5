/** Command lines taken apart: what launches, what is launched, and the variables before it. */
import { withoutCmd } from './program.ts';

/** What is launched: a package that is fetched, a container, or a program that is on the machine. */
type LaunchKind = 'package' | 'container' | 'program';

export interface Launch {
  readonly words: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
  /** The program that the line names first, without its folder. */
  readonly launcher: string;
  /** Undefined where that is launched itself. */
  readonly kind: LaunchKind | undefined;
  /** The package, the image or the program. */
  readonly subject: string;
  /** The first word after it that is not an option. */
  readonly then: string;
}

/** The words of a line that launch something, options apart. */
const launching: readonly (readonly [LaunchKind, RegExp])[] = [
  [
    'package',
    /^(?:npx|bunx|pnpx|uvx|dnx|jbang|(?:pnpm|yarn) dlx|npm (?:exec|x)|bun x|uv tool run|pipx run)(?= |$)/,
  ],
  ['package', /^dotnet tool exec(?:ute)?(?= |$)/],
  ['container', /^(?:docker(?: container)?|podman|nerdctl) run(?= |$)/],
  [
    'program',
    /^(?:(?:deno|bun|dotnet)(?: run)?|(?:uv|poetry|pdm|hatch|go|cargo) run|(?:pnpm|yarn) exec)(?= |$)/,
  ],
  ['program', /^(?:node|python3?|py|java|php|ruby)(?= |$)/],
];

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
  const start = [launcher, ...plain.slice(1, 3)].join(' ');
  const [kind, pattern] = launching.find(([, each]) => each.test(start)) ?? [];
  const count = pattern?.exec(start)?.[0].split(' ').length ?? 0;
  const [subject = '', then = ''] = plain.slice(count);
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
