/** Whether the keys of a server go together: those of a command, or those of a URL. */
import { t } from '../../base/l10n.ts';
import { quoted } from '../format/document.ts';
import { kindOfKey } from '../format/ownKeys.ts';
import { removeFix } from './fixes.ts';
import type { Review } from './problem.ts';
import type { ObjectEntry } from '../format/entry.ts';
import { type Member, nameSpan } from '../text/nodes.ts';

/** `elsewhere` is whether another key, which is reported, is most likely what the server is reached by. */
export function checkKind(review: Review, entry: ObjectEntry, elsewhere: boolean): void {
  const { found } = review;
  const [url, command] = [given(entry, 'url'), given(entry, 'command')];
  if (url && command) {
    const [counting, other] = entry.kind === 'local' ? [command, url] : [url, command];
    const message =
      counting === command
        ? t(
            'The server has both a command and a URL, and only the command counts. Remove the one you do not need.',
          )
        : t(
            'The server has both a command and a URL, and only the URL counts. Remove the one you do not need.',
          );
    review.report('bothTargets', nameSpan(other), message, {
      fixes: () => [other, counting].map((field) => removeFix(found, entry.object, field)),
    });
    return;
  }
  if (!entry.kind) {
    if (elsewhere || !review.readsEntries) return;
    const message = t('{0} has neither a command nor a URL. Add "command" or "url".', quoted(entry.name));
    review.refuse('noTarget', entry.nameSpan, message);
    return;
  }
  for (const field of entry.keys.values()) {
    const kind = kindOfKey(field.name);
    // "type" of a remote server is reported as what it means in other programs.
    if (kind === undefined || kind === entry.kind || field.name === 'type') continue;
    if (field.value.type === 'null') continue;
    const name = quoted(field.name);
    const message =
      entry.kind === 'remote'
        ? t('{0} is ignored for a server with a URL. Remove it.', name)
        : t('{0} is ignored for a server with a command. Remove it.', name);
    review.report('wrongKind', nameSpan(field), message, {
      fixes: () => [removeFix(found, entry.object, field)],
    });
  }
}

function given({ keys }: ObjectEntry, key: 'url' | 'command'): Member | undefined {
  const field = keys.get(key);
  return field?.value.type === 'null' ? undefined : field;
}
