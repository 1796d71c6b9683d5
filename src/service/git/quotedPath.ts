const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
};

/** A path as Git prints it, one character for each byte: in quotation marks where it has anything unusual. */
export function unquoted(printed: string): string {
  const inside = /^"(.*)"$/s.exec(printed)?.[1];
  const bytes =
    inside?.replace(/\\([0-3][0-7]{2}|.)/gs, (_, code: string) =>
      /^\d/.test(code) ? String.fromCharCode(parseInt(code, 8)) : (escapes[code] ?? code),
    ) ?? printed;
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
