import {
  type ChangedFile,
  type ChangedFiles,
  type FileSide,
  type FileSides,
  refBefore,
} from '../fileChanges.ts';
import { maxSideSize, undoPatch, wholeSide } from '../git/backwards.ts';
import { changedFileOf, type FilePatch, gitModes, readPatch } from '../git/patch.ts';
import { isTooLarge, isUnknownId } from '../requests.ts';
import type { CallOptions, Download } from '../transport.ts';
import { isObject } from '../wireValues.ts';
import { absolutePath, type FileRequests } from './fileRequests.ts';

const none: FileSide = { kind: 'none' };
const unknown: FileSide = { kind: 'unknown' };

/** The files of patches that are in use: they are read once for all their files. */
const readPatches = new WeakMap<Uint8Array, ReadonlyMap<string, FilePatch>>();

/** Reads both sides of one file: from the patch and proven by its hashes, or else from the texts of the service. */
export class SidesReader {
  readonly #requests: FileRequests;
  readonly #id: string;
  readonly #files: ChangedFiles;
  readonly #file: ChangedFile;
  readonly #call: CallOptions;

  constructor(requests: FileRequests, id: string, files: ChangedFiles, file: ChangedFile, call: CallOptions) {
    this.#requests = requests;
    this.#id = id;
    this.#files = files;
    this.#file = file;
    this.#call = call;
  }

  async read(): Promise<FileSides> {
    const { modes, status } = this.#file;
    const patch = filePatch(this.#files, this.#file);
    const whole = patch && wholeSide(patch);
    if (patch && whole) {
      const side = sideOf(whole, modes.before ?? modes.after);
      return patch.before ? { before: side, after: none } : { before: none, after: side };
    }
    const isSpecial = [modes.before, modes.after].some(
      (mode) => mode === gitModes.link || mode === gitModes.repository,
    );
    if (patch && isSpecial) return specialSides(patch, this.#file);
    const isCurrent = status !== 'deleted' && typeof this.#files.since !== 'object';
    const after = isCurrent ? await this.#download() : undefined;
    if (patch && after?.kind === 'bytes') {
      const before = undoPatch(patch, after.bytes);
      if (before) return { before: sideOf(before, modes.before), after };
    }
    // The file was changed after the patch was made: then the texts are the best that there is.
    return await this.#texts(after);
  }

  /** The path of the file, spelt like the root. */
  get #path(): string {
    const { root } = this.#files;
    return root.endsWith('/') ? `${root}${this.#file.path}` : `${root}/${this.#file.path}`;
  }

  async #download(): Promise<FileSide> {
    const query = { path: absolutePath(this.#path) };
    try {
      const { bytes } = await this.#atRoot<Download>((path) => {
        const sent = { path: [...path, 'file', 'download'], query, bodyLimit: maxSideSize };
        return this.#requests.download('readChangedFile', sent, this.#call);
      });
      return { kind: 'bytes', bytes, exact: true };
    } catch (error) {
      if (isTooLarge(error)) return { kind: 'tooLarge' };
      // The path leads out of the folder, or the file is gone.
      if (isUnknownId(error)) return unknown;
      throw error;
    }
  }

  async #texts(after: FileSide | undefined): Promise<FileSides> {
    const { since, patch } = this.#files;
    const { status } = this.#file;
    const ref = refBefore(since) ?? patch?.base;
    const query = { path: this.#path, ...(typeof since === 'object' ? { commit: since.commit } : { ref }) };
    let [before, now]: [FileSide, FileSide] = [unknown, unknown];
    try {
      const answer = await this.#atRoot((path) => {
        const sent = { path: [...path, 'git', 'diff'], query, bodyLimit: 10_000_000 };
        return this.#requests.send('readChangedFile', sent, this.#call);
      });
      const { original, modified } = isObject(answer) ? answer : {};
      [before, now] = [textSide(original, after), textSide(modified, undefined)];
    } catch (error) {
      if (!isUnknownId(error)) throw error;
      const { failure } = error;
      if (failure.kind === 'rejected' && /too large/i.test(failure.detail ?? ''))
        before = now = { kind: 'tooLarge' };
    }
    return {
      before: status === 'added' ? none : before,
      after: status === 'deleted' ? none : after?.kind === 'bytes' ? after : now,
    };
  }

  async #atRoot<T>(send: (path: readonly string[]) => Promise<T>): Promise<T> {
    return await this.#requests.atFolder(this.#id, this.#files.root, this.#call, send);
  }
}

function filePatch({ patch }: ChangedFiles, { path }: ChangedFile): FilePatch | undefined {
  if (!patch) return undefined;
  const known =
    readPatches.get(patch.bytes) ??
    new Map(readPatch(patch.bytes).map((one) => [changedFileOf(one).path, one] as const));
  readPatches.set(patch.bytes, known);
  return known.get(path);
}

/** A text of the service, which has lost its last line break: it gets the one that the other side has. */
function textSide(text: unknown, other: FileSide | undefined): FileSide {
  if (typeof text !== 'string') return unknown;
  // Replacements of bytes that are not text.
  if (text.includes('\u0000') || text.includes('\uFFFD')) return unknown;
  const ends = text !== '' && other?.kind === 'bytes' && other.bytes.at(-1) === 10;
  return { kind: 'bytes', bytes: Buffer.from(ends ? `${text}\n` : text, 'utf8'), exact: false };
}

function sideOf(bytes: Uint8Array, mode: string | undefined): FileSide {
  const text = () => Buffer.from(bytes).toString('utf8');
  if (mode === gitModes.link) return { kind: 'link', target: text() };
  if (mode === gitModes.repository)
    return { kind: 'repository', commit: text().replace(/^Subproject commit |\s+$/g, '') };
  return { kind: 'bytes', bytes, exact: true };
}

/** A link or a repository on both sides: the patch has the whole of both, which are a line each. */
function specialSides({ body }: FilePatch, { modes }: ChangedFile): FileSides {
  const lines = body.kind === 'text' ? body.hunks.flatMap((hunk) => hunk.lines) : [];
  const side = (sign: string, mode: string | undefined): FileSide => {
    const found = lines.find((one) => one.startsWith(sign));
    return found === undefined ? unknown : sideOf(Buffer.from(found.slice(1), 'latin1'), mode);
  };
  return { before: side('-', modes.before), after: side('+', modes.after) };
}
