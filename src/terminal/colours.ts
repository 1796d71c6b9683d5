/** Colour for people, where there is any, and the words that go with it. */
import { plainText } from '../base/plainText.ts';
import type { Host, Output } from './host.ts';

type Colours = Readonly<Record<'bold' | 'dim' | 'good' | 'warning' | 'bad', (text: string) => string>>;

/** Plain, but on a terminal that has colours and unless NO_COLOR is set: https://no-color.org. */
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

/** A mark and a word, so that nobody depends on the colour or on the shape alone. */
export function stateText(enabled: boolean): string {
  return enabled ? '✓ enabled' : '○ disabled';
}

/** The name of a server as one sees it. */
export function nameText(name: string): string {
  return plainText(name, 100) || '""';
}
