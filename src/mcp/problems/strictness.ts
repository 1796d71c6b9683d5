/** What no strict reader of JSON takes: the program refuses the file because of it, whatever its servers are. */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import type { Outline } from '../format/outline.ts';
import type { Span } from '../text/nodes.ts';
import { tidy } from '../edit/removal.ts';
import { replaceSpan } from './fixes.ts';
import type { Fix, Review } from './problem.ts';

export function checkStrictness(review: Review): void {
  const { found } = review;
  if (found.blank) {
    const all = { start: 0, end: found.text.length };
    const message = t('An empty file is refused. A file without servers needs {"mcpServers": {}}.');
    const content = `${JSON.stringify({ mcpServers: {} }, undefined, 2)}\n`;
    review.refuse('blankFile', all, message, {
      fixes: () => [
        { title: t('Write {"mcpServers": {}}'), edits: [replaceSpan(all, content)], certain: false },
      ],
    });
  }
  if (found.text.startsWith('\uFEFF')) {
    const at = { start: 0, end: 1 };
    const message = t(
      'A byte order mark makes the program refuse the whole file. Save it as UTF-8 without one.',
    );
    review.refuse('byteOrderMark', at, message, {
      fixes: () => [{ title: t('Remove the byte order mark'), edits: [replaceSpan(at, '')], certain: true }],
    });
  }
  for (const comment of found.comments) {
    const message = t('A comment makes the program refuse the whole file. Remove it.');
    review.refuse('comment', comment, message, {
      fixes: () => commentFixes(found, comment),
    });
  }
  for (const start of found.trailingCommas) {
    const at = { start, end: start + 1 };
    const message = t('A trailing comma makes the program refuse the whole file. Remove it.');
    review.refuse('trailingComma', at, message, {
      fixes: () => [{ title: t('Remove the comma'), edits: [replaceSpan(at, '')], certain: true }],
    });
  }
  for (const half of found.loneSurrogates) {
    const message = t(
      'An incomplete character makes the program refuse the whole file. Write the whole character.',
    );
    review.refuse('loneSurrogate', half, message);
  }
}

function commentFixes({ text, comments }: Outline, { start, end }: Span): Fix[] {
  const one = { title: t('Remove the comment'), edits: [tidy(text, start, end)], certain: false };
  if (comments.length === 1) return [one];
  const all = joined(comments.map((comment) => tidy(text, comment.start, comment.end)));
  return [one, { title: t('Remove all comments'), edits: all, certain: false }];
}

/** Removals, those that overlap as one. */
function joined(removals: readonly Edit[]): Edit[] {
  const edits: Edit[] = [];
  for (const { offset, length, content } of removals) {
    const before = edits.at(-1);
    const end = offset + length;
    if (!before || before.offset + before.length < offset) edits.push({ offset, length, content });
    else before.length = end - before.offset;
  }
  return edits;
}
