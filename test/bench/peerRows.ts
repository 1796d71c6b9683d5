import type { CommandLine, Peer } from './commandLines.ts';
import { median, milliseconds, type Row } from './table.ts';

/** The measurements of a command line, or the reason why there are none. */
export interface Results {
  /** The time of each run. */
  list: number[] | string;
  add: number[] | string;
  /**
   * The number of servers in the file after each round of adding several at
   * once.
   */
  kept: number[] | string;
}

/**
 * Rows that compare ours with each of the others. `atOnce` is the number of
 * servers added in a round.
 */
export function peerRows(
  own: Results,
  others: readonly (readonly [Peer, Results])[],
  atOnce: number,
): Row[] {
  const times = (['list', 'add'] as const).flatMap((command) => {
    const tell = (times: readonly number[]) => milliseconds(median(times));
    return others.map(([peer, results]): Row => {
      const [one, two] = [own[command], results[command]];
      const remark =
        command === 'list' && peer.remark !== undefined
          ? `, ${peer.remark}`
          : '';
      const measured = typeof one !== 'string' && typeof two !== 'string';
      return {
        what: `mcp ${command}: ${peer.name}`,
        ours: said(one, tell),
        reference: `${said(two, tell)} (${named(peer)}${remark})`,
        ratio: measured ? `${(median(one) / median(two)).toFixed(2)}x` : '',
        // No goal for `add`: ours flushes to disk twice before it reports
        // success.
        goal: command === 'list' ? 'below 1x' : '',
      };
    });
  });
  const tell = (kept: readonly number[]) =>
    `at worst ${Math.min(...kept)} kept, median ${median(kept)}`;
  const together = others.map(([peer, { kept }]): Row => ({
    what: `${atOnce} mcp add at once: ${peer.name}`,
    ours: said(own.kept, tell),
    reference: `${said(kept, tell)} (${named(peer)})`,
    ratio: '',
    goal: `always ${atOnce}`,
  }));
  return [...times, ...together];
}

function said(
  result: number[] | string,
  tell: (numbers: readonly number[]) => string,
): string {
  return typeof result === 'string' ? result : tell(result);
}

function named({ name, version }: CommandLine): string {
  return `${name} ${version}`;
}
