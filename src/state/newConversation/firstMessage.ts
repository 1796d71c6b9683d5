/** What the message of a conversation that starts from the editor says of files, and what it leaves out. */
import { plainText } from '../../base/plainText.ts';
import { isSecretFile } from './secretFiles.ts';
import { withoutSecrets } from './withoutSecrets.ts';

/** A file as it is on this machine. */
export interface LocalFile {
  /** From the root of its repository, or else of its folder. */
  readonly path: string;
  readonly language: string;
  /** Undefined if it is not text. */
  readonly text: string | undefined;
  readonly isIgnored: boolean;
  /** True if it is behind a link that hides that it is elsewhere, or for secrets. */
  readonly isConcealed: boolean;
  readonly isUnsaved: boolean;
  /** Where its newest version is; undefined if it is in no repository that has a remote. */
  readonly version: 'pushed' | 'unpushed' | 'uncommitted' | undefined;
}

/** Lines of a file, from 1, and what is wrong there. */
export interface CodeRange {
  readonly file: LocalFile;
  readonly first: number;
  readonly last: number;
  readonly problems: readonly string[];
}

export interface FailedTest {
  readonly name: string;
  /** Undefined where only the test is known, and not how it failed. */
  readonly message?: string | undefined;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
}

/** A change that is not committed; undefined where it cannot be shown as text. */
export interface UncommittedChange {
  readonly path: string;
  readonly diff: string | undefined;
  readonly isIgnored: boolean;
}

export interface MessageMaterial {
  readonly from: 'selection' | 'problem' | 'test' | 'changes' | 'conflict' | 'place';
  readonly pointed: readonly CodeRange[];
  readonly test?: FailedTest | undefined;
  readonly changes: readonly UncommittedChange[];
}

/** How the agent gets at files: from the repository, in the very folder on this machine, or not at all. */
export type AgentAccess = 'repository' | 'folder' | 'none';

/** Why the agent cannot read a file as it is here. */
export type UnreachableReason = 'unsaved' | 'uncommitted' | 'unpushed' | 'otherMachine';

type WhyNothing = 'ignored' | 'secretFile' | 'concealed' | 'notText';

export type LeftOutFile =
  | { readonly path: string; readonly why: WhyNothing | 'tooLarge' }
  | { readonly path: string; readonly why: 'secret'; readonly lines: readonly number[] };

