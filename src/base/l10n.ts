/** What is said to people, in their language. A host that knows another one than English says so when it starts. */

/** The sentence in the language of the person, with the values in the places of `{0}`, `{1}` and so on. */
export type Translate = (english: string, ...values: readonly (string | number)[]) => string;

const inEnglish: Translate = (english, ...values) =>
  values.length === 0
    ? english
    : english.replace(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place));

let current = { language: 'en', translate: inEnglish };

/** From here on everything is said in this language. */
export function speak(language: string, translate: Translate): void {
  current = { language, translate };
}

/** The language that people are spoken to in, for dates and numbers. */
export function language(): string {
  return current.language;
}

/**
 * A sentence in the language of the person. It is written out where it is said, because translations are found by it;
 * and it is said when it is needed, not while a module is loaded: the language is not known then.
 */
export const t: Translate = (english, ...values) => current.translate(english, ...values);

/** A table of words, each translated when it is read; so a table can stand in a module. */
export function words<T extends Readonly<Record<string, string>>>(table: T): T {
  return new Proxy(table, {
    get: (english, key) =>
      Object.hasOwn(english, key) ? current.translate(english[key as string] ?? '') : undefined,
  });
}
