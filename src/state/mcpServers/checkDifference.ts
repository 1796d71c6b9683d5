/** Where a server works and where it does not, in one line, if that is not the same everywhere. */
import { t } from '../../base/l10n.ts';
import { failureShort } from '../../probe/failureWords.ts';
import type { ProbeFailure } from '../../probe/probe.ts';
import type { Check } from './checkMemory.ts';
import type { CheckedServer } from './serverChecks.ts';

/** How a service is called, of which the address is known. */
export type NameOfService = (address: string) => string;

/** Undefined where the checks do not contradict each other. */
export function differenceOfChecks(
  { here, elsewhere }: Pick<CheckedServer, 'here' | 'elsewhere'>,
  nameOf: NameOfService,
): string | undefined {
  const other = otherOf({ here, elsewhere });
  if (!here || !other) return undefined;
  const place = placeOf(other, nameOf);
  return other.result.kind === 'fails'
    ? t('works here, not at {0}: {1}', place, short(other.result.failure))
    : here.result.kind === 'fails'
      ? t('works at {0}, not here: {1}', place, short(here.result.failure))
      : undefined;
}

/** The same for a row that says what was found here already, also where nothing was. */
export function elsewhereShort(
  checked: Pick<CheckedServer, 'here' | 'elsewhere'>,
  nameOf: NameOfService,
): string | undefined {
  const other = otherOf(checked);
  if (!other) return undefined;
  const place = placeOf(other, nameOf);
  return other.result.kind === 'fails'
    ? t('not at {0}: {1}', place, short(other.result.failure))
    : t('works at {0}', place);
}

function otherOf({ here, elsewhere }: Pick<CheckedServer, 'here' | 'elsewhere'>): Check | undefined {
  return elsewhere.find(({ result }) => result.kind !== here?.result.kind);
}

function placeOf({ where }: Check, nameOf: NameOfService): string {
  return where === 'here' ? '' : nameOf(where.service);
}

/** What a service says of a program that it does not have. */
const noProgram = /No such file or directory: '(.+)'$/;

function short(failure: ProbeFailure): string {
  if (failure.reason !== 'other') return failureShort(failure);
  const program = noProgram.exec(failure.detail)?.[1];
  return program === undefined ? failure.detail : t('{0} not found there', program);
}