export interface QuotedText {
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

export interface FirstMessage {
  readonly from: MessageMaterial['from'];
  readonly references: readonly (Omit<CodeRange, 'file'> & { readonly path: string })[];
  readonly quotes: readonly (QuotedText & { readonly first: number; readonly last: number })[];
  readonly test: FailedTest | undefined;
  /** Only named where the agent sees them itself. */
  readonly changedPaths: readonly string[];
  readonly diffs: readonly QuotedText[];
  readonly whole: readonly (QuotedText & { readonly why: UnreachableReason })[];
  readonly leftOut: readonly LeftOutFile[];
}

/** In characters: of one file, and of everything. */
const longestFile = 60_000;
const longest = 200_000;

export function firstMessageOf(
  { from, pointed, test, changes }: MessageMaterial,
  way: AgentAccess,
): FirstMessage {
  const budget = new Budget();
  const leftOut = new LeftOutOnce();
  const quotes: FirstMessage['quotes'][number][] = [];
  const whole: FirstMessage['whole'][number][] = [];
  for (const { file, first, last } of pointed) {
    const { path, language } = file;
    const why = whyNothing(file);
    if (why !== undefined) leftOut.add({ path, why });
    if (why !== undefined || from === 'place') continue;
    const { text, lines } = linesOf(file, first, last);
    if (!budget.takes(text)) leftOut.add({ path, why: 'tooLarge' });
    else {
      quotes.push({ path, language, first, last, text });
      if (lines.length > 0) leftOut.secrets(path, lines);
    }
  }
  for (const file of new Set(pointed.map(({ file }) => file))) {
    const { path, language, text = '' } = file;
    const why = unreachableReason(file, way);
    if (why === undefined || whyNothing(file) !== undefined) continue;
    const cleaned = text.length > longestFile ? undefined : withoutSecrets(text, path);
    if (!cleaned || !budget.takes(cleaned.text)) leftOut.add({ path, why: 'tooLarge' });
    else {
      whole.push({ path, language, why, text: cleaned.text });
      if (cleaned.lines.length > 0) leftOut.secrets(path, cleaned.lines);
    }
  }
  const diffs: QuotedText[] = [];
  const changedPaths: string[] = [];
  for (const { path, diff, isIgnored } of changes) {
    const why = isIgnored ? 'ignored' : isSecretFile(path) ? 'secretFile' : undefined;
    if (why !== undefined) {
      leftOut.add({ path, why });
      continue;
    }
    changedPaths.push(path);
    if (way === 'folder') continue;
    const cleaned = diff === undefined || diff.length > longestFile ? undefined : withoutSecrets(diff, path);
    if (diff === undefined) leftOut.add({ path, why: 'notText' });
    else if (!cleaned || !budget.takes(cleaned.text)) leftOut.add({ path, why: 'tooLarge' });
    else {
      diffs.push({ path, language: 'diff', text: cleaned.text });
      // The lines of a diff are not those of the file.
      if (cleaned.lines.length > 0) leftOut.secrets(path, []);
    }
  }
  return {
    from,
    references: pointed.map(({ file: { path }, problems, ...lines }) => ({
      ...lines,
      path,
      problems: problems.map((problem) => plainText(withoutSecrets(problem, '').text, 1_000)),
    })),
    // A selection of the whole file is in the message once.
    quotes: quotes.filter(
      ({ path, text }) => !whole.some((one) => one.path === path && one.text.trim() === text.trim()),
    ),
    test: test && cleanTest(test, leftOut),
    changedPaths,
    diffs,
    whole,
    leftOut: leftOut.all,
  };
}

/** Why nothing at all of it goes into a message. */
function whyNothing({ path, text, isIgnored, isConcealed }: LocalFile): WhyNothing | undefined {
  if (isSecretFile(path)) return 'secretFile';
  if (isConcealed) return 'concealed';
  if (isIgnored) return 'ignored';
  return text === undefined ? 'notText' : undefined;
}

export function unreachableReason(
  { isUnsaved, version }: LocalFile,
  way: AgentAccess,
): UnreachableReason | undefined {
  if (way === 'none' || (way === 'repository' && version === undefined)) return 'otherMachine';
  if (isUnsaved) return 'unsaved';
  return way === 'folder' || version === 'pushed' ? undefined : version;
}

/** Whole lines. What is around them tells which are part of a secret. */
function linesOf({ path, text = '' }: LocalFile, first: number, last: number) {
  const part = (all: string) =>
    all
      .split('\n')
      .slice(first - 1, last)
      .join('\n');
  if (text.length > 5 * longestFile) {
    const { text: cleaned, lines } = withoutSecrets(part(text), path);
    return { text: cleaned, lines: lines.map((line) => line + first - 1) };
  }
  const { text: cleaned, lines } = withoutSecrets(text, path);
  return { text: part(cleaned), lines: lines.filter((line) => line >= first && line <= last) };
}

function cleanTest({ name, message, expected, actual }: FailedTest, leftOut: LeftOutOnce): FailedTest {
  const shown = plainText(name, 300);
  const clean = (text: string | undefined) => {
    if (text === undefined) return undefined;
    const { text: cleaned, lines } = withoutSecrets(text.slice(0, longestFile), '');
    if (lines.length > 0) leftOut.secrets(shown, []);
    return cleaned;
  };
  return { name: shown, message: clean(message), expected: clean(expected), actual: clean(actual) };
}

class Budget {
  #left = longest;

  takes({ length }: string): boolean {
    if (length > this.#left) return false;
    this.#left -= length;
    return true;
  }
}

/** Each file once for each reason. */
class LeftOutOnce {
  #all: readonly LeftOutFile[] = [];

  get all(): readonly LeftOutFile[] {
    return this.#all;
  }

  add(one: LeftOutFile): void {
    if (!this.#all.some(({ path, why }) => path === one.path && why === one.why))
      this.#all = [...this.#all, one];
  }

  /** Without lines: somewhere in it. */
  secrets(path: string, found: readonly number[]): void {
    const same = (one: LeftOutFile): one is LeftOutFile & { why: 'secret' } =>
      one.path === path && one.why === 'secret';
    const before = this.#all.find(same)?.lines ?? [];
    const lines = [...new Set([...before, ...found])].sort((a, b) => a - b);
    this.#all = [...this.#all.filter((one) => !same(one)), { path, why: 'secret', lines }];
  }
}
