import type { ChangedFile, ChangedFiles } from '../fileChanges.ts';
import { identifier } from '../wireValues.ts';
import { type FilePatch, NoPatch, readPatch } from './patch.ts';

/** Undefined if it is not a patch. The headers say what it is against, and where. */
export function filesOfPatch(
  bytes: Uint8Array,
  headers: Headers,
  folder: string,
): Omit<ChangedFiles, 'since'> | undefined {
  const header = (name: string) => identifier(decoded(headers.get(`x-archive-${name}`) ?? ''));
  try {
    const files = readPatch(bytes).map(changedFileOf);
    return {
      files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
      root: header('repo-root') ?? folder,
      patch: { bytes, base: header('base-commit'), head: header('head-commit'), branch: header('branch') },
    };
  } catch (error) {
    if (error instanceof NoPatch) return undefined;
    throw error;
  }
}

export function changedFileOf({ before, after, body }: FilePatch): ChangedFile {
  const path = (after ?? before)?.path ?? '';
  const isMoved = before && after && before.path !== after.path;
  const versions = [before?.mode, before?.hash, after?.mode, after?.hash];
  return {
    path,
    status: !before ? 'added' : !after ? 'deleted' : isMoved ? 'moved' : 'updated',
    from: isMoved ? before.path : undefined,
    version: versions.join(' '),
    modes: { before: before?.mode, after: after?.mode },
    binary: body.kind === 'binary',
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
