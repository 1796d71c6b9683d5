import { formats, plural, t, userError, words } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { joinParts, present } from '../../../base/parts.ts';
import { failureSentence, failureWords } from '../../../probe/failureWords.ts';
import type { ProbeFailure, ProbeResult } from '../../../probe/probe.ts';
import { shownToolName } from '../../../probe/probeResult.ts';
import { type ShownStart, shownStart } from '../../../probe/shownStart.ts';
import type {
  CheckChanges,
  ServerCheck,
  CheckResult,
} from '../../../state/mcpServers/checkMemory.ts';
import {
  type CheckedServer,
  probedOf,
} from '../../../state/mcpServers/serverChecks.ts';
import { type Fact, listFacts, knownFacts } from '../facts.ts';
import { dateAndTime } from '../times.ts';
import { consentObstacle } from '../../../mcp/format/consent.ts';
import type { Entry } from '../../../mcp/format/entry.ts';
import { serverName } from './serverWords.ts';

export const stepSentences = words({
  starting: 'The server is being started.',
  connecting: 'The server is being reached.',
  initialising: 'Waiting until the server is ready.',
  listing: 'The server is listing its tools.',
});

const numbers = formats((language) => ({
  seconds: new Intl.NumberFormat(language, { maximumFractionDigits: 1 }),
}));

export function toolCount(count: number): string {
  return plural(count, '1 tool', '{0} tools');
}

function seconds(milliseconds: number): string {
  return numbers().seconds.format(Math.max(0.1, milliseconds / 1_000));
}

/**
 * The text in a row: `12 tools`, `3 of 12 tools on` or `npx not found`, and a
 * different result of a service.
 */
export function checkShort(
  checked: CheckedServer,
  nameOf: NameOfService,
  on?: string,
): string | undefined {
  const { here, changes, underWay } = checked;
  if (underWay !== undefined) return t('checking…');
  const resultText = here && resultShort(here.result, on);
  const serviceText = elsewhereShort(checked, nameOf);
  return (
    joinParts(
      ' · ',
      changes && `● ${changesShort(changes)}`,
      resultText,
      serviceText && plainText(serviceText, 100),
    ) || undefined
  );
}

function resultShort(result: CheckResult, on: string | undefined): string {
  return result.kind === 'works'
    ? (on ?? toolCount(result.tools))
    : failureWords(result.failure).short;
}

export function failureName(name: string, failure: ProbeFailure): string {
  return `${name} (${failureWords(failure).short})`;
}

function resultSentence(name: string, result: CheckResult): string {
  if (result.kind === 'fails') return failureSentence(name, result.failure);
  return t(
    '{0} in {1} s',
    toolCount(result.tools),
    seconds(result.milliseconds),
  );
}

export function resultMessage(name: string, result: ProbeResult): string {
  if (result.kind === 'fails') return failureSentence(name, result.failure);
  return t(
    '“{0}” works: {1} in {2} s.',
    name,
    toolCount(result.tools.length),
    seconds(result.milliseconds),
  );
}

export function changesShort({
  start,
  added,
  gone,
  changed,
}: CheckChanges): string {
  const tools = added.length + gone.length + changed.length;
  if (start)
    return tools > 0
      ? t('changed since its check, tools too')
      : t('changed since its check');
  if (added.length === tools)
    return plural(tools, '1 tool is new', '{0} tools are new');
  return plural(tools, '1 tool has changed', '{0} tools have changed');
}

export function changeLines(
  { start, added, gone, changed }: CheckChanges,
  now: ShownStart,
): string[] {
  return present(
    ...(start ? startLines(start.before, now, start.isVisible) : []),
    added.length > 0 && t('New tools: {0}', namesOf(added)),
    gone.length > 0 && t('Removed tools: {0}', namesOf(gone)),
    ...changed.map(({ before, after }) =>
      before.description === after.description
        ? t(
            'The description of the tool {0} has changed.',
            shownToolName(after, 80),
          )
        : t(
            'The tool {0} has a new description: “{1}”, before “{2}”',
            shownToolName(after, 80),
            plainText(after.description ?? '', 200),
            plainText(before.description ?? '', 200),
          ),
    ),
  );
}

