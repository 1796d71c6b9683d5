/** Sixteen hexadecimal digits that nobody else has. Not a secret: loading node:crypto takes longer than a change. */
export function newToken(): string {
  const half = () =>
    Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return half() + half();
}
