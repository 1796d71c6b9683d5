/** Values that are not filled in yet: placeholders, and references to variables that the program leaves as they are. */
import { t } from '../../base/l10n.ts';
import { quoted } from '../format/document.ts';
import { hasPlaceholder } from '../format/placeholders.ts';
import type { Review } from './problem.ts';
import type { Entry, ObjectEntry } from '../format/entry.ts';
import { type Node, rawOf, stringOf } from '../text/nodes.ts';
import { isBelowHome, leftoversIn } from '../format/variables.ts';
import { fix, replaceSpan } from './fixes.ts';

export function checkLeftovers(review: Review, entry: ObjectEntry): void {
  for (const key of ['command', 'url', 'cwd', 'auth'] as const) {
    const value = entry.keys.get(key)?.value;
    if (value) checkValue(review, value, key, key === 'command' || key === 'cwd');
  }
  const args = entry.keys.get('args')?.value;
  if (args?.type === 'array' && !startsShell(entry)) {
    for (const value of args.items) checkValue(review, value, 'args', true);
  }
  for (const key of ['env', 'headers'] as const) {
    for (const { name, value } of entry.record(key)?.members ?? []) checkValue(review, value, name);
  }
}

/** A shell replaces variables and `~` itself. */
function startsShell(entry: Entry): boolean {
  const shell = /(?:^|[/\\])(?:(?:ba|z|da|k|fi)?sh|cmd|powershell|pwsh)(?:\.exe)?$/i;
  return shell.test(entry.string('command') ?? '');
}

/** `isPath`: whether a shell would take a `~` at its beginning for a folder. */
function checkValue(review: Review, node: Node, key: string, isPath = false): void {
  const value = stringOf(node);
  if (value === undefined) return;
  if (hasPlaceholder(value)) {
    const message = t('A value of {0} is still a placeholder. Replace it with the real value.', quoted(key));
    review.report('placeholder', node, message);
    return;
  }
  const { found } = review;
  if (isPath && isBelowHome(value)) {
    const at = { start: node.start + 1, end: node.start + 2 };
    const message = t(
      '"~" is not replaced here: it arrives as it is written. Write ${HOME}, or the whole path.',
    );
    const edits = [replaceSpan(at, '${HOME}')];
    review.report('notExpanded', at, message, {
      fixes: () => [fix(found, t('Change to {0}', '${HOME}'), edits, false)],
    });
  }
  if (!value.includes('$')) return;
  for (const { start, end, instead } of leftoversIn(rawOf(node))) {
    const at = { start: node.start + start, end: node.start + end };
    const message = t('Only ${NAME} and ${NAME:-default} are replaced. This arrives as it is written.');
    review.report('notExpanded', at, message, {
      fixes: () =>
        instead === undefined ? [] : [fix(found, t('Change to ${NAME}'), [replaceSpan(at, instead)], false)],
    });
  }
}
