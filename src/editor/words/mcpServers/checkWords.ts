/** How checks of MCP servers, their tools and what has changed of both are described. */
import { formats, t, words } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { failureSentence, failureShort } from '../../../probe/failureWords.ts';
import type { ProbeFailure, ProbeResult, ProbeStep } from '../../../probe/probe.ts';
import type { ShownStart } from '../../../probe/shownStart.ts';
import type { CheckChanges } from '../../../state/mcpServers/checkChanges.ts';
import type { Time } from '../../../service/entities.ts';
import {
  differenceOfChecks,
  elsewhereShort,
  type NameOfService,
} from '../../../state/mcpServers/checkDifference.ts';
import type { Check, CheckResult, CheckPlace } from '../../../state/mcpServers/checkMemory.ts';
import type { CheckedServer } from '../../../state/mcpServers/serverChecks.ts';
import type { Fact } from '../facts.ts';
import { dateAndTime } from '../times.ts';

export const stepSentences: Readonly<Record<ProbeStep, string>> = words({
  starting: 'The server is being started.',
  connecting: 'The server is being reached.',
  initialising: 'Waiting until the server is ready.',
  listing: 'The server is listing its tools.',
});

const numbers = formats((language) => ({
  seconds: new Intl.NumberFormat(language, { maximumFractionDigits: 1 }),
}));

export function toolCount(count: number): string {
  return count === 1 ? t('1 tool') : t('{0} tools', count);
}

function seconds(milliseconds: number): string {
  return numbers().seconds.format(Math.max(0.1, milliseconds / 1_000));
}

/**
 * For a row: `12 tools`, or how many of them are on, or `npx not found`; and what a service found, where that is not the
 * same. Undefined where nothing is known.
 */
export function checkShort(checked: CheckedServer, nameOf: NameOfService, on?: string): string | undefined {
  const { here, changes, underWay } = checked;
  if (underWay !== undefined) return t('checking…');
  const found = here && resultShort(here.result, on);
  const there = elsewhereShort(checked, nameOf);
  return (
    [changes && `● ${changesShort(changes)}`, found, there && plainText(there, 100)]
      .filter(Boolean)
      .join(' · ') || undefined
  );
}

function resultShort(result: CheckResult, on: string | undefined): string {
  return result.kind === 'works' ? (on ?? toolCount(result.tools)) : failureShort(result.failure);
}

/** For a list of several: `files (npx not found)`. */
export function failureName(name: string, failure: ProbeFailure): string {
  return `${name} (${failureShort(failure)})`;
}

/** What a check has found: `12 tools in 1.4 s`, or a sentence that says why not. */
function resultSentence(name: string, result: CheckResult): string {
  if (result.kind === 'fails') return failureSentence(name, result.failure);
  return t('{0} in {1} s', toolCount(result.tools), seconds(result.milliseconds));
}

/** The same for what has just come out. */
export function resultMessage(name: string, result: ProbeResult): string {
  if (result.kind === 'fails') return failureSentence(name, result.failure);
  return t('“{0}” works: {1} in {2} s.', name, toolCount(result.tools.length), seconds(result.milliseconds));
}

/** For a row: what is different since the person agreed to a check. */
export function changesShort({ start, added, gone, changed }: CheckChanges): string {
  const tools = added.length + gone.length + changed.length;
  if (start) return tools > 0 ? t('changed since its check, tools too') : t('changed since its check');
  if (added.length === tools) return added.length === 1 ? t('1 tool is new') : t('{0} tools are new', tools);
  return tools === 1 ? t('1 tool has changed') : t('{0} tools have changed', tools);
}

/** Each difference as a sentence of its own. */
export function changeLines({ start, added, gone, changed }: CheckChanges, now: ShownStart): string[] {
  return [
    ...(start ? startLines(start.before, now, start.isVisible) : []),
    ...(added.length > 0 ? [t('New tools: {0}', namesOf(added))] : []),
    ...(gone.length > 0 ? [t('Tools that are gone: {0}', namesOf(gone))] : []),
    ...changed.map(({ before, after }) =>
      before.description === after.description
        ? t('The description of the tool {0} has changed.', plainText(after.name, 80))
        : t(
            'The tool {0} has a new description: “{1}”, before “{2}”',
            plainText(after.name, 80),
            plainText(after.description ?? '', 200),
            plainText(before.description ?? '', 200),
          ),
    ),
  ];
}

