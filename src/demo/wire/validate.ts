import { type Call, failed, type HttpAnswer } from './http.ts';
import type { ValidationError } from './wireTypes.ts';

export function invalid(errors: readonly ValidationError[]): HttpAnswer {
  return failed(422, errors);
}

/** The most rows on a page. */
const pageLimit = 100;

export type BodyFields = Readonly<Record<string, unknown>>;

type Loc = ValidationError['loc'];

const missing = 'Field required';
const noUuid = 'Input should be a valid UUID';

/**
 * Notes errors in one part of a request: where they are, and in short what is
 * wrong.
 */
export class RequestErrors {
  readonly errors: ValidationError[] = [];
  readonly #part: 'path' | 'query' | 'body';

  constructor(part: 'path' | 'query' | 'body') {
    this.#part = part;
  }

  note(loc: Loc, msg: string): void {
    this.errors.push({ type: 'value_error', loc: [this.#part, ...loc], msg });
  }

  noteRange(loc: Loc, value: number, above: number, most: number): void {
    if (value <= above) this.note(loc, `Input should be greater than ${above}`);
    if (value > most)
      this.note(loc, `Input should be less than or equal to ${most}`);
  }
}

/**
 * Reads the parameters of a query. If a parameter occurs twice, the last one
 * counts. Unknown parameters are ignored.
 */
export class QueryReader extends RequestErrors {
  readonly #query: URLSearchParams;

  constructor(query: URLSearchParams) {
    super('query');
    this.#query = query;
  }

  text(name: string): string | undefined {
    return this.#query.getAll(name).at(-1);
  }

  /** A whole number above `above` and up to `most`. */
  integer(
    name: string,
    {
      otherwise,
      above = -Infinity,
      most = Infinity,
    }: { otherwise: number; above?: number; most?: number },
  ): number {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    if (!/^\s*[+-]?\d+\s*$/.test(text)) {
      this.note([name], 'Input should be a valid integer');
      return otherwise;
    }
    const value = Number(text);
    this.noteRange([name], value, above, most);
    return value;
  }

  oneOf<Value extends string>(
    name: string,
    values: readonly Value[],
  ): Value | undefined {
    const text = this.text(name);
    const value = values.find((option) => option === text);
    if (text !== undefined && value === undefined)
      this.note([name], oneOf(values));
    return value;
  }

  flag(name: string): boolean {
    const text = this.text(name);
    const flag = text === undefined ? false : flagOf(text);
    if (flag === undefined)
      this.note([name], 'Input should be a valid boolean');
    return flag ?? false;
  }

  /** A time without a zone is in UTC. In milliseconds since 1970. */
  time(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const match =
      /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(
        text,
      );
    const value = match
      ? Date.parse(
          match[1] === undefined && text.length > 10 ? `${text}Z` : text,
        )
      : NaN;
    if (!Number.isNaN(value)) return value;
    this.note([name], 'Input should be a valid datetime or date');
    return undefined;
  }

  /** Returns '' and notes an error if the parameter is missing. */
  required(name: string): string {
    const text = this.text(name);
    if (text === undefined) this.note([name], missing);
    return text ?? '';
  }

  limit(otherwise = pageLimit): number {
    return this.integer('limit', { otherwise, above: 0, most: pageLimit });
  }

  /** The parameter can occur many times. Undefined if it does not occur. */
  list(name: string): readonly string[] | undefined {
    const values = this.#query.getAll(name);
    return values.length === 0 ? undefined : values;
  }

  uuids(name: string): readonly string[] {
    const values = this.list(name);
    if (!values) this.note([name], missing);
    for (const [index, value] of values?.entries() ?? []) {
      if (!isUuid(value)) this.note([name, index], noUuid);
    }
    return values ?? [];
  }
}

/**
 * Answers with `answer` to the value that `read` makes of the JSON in the body,
 * or with the errors that it notes.
 */
export function withBody<Wanted>(
  { headers, body }: Call,
  read: (reader: BodyReader, fields: BodyFields) => Wanted | undefined,
  answer: (request: Wanted) => HttpAnswer,
): HttpAnswer {
  const reader = new BodyReader();
  const fields = reader.parse(headers['content-type'] ?? '', body);
  const request = fields && read(reader, fields);
  return request === undefined || reader.errors.length > 0
    ? invalid(reader.errors)
    : answer(request);
}

/** Reads a JSON body. Invalid values are undefined. */
export class BodyReader extends RequestErrors {
  constructor() {
    super('body');
  }

  parse(contentType: string, body: string): BodyFields | undefined {
    let value: unknown;
    if (
      body !== '' &&
      /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType)
    ) {
      try {
        value = JSON.parse(body);
      } catch {
        this.note([0], 'JSON decode error');
        return undefined;
      }
    }
    return this.object([], value ?? (body === '' ? undefined : body));
  }

  /** Reads a field unless it is missing or null. */
  optional<Value>(
    fields: BodyFields,
    name: string,
    read: (loc: readonly string[], value: unknown) => Value,
  ): Value | undefined {
    const value = fields[name] ?? undefined;
    return value === undefined ? undefined : read([name], value);
  }

  object(loc: Loc, value: unknown): BodyFields | undefined {
    if (isFields(value)) return value;
    this.#noteMissingOr(value, loc, 'Input should be an object');
    return undefined;
  }

  list(loc: Loc, value: unknown): readonly unknown[] | undefined {
    if (Array.isArray(value)) return value as unknown[];
    this.#noteMissingOr(value, loc, 'Input should be a valid list');
    return undefined;
  }

  /** `least` and `most` limit the length. */
  string(
    loc: Loc,
    value: unknown,
    { least = 0, most = Infinity } = {},
  ): string | undefined {
    if (typeof value !== 'string') {
      this.#noteMissingOr(value, loc, 'Input should be a valid string');
      return undefined;
    }
    if (value.length < least)
      this.note(loc, `String should have at least ${least} characters`);
    if (value.length > most)
      this.note(loc, `String should have at most ${most} characters`);
    return value;
  }

  boolean(loc: Loc, value: unknown): boolean | undefined {
    if (typeof value === 'boolean') return value;
    this.#noteMissingOr(value, loc, 'Input should be a valid boolean');
    return undefined;
  }

  /** Also `"yes"`, `"off"`, 1 and the like. */
  flag(loc: Loc, value: unknown): boolean | undefined {
    if (typeof value !== 'string' && typeof value !== 'number')
      return this.boolean(loc, value);
    const flag = flagOf(String(value));
    if (flag === undefined) this.note(loc, 'Input should be a valid boolean');
    return flag;
  }

  uuid(loc: Loc, value: unknown): string | undefined {
    const text = this.string(loc, value);
    if (text === undefined || isUuid(text)) return text;
    this.note(loc, noUuid);
    return undefined;
  }

  oneOf<Value extends string>(
    loc: Loc,
    value: unknown,
    values: readonly Value[],
  ): Value | undefined {
    const match = values.find((option) => option === value);
    if (match !== undefined) return match;
    this.#noteMissingOr(value, loc, oneOf(values));
    return undefined;
  }

  #noteMissingOr(value: unknown, loc: Loc, msg: string): void {
    this.note(loc, value === undefined ? missing : msg);
  }
}

export function isFields(value: unknown): value is BodyFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function flagOf(text: string): boolean | undefined {
  if (/^(?:1|true|t|yes|y|on)$/i.test(text)) return true;
  return /^(?:0|false|f|no|n|off)$/i.test(text) ? false : undefined;
}

/** Accepts ids with or without dashes. */
export function isUuid(text: string): boolean {
  return /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(
    text,
  );
}

function oneOf(values: readonly string[]): string {
  return `Input should be one of: ${values.join(', ')}`;
}
