import type { Edit } from 'jsonc-parser';
import type { Outline } from '../format/outline.ts';
import type { Span } from '../text/nodes.ts';
import type { OwnKey } from '../format/ownKeys.ts';
import { readsEntries } from '../format/verdict.ts';
import { codes, type ProblemCode, type RefusedCode, type Severity, type TakenCode } from './codes.ts';

/** Something that is wrong in the text. No message has a value of the file in it, only names and keys. */
export interface Problem extends Span {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** A sentence that says what is wrong, and mostly one that says what to do. */
  readonly message: string;
  readonly related?: readonly Related[] | undefined;
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
  /** Whether everybody who knew of the problem would fix it like this, so that nobody needs to be asked. */
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
  /** The keys of ours that an unknown key is near to, by the unknown ones; many servers have the same. */
  readonly misspelled = new Map<string, readonly OwnKey[]>();
  /** Whether the program that reads the file looks at the servers in it at all. */
  readonly readsEntries: boolean;

  constructor(found: Outline) {
    this.found = found;
    this.readsEntries = readsEntries(found);
  }

  /** Something that the program takes, and that its owner should know. */
  report(code: TakenCode, at: Span, message: string, more?: More): void {
    this.problems.push(problem(code, at, message, more));
  }

  /** Something because of which the program refuses the file: what verdict.ts finds, and nothing else. */
  refuse(code: RefusedCode, at: Span, message: string, more?: More): void {
    this.problems.push(problem(code, at, message, more));
  }
}

export function problem(code: ProblemCode, at: Span, message: string, more: More = {}): Problem {
  return new Found(code, at, message, more);
}

/** There may be thousands, at every key that is typed. */
class Found implements Problem {
  readonly code: ProblemCode;
  readonly severity: Severity;
  readonly message: string;
  readonly start: number;
  readonly end: number;
  readonly related: readonly Related[] | undefined;
  readonly #fixes: (() => Fix[]) | undefined;

  constructor(code: ProblemCode, { start, end }: Span, message: string, { related, fixes }: More) {
    this.code = code;
    this.severity = codes[code];
    this.message = message;
    this.start = start;
    this.end = end;
    this.related = related;
    this.#fixes = fixes;
  }

  get fixes(): readonly Fix[] {
    return this.#fixes?.() ?? [];
  }
}
