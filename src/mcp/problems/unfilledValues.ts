/** Values that are not filled in yet: placeholders, and variables, which the program that reads the file ignores. */
import { t } from '../../base/l10n.ts';
import { quoted } from '../document.ts';
import { isPlaceholder } from '../placeholders.ts';
import type { Review } from './problem.ts';
import type { ObjectEntry } from '../entry.ts';
import { type Node, stringOf } from '../nodes.ts';

const reference = /\$\{[^{}"]*\}/;

export function hasReference(value: string): boolean {
  return reference.test(value);
}

export function checkLeftovers(review: Review, entry: ObjectEntry): void {
  for (const key of ['command', 'url', 'cwd', 'auth']) {
    const value = entry.keys.get(key)?.value;
    if (value) checkValue(review, value, key);
  }
  const env = entry.record('env')?.members ?? [];
  const headers = entry.record('headers')?.members ?? [];
  checkArguments(review, entry, new Set(env.map(({ name }) => name)));
  for (const { name, value } of [...env, ...headers]) checkValue(review, value, name);
}

/** Some programs replace variables in their arguments themselves, from their environment, and shells always do. */
function checkArguments(review: Review, entry: ObjectEntry, variables: ReadonlySet<string>): void {
  const args = entry.keys.get('args')?.value;
  if (args?.type !== 'array') return;
  const shell = /(?:^|[/\\])(?:(?:ba|z|da|k|fi)?sh|cmd|powershell|pwsh)(?:\.exe)?$/i;
  const expands = shell.test(entry.string('command') ?? '');
  for (const item of args.items) checkValue(review, item, 'args', expands || variables);
}

function checkValue(
  review: Review,
  node: Node,
  key: string,
  expanded: true | ReadonlySet<string> = nothing,
): void {
  const value = stringOf(node);
  if (value === undefined) return;
  const at = node;
  if (isPlaceholder(value)) {
    const message = t('A value of {0} is still a placeholder. Replace it with the real value.', quoted(key));
    review.report('placeholder', at, message);
  } else if (value.includes('${') && expanded !== true) {
    const raw = review.found.text.slice(at.start, at.end);
    const found = reference.exec(raw);
    if (!found || expanded.has(found[0].slice(2, -1))) return;
    const start = at.start + found.index;
    const message = t('Variables in {0} are not expanded. Enter the value itself.', quoted(key));
    review.report('notExpanded', { start, end: start + found[0].length }, message);
  }
}

const nothing: ReadonlySet<string> = new Set();
