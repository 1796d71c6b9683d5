/**
 * Translation of user-visible text. English until a host sets another language.
 */
import { UserError } from './errors.ts';

/**
 * Translates a sentence and replaces `{0}`, `{1}` and so on with the values.
 */
export type Translate = (
  english: string,
  ...values: readonly (string | number)[]
) => string;

const inEnglish: Translate = (english, ...values) =>
  values.length === 0
    ? english
    : english.replace(/\{(\d+)\}/g, (place, index: string) =>
        String(values[Number(index)] ?? place),
      );

let current = { language: 'en', translate: inEnglish };

/** Sets the language of everything that `t` and `words` return from now on. */
export function setLanguage(language: string, translate: Translate): void {
  current = { language, translate };
}

/** The current language, for formatting dates and numbers. */
export function language(): string {
  return current.language;
}

/**
 * The English sentence is the key of the translation, so write it as a literal.
 * Call `t` when the text is needed, not while a module loads: the language is
 * not yet known then.
 */
export const t: Translate = (english, ...values) =>
  current.translate(english, ...values);

/** An expected failure with a translated message. */
export function userError(...sentence: Parameters<Translate>): UserError {
  return new UserError(current.translate(...sentence));
}

/**
 * The sentence for one, or the one for other numbers. `{0}` is the number, and
 * the values follow.
 */
export function plural(
  count: number,
  one: string,
  many: string,
  ...values: readonly (string | number)[]
): string {
  return current.translate(count === 1 ? one : many, count, ...values);
}

/**
 * A table of words that are translated when read, so it can be defined at
 * module level.
 */
export function words<T extends Readonly<Record<string, string>>>(table: T): T {
  return new Proxy(table, {
    get: (english, key) =>
      Object.hasOwn(english, key)
        ? current.translate(english[key as string] ?? '')
        : undefined,
  });
}

/**
 * Makes formats once for each language, because every row needs them and they
 * are slow to make.
 */
export function formats<T>(make: (language: string) => T): () => T {
  const formatsByLanguage = new Map<string, T>();
  return () => {
    const { language } = current;
    const languageFormats = formatsByLanguage.get(language) ?? make(language);
    formatsByLanguage.set(language, languageFormats);
    return languageFormats;
  };
}
