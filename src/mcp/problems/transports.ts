import { t } from '../../base/l10n.ts';
import { nearest } from '../../base/near.ts';
import { quoted } from '../document.ts';
import { impliedTransport, transportOf } from '../dialects.ts';
import { changeFix, fix, inserted, removeFix } from './fixes.ts';
import type { Review } from './problem.ts';
import type { ObjectEntry } from '../entry.ts';
import { stringOf } from '../nodes.ts';

const remote = ['http', 'sse', 'streamable-http'];
const all = [...remote, 'stdio'];

export function checkTransport(review: Review, entry: ObjectEntry): void {
  const field = entry.keys.get('transport');
  if (!field) checkImplied(review, entry);
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

/** A URL without a transport that means another one in the program that the entry is from. */
function checkImplied(review: Review, entry: ObjectEntry): void {
  const url = entry.keys.get('url');
  const implied = impliedTransport((key) => entry.keys.has(key));
  const { server } = entry;
  if (!url || !implied || server?.transport !== 'http' || transportOf(entry.string('type'))) return;
  const message = t('Without "transport", this URL means "{0}" in other programs, and "http" here.', implied);
  const add = (transport: string) =>
    fix(
      review.found,
      t('Add "transport": "{0}"', transport),
      inserted(review.found, entry.object, 'transport', transport),
      false,
    );
  review.report('impliedTransport', url.value, message, { fixes: () => [add(implied), add('http')] });
}
