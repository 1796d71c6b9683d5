/** Whether the keys of a server go together: those of a command, or those of a URL. */
import { t } from '../../base/l10n.ts';
import { quoted } from '../document.ts';
import { ownKeys } from '../ownKeys.ts';
import { removeFix } from './fixes.ts';
import type { Review } from './problem.ts';
import type { ObjectEntry } from '../entry.ts';
import { nameSpan } from '../nodes.ts';

/** `elsewhere` is whether another key, which is reported, is most likely what the server is reached by. */
export function checkKind(review: Review, entry: ObjectEntry, elsewhere: boolean): void {
  const { found } = review;
  const [url, command] = [entry.target('url'), entry.target('command')];
  if (url && command) {
    const message = t(
      'The server has both a URL and a command, and only the URL counts. Remove the one you do not need.',
    );
    review.report('bothTargets', nameSpan(command), message, {
      fixes: () => [command, url].map((field) => removeFix(found, entry.object, field)),
    });
    return;
  }
  if (!entry.kind) {
    if (elsewhere) return;
    const message = t('{0} has neither a command nor a URL. Add "command" or "url".', quoted(entry.name));
    review.report('noTarget', entry.nameSpan, message);
    return;
  }
  for (const field of entry.keys.values()) {
    const kind = ownKeys.get(field.name)?.kind;
    if (kind === undefined || kind === entry.kind) continue;
    const name = quoted(field.name);
    const message = url
      ? t('{0} is ignored for a server with a URL. Remove it.', name)
      : t('{0} is ignored for a server with a command. Remove it.', name);
    review.report('wrongKind', nameSpan(field), message, {
      fixes: () => [removeFix(found, entry.object, field)],
    });
  }
}
