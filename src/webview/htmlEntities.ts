/**
 * Replaces the package `entities` of the Markdown parser: the browser knows all
 * names of characters, such as `&copy;`.
 */

/** Matches the names that are passed to the browser. */
const name = /^&[a-z][a-z\d]{1,31};$/i;

/** A longer result means that only the start was a name. */
const maxCharacters = 2;

/** Returns other text unchanged. */
export function decodeHTMLStrict(text: string): string {
  if (!name.test(text)) return text;
  // The dot protects a leading blank.
  const { body } = new DOMParser().parseFromString(`.${text}`, 'text/html');
  const character = body.textContent.slice(1);
  return character.length <= maxCharacters ? character : text;
}