function startLines(before: ShownStart, now: ShownStart, isVisible: boolean): string[] {
  if (!isVisible) return [t('Values that are not shown here have changed.')];
  const lines: string[] = [];
  const [was, is] = [before, now].map(({ commandLine, url }) => commandLine ?? url ?? '');
  if (was !== is) lines.push(t('Before, it was: {0}', was ?? ''));
  if (before.folder !== now.folder) lines.push(t('Its folder before: {0}', before.folder ?? t('none')));
  const names = (start: ShownStart) => namesOf([...start.variables, ...start.headers]);
  if (names(before) !== names(now)) {
    lines.push(t('Variables and headers before: {0}', names(before) || t('none')));
  }
  const code = ({ codeVariables = [] }: ShownStart) => codeVariables.join(', ');
  if (code(before) !== code(now)) {
    lines.push(t('Variables that change what runs before: {0}', code(before) || t('none')));
  }
  return lines;
}

function namesOf(names: readonly string[]): string {
  const most = 20;
  const shown = names.slice(0, most).map((name) => plainText(name, 80));
  const rest = names.length - shown.length;
  return rest > 0 ? t('{0} and {1} more', shown.join(', '), rest) : shown.join(', ');
}

/** What the tooltip and the page of a server say of its check. */
export function checkFacts(
  name: string,
  checked: CheckedServer,
  now: ShownStart | undefined,
  nameOf: NameOfService,
): Fact[] {
  const { here, elsewhere, changes, underWay } = checked;
  const differences = changes && now ? changeLines(changes, now) : [];
  const both = differenceOfChecks(checked, nameOf);
  return [
    ...(underWay === undefined ? [] : [[t('Check'), stepSentences[underWay]] as const]),
    ...[...(here ? [here] : []), ...elsewhere].flatMap((check) => factsOfCheck(name, check)),
    ...(both === undefined ? [] : [[t('Checks'), plainText(both, 400)] as const]),
    ...differences.map((line, i): Fact => [i === 0 ? t('Changed since its check') : '', line]),
  ];
}

function factsOfCheck(name: string, { where, at, saved, result }: Check): Fact[] {
  const sentence = plainText(resultSentence(name, result), 600);
  const unsaved = saved
    ? []
    : [[t('Unsaved'), t('The file had unsaved changes, which were checked too.')] as const];
  return [[t('Last check'), sentence], [t('Checked'), whenAndWhere(at, where)], ...unsaved];
}

function whenAndWhere(at: Time, where: CheckPlace): string {
  return where === 'here'
    ? t('{0}, on this machine', dateAndTime(at))
    : t('{0}, at {1}', dateAndTime(at), plainText(where.service, 100));
}

/** What a failure knows beyond its sentence, for the page of the server. */
export function failureFacts(failure: ProbeFailure): Fact[] {
  const list = (title: string, values: readonly string[]) =>
    values.map((value, i): Fact => [i === 0 ? title : '', plainText(value, 500)]);
  switch (failure.reason) {
    case 'programNotFound':
      // The sentence has the first of them.
      return failure.lookedIn.length > 5 ? list(t('Looked in'), failure.lookedIn) : [];
    case 'exited':
    case 'notProtocol':
    case 'timedOut':
    case 'other':
      return list(t('Last output'), failure.lastLines);
    case 'keyRefused':
      return list(t('The server says'), failure.said === undefined ? [] : [failure.said]);
    case 'signIn':
    case 'redirected':
    case 'notMcp':
    case 'variableMissing':
    case 'programNotExecutable':
    case 'folderNotFound':
    case 'certificate':
    case 'proxy':
    case 'unreachable':
    case 'protocolVersion':
    case 'tooMuch':
    case 'cancelled':
      return [];
  }
}
