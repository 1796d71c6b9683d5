/** Colours for terminals that have any, and the words that go with them. */
import { plainText } from '../base/plainText.ts';
import type { Host, Output } from './host.ts';

type Colours = Readonly<Record<'bold' | 'dim' | 'good' | 'warning' | 'bad', (text: string) => string>>;

/** Colours only on a terminal that has them, and not if NO_COLOR is set: https://no-color.org. */
export function coloursOf(output: Output, { env }: Pick<Host, 'env'>): Colours {
  const coloured = output.isTTY && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  const paint = (on: number, off: number) => (text: string) =>
    coloured ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    good: paint(32, 39),
    warning: paint(33, 39),
    bad: paint(31, 39),
  };
}

/** A mark and a word, so that nobody depends on colour or shape alone. */
export function stateText(enabled: boolean): string {
  return enabled ? '✓ enabled' : '○ disabled';
}

/** The name of a server without invisible characters. */
export function nameText(name: string): string {
  return plainText(name, 100) || '""';
}
