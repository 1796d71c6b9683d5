/**
 * Reads the text of mcp.json with jsonc-parser: JSON, in which comments and
 * trailing commas are noted.
 */
import {
  createScanner,
  type JSONVisitor,
  printParseErrorCode,
  visit,
} from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { Refusal } from './refusal.ts';
import {
  type Member,
  type Node,
  type ObjectNode,
  objectOf,
  type ScalarNode,
  type Span,
} from './nodes.ts';

/**
 * Real files have a few entries. The limits of depth and digits are those of
 * the program that reads the file.
 */
export const treeLimits = {
  characters: 16_000_000,
  depth: 200,
  digits: 4300,
} as const;

export interface Tree {
  readonly text: string;
  /** True for white space alone; the root is then an object without braces. */
  readonly blank: boolean;
  readonly root: ObjectNode;
  readonly comments: readonly Span[];
  readonly trailingCommas: readonly number[];
  /** Escapes of half a character, valid JSON but not valid text. */
  readonly loneSurrogates: readonly Span[];
}

/** Throws a Refusal for text that is not JSON, too big, or not an object. */
export function readText(text: string): Tree {
  const reader = new Reader(text);
  const tree = reader.read();
  if (reader.fault) throw reader.fault;
  return tree;
}

/**
 * Reads as much as possible of a text being typed; returns a blank tree if
 * nothing can be read.
 */
export function readUnfinished(text: string): Tree {
  return new Reader(text).read();
}

/** The offset of the next character outside white space and comments. */
export function skipTrivia(text: string, offset: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return scanner.getTokenOffset();
}

interface OpenContainer {
  readonly start: number;
  readonly members?: OpenMember[];
  readonly items?: Node[];
}

type OpenMember = { -readonly [K in keyof Member]: Member[K] };

const escapes = /\\(?:ud[89ab]..\\ud[c-f]..|u[\da-f]{4}|[^])/gi;

class Reader {
  /** The first error. */
  fault: Refusal | undefined;
  readonly #text: string;
  readonly #comments: Span[] = [];
  readonly #trailingCommas: number[] = [];
  readonly #loneSurrogates: Span[] = [];
  readonly #open: OpenContainer[] = [];
  #root: Node | undefined;
  #lastComma = -1;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Tree {
    const text = this.#text;
    if (text.length > treeLimits.characters) {
      this.fault = new Refusal(
        'tooBig',
        t('The file is too big to be changed here.'),
      );
    } else if (!/^\uFEFF?[ \t\r\n]*$/.test(text)) this.#visit();
    const root = objectOf(this.#root);
    return {
      text,
      blank: !root,
      root: root ?? { type: 'object', text, start: 0, end: 0, members: [] },
      comments: this.#comments,
      trailingCommas: this.#trailingCommas,
      loneSurrogates: this.#loneSurrogates,
    };
  }

