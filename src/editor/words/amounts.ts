/** Costs and tokens in words, and short names. */
import { formats, t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';

/** Formats US dollars, the currency of services. */
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

/** The last part of a model name, or of a path of any system. */
export function lastPart(path: string): string {
  return /[^/\\]+(?=[/\\]*$)/.exec(path)?.[0] ?? path;
}
