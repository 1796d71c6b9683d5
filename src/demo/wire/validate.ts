import { type Call, failed, type HttpAnswer } from './http.ts';
import type { ValidationError } from './wireTypes.ts';

export function invalid(errors: readonly ValidationError[]): HttpAnswer {
  return failed(422, errors);
}

/** The most rows on a page. */
const pageLimit = 100;

export type BodyFields = Readonly<Record<string, unknown>>;

type Loc = ValidationError['loc'];

/** Notes errors in one part of a request as FastAPI words them. */
export class RequestErrors {
  readonly errors: ValidationError[] = [];
  readonly #part: 'path' | 'query' | 'body';

  constructor(part: 'path' | 'query' | 'body') {
    this.#part = part;
  }

  note(loc: Loc, type: string, msg: string, input: unknown, ctx?: BodyFields): void {
    this.errors.push({ type, loc: [this.#part, ...loc], msg, input, ...(ctx && { ctx }) });
  }

  noteEnum(loc: Loc, input: unknown, values: readonly string[]): void {
    const expected = oneOf(values);
    this.note(loc, 'enum', `Input should be ${expected}`, input, { expected });
  }

  noteFlag(loc: Loc, input: unknown): void {
    this.note(loc, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input', input);
  }

  noteUuid(loc: Loc, input: string): void {
    const error = uuidError(input);
    this.note(loc, 'uuid_parsing', `Input should be a valid UUID, ${error}`, input, { error });
  }

  noteRange(loc: Loc, input: unknown, value: number, above: number, most: number): void {
    if (value <= above)
      this.note(loc, 'greater_than', `Input should be greater than ${above}`, input, { gt: above });
    if (value > most)
      this.note(loc, 'less_than_equal', `Input should be less than or equal to ${most}`, input, { le: most });
  }
}

/**
 * Reads the parameters of a query. If a parameter occurs twice, the last one counts. Unknown parameters are ignored.
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
    { otherwise, above = -Infinity, most = Infinity }: { otherwise: number; above?: number; most?: number },
  ): number {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    if (!/^\s*[+-]?\d+\s*$/.test(text)) {
      const msg = 'Input should be a valid integer, unable to parse string as an integer';
      this.note([name], 'int_parsing', msg, text);
      return otherwise;
    }
    const value = Number(text);
    this.noteRange([name], text, value, above, most);
    return value;
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const text = this.text(name);
    const value = values.find((each) => each === text);
    if (text !== undefined && value === undefined) this.noteEnum([name], text, values);
    return value;
  }

  flag(name: string): boolean {
    const text = this.text(name);
    const flag = text === undefined ? false : flagOf(text);
    if (flag === undefined) this.noteFlag([name], text);
    return flag ?? false;
  }

  /** A time without a zone is in UTC. In milliseconds since 1970. */
  time(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const match = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(text);
    const value = match ? Date.parse(match[1] === undefined && text.length > 10 ? `${text}Z` : text) : NaN;
    if (!Number.isNaN(value)) return value;
    const error = text.length < 10 ? 'input is too short' : 'invalid character';
    const msg = `Input should be a valid datetime or date, ${error}`;
    this.note([name], 'datetime_from_date_parsing', msg, text, { error });
    return undefined;
  }

  /** Empty, and noted, if it was not sent. */
  required(name: string): string {
    const text = this.text(name);
    if (text === undefined) this.#noteMissing(name);
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
    if (!values) this.#noteMissing(name);
    for (const [index, value] of values?.entries() ?? []) {
      if (!isUuid(value)) this.noteUuid([name, index], value);
    }
    return values ?? [];
  }

  #noteMissing(name: string): void {
    this.note([name], 'missing', 'Field required', null);
  }
}

/**
 * Answers with `answer` to the value that `read` makes of the JSON in the body, or with the errors that it notes.
 */
export function withBody<Wanted>(
  { headers, body }: Call,
  read: (reader: BodyReader, fields: BodyFields) => Wanted | undefined,
  answer: (wanted: Wanted) => HttpAnswer,
): HttpAnswer {
  const reader = new BodyReader();
  const fields = reader.parse(headers['content-type'] ?? '', body);
  const wanted = fields && read(reader, fields);
  return wanted === undefined || reader.errors.length > 0 ? invalid(reader.errors) : answer(wanted);
}

/** Reads a JSON body. Invalid values are undefined. */
export class BodyReader extends RequestErrors {
  #body: unknown = null;

  constructor() {
    super('body');
  }

  parse(contentType: string, body: string): BodyFields | undefined {
    let value: unknown;
    if (body !== '' && /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType)) {
      try {
        value = JSON.parse(body);
      } catch {
        this.note([0], 'json_invalid', 'JSON decode error', {}, { error: 'Expecting value' });
        return undefined;
      }
    }
    this.#body = value ?? null;
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
    const message = 'Input should be a valid dictionary or object to extract fields from';
    this.#noteMissingOr(value, loc, 'model_attributes_type', message);
    return undefined;
  }

  list(loc: Loc, value: unknown): readonly unknown[] | undefined {
    if (Array.isArray(value)) return value as unknown[];
    this.#noteMissingOr(value, loc, 'list_type', 'Input should be a valid list');
    return undefined;
  }

  /** Its length is limited by `least` and `most`. */
  string(loc: Loc, value: unknown, { least = 0, most = Infinity } = {}): string | undefined {
    if (typeof value !== 'string') {
      this.#noteMissingOr(value, loc, 'string_type', 'Input should be a valid string');
      return undefined;
    }
    const characters = (count: number) => `${count} character${count === 1 ? '' : 's'}`;
    if (value.length < least) {
      const msg = `String should have at least ${characters(least)}`;
      this.note(loc, 'string_too_short', msg, value, { min_length: least });
    }
    if (value.length > most) {
      const msg = `String should have at most ${characters(most)}`;
      this.note(loc, 'string_too_long', msg, value, { max_length: most });
    }
    return value;
  }

  boolean(loc: Loc, value: unknown): boolean | undefined {
    if (typeof value === 'boolean') return value;
    this.#noteMissingOr(value, loc, 'bool_type', 'Input should be a valid boolean');
    return undefined;
  }

  /** Also `"yes"`, `"off"`, 1 and the like. */
  flag(loc: Loc, value: unknown): boolean | undefined {
    if (typeof value !== 'string' && typeof value !== 'number') return this.boolean(loc, value);
    const flag = flagOf(String(value));
    if (flag === undefined) this.noteFlag(loc, value);
    return flag;
  }

  uuid(loc: Loc, value: unknown): string | undefined {
    const text = this.string(loc, value);
    if (text === undefined || isUuid(text)) return text;
    this.noteUuid(loc, text);
    return undefined;
  }

  oneOf<Value extends string>(loc: Loc, value: unknown, values: readonly Value[]): Value | undefined {
    const found = values.find((each) => each === value);
    if (found !== undefined) return found;
    if (value === undefined) this.#noteMissing(loc);
    else this.noteEnum(loc, value, values);
    return undefined;
  }

  literal(loc: Loc, value: unknown, values: readonly string[]): void {
    const expected = oneOf(values);
    if (values.some((each) => each === value)) return;
    this.note(loc, 'literal_error', `Input should be ${expected}`, value, { expected });
  }

  /** Notes that the field that tells kinds of a value apart has none of these values. */
  noteTag(loc: Loc, value: unknown, field: string, given: unknown, tags: readonly string[]): void {
    const [discriminator, tag] = [`'${field}'`, typeof given === 'string' ? given : ''];
    const expected_tags = tags.map((each) => `'${each}'`).join(', ');
    const msg = `Input tag '${tag}' found using ${discriminator} does not match any of the expected tags: ${expected_tags}`;
    this.note(loc, 'union_tag_invalid', msg, value, { discriminator, tag, expected_tags });
  }

  noteExtra(loc: Loc, value: unknown): void {
    this.note(loc, 'extra_forbidden', 'Extra inputs are not permitted', value);
  }

  /** Notes an error that only the service itself can find. */
  refuse(loc: Loc, error: string, input: unknown): void {
    this.note(loc, 'value_error', `Value error, ${error}`, input, { error });
  }

  #noteMissingOr(value: unknown, loc: Loc, type: string, message: string): void {
    if (value === undefined) this.#noteMissing(loc);
    else this.note(loc, type, message, value);
  }

  #noteMissing(loc: Loc): void {
    this.note(loc, 'missing', 'Field required', this.#body);
  }
}

export function isFields(value: unknown): value is BodyFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function flagOf(text: string): boolean | undefined {
  if (/^(?:1|true|t|yes|y|on)$/i.test(text)) return true;
  return /^(?:0|false|f|no|n|off)$/i.test(text) ? false : undefined;
}

/** With or without dashes. */
export function isUuid(text: string): boolean {
  return /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(text);
}

function uuidError(text: string): string {
  const at = text.search(/[^0-9a-f-]/i);
  return at < 0
    ? `invalid length: expected length 32 for simple format, found ${text.length}`
    : `invalid character: found \`${text.charAt(at)}\` at ${at}`;
}

/** `'a', 'b' or 'c'` */
function oneOf(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop() ?? '';
  return `${quoted.length > 0 ? `${quoted.join(', ')} or ` : ''}${last}`;
}
