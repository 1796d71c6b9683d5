/**
 * A patch as `git diff --binary` writes it, read into its files. Byte for byte:
 * text is one character for each byte.
 */
import { createHash } from 'node:crypto';
import type { ChangedFile, ChangedFiles } from '../abilities/fileChanges.ts';
import { identifier } from '../http/wireValues.ts';

export interface FilePatch {
  /** Undefined if the file is added. The original of a copy. */
  readonly before: PatchSide | undefined;
  /** Undefined if the file is deleted. */
  readonly after: PatchSide | undefined;
  readonly body: PatchBody;
  /** True for a new file that Git writes as a copy of another one. */
  readonly isCopy: boolean;
}

interface PatchSide {
  readonly path: string;
  readonly mode: string | undefined;
  /** Hash of the contents, perhaps shortened. */
  readonly hash: string | undefined;
}

/** Git's modes for everything but an ordinary file. */
export const gitModes = {
  link: '120000',
  repository: '160000',
  executable: '100755',
};

type PatchBody =
  | { readonly kind: 'text'; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'binary'; readonly blocks: readonly BinaryBlock[] };

/**
 * Lines with their line breaks and the first character that they have in the
 * patch.
 */
export interface Hunk {
  /** The first line on each side, from 1; 0 for a side without lines. */
  readonly before: number;
  readonly after: number;
  readonly lines: readonly string[];
}

/**
 * A binary patch has two: the first leads to the new contents, the second back.
 */
export interface BinaryBlock {
  readonly kind: 'literal' | 'delta';
  readonly size: number;
  /** Lines of base 85, each with the character for its length. */
  readonly lines: readonly string[];
}

export class NoPatch extends Error {}

/** Throws NoPatch for a text that is no patch or ends too soon. */
export function readPatch(bytes: Uint8Array): FilePatch[] {
  const lines = new Lines(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
      'latin1',
    ),
  );
  const files: FilePatch[] = [];
  while (!lines.isOver) files.push(readFile(lines));
  return files;
}

/** Reads lines one by one, without their ends. */
class Lines {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isOver(): boolean {
    return this.#at >= this.#text.length;
  }

  get next(): string | undefined {
    if (this.isOver) return undefined;
    const end = this.#text.indexOf('\n', this.#at);
    return this.#text.slice(this.#at, end < 0 ? undefined : end);
  }

  takeLine(): string {
    const line = this.next;
    if (line === undefined) throw new NoPatch();
    this.#at += line.length + 1;
    return line;
  }

  /** Takes the next line if it has this beginning, and returns its rest. */
  takeAfter(beginning: RegExp): string | undefined {
    const [prefix] = beginning.exec(this.next ?? '') ?? [];
    return prefix === undefined
      ? undefined
      : this.takeLine().slice(prefix.length);
  }
}

function readFile(lines: Lines): FilePatch {
  const names = lines.takeAfter(/^diff --git /);
  if (names === undefined) throw new NoPatch();
  const header: Record<string, string | undefined> = {};
  for (;;) {
    const [, name = '', value = ''] = headerLine.exec(lines.next ?? '') ?? [];
    if (name === '') break;
    header[name] = value;
    lines.takeLine();
  }
  const [, hashBefore, hashAfter, unchanged] =
    /^([0-9a-f]+)\.\.([0-9a-f]+)(?: (\d+))?$/.exec(header.index ?? '') ?? [];
  const path = pathOf(names);
  const side = (
    moved: string | undefined,
    mode: string | undefined,
    hash: string | undefined,
  ) => {
    const at = moved === undefined ? path : unquoted(moved);
    if (at === undefined) throw new NoPatch();
    return { path: at, mode: mode ?? unchanged, hash };
  };
  const from = header['rename from'] ?? header['copy from'];
  const to = header['rename to'] ?? header['copy to'];
  const added = header['new file mode'];
  const deleted = header['deleted file mode'];
  return {
    before:
      added === undefined
        ? side(from, deleted ?? header['old mode'], hashBefore)
        : undefined,
    after:
      deleted === undefined
        ? side(to, added ?? header['new mode'], hashAfter)
        : undefined,
    body: readBody(lines),
    isCopy: header['copy from'] !== undefined,
  };
}

const headerLine =
  /^(old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to|similarity index|dissimilarity index|index) (.*)$/;

/**
 * The path of both sides, if they have the same. It is there twice, perhaps
 * after a letter each, and perhaps quoted.
 */
