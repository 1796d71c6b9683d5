import type { ChangedFile, ChangedFiles, Side, Sides } from '../fileChanges.ts';
import { largestSide, undone, wholeSide } from '../git/backwards.ts';
import { changedFile } from '../git/filesOfPatch.ts';
import { type FilePatch, readPatch } from '../git/patch.ts';
import { ServiceError } from '../serviceError.ts';
import type { CallOptions } from '../transport.ts';
import { isObject } from '../wireValues.ts';
import { absolutePath } from './agentPath.ts';
import type { FileRequests } from './fileRequests.ts';

const none: Side = { kind: 'none' };
const unknown: Side = { kind: 'unknown' };
const link = '120000';
const repository = '160000';

/** The last that was read, because its files are asked for one after the other. */
const read = new WeakMap<Uint8Array, ReadonlyMap<string, FilePatch>>();

function patchOf({ patch }: ChangedFiles, { path }: ChangedFile): FilePatch | undefined {
  if (!patch) return undefined;
  const known =
    read.get(patch.bytes) ??
    new Map(readPatch(patch.bytes).map((one) => [changedFile(one).path, one] as const));
  read.set(patch.bytes, known);
  return known.get(path);
}

/** By the patch where there is one, which is proven by the hashes in it, and otherwise as the service tells it. */
export async function readSides(
  requests: FileRequests,
  held: <T>(ask: (path: readonly string[]) => Promise<T>) => Promise<T>,
  files: ChangedFiles,
  file: ChangedFile,
  call: CallOptions,
): Promise<Sides> {
  const patch = patchOf(files, file);
  const isSpecial = [file.modes.before, file.modes.after].some(
    (mode) => mode === link || mode === repository,
  );
  const whole = patch && wholeSide(patch);
  if (patch && whole) {
    const side = asSide(whole, file.modes.before ?? file.modes.after);
    return patch.before ? { before: side, after: none } : { before: none, after: side };
  }
  if (patch && isSpecial) return specialSides(patch, file);
  const after = file.status === 'deleted' || typeof files.since === 'object' ? undefined : await download();
  if (patch && after?.kind === 'bytes') {
    const before = undone(patch, after.bytes);
    if (before) return { before: asSide(before, file.modes.before), after };
  }
  // It has been changed since the patch was made: then this tells what it can.
  return await told(after);

  async function download(): Promise<Side> {
    const query = { path: absolutePath(inRoot(files, file.path)) };
    try {
      const { bytes } = await held((path) => {
        const sent = { path: [...path, 'file', 'download'], query, bodyLimit: largestSide };
        return requests.download('readChangedFile', sent, call);
      });
      return { kind: 'bytes', bytes, exact: true };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { failure } = error;
      if (failure.kind === 'notUnderstood' && failure.tooLarge) return { kind: 'tooLarge' };
      // It leads out of the folder, or is gone by now.
      if (failure.kind === 'rejected' || failure.kind === 'notFound') return unknown;
      throw error;
    }
  }

  async function told(after: Side | undefined): Promise<Sides> {
    const { since } = files;
    const query = {
      path: inRoot(files, file.path),
      ...(typeof since === 'object' ? { commit: since.commit } : { ref: refOf(files) }),
    };
    try {
      const answer = await held((path) => {
        const sent = { path: [...path, 'git', 'diff'], query, bodyLimit: 10_000_000 };
        return requests.send('readChangedFile', sent, call);
      });
      const { original, modified } = isObject(answer) ? answer : {};
      const before = file.status === 'added' ? none : textSide(original, after);
      if (file.status === 'deleted') return { before, after: none };
      return { before, after: after?.kind === 'bytes' ? after : textSide(modified, undefined) };
    } catch (error) {
      if (!(error instanceof ServiceError) || !['rejected', 'notFound'].includes(error.kind)) throw error;
      const isLarge = error.failure.kind === 'rejected' && /too large/i.test(error.failure.detail ?? '');
      const side: Side = isLarge ? { kind: 'tooLarge' } : unknown;
      const known = after?.kind === 'bytes' ? after : side;
      if (file.status === 'deleted') return { before: side, after: none };
      return { before: file.status === 'added' ? none : side, after: known };
    }
  }
}

function refOf({ since, patch }: ChangedFiles): string | undefined {
  return since === 'lastCommit' ? 'HEAD' : patch?.base;
}

/** A text of the service, which has lost its last line break: it gets the one that the other side has. */
function textSide(text: unknown, other: Side | undefined): Side {
  if (typeof text !== 'string') return unknown;
  // What replaces bytes that are not text.
  if (text.includes('\u0000') || text.includes('\uFFFD')) return unknown;
  const ends = text !== '' && other?.kind === 'bytes' && other.bytes.at(-1) === 10;
  return { kind: 'bytes', bytes: Buffer.from(ends ? `${text}\n` : text, 'utf8'), exact: false };
}

function asSide(bytes: Uint8Array, mode: string | undefined): Side {
  const text = () => Buffer.from(bytes).toString('utf8');
  if (mode === link) return { kind: 'link', target: text() };
  if (mode === repository)
    return { kind: 'repository', commit: text().replace(/^Subproject commit |\s+$/g, '') };
  return { kind: 'bytes', bytes, exact: true };
}

/** A link or a repository on both sides: the patch has the whole of both, which are a line each. */
function specialSides({ body }: FilePatch, { modes }: ChangedFile): Sides {
  const lines = body.kind === 'text' ? body.hunks.flatMap((hunk) => hunk.lines) : [];
  const side = (sign: string, mode: string | undefined): Side => {
    const line = lines.find((one) => one.startsWith(sign));
    return line === undefined ? unknown : asSide(Buffer.from(line.slice(1), 'latin1'), mode);
  };
  return { before: side('-', modes.before), after: side('+', modes.after) };
}

/** Spelt as the service spells the root. */
function inRoot({ root }: ChangedFiles, path: string): string {
  return root.endsWith('/') ? `${root}${path}` : `${root}/${path}`;
}
