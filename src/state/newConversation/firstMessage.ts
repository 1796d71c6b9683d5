/**
 * Composes the message of a conversation that starts from the editor, without
 * secrets.
 */
import { isThisMachine } from '../../base/loopback.ts';
import { plainText } from '../../base/plainText.ts';
import type { Creation } from '../../service/abilities/agentService.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import { isSecretFile } from './secretFiles.ts';
import { type Cleaned, withoutSecrets } from './withoutSecrets.ts';

export interface LocalFile {
  /** Relative to its repository, or else its folder. */
  readonly path: string;
  readonly language: string;
  /** Undefined for a binary file. */
  readonly text: string | undefined;
  readonly isIgnored: boolean;
  /** True if a link hides that the file is elsewhere, or meant for secrets. */
  readonly isConcealed: boolean;
  readonly isUnsaved: boolean;
  /** `undefined` outside a repository with a remote. */
  readonly version: 'pushed' | 'unpushed' | 'uncommitted' | undefined;
}

/** Lines of a file, counted from 1, with their problems. */
export interface CodeRange {
  readonly file: LocalFile;
  readonly first: number;
  readonly last: number;
  readonly problems: readonly string[];
}

interface FailedTest {
  readonly name: string;
  /** Undefined if only the test is known. */
  readonly message?: string | undefined;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
}

/** `diff` is undefined for binary files. */
export interface UncommittedChange {
  readonly path: string;
  readonly diff: string | undefined;
  readonly isIgnored: boolean;
}

export interface MessageMaterial {
  readonly from:
    'selection' | 'problem' | 'test' | 'changes' | 'conflict' | 'place';
  readonly pointed: readonly CodeRange[];
  readonly test?: FailedTest | undefined;
  readonly changes: readonly UncommittedChange[];
  /** The number of further changes. */
  readonly moreChanges?: number | undefined;
}

/**
 * The agent reads files from the repository, from this very folder, or not at
 * all.
 */
export type AgentAccess = 'repository' | 'folder' | 'none';

/**
 * A service on this machine that has the folder at the same path works in that
 * very folder.
 */
export async function agentAccess(
  { folders }: Pick<Creation, 'folders'>,
  address: string,
  folder: string | undefined,
): Promise<AgentAccess> {
  if (!folders) return 'repository';
  if (folder === undefined || !isThisMachine(new URL(address).hostname))
    return 'none';
  try {
    await folders.below(folder, { size: 1 }).next();
    return 'folder';
  } catch (error) {
    if (error instanceof ServiceError) return 'none';
    throw error;
  }
}

/** The reason why the agent sees another version of the file. */
export type UnreachableReason =
  'unsaved' | 'uncommitted' | 'unpushed' | 'otherMachine';

type WhyNothing = 'ignored' | 'secretFile' | 'concealed' | 'notText';

export type LeftOutFile =
  | { readonly path: string; readonly why: WhyNothing | 'tooLarge' }
  | {
      readonly path: string;
      readonly why: 'secret';
      readonly lines: readonly number[];
    };

