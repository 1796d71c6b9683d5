import type { Edit } from 'jsonc-parser';
import type { Outline } from '../outline.ts';
import type { Span } from '../reader.ts';
import { codes, type ProblemCode, type Severity } from './codes.ts';

/** Something that is wrong in the text. No message has a value of the file in it, only names and keys. */
export interface Problem extends Span {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** A sentence that says what is wrong, and mostly one that says what to do. */
  readonly message: string;
  readonly related?: readonly Related[];
  /** Worked out when they are asked for. */
  readonly fixes: readonly Fix[];
}

export interface Related extends Span {
  readonly message: string;
}

/** A way to solve a problem. */
export interface Fix {
  readonly title: string;
  /** Of the text as it was. They do not overlap. */
  readonly edits: readonly Edit[];
  /** Whether nobody who knew of the problem would do otherwise, so that it can be done without asking. */
  readonly certain: boolean;
}

interface More {
  readonly fixes?: () => Fix[];
  readonly related?: readonly Related[];
}

/** A text that is looked through, and what has been found in it. */
export class Review {
  readonly found: Outline;
  readonly problems: Problem[] = [];

  constructor(found: Outline) {
    this.found = found;
  }

  report(code: ProblemCode, at: Span, message: string, more: More = {}): void {
    this.problems.push(problem(code, at, message, more));
  }
}

const none = (): Fix[] => [];

export function problem(
  code: ProblemCode,
  { start, end }: Span,
  message: string,
  { related, fixes = none }: More = {},
): Problem {
  const [severity] = codes[code];
  return {
    code,
    severity,
    message,
    start,
    end,
    ...(related && { related }),
    get fixes() {
      return fixes();
    },
  };
}
