import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { insertMember, removeMembers } from '../edit/members.ts';
import { quotedName } from '../format/document.ts';
import { Entry } from '../format/entry.ts';
import type { Outline } from '../format/outline.ts';
import { readsEntries } from '../format/verdict.ts';
import { indentAt } from '../text/lines.ts';
import {
  type Member,
  nameSpan,
  type ObjectNode,
  type Span,
} from '../text/nodes.ts';
import { styleOf, writeValue } from '../text/style.ts';
import { sameValue, type Value, valueOf } from '../text/values.ts';
import { replaceSpan } from '../text/withEdits.ts';

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/**
 * The codes shown beside messages, which keep their meaning in every version.
 * Error: the program that reads the file refuses all of it. Warning: something
 * is lost or will not work.
 */
const codes = {
  // The file
  syntax: 'error',
  wrongType: 'error',
  tooDeep: 'error',
  tooBig: 'warning',
  blankFile: 'error',
  byteOrderMark: 'error',
  comment: 'error',
  trailingComma: 'error',
  loneSurrogate: 'error',
  noServers: 'information',
  serversAtRoot: 'warning',
  otherContainer: 'warning',
  duplicateServers: 'warning',
  // A server
  duplicateServer: 'warning',
  emptyName: 'warning',
  notAnObject: 'error',
  noTarget: 'error',
  foreignTarget: 'error',
  misspelledTarget: 'error',
  bothTargets: 'warning',
  // The keys of a server
  duplicateKey: 'warning',
  typeForTransport: 'warning',
  needlessType: 'information',
  disabledForEnabled: 'warning',
  foreignKey: 'warning',
  ignoredKey: 'information',
  misspelledKey: 'warning',
  wrongKind: 'warning',
  // Their values
  badValue: 'error',
  badType: 'error',
  commandIsList: 'error',
  unknownTransport: 'error',
  transportMisfit: 'error',
  commandIsLine: 'warning',
  emptyCommand: 'warning',
  enabledIsNoBoolean: 'warning',
  variableIsNoString: 'warning',
  ignoredTools: 'warning',
  badTool: 'warning',
  impliedTransport: 'information',
  timeoutInSeconds: 'warning',
  badUrl: 'warning',
  insecureUrl: 'warning',
  badHeaderName: 'warning',
  badHeaderValue: 'warning',
  badVariable: 'warning',
  placeholder: 'warning',
  notExpanded: 'warning',
  variableNotSet: 'hint',
  commandNotFound: 'hint',
} as const satisfies Readonly<Record<string, Severity>>;

export type ProblemCode = keyof typeof codes;

export interface Problem extends Span {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /**
   * One sentence about the problem, mostly with one about the remedy. Never
   * contains a value of the file.
   */
  readonly message: string;
  readonly related: readonly RelatedPlace[] | undefined;
  readonly fixes: () => readonly Fix[];
}

export interface RelatedPlace extends Span {
  readonly message: string;
}

export interface Fix {
  readonly title: string;
  /** Edits of the checked text, without overlaps. */
  readonly edits: readonly Edit[];
  /** True if there is only one sensible fix, so Fix All may apply it. */
  readonly certain: boolean;
}

export function createProblem(
  code: ProblemCode,
  { start, end }: Span,
  message: string,
  fixes: () => readonly Fix[] = () => [],
  related?: readonly RelatedPlace[],
): Problem {
  return { code, severity: codes[code], message, start, end, related, fixes };
}

/** The problems of a text so far, and the fixes that suit its style. */
export class ProblemCollector {
  readonly file: Outline;
  readonly reported: Problem[] = [];
  /** False if the program never looks at the entries of this file. */
  readonly readsEntries: boolean;

  constructor(file: Outline) {
    this.file = file;
    this.readsEntries = readsEntries(file);
  }

  /** Reports an error only for what verdict.ts refuses. */
  report(...args: Parameters<typeof createProblem>): void {
    this.reported.push(createProblem(...args));
  }

  /**
   * Reports members that a later one of the same name overrides. Returns the
   * others in order.
   */
  reportDuplicates(
    code: ProblemCode,
    fields: ObjectNode,
    isMeant: (field: Member) => boolean = () => true,
  ): readonly Member[] {
    const last = new Map(fields.members.map((field) => [field.name, field]));
    if (last.size === fields.members.length) return fields.members;
    return fields.members.filter((field) => {
      const counting = last.get(field.name);
      if (!counting || counting === field || !isMeant(field))
        return counting === field;
      const name = quotedName(field.name);
      this.report(
        code,
        nameSpan(field),
        t(
          '{0} appears again below, and only the last one counts. Remove this one.',
          name,
        ),
        () => [
          this.removeFix(
            fields,
            field,
            sameValue(valueOf(field.value), valueOf(counting.value)),
          ),
        ],
        [{ ...nameSpan(counting), message: t('This {0} is used.', name) }],
      );
      return false;
    });
  }

  /** A fix that removes a comment is never certain. */
  fix(title: string, edits: readonly Edit[], certain = false): Fix {
    const losesComment = this.file.comments.some(({ start, end }) =>
      edits.some(
        ({ offset, length }) => offset <= start && end <= offset + length,
      ),
    );
    return { title, edits, certain: certain && !losesComment };
  }

  renameFix(field: Member, name: string, certain = false): Fix {
    return this.fix(
      t('Rename to {0}', quotedName(name)),
      [renameEdit(field, name)],
      certain,
    );
  }

  removeFix(fields: ObjectNode, field: Member, certain = false): Fix {
    return this.fix(
      t('Remove {0}', quotedName(field.name)),
      removeMembers(this.file, fields, [field]),
      certain,
    );
  }

  /** Shows the new content, so it must not come from the file. */
  changeFix(at: Span, content: string, certain = false): Fix {
    return this.fix(
      t('Change to {0}', content),
      [replaceSpan(at, content)],
      certain,
    );
  }

  /** Writes a value as the new value of a field. */
  writeFor(object: ObjectNode, field: Member, value: Value): string {
    const { text, root } = this.file;
    return writeValue(
      value,
      styleOf(text, object, root),
      indentAt(text, field.start),
    );
  }
}

/** An entry that is an object, with fixes of its fields. */
export class CheckedEntry extends Entry {
  declare readonly object: ObjectNode;
  readonly problems: ProblemCollector;

  constructor(problems: ProblemCollector, member: Member) {
    super(member);
    this.problems = problems;
  }

  removeFix(field: Member, certain = false): Fix {
    return this.problems.removeFix(this.object, field, certain);
  }

  insert(name: string, value: Value): Edit[] {
    return insertMember(this.problems.file, this.object, name, value);
  }

  writeFor(field: Member, value: Value): string {
    return this.problems.writeFor(this.object, field, value);
  }
}

export function renameEdit(field: Member, name: string): Edit {
  return replaceSpan(nameSpan(field), JSON.stringify(name));
}