export interface QuotedText {
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

interface Quote extends QuotedText {
  readonly first: number;
  readonly last: number;
  /** Set for a whole file of which the agent has another version. */
  readonly why?: UnreachableReason;
}

export interface FirstMessage {
  readonly from: MessageMaterial['from'];
  readonly references: readonly (Omit<CodeRange, 'file'> & {
    readonly path: string;
  })[];
  readonly quotes: readonly Quote[];
  readonly test: FailedTest | undefined;
  /** Named without diffs if the agent sees the changes itself. */
  readonly changedPaths: readonly string[];
  readonly moreChanges: number;
  readonly diffs: readonly QuotedText[];
  readonly whole: readonly (QuotedText & { readonly why: UnreachableReason })[];
  readonly leftOut: readonly LeftOutFile[];
}

const maxFileLength = 60_000;
const longest = 200_000;

export function firstMessageOf(
  { from, pointed, test, changes, moreChanges = 0 }: MessageMaterial,
  way: AgentAccess,
): FirstMessage {
  const texts = new SendableTexts();
  const quotes = quotesOf(pointed, from !== 'place', texts);
  const whole = unreachableFiles(pointed, way, texts);
  const { changedPaths, diffs } = diffsOf(changes, way, texts);
  return {
    from,
    references: pointed.map(({ file: { path }, problems, ...lines }) => ({
      ...lines,
      path,
      problems: problems.map((problem) =>
        plainText(withoutSecrets(problem, '').text, 1_000),
      ),
    })),
    quotes: quotes.map((quote) => {
      const file = whole.find((one) => isSameText(one, quote));
      return file ? { ...quote, why: file.why } : quote;
    }),
    test: test && cleanTest(test, texts),
    changedPaths,
    moreChanges,
    diffs,
    // A file that is selected as a whole is quoted already.
    whole: whole.filter(
      (one) => !quotes.some((quote) => isSameText(one, quote)),
    ),
    leftOut: texts.leftOut,
  };
}

function quotesOf(
  pointed: readonly CodeRange[],
  isQuoted: boolean,
  texts: SendableTexts,
): readonly Quote[] {
  return pointed.flatMap(({ file, first, last }) => {
    const { path, language } = file;
    const why = whyNothing(file);
    if (why !== undefined) texts.leaveOut({ path, why });
    if (why !== undefined || !isQuoted) return [];
    const text = texts.take(path, linesOf(file, first, last));
    return text === undefined ? [] : [{ path, language, first, last, text }];
  });
}

/** The files of which the agent has another version, or none. */
function unreachableFiles(
  pointed: readonly CodeRange[],
  way: AgentAccess,
  texts: SendableTexts,
): FirstMessage['whole'] {
  return [...new Set(pointed.map(({ file }) => file))].flatMap((file) => {
    const { path, language } = file;
    const why = unreachableReason(file, way);
    if (why === undefined || whyNothing(file) !== undefined) return [];
    const text = texts.take(path, cleanFile(file.text ?? '', path));
    return text === undefined ? [] : [{ path, language, why, text }];
  });
}

function diffsOf(
  changes: readonly UncommittedChange[],
  way: AgentAccess,
  texts: SendableTexts,
): Pick<FirstMessage, 'changedPaths' | 'diffs'> {
  const diffs: QuotedText[] = [];
  const changedPaths: string[] = [];
  for (const { path, diff, isIgnored } of changes) {
    if (isIgnored || isSecretFile(path)) {
      texts.leaveOut({ path, why: isIgnored ? 'ignored' : 'secretFile' });
      continue;
    }
    changedPaths.push(path);
    if (way === 'folder') continue;
    if (diff === undefined) {
      texts.leaveOut({ path, why: 'notText' });
      continue;
    }
    // Lines of a diff are not lines of the file.
    const text = texts.take(path, cleanFile(diff, path), []);
    if (text !== undefined) diffs.push({ path, language: 'diff', text });
  }
  return { changedPaths, diffs };
}

function isSameText(one: QuotedText, other: QuotedText): boolean {
  return one.path === other.path && one.text.trim() === other.text.trim();
}

function whyNothing({
  path,
  text,
  isIgnored,
  isConcealed,
}: LocalFile): WhyNothing | undefined {
  if (isSecretFile(path)) return 'secretFile';
  if (isConcealed) return 'concealed';
  if (isIgnored) return 'ignored';
  return text === undefined ? 'notText' : undefined;
}

export function unreachableReason(
  { isUnsaved, version }: LocalFile,
  way: AgentAccess,
): UnreachableReason | undefined {
  if (way === 'none' || (way === 'repository' && version === undefined))
    return 'otherMachine';
  if (isUnsaved) return 'unsaved';
  return way === 'folder' || version === 'pushed' ? undefined : version;
}

function cleanFile(text: string, path: string): Cleaned | undefined {
  return text.length > maxFileLength ? undefined : withoutSecrets(text, path);
}

/** Cleans the whole file first, because secrets show by their context. */
function linesOf(
  { path, text = '' }: LocalFile,
  first: number,
  last: number,
): Cleaned {
  const part = (all: string) =>
    all
      .split('\n')
      .slice(first - 1, last)
      .join('\n');
  if (text.length > 5 * maxFileLength) {
    const { text: cleaned, lines } = withoutSecrets(part(text), path);
    return { text: cleaned, lines: lines.map((line) => line + first - 1) };
  }
  const { text: cleaned, lines } = withoutSecrets(text, path);
  return {
    text: part(cleaned),
    lines: lines.filter((line) => line >= first && line <= last),
  };
}

function cleanTest(
  { name, message, expected, actual }: FailedTest,
  texts: SendableTexts,
): FailedTest {
  const displayName = plainText(name, 300);
  const clean = (text: string | undefined) => {
    if (text === undefined) return undefined;
    const { text: cleaned, lines } = withoutSecrets(
      text.slice(0, maxFileLength),
      '',
    );
    if (lines.length > 0) texts.leaveOutSecrets(displayName, []);
    return cleaned;
  };
  return {
    name: displayName,
    message: clean(message),
    expected: clean(expected),
    actual: clean(actual),
  };
}

/** Counts the texts of a message, and lists what it leaves out. */
class SendableTexts {
  #left = longest;
  /** Each file once per reason. */
  leftOut: readonly LeftOutFile[] = [];