function startLines(
  before: ShownStart,
  now: ShownStart,
  isVisible: boolean,
): string[] {
  if (!isVisible) return [t('Values that are not shown here have changed.')];
  const lines: string[] = [];
  const target = ({ commandLine, url }: ShownStart) => commandLine ?? url ?? '';
  if (target(before) !== target(now))
    lines.push(t('Previously: {0}', target(before)));
  if (before.folder !== now.folder)
    lines.push(t('Previous folder: {0}', before.folder ?? t('none')));
  const names = (start: ShownStart) =>
    namesOf([...start.variables, ...start.headers]);
  if (names(before) !== names(now)) {
    lines.push(
      t('Previous variables and headers: {0}', names(before) || t('none')),
    );
  }
  return lines;
}

function namesOf(names: readonly string[]): string {
  const maxNames = 20;
  const visibleNames = names
    .slice(0, maxNames)
    .map((name) => plainText(name, 200));
  const hiddenCount = names.length - visibleNames.length;
  return hiddenCount > 0
    ? t('{0} and {1} more', visibleNames.join(', '), hiddenCount)
    : visibleNames.join(', ');
}

export function checkFacts(
  entry: Entry,
  checked: CheckedServer,
  nameOf: NameOfService,
): Fact[] {
  const { here, elsewhere, changes, underWay } = checked;
  const probed = probedOf(entry);
  const differences =
    changes && probed ? changeLines(changes, shownStart(probed)) : [];
  const difference = differenceOfChecks(checked, nameOf);
  return knownFacts([
    [t('Check'), underWay && stepSentences[underWay]],
    ...present(here, ...elsewhere).flatMap((check) =>
      factsOfCheck(serverName(entry), check),
    ),
    [
      t('Checks'),
      difference === undefined ? undefined : plainText(difference, 400),
    ],
    ...listFacts(t('Changed since its check'), differences),
  ]);
}

function factsOfCheck(
  name: string,
  { where, at, saved, result }: ServerCheck,
): Fact[] {
  const checked =
    where === 'here'
      ? t('{0}, on this machine', dateAndTime(at))
      : t('{0}, at {1}', dateAndTime(at), plainText(where.service, 100));
  return knownFacts([
    [t('Last check'), plainText(resultSentence(name, result), 600)],
    [t('Checked'), checked],
    [
      t('Slow'),
      result.kind === 'works' &&
        result.ignoresFirstQuestion &&
        t(
          'It does not answer the first request of newer clients. Later checks skip it.',
        ),
    ],
    [
      t('Unsaved'),
      !saved && t('The file had unsaved changes, which were checked too.'),
    ],
  ]);
}

/** Facts for the page of the server, beyond the sentence. */
export function failureFacts(failure: ProbeFailure): Fact[] {
  const list = (title: string, values: readonly string[]) =>
    listFacts(
      title,
      values.map((value) => plainText(value, 500)),
    );
  if (failure.reason === 'programNotFound') {
    // The sentence names the first five.
    return failure.lookedIn.length > 5
      ? list(t('Looked in'), failure.lookedIn)
      : [];
  }
  if (failure.reason === 'keyRefused') {
    return list(
      t('The server says'),
      failure.said === undefined ? [] : [failure.said],
    );
  }
  return 'lastLines' in failure
    ? list(t('Last output'), failure.lastLines)
    : [];
}

export type NameOfService = (address: string) => string;

/** Undefined if the checks agree. */
export function differenceOfChecks(
  { here, elsewhere }: Pick<CheckedServer, 'here' | 'elsewhere'>,
  nameOf: NameOfService,
): string | undefined {
  const serviceText = elsewhereShort({ here, elsewhere }, nameOf);
  if (!here || serviceText === undefined) return undefined;
  return here.result.kind === 'fails'
    ? t(
        '{0}, not here: {1}',
        serviceText,
        failureAtService(here.result.failure),
      )
    : t('works here, {0}', serviceText);
}

