/** Tells the probes that run inside an editor, which has other arguments. */
const variable = 'SWITCHBOARD_BENCH_SHORT';

/** True with `--short`, which shows only that every part works. */
export const isShort =
  process.argv.includes('--short') || process.env[variable] === '1';

export const roundsInEditor = isShort ? { [variable]: '1' } : {};

export function rounds(usual: number): number {
  return isShort ? 1 : usual;
}
