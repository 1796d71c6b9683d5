/** `type` of a remote server, which other programs use for what is `transport` here. */
import { t } from '../../base/l10n.ts';
import { transportOf } from '../dialects/dialects.ts';
import { fix, removeFix, renamed, replaceSpan } from './fixes.ts';
import type { Fix, Review } from './problem.ts';
import type { ObjectEntry } from '../format/entry.ts';
import { type Member, nameSpan, stringOf } from '../text/nodes.ts';

export function checkType(review: Review, entry: ObjectEntry, field: Member): void {
  if (entry.kind === 'local' || field.value.type === 'null') return;
  const transport = transportOf(stringOf(field.value));
  const said = entry.keys.get('transport');
  const agrees = said !== undefined && isSame(said, transport);
  const remove = (certain: boolean) => () => [removeFix(review.found, entry.object, field, certain)];
  if (agrees) {
    const message = t('"type" is ignored here and not needed. Remove it.');
    review.report('needlessType', nameSpan(field), message, { fixes: remove(entry.isSingle(field)) });
  } else if (said) {
    const message = t('"type" is ignored here: "transport" counts. Remove it.');
    review.report('typeForTransport', nameSpan(field), message, { fixes: remove(false) });
  } else if (!transport || transport === 'stdio') {
    const message = t(
      '"type" is ignored here: the transport follows from "transport" or the URL. Remove it.',
    );
    review.report('typeForTransport', nameSpan(field), message, { fixes: remove(false) });
  } else {
    const message = t('"type" is ignored here. Use "transport": "{0}" instead.', transport);
    review.report('typeForTransport', nameSpan(field), message, {
      fixes: () => [toTransport(review, field, transport, entry.kind === 'remote' && entry.isSingle(field))],
    });
  }
}

function isSame(said: Member, transport: string | undefined): boolean {
  return transport !== undefined && transportOf(stringOf(said.value)) === transport;
}

function toTransport({ found }: Review, field: Member, transport: string, certain: boolean): Fix {
  const edits = [renamed(field, 'transport'), replaceSpan(field.value, JSON.stringify(transport))];
  return fix(found, t('Change to "transport": "{0}"', transport), edits, certain);
}
