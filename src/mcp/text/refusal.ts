import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';

type RefusalKind =
  /**
   * The text is not JSON, even with comments and trailing commas. It may be
   * half written: read it again.
   */
  | 'syntax'
  /** The root, `mcpServers` or the entry is not an object. */
  | 'wrongType'
  | 'noSuchServer'
  | 'nameTaken'
  /** The servers are at the root: adding `mcpServers` would hide them. */
  | 'serversAtRoot'
  | 'tooBig'
  | 'tooDeep'
  /**
   * The new text is not the wanted one. A bug of ours, caught before writing.
   */
  | 'unproven';

/**
 * A rejected change, with the position of the reason. The message is a sentence
 * that does not name the file.
 */
export class Refusal extends UserError {
  readonly kind: RefusalKind;
  readonly position: Position | undefined;
  /** The message without the position. */
  readonly what: string;

  constructor(
    kind: RefusalKind,
    message: string,
    text?: string,
    offset?: number,
  ) {
    const position =
      text === undefined || offset === undefined
        ? undefined
        : positionAt(text, offset);
    super(
      position
        ? t(
            'Line {0}, column {1}: {2}',
            position.line,
            position.column,
            message,
          )
        : message,
    );
    this.kind = kind;
    this.position = position;
    this.what = message;
  }
}

export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export function positionAt(text: string, offset: number): Position {
  // Later text does not change a position.
  return positionsIn(text.slice(0, offset + 1))(offset);
}

/** Looks for the lines once, on first use. */
export function positionsIn(text: string): (offset: number) => Position {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let line = 1;
    for (let end = starts.length; line < end;) {
      const middle = Math.ceil((line + end) / 2);
      if (Number(starts[middle - 1]) <= offset) line = middle;
      else end = middle - 1;
    }
    const before = text.slice(starts[line - 1], offset);
    return { offset, line, column: before.replace(/^\uFEFF/, '').length + 1 };
  };
}

function lineStarts(text: string): number[] {
  return [
    0,
    ...Array.from(
      text.matchAll(/\r\n|\r|\n/g),
      ({ 0: { length }, index }) => index + length,
    ),
  ];
}

/** The consequence of a refusal by the program that reads the file. */
export function agentsGetNone(): string {
  return t('This file is invalid, so agents load none of its servers.');
}