function pathOf(names: string): string | undefined {
  const quoted = /^("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/.exec(names);
  const half = (names.length - 1) / 2;
  const first = unquoted(quoted?.[1] ?? names.slice(0, half));
  const second = unquoted(quoted?.[2] ?? names.slice(half + 1));
  if (first === second) return first;
  const bare = (path: string) => path.replace(/^[a-z]\//, '');
  return bare(first) === bare(second) ? bare(first) : undefined;
}

function readBody(lines: Lines): PatchBody {
  if (lines.takeAfter(/^GIT binary patch/) !== undefined) {
    const blocks: BinaryBlock[] = [];
    for (let block = readBlock(lines); block; block = readBlock(lines))
      blocks.push(block);
    return { kind: 'binary', blocks };
  }
  if (lines.takeAfter(/^Binary files /) !== undefined)
    return { kind: 'binary', blocks: [] };
  if (lines.takeAfter(/^--- /) !== undefined) lines.takeAfter(/^\+\+\+ /);
  const hunks: Hunk[] = [];
  for (let hunk = readHunk(lines); hunk; hunk = readHunk(lines))
    hunks.push(hunk);
  return { kind: 'text', hunks };
}

function readBlock(lines: Lines): BinaryBlock | undefined {
  const [, kind, size] = /^(literal|delta) (\d+)$/.exec(lines.next ?? '') ?? [];
  if (kind === undefined) return undefined;
  lines.takeLine();
  const data: string[] = [];
  for (let line = lines.takeLine(); line !== ''; line = lines.takeLine())
    data.push(line);
  return { kind: kind as BinaryBlock['kind'], size: Number(size), lines: data };
}

function readHunk(lines: Lines): Hunk | undefined {
  const [, before, howManyBefore = '1', after, howManyAfter = '1'] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines.next ?? '') ?? [];
  if (before === undefined) return undefined;
  lines.takeLine();
  let left = Number(howManyBefore);
  let right = Number(howManyAfter);
  const hunkLines: string[] = [];
  while (left > 0 || right > 0 || lines.next?.startsWith('\\')) {
    const line = lines.takeLine();
    const [kind] = line;
    if (kind === '\\') {
      // The line before has no line break.
      hunkLines.push((hunkLines.pop() ?? '').replace(/\n$/, ''));
      continue;
    }
    if (kind !== ' ' && kind !== '-' && kind !== '+') throw new NoPatch();
    if (kind !== '+') left--;
    if (kind !== '-') right--;
    hunkLines.push(`${line}\n`);
  }
  return { before: Number(before), after: Number(after), lines: hunkLines };
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
};

/**
 * Decodes a path as Git prints it: a character for each byte, and quoted if it
 * is unusual.
 */
function unquoted(printed: string): string {
  const inside = /^"(.*)"$/s.exec(printed)?.[1];
  const bytes =
    inside?.replace(/\\([0-3][0-7]{2}|.)/gs, (_, code: string) =>
      /^\d/.test(code)
        ? String.fromCharCode(parseInt(code, 8))
        : (escapes[code] ?? code),
    ) ?? printed;
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The service's name for the branch of a detached head. */
const noBranch = 'DETACHED';

/**
 * Undefined if the bytes are not a patch. The headers have its commits, branch
 * and folder.
 */
export function filesOfPatch(
  bytes: Uint8Array,
  headers: Headers,
  folder: string,
): Omit<ChangedFiles, 'since'> | undefined {
  const header = (name: string) =>
    identifier(decoded(headers.get(`x-archive-${name}`) ?? ''));
  const branch = header('branch');
  try {
    const files = readPatch(bytes).map(changedFileOf);
    const byPath = new Map<string, ChangedFile>();
    for (const file of files)
      byPath.set(file.path, joined(byPath.get(file.path), file));
    return {
      files: [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
      root: header('repo-root') ?? folder,
      patch: {
        bytes,
        base: header('base-commit'),
        head: header('head-commit'),
        branch: branch === noBranch ? undefined : branch,
      },
    };
  } catch (error) {
    if (error instanceof NoPatch) return undefined;
    throw error;
  }
}

export function changedFileOf(patch: FilePatch): ChangedFile {
  const { before, after, body, isCopy } = patch;
  const path = (after ?? before)?.path ?? '';
  const status = statusOf(patch);
  // Git may shorten its hashes to a few digits, for which other contents can be
  // made.
  const changed = createHash('sha256')
    .update(JSON.stringify(body))
    .digest('base64url');
  const versions = [
    before?.mode,
    before?.hash,
    after?.mode,
    after?.hash,
    changed,
    ...(isCopy ? [before?.path] : []),
  ];
  return {
    path,
    status,
    from: status === 'moved' ? before?.path : undefined,
    version: versions.join(' '),
    modes: { before: isCopy ? undefined : before?.mode, after: after?.mode },
    binary: body.kind === 'binary',
    lines: isCopy ? undefined : linesOf(body),
  };
}

function statusOf({ before, after, isCopy }: FilePatch): ChangedFile['status'] {
  if (!before || isCopy) return 'added';
  if (!after) return 'deleted';
  return before.path === after.path ? 'updated' : 'moved';
}

function linesOf(body: PatchBody): ChangedFile['lines'] {
  if (body.kind === 'binary') return undefined;
  const lines = body.hunks.flatMap((hunk) => hunk.lines);
  const count = (kind: string) =>
    lines.filter((line) => line.startsWith(kind)).length;
  return { added: count('+'), removed: count('-') };
}

/**
 * Git writes a file that became a link, or a link that became a file, as a
 * deletion and an addition.
 */
function joined(
  file: ChangedFile | undefined,
  other: ChangedFile,
): ChangedFile {
  if (!file) return other;
  const [deleted, added] =
    file.status === 'deleted' ? [file, other] : [other, file];
  return {
    ...added,
    status: 'typeChanged',
    version: `${deleted.version ?? ''} ${added.version ?? ''}`,
    modes: { before: deleted.modes.before, after: added.modes.after },
    binary: deleted.binary || added.binary,
    lines: deleted.lines &&
      added.lines && {
        added: added.lines.added,
        removed: deleted.lines.removed,
      },
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
