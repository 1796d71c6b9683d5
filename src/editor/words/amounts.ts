/** What a conversation has used, and the short names of long ones. */
import { language, t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';

/** In US dollars, as services count. */
export function costWord(cost: number): string {
  const { dollars } = formats();
  return cost > 0 && cost < 0.01 ? t('below {0}', dollars.format(0.01)) : dollars.format(cost);
}

function formatsOf(spoken: string) {
  return {
    dollars: new Intl.NumberFormat(spoken, { style: 'currency', currency: 'USD' }),
    whole: new Intl.NumberFormat(spoken, { maximumFractionDigits: 0 }),
  };
}

/** By language. They are needed for each row, and slow to make. */
const formatsByLanguage = new Map<string, ReturnType<typeof formatsOf>>();

function formats(): ReturnType<typeof formatsOf> {
  const spoken = language();
  const known = formatsByLanguage.get(spoken) ?? formatsOf(spoken);
  formatsByLanguage.set(spoken, known);
  return known;
}

export function tokensWord({ read, written }: NonNullable<Conversation['tokens']>): string {
  const { whole } = formats();
  return t('{0} read, {1} written', whole.format(read), whole.format(written));
}

/** The last part of a path, whose separator may be that of another system, or of the name of a model. */
export function lastPart(path: string): string {
  return /[^/\\]+(?=[/\\]*$)/.exec(path)?.[0] ?? path;
}