  /** Returns a text to send; `undefined` if it is too large. */
  take(
    path: string,
    cleaned: Cleaned | undefined,
    lines = cleaned?.lines,
  ): string | undefined {
    if (!cleaned || cleaned.text.length > this.#left) {
      this.leaveOut({ path, why: 'tooLarge' });
      return undefined;
    }
    this.#left -= cleaned.text.length;
    if (cleaned.lines.length > 0) this.leaveOutSecrets(path, lines ?? []);
    return cleaned.text;
  }

  leaveOut(file: LeftOutFile): void {
    const isListed = this.leftOut.some(
      ({ path, why }) => path === file.path && why === file.why,
    );
    if (!isListed) this.leftOut = [...this.leftOut, file];
  }

  /** Empty lines mean an unknown place. */
  leaveOutSecrets(path: string, moreLines: readonly number[]): void {
    const same = (one: LeftOutFile): one is LeftOutFile & { why: 'secret' } =>
      one.path === path && one.why === 'secret';
    const before = this.leftOut.find(same)?.lines ?? [];
    const lines = [...new Set([...before, ...moreLines])].sort((a, b) => a - b);
    this.leftOut = [
      ...this.leftOut.filter((one) => !same(one)),
      { path, why: 'secret', lines },
    ];
  }
}

export type StartingPoint =
  | { readonly from: 'editor' }
  | {
      readonly from: 'problem';
      readonly address: string;
      readonly range: readonly [number, number, number, number];
    }
  | {
      readonly from: 'test';
      readonly test: FailedTest;
      readonly address?: string | undefined;
      readonly line: number;
    }
  /** All uncommitted changes of a repository, or these files. */
  | {
      readonly from: 'changes';
      readonly root?: string | undefined;
      readonly addresses?: readonly string[] | undefined;
    };

/** Finds merge conflicts by their markers. Lines are counted from 1. */
export function conflictsIn(
  text: string,
): readonly Pick<CodeRange, 'first' | 'last'>[] {
  const ranges: Pick<CodeRange, 'first' | 'last'>[] = [];
  let begun: number | undefined;
  text.split('\n').forEach((line, at) => {
    if (/^<{7}(?: |\r?$)/.test(line)) begun = at + 1;
    if (begun === undefined || !/^>{7}(?: |\r?$)/.test(line)) return;
    ranges.push({ first: begun, last: at + 1 });
    begun = undefined;
  });
  return ranges;
}