  #visit(): void {
    const text = this.#text;
    try {
      // A space is as wide as the byte order mark, so all offsets stay the
      // same.
      visit(text.replace(/^\uFEFF/, ' '), this.#visitor, {
        allowTrailingComma: true,
      });
    } catch (error) {
      this.fault ??= error as Refusal;
      while (this.#open.length > 0) this.#close(text.length);
    }
    if (this.#root?.type === 'object') return;
    const message = t('the configuration is not a JSON object.');
    this.fault ??= new Refusal('wrongType', message, text, this.#root?.start);
  }

  readonly #visitor: JSONVisitor = {
    onObjectBegin: (start) => {
      this.#checkDepth(start);
      this.#open.push({ start, members: [] });
    },
    onArrayBegin: (start) => {
      this.#checkDepth(start);
      this.#open.push({ start, items: [] });
    },
    onObjectProperty: (name, start, length) => {
      const text = this.#text;
      const end = start + length;
      this.#checkCharacters(name, start, end);
      const value: Node = {
        type: 'missing',
        content: null,
        text,
        start: end,
        end,
      };
      this.#open
        .at(-1)
        ?.members?.push({ text, name, start, nameEnd: end, end, value });
    },
    onLiteralValue: (content: ScalarNode['content'], start, length) => {
      const end = start + length;
      this.#checkDepth(start);
      if (typeof content === 'string')
        this.#checkCharacters(content, start, end);
      if (typeof content === 'number') this.#checkDigits(start, end);
      const type = content === null ? 'null' : typeof content;
      this.#add({ type, content, text: this.#text, start, end } as ScalarNode);
    },
    onObjectEnd: (offset, length) => {
      this.#close(offset + length);
    },
    onArrayEnd: (offset, length) => {
      this.#close(offset + length);
    },
    onSeparator: (sign, offset) => {
      if (sign === ',') this.#lastComma = offset;
    },
    onComment: (start, length) => {
      this.#comments.push({ start, end: start + length });
    },
    onError: (code, start, length) => {
      const sentence =
        sentences[printParseErrorCode(code)] ?? this.#expectation();
      const closer = this.#open.at(-1)?.items ? ']' : '}';
      const shift =
        sentence === badEscape ? this.#invalidEscape(start, start + length) : 0;
      this.#fail(sentence(closer), start + shift);
    },
  };

  #close(offset: number): void {
    const container = this.#open.pop();
    // A comment without an end can lead jsonc-parser one character beyond the
    // text.
    if (container)
      this.#add(
        this.#containerNode(container, Math.min(offset, this.#text.length)),
      );
  }

  #containerNode(
    { start, members, items = [] }: OpenContainer,
    end: number,
  ): Node {
    const text = this.#text;
    const last = (members ?? items).at(-1);
    if (last && last.end <= this.#lastComma)
      this.#trailingCommas.push(this.#lastComma);
    return members
      ? { type: 'object', text, start, end, members }
      : { type: 'array', text, start, end, items };
  }

  #add(value: Node): void {
    const container = this.#open.at(-1);
    if (!container) this.#root ??= value;
    container?.items?.push(value);
    const member = container?.members?.at(-1);
    if (!member) return;
    member.value = value;
    member.end = value.end;
  }

  /**
   * Throws, because jsonc-parser calls itself for each level, and would
   * overflow the stack.
   */
  #checkDepth(start: number): void {
    if (this.#open.length <= treeLimits.depth) return;
    throw new Refusal(
      'tooDeep',
      t('the nesting is too deep.'),
      this.#text,
      start,
    );
  }

  #checkCharacters(content: string, start: number, end: number): void {
    if (content.isWellFormed()) return;
    for (const { 0: escape, index } of this.#text
      .slice(start, end)
      .matchAll(escapes)) {
      const span = { start: start + index, end: start + index + escape.length };
      if (/^\\ud[89a-f]..$/i.test(escape)) this.#loneSurrogates.push(span);
    }
  }

  #checkDigits(start: number, end: number): void {
    if (end - start <= treeLimits.digits) return;
    const digits = this.#text.slice(start, end).replace('-', '');
    if (digits.length <= treeLimits.digits || !/^\d+$/.test(digits)) return;
    this.#fail(t('this number has too many digits.'), start);
  }

  /** The sentence for text that cannot be the next part. */
  #expectation(): Sentence {
    if (this.#root) return afterEnd;
    const container = this.#open.at(-1);
    const isNamed = container?.members?.at(-1)?.value.type === 'missing';
    return container?.members && !isNamed
      ? () => t('a name in double quotes is missing.')
      : () => t('a value is missing.');
  }

  #invalidEscape(start: number, end: number): number {
    const all = [...this.#text.slice(start, end).matchAll(escapes)];
    return Number(
      all.find(([escape]) => !/^\\(?:["\\/bfnrt]$|u.)/.test(escape))?.index,
    );
  }

  #fail(message: string, offset: number): void {
    if (this.fault) return;
    const text = this.#text;
    if (offset < text.length)
      this.fault = new Refusal('syntax', message, text, offset);
    else {
      // An editor can underline the last visible character.
      const visible = Math.max(0, text.trimEnd().length - 1);
      this.fault = new Refusal(
        'syntax',
        t('the text ends here, and {0}', message),
        text,
        visible,
      );
    }
  }
}

type Sentence = (closer: string) => string;

const afterEnd: Sentence = () =>
  t('there is something after the end of the configuration.');
const badEscape: Sentence = () =>
  t('this is not a valid escape sequence in JSON.');
const badString: Sentence = () =>
  t('this string does not end on its line, or contains a control character.');

/**
 * Sentences for the errors of jsonc-parser that say what is wrong wherever they
 * occur.
 */
const sentences: Readonly<Record<string, Sentence>> = {
  ColonExpected: () => t('a colon is missing.'),
  CommaExpected: (closer) => t('a comma or "{0}" is missing.', closer),
  CloseBraceExpected: () => t('"{0}" is missing.', '}'),
  CloseBracketExpected: () => t('"{0}" is missing.', ']'),
  EndOfFileExpected: afterEnd,
  InvalidCharacter: badString,
  InvalidEscapeCharacter: badEscape,
  InvalidUnicode: badEscape,
  UnexpectedEndOfComment: () => t('this comment has no end.'),
  UnexpectedEndOfNumber: () => t('this is not a valid number in JSON.'),
  UnexpectedEndOfString: badString,
};
