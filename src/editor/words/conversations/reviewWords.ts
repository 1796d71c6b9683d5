import { t } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { present } from '../../../base/parts.ts';
import { isReviewScope } from '../../../state/changes/changesScope.ts';
import type {
  CommentPlace,
  ReviewComment,
} from '../../../state/changes/reviews.ts';
import { shownFilePath } from './changeWords.ts';
import { codeBlock, fileName, withLines } from './startWords.ts';

/** The agent finds the rest in the file. */
const maxQuoted = { lines: 60, characters: 6_000 };

/** The file and the lines of a comment, for the user. */
export function placeWords(place: CommentPlace): string {
  return inPlace(shownFilePath(place.path), place, t('before the change'));
}

export function sendReviewWords(count: number): string {
  return t('Send Review ({0})', count);
}

export function reviewMessage(comments: readonly ReviewComment[]): string {
  const [only, ...restComments] = comments;
  if (only && restComments.length === 0)
    return [
      t('A comment on your changes, {0}:', placeName(only)),
      ...about(only),
    ].join('\n\n');
  return [
    t('My comments on your changes:'),
    ...comments.flatMap((comment, at) => [
      `${at + 1}. ${placeName(comment)}:`,
      ...about(comment),
    ]),
  ].join('\n\n');
}

function about({
  quote,
  outdated,
  text,
  path,
  lines,
}: ReviewComment): string[] {
  const [, language = ''] = /\.(\w+)$/.exec(path) ?? [];
  return present(
    lines && codeBlock({ language, text: shortened(quote) }),
    outdated &&
      t('(Quoted from an earlier version. The file has changed since.)'),
    text.trim(),
  );
}

function placeName(place: CommentPlace): string {
  return inPlace(
    fileName(place.path),
    place,
    t('as it was before your change'),
  );
}

function inPlace(
  name: string,
  { lines, side, since }: CommentPlace,
  before: string,
): string {
  const where = lines ? withLines(name, lines) : name;
  if (side === 'before')
    return `${where}, ${isReviewScope(since) ? t('in an earlier version') : before}`;
  if (typeof since !== 'object') return where;
  return t('{0}, in commit {1}', where, plainText(since.commit.slice(0, 8)));
}

function shortened(quote: string): string {
  const lines = quote.slice(0, maxQuoted.characters).split(/\r?\n/);
  const isWhole =
    quote.length <= maxQuoted.characters && lines.length <= maxQuoted.lines;
  return isWhole ? quote : [...lines.slice(0, maxQuoted.lines), '…'].join('\n');
}
