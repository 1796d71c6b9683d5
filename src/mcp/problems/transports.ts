import { t } from '../../base/l10n.ts';
import { nearest } from '../../base/near.ts';
import { quoted } from '../document.ts';
import { transportOf } from './dialects.ts';
import { changeFix, removeFix } from './fixes.ts';
import type { Review } from './problem.ts';
import type { ObjectEntry } from '../entry.ts';
import { stringOf } from '../nodes.ts';

const remote = ['http', 'sse', 'streamable-http'];
const all = [...remote, 'stdio'];

export function checkTransport(review: Review, entry: ObjectEntry): void {
  const field = entry.keys.get('transport');
  const word = stringOf(field?.value);
  if (!field || word === undefined) return;
  const { found } = review;
  const allowed = entry.kind === 'remote' ? remote : entry.kind === 'local' ? ['stdio'] : all;
  if (allowed.includes(word)) return;
  const change = (to: string, certain: boolean) => changeFix(found, field.value, JSON.stringify(to), certain);
  const remove = () => removeFix(found, entry.object, field);
  if (all.includes(word)) {
    const [message, to] =
      entry.kind === 'local'
        ? [t('The transport of a server with a command is "stdio". Change or remove it.'), 'stdio']
        : [t('The transport of a server with a URL is "http" or "sse". Change or remove it.'), 'http'];
    review.report('transportMisfit', field.value, message, {
      fixes: () => [change(to, false), remove()],
    });
    return;
  }
  const same = transportOf(word);
  const meant = same === undefined ? nearest(word, allowed) : allowed.filter((each) => each === same);
  const message =
    allowed.length === 1
      ? t('This is not a valid transport. Use "stdio".')
      : t('This is not a valid transport. Use one of {0}.', allowed.map(quoted).join(', '));
  review.report('unknownTransport', field.value, message, {
    fixes: () => [...meant.map((to) => change(to, same !== undefined)), remove()],
  });
}
