/**
 * Invisible characters, and those that look like a blank or change the display
 * of others.
 */
const unseen =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Co}\p{Cn}\uFFF9-\uFFFB\u2800]|(?! )\p{Zs}/gu;

/** Writes a value as JSON of several lines with every character visible. */
export function escaped(value: unknown): string {
  const json = JSON.stringify(value, undefined, 2) as string | undefined;
  return (json ?? 'null').replace(unseen, (character) =>
    character === '\n' ? character : codes(character),
  );
}

function codes(character: string): string {
  return Array.from({ length: character.length }, (_, index) =>
    character.charCodeAt(index).toString(16).padStart(4, '0'),
  )
    .map((code) => `\\u${code}`)
    .join('');
}
