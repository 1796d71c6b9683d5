/** Sorts the arguments of a command line, without interpreting them. */
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { joinWithOr, nearestNames } from '../../base/near.ts';

/**
 * A wrong command line. The message is a sentence without any possible secret.
 */
export class UsageError extends UserError {}

/** `flag` takes no value, `values` takes one each time it is given. */
type OptionKind = 'flag' | 'value' | 'values';

export type OptionKinds = ReadonlyMap<string, OptionKind>;

export interface SortedArguments {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Words before `--` that are not options. */
  readonly operands: readonly string[];
  /** Words after `--`; `undefined` without it. */
  readonly rest: readonly string[] | undefined;
}

/**
 * `explain` may return a better message than that the option after `before` is
 * unknown.
 */
export function sortArguments(
  args: readonly string[],
  options: OptionKinds,
  explain?: (
    before: SortedArguments,
    unknown: readonly string[],
  ) => string | undefined,
): SortedArguments {
  const separator = args.indexOf('--');
  const words = separator < 0 ? [...args] : args.slice(0, separator);
  const rest = separator < 0 ? undefined : args.slice(separator + 1);
  const flags = new Set<string>();
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    // Text programs turn two hyphens into a dash.
    if (!/^[-–—]./.test(word)) {
      operands.push(word);
      continue;
    }
    const cut = word.indexOf('=');
    const option = cut < 0 ? word : word.slice(0, cut);
    const inlineValue = cut < 0 ? undefined : word.slice(cut + 1);
    const kind = options.get(option);
    if (kind === undefined) {
      const isMisspelled =
        option.length > 2 && nearOptions(option, options).length > 0;
      const message = isMisspelled
        ? undefined
        : explain?.({ flags, values, operands, rest }, [word, ...words]);
      throw new UsageError(message ?? unknownOption(option, options));
    }
    if (kind === 'flag') {
      if (inlineValue !== undefined)
        throw new UsageError(t('{0} takes no value.', option));
      flags.add(option);
      continue;
    }
    const before = values.get(option) ?? [];
    if (kind === 'value' && before.length > 0)
      throw new UsageError(t('{0} is given twice.', option));
    values.set(option, [
      ...before,
      inlineValue ?? valueOf(option, words.shift()),
    ]);
  }
  return { flags, values, operands, rest };
}

function valueOf(option: string, word: string | undefined): string {
  if (word === undefined) throw new UsageError(t('{0} needs a value.', option));
  if (!word.startsWith('-')) return word;
  throw new UsageError(
    t(
      '{0} needs a value. Write one that starts with "-" as {0}=VALUE.',
      option,
    ),
  );
}

export function unknownOption(option: string, options: OptionKinds): string {
  const near = nearOptions(option, options);
  // The text after a single-letter option may be its value.
  const visibleOption =
    /^-[^-]{2,}/.test(option) && near.length === 0
      ? `${option.slice(0, 2)}…`
      : option;
  return t('Unknown option {0}.', visibleOption) + didYouMean(near);
}

function nearOptions(option: string, options: OptionKinds): readonly string[] {
  const names = [...options.keys()];
  const letter = /^-([a-z])$/i.exec(option)?.[1]?.toLowerCase();
  return letter === undefined
    ? nearestNames(option.replace(/^[-–—]+/, '--'), names)
    : names.filter((name) => name.startsWith(`--${letter}`));
}

export function didYouMean(near: readonly string[]): string {
  return near.length === 0
    ? ''
    : ` ${t('Did you mean {0}?', joinWithOr(near))}`;
}
