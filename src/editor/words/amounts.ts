/** What a conversation has used, and the short names of long ones. */
import { formats, t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';

/** In US dollars, as services count. */
export function costWord(cost: number): string {
  const { dollars } = amounts();
  return cost > 0 && cost < 0.01 ? t('below {0}', dollars.format(0.01)) : dollars.format(cost);
}

const amounts = formats((language) => ({
  dollars: new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' }),
  whole: new Intl.NumberFormat(language, { maximumFractionDigits: 0 }),
}));

export function tokensWord({ read, written }: NonNullable<Conversation['tokens']>): string {
  const { whole } = amounts();
  return t('{0} read, {1} written', whole.format(read), whole.format(written));
}

/** The last part of a path, whose separator may be that of another system, or of the name of a model. */
export function lastPart(path: string): string {
  return /[^/\\]+(?=[/\\]*$)/.exec(path)?.[0] ?? path;
}
