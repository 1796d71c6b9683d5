/** The documents of a diff as data: their addresses, sides and contents. */
import { createHash } from 'node:crypto';
import { isEqual } from '../../base/same.ts';
import {
  isConversationKey,
  type ConversationKey,
} from '../../service/model/entities.ts';
import type { FileSide } from '../../service/abilities/fileChanges.ts';
import type { ChangedAgain } from '../../state/changes/changedFiles.ts';
import {
  type ChangesScope,
  isReviewScope,
  readScope,
  sinceOf,
} from '../../state/changes/changesScope.ts';
import type { FileReview } from '../../state/changes/fileReviews.ts';
import {
  binaryInWords,
  largeInWords,
  sideInWords,
} from '../words/conversations/changeWords.ts';

export interface ChangesAddress {
  readonly key: ConversationKey;
  readonly since: ChangesScope;
  readonly side: 'before' | 'after';
  readonly path: string;
  /** True if contents that are not text are described in words. */
  readonly inWords: boolean;
}

export function queryOf({
  key,
  since,
  side,
  path,
  inWords,
}: ChangesAddress): string {
  return JSON.stringify([key, since, side, path, inWords]);
}

export function readQuery(query: string): ChangesAddress | undefined {
  try {
    const [key, since, side, path, inWords] = JSON.parse(
      query,
    ) as readonly unknown[];
    const isText =
      isConversationKey(key) &&
      typeof path === 'string' &&
      typeof inWords === 'boolean';
    if (!isText || (side !== 'before' && side !== 'after')) return undefined;
    const scope = readScope(since);
    return scope && { key, since: scope, side, path, inWords };
  } catch {
    return undefined;
  }
}

interface DiffSides {
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  /** The path before the change, for display. */
  readonly from: string | undefined;
}

export function sidesOf(
  scope: ChangesScope,
  { file: { status, from }, state }: FileReview,
): DiffSides {
  const isSinceReview = isReviewScope(scope) && state !== 'new';
  return {
    hasBefore: status !== 'added' || isSinceReview,
    hasAfter: status !== 'deleted',
    from: state === 'new' ? from : undefined,
  };
}

/** A larger text is only described in a multi-file diff. */
const maxBytesAmongOthers = 1_000_000;

/** The content that a document shows. */
export function documentBytes(side: FileSide, inWords: boolean): Uint8Array {
  if (side.kind !== 'bytes') return Buffer.from(sideInWords(side));
  const { bytes } = side;
  if (!inWords) return bytes;
  const hash = () =>
    createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  // The editor's own test for text.
  if (bytes.subarray(0, 8_000).includes(0))
    return Buffer.from(binaryInWords(bytes.byteLength, hash()));
  if (bytes.byteLength > maxBytesAmongOthers)
    return Buffer.from(largeInWords(bytes.byteLength, hash()));
  return bytes;
}

export interface OpenDocument {
  readonly address: ChangesAddress;
  /** True if it shows a failure instead. */
  readonly hasFailed: boolean;
}

/** The effect of newly loaded changes on the documents that are open. */
export function effectOf<Document extends OpenDocument>(
  { key, since, different, more }: ChangedAgain,
  documents: readonly Document[],
): { readonly stale: readonly Document[]; readonly hasMoreFiles: boolean } {
  const open = documents.filter(
    ({ address }) =>
      address.key === key && isEqual(sinceOf(address.since), since),
  );
  const openPaths = new Set(open.map(({ address }) => address.path));
  return {
    stale: open.filter(
      ({ address, hasFailed }) => hasFailed || different.has(address.path),
    ),
    hasMoreFiles:
      open.length > 0 && more.some(({ path }) => !openPaths.has(path)),
  };
}
