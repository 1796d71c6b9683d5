/**
 * Problems of the text of mcp.json, and their fixes. Runs after every
 * keystroke.
 */
import { t } from '../../base/l10n.ts';
import { quotedName } from '../format/document.ts';
import { outline, type Outline } from '../format/outline.ts';
import { checkConnection } from './checkConnection.ts';
import { checkContainers, checkStrictness } from './checkFile.ts';
import { checkKeys } from './checkKeys.ts';
import { checkTools } from './checkTools.ts';
import { checkValues } from './checkValues.ts';
import {
  CheckedEntry,
  createProblem,
  type Problem,
  ProblemCollector,
} from './problem.ts';
import { type Member, nameSpan, type ObjectNode } from '../text/nodes.ts';
import { Refusal } from '../text/refusal.ts';
import { replaceSpan } from '../text/withEdits.ts';

export type {
  Fix,
  Problem,
  ProblemCode,
  RelatedPlace as Related,
  Severity,
} from './problem.ts';

/**
 * Returns the problems in the order of the text; for an unreadable text, its
 * one reason.
 */
export function findProblems(text: string): Problem[] {
  const file = read(text);
  if ('code' in file) return [file];
  const problems = new ProblemCollector(file);
  checkStrictness(problems);
  if (!file.blank) {
    checkContainers(problems);
    if (file.servers) checkServers(problems, file.servers);
  }
  return problems.reported.sort((a, b) => a.start - b.start);
}

function read(text: string): Outline | Problem {
  try {
    return outline(text);
  } catch (error) {
    if (error instanceof Refusal) return refused(error, text);
    throw error;
  }
}

function refused({ kind, what, position }: Refusal, text: string): Problem {
  const code =
    (['syntax', 'wrongType', 'tooDeep'] as const).find(
      (problemCode) => problemCode === kind,
    ) ?? 'tooBig';
  const offset = position?.offset ?? 0;
  const start = Math.max(0, Math.min(offset, text.length - 1));
  // The editor shows the position itself.
  const message = what.charAt(0).toUpperCase() + what.slice(1);
  const isNull = kind === 'wrongType' && text.startsWith('null', offset);
  const end = Math.min(start + (isNull ? 4 : 1), text.length);
  const edits = [replaceSpan({ start, end }, '{}')];
  return createProblem(code, { start, end }, message, () =>
    isNull ? [{ title: t('Change to {0}', '{}'), edits, certain: false }] : [],
  );
}

function checkServers(problems: ProblemCollector, servers: ObjectNode): void {
  for (const field of problems.reportDuplicates('duplicateServer', servers)) {
    checkName(problems, servers, field);
    if (field.value.type === 'object') {
      const entry = new CheckedEntry(problems, field);
      checkKeys(entry);
      checkValues(entry);
      checkTools(entry);
      checkConnection(entry);
    } else reportNoObject(problems, servers, field);
  }
}

function checkName(
  problems: ProblemCollector,
  servers: ObjectNode,
  field: Member,
): void {
  if (field.name.trim() !== '') return;
  const taken = new Set(servers.members.map(({ name }) => name));
  const message = t('This server has no name. Give it one.');
  problems.report('emptyName', nameSpan(field), message, () => {
    let name = 'server';
    for (let i = 2; taken.has(name); i++) name = `server-${i}`;
    return [problems.renameFix(field, name)];
  });
}

function reportNoObject(
  problems: ProblemCollector,
  servers: ObjectNode,
  field: Member,
): void {
  if (!problems.readsEntries) return;
  const message = t(
    '{0} is not an object with "command" or "url". Change or remove it.',
    quotedName(field.name),
  );
  problems.report('notAnObject', field.value, message, () => [
    problems.removeFix(servers, field),
  ]);
}
