import { t, words } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { joinParts } from '../../../base/parts.ts';
import type { SuggestedTask } from '../../../service/model/entities.ts';
import { fenced } from '../../../service/model/newMessage.ts';
import type {
  LeftOutFile,
  QuotedText,
  FirstMessage,
  UnreachableReason,
} from '../../../state/newConversation/firstMessage.ts';
import { wordsOf } from '../stateWords.ts';
import { filesWord } from './changeWords.ts';

/** The commit that the agent works on. */
export interface WorkedOn {
  readonly repository?: string | undefined;
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
}

/** Selections and changes have no obvious task. */
const tasks: Readonly<Partial<Record<FirstMessage['from'], string>>> = words({
  problem: 'Fix this problem.',
  test: 'Make this test pass.',
  conflict: 'Resolve this merge conflict.',
});

const reasons = words({
  unsaved: 'it has changes that are not saved',
  uncommitted: 'it has changes that are not committed',
  unpushed: 'its newest commits are not pushed',
  otherMachine: 'this is the version on my machine',
});

const whyLeftOut = words({
  ignored: 'ignored by Git',
  secretFile: 'a file for secrets',
  concealed: 'a link out of the folder, or to a file for secrets',
  notText: 'not text',
  tooLarge: 'too large',
});

export function taskOf({ from, references }: FirstMessage): string {
  const several = references.flatMap(({ problems }) => problems).length > 1;
  return from === 'problem' && several
    ? t('Fix these problems.')
    : (tasks[from] ?? '');
}

/**
 * Attachments of the message: first its subject, then files that the agent does
 * not have like this.
 */
export function attachmentsOf(
  start: FirstMessage,
  origin: WorkedOn,
): readonly { readonly name: string; readonly text: string }[] {
  const { references, quotes, test, changedPaths, moreChanges } = start;
  const { diffs, whole, leftOut } = start;
  const text = joinParts(
    '\n\n',
    originLine(origin),
    ...(test ? testParts(test) : []),
    references
      .flatMap(({ problems, ...place }) => [
        `- ${withLines(fileName(place.path), place)}`,
        ...problems.map((problem) => `  - ${problem}`),
      ])
      .join('\n'),
    ...quotes.map((quote) => {
      if (quote.why !== undefined) return wholeFile(quote, quote.why);
      return `${withLines(fileName(quote.path), quote)}:\n${codeBlock(quote)}`;
    }),
    changedPaths.length > 0 &&
      joinParts(
        '\n',
        t('Changed, and not committed:'),
        ...changedPaths.map((path) => `- ${fileName(path)}`),
        moreChanges > 0 && `- ${t('{0} more', moreChanges)}`,
      ),
    ...diffs.map(codeBlock),
    leftOut.length > 0 &&
      [
        t('Not included:'),
        ...leftOut.map((file) => `- ${leftOutLine(file, true)}`),
      ].join('\n'),
  );
  return [
    { name: nameOf(start), text },
    ...whole.map((quote) => ({
      name: plainText(quote.path),
      text: wholeFile(quote, quote.why),
    })),
  ];
}

function wholeFile(file: QuotedText, why: UnreachableReason): string {
  const name = fileName(file.path);
  const intro = t(
    '{0} may be different where you work: {1}. Full content:',
    name,
    reasons[why],
  );
  return `${intro}\n${codeBlock(file)}`;
}

const kinds = words({
  selection: 'Selection',
  problem: 'Problem',
  test: 'Test',
  changes: 'Changes',
  conflict: 'Conflict',
  place: 'Place',
});

function nameOf({
  from,
  references: [first],
  test,
  changedPaths,
  moreChanges,
}: FirstMessage): string {
  const place = first && withLines(plainText(first.path), first);
  return `${kinds[from]}: ${test?.name ?? place ?? filesWord(changedPaths.length + moreChanges)}`;
}

export function leftOutLine(left: LeftOutFile, isMarkdown = false): string {
  const name = isMarkdown ? fileName(left.path) : plainText(left.path);
  if (left.why !== 'secret') return `${name} (${whyLeftOut[left.why]})`;
  const { lines } = left;
  const lineNumbers =
    lines.slice(0, 10).join(', ') + (lines.length > 10 ? ', …' : '');
  if (lines.length === 0) return t('possible secret ({0})', name);
  return lines.length === 1
    ? t('possible secret ({0}, line {1})', name, lineNumbers)
    : t('possible secrets ({0}, lines {1})', name, lineNumbers);
}

function originLine({ repository, branch, commit }: WorkedOn): string {
  if (repository === undefined) return '';
  const name = `\`${repository}\``;
  if (commit === undefined) return t('In {0}.', name);
  return branch === undefined
    ? t('In {0}, commit {1}.', name, commit.slice(0, 10))
    : t(
        'In {0}, branch {1}, commit {2}.',
        name,
        `\`${plainText(branch)}\``,
        commit.slice(0, 10),
      );
}

export function withLines(
  name: string,
  { first, last }: { readonly first: number; readonly last: number },
) {
  return first === last
    ? t('{0}, line {1}', name, first)
    : t('{0}, lines {1} to {2}', name, first, last);
}

function testParts({
  name,
  message,
  expected,
  actual,
}: NonNullable<FirstMessage['test']>): string[] {
  const text = (words: string, text: string | undefined) =>
    text === undefined || text.trim() === ''
      ? []
      : [`${words}\n${codeBlock({ language: '', text })}`];
  return [
    t('The test: {0}', name),
    ...text(t('How it failed:'), message),
    ...text(t('Expected:'), expected),
    ...text(t('Actual:'), actual),
  ];
}

/** A file name as inline code, on one line. */
export function fileName(path: string): string {
  return `\`${plainText(path, 500).replaceAll('`', '´')}\``;
}

export function codeBlock({
  language,
  text,
}: Pick<QuotedText, 'language' | 'text'>): string {
  return fenced(
    text.replace(/\r?\n$/, ''),
    /^[\w+-]+$/.test(language) ? language : '',
  );
}

export const taskKind = wordsOf(
  words({
    mergeConflicts: 'merge conflicts',
    failingChecks: 'failing checks',
    unresolvedComments: 'unresolved comments',
    openIssue: 'open issue',
    openPullRequest: 'open pull request',
  }),
);

export function taskMessage({
  kind,
  number,
  title,
  repository: { name },
}: SuggestedTask): string {
  switch (kind) {
    case 'mergeConflicts':
      return t(
        'Resolve the merge conflicts of pull request #{0} of {1}: {2}',
        number,
        name,
        title,
      );
    case 'failingChecks':
      return t(
        'Fix the failing checks of pull request #{0} of {1}: {2}',
        number,
        name,
        title,
      );
    case 'unresolvedComments':
      return t(
        'Address the unresolved comments on pull request #{0} of {1}: {2}',
        number,
        name,
        title,
      );
    case 'openPullRequest':
      return t('Continue pull request #{0} of {1}: {2}', number, name, title);
    case 'openIssue':
      return t('Solve issue #{0} of {1}: {2}', number, name, title);
    default:
      return t('Work on #{0} of {1}: {2}', number, name, title);
  }
}
