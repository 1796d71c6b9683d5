/** A command with its arguments, in any of the ways in which they are written. */
import { t } from '../../base/l10n.ts';
import { isLine, splitLine } from '../cli/shellWords.ts';
import type { Fields } from '../format/server.ts';
import type { Value } from '../text/values.ts';

interface PastedProgram {
  /** `command` and `args`; no command where there is none. */
  readonly program: Fields;
  readonly notes: readonly string[];
}

/** `cmd /c` stays only where the configuration is on Windows. */
export function readProgram(
  command: Value | undefined,
  args: Value | undefined,
  onWindows: boolean,
): PastedProgram {
  const notes: string[] = [];
  const given = [
    ...itemsOf(command, notes),
    ...(typeof args === 'string' ? split(args) : itemsOf(args, notes)),
  ];
  const [first = '', ...others] = given;
  // Where a program has arguments of its own, its name has no blanks by accident.
  const isWhole = others.length === 0 && isLine(first);
  if (isWhole) notes.push(t('The command line is split into a command and its arguments.'));
  const words = isWhole ? split(first) : given;
  const inner = onWindows ? undefined : withoutCmd(words);
  if (inner) notes.push(t('"cmd /c" is left out, because it works on Windows only.'));
  const [program, ...rest] = inner ?? words;
  return {
    program: new Map<string, Value>([
      ['command', program ?? null],
      ['args', rest],
    ]),
    notes,
  };
}

/** A line with a quote that has no end stays one word. */
function split(line: string): readonly string[] {
  return splitLine(line) ?? [line];
}

function itemsOf(value: Value | undefined, notes: string[]): string[] {
  const items: readonly Value[] = Array.isArray(value) ? (value as readonly Value[]) : [value ?? null];
  const texts = items.flatMap((item) => (item === null || typeof item === 'object' ? [] : [String(item)]));
  if (value !== undefined && texts.length < items.length) {
    notes.push(t('Arguments that are not text are left out.'));
  }
  return texts;
}

/** What `cmd /c` starts; undefined where that is not how the program is started. */
export function withoutCmd([command = '', ...args]: readonly string[]): readonly string[] | undefined {
  if (!/(?:^|[\\/])cmd(?:\.exe)?$/i.test(command)) return undefined;
  const at = args.findIndex((arg) => /^\/{1,2}c$/i.test(arg));
  const inner = args.slice(at + 1);
  if (at < 0 || inner.length === 0 || !args.slice(0, at).every((arg) => /^\/{1,2}[a-z]/i.test(arg))) {
    return undefined;
  }
  return inner.length === 1 ? split(inner.join('')) : inner;
}
