/** True with `--short`, which shows only that every part works. */
export const isShort = process.argv.includes('--short');

export function rounds(usual: number): number {
  return isShort ? 1 : usual;
}