/** The result of a service, if it differs from the one of this machine. */
export function elsewhereShort(
  checked: Pick<CheckedServer, 'here' | 'elsewhere'>,
  nameOf: NameOfService,
): string | undefined {
  const other = checked.elsewhere.find(
    ({ result }) => result.kind !== checked.here?.result.kind,
  );
  if (!other || other.where === 'here') return undefined;
  const place = nameOf(other.where.service);
  return other.result.kind === 'fails'
    ? t('not at {0}: {1}', place, failureAtService(other.result.failure))
    : t('works at {0}', place);
}

/** A service's message about a missing program. */
const noProgram = /No such file or directory: '(.+)'$/;

function failureAtService(failure: ProbeFailure): string {
  if (failure.reason !== 'other') return failureWords(failure).short;
  const program = noProgram.exec(failure.detail)?.[1];
  return program === undefined
    ? failure.detail
    : t('{0} not found there', program);
}

interface Asked {
  readonly entry: Entry;
  readonly changes: CheckChanges | undefined;
}

/** Throws a UserError if the question cannot show all that would run. */
export function agreementQuestion(asked: readonly Asked[], isSaved: boolean) {
  for (const { entry } of asked) requireShownWhole(entry);
  const [firstServer] = asked;
  const isSingle = asked.length === 1 && firstServer !== undefined;
  const question = isSingle
    ? t('Check “{0}”?', serverName(firstServer.entry))
    : t('Check {0} MCP servers?', asked.length);
  const lines = asked
    .flatMap((server) => [...whatStarts(server, !isSingle), ''])
    .filter((line, i, all) => line !== '' || all[i - 1] !== '');
  return {
    question,
    lines: present(
      ...lines,
      !isSaved &&
        t('The file has unsaved changes. What is in the editor is checked.'),
      isSingle
        ? t('You are asked again only if it changes.')
        : t('You are asked again only for those that change.'),
    ),
  };
}

function requireShownWhole(entry: Entry): void {
  const probed = probedOf(entry);
  const obstacle = probed && consentObstacle(probed.server, probed.cwd);
  if (obstacle === 'tooLong')
    throw userError(
      '“{0}” was not checked: it is too long to be shown. Shorten its command, URL, or folder in the file.',
      serverName(entry),
    );
  if (obstacle === 'maskedCode')
    throw userError(
      '“{0}” was not checked: a masked part of it could run something. Move its secrets to variables.',
      serverName(entry),
    );
}

function whatStarts({ entry, changes }: Asked, isNamed: boolean): string[] {
  const probed = probedOf(entry);
  if (!probed) return [];
  const start = shownStart(probed);
  const { commandLine, url, folder, variables, headers } = start;
  return present(
    checkHeading(
      commandLine !== undefined,
      isNamed ? serverName(entry) : undefined,
    ),
    // Blank lines set a single server apart.
    ...(isNamed
      ? [commandLine ?? url ?? '']
      : ['', commandLine ?? url ?? '', '']),
    folder !== undefined && t('Folder: {0}', folder),
    ...(variables.length > 0
      ? [t('With these variables, which can change what runs:'), ...variables]
      : []),
    headers.length > 0 && t('Headers: {0}', headers.join(', ')),
    ...(changes ? changeLines(changes, start).map((line) => `● ${line}`) : []),
  );
}

function checkHeading(isCommand: boolean, name: string | undefined): string {
  if (isCommand) {
    return name === undefined
      ? t('This command runs once on this machine to list its tools:')
      : t('“{0}” runs once on this machine to list its tools:', name);
  }
  return name === undefined
    ? t('The server at this address is asked for its tools:')
    : t('“{0}” is asked for its tools at this address:', name);
}

const maxFailuresListed = 5;

/** The outcome of checking many servers. `failed`: names with reasons. */
export function checkedMessage(
  failed: readonly string[],
  done: number,
  isCancelled: boolean,
): string {
  const moreCount = failed.length - maxFailuresListed;
  const list = joinParts(
    ', ',
    ...failed.slice(0, maxFailuresListed),
    moreCount > 0 && t('{0} more', moreCount),
  );
  const outcome =
    failed.length === 0
      ? t('{0} of {1} MCP servers work.', done, done)
      : t(
          '{0} of {1} MCP servers work. These do not: {2}.',
          done - failed.length,
          done,
          list,
        );
  return isCancelled ? `${t('Canceled.')} ${outcome}` : outcome;
}
