/**
 * The names of characters, such as `&copy;`, in place of the package `entities`, which Markdown reads them with: the
 * browser knows them all, so the page needs no table of them.
 */

/** Nothing else is given to the browser to read. */
const name = /^&[a-z][a-z\d]{1,31};$/i;

/** No name stands for more. Where only its beginning is a name, the browser leaves the rest. */
const longest = 2;

/** Anything else stays as it is. */
export function decodeHTMLStrict(text: string): string {
  if (!name.test(text)) return text;
  // A blank would not count at the beginning.
  const { body } = new DOMParser().parseFromString(`.${text}`, 'text/html');
  const character = body.textContent.slice(1);
  return character.length <= longest ? character : text;
}
