/** The places of comments as data. */
import { isEqual } from '../../base/same.ts';
import type { CommentPlace } from '../../state/changes/reviews.ts';
import type { ChangesAddress } from './diffDocument.ts';

interface Position {
  readonly line: number;
  readonly character: number;
}

/** The lines of a selection, counted from 0. */
export function selectedLines({
  start,
  end,
}: {
  readonly start: Position;
  readonly end: Position;
}): { readonly first: number; readonly last: number } {
  // A selection that ends at column 0 does not include that line, unless the
  // editor has selected whole lines.
  const isWholeLines = start.character === 0 && end.character === 0;
  const leavesOutLast = end.character === 0 && !isWholeLines;
  return {
    first: start.line,
    last: leavesOutLast ? end.line - 1 : end.line,
  };
}

/**
 * True if both show the same contents. Present contents do not depend on the
 * base.
 */
export function isSameDocument(
  comment: Pick<CommentPlace, 'since' | 'side' | 'path'>,
  address: ChangesAddress,
): boolean {
  const isNow = (since: CommentPlace['since']) =>
    comment.side === 'after' && typeof since === 'string';
  return (
    comment.path === address.path &&
    comment.side === address.side &&
    (isEqual(comment.since, address.since) ||
      (isNow(comment.since) && isNow(address.since)))
  );
}
