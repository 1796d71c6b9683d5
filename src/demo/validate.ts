import type { Cursors, ListName, Place } from './cursor.ts';
import { failed, type Answer } from './http.ts';
import type { ValidationError } from './wire.ts';

/** An HTTPValidationError. */
export function invalid(errors: readonly ValidationError[]): Answer {
  return failed(422, errors);
}

/**
 * Reads the parameters of a query, and notes what is wrong with them as FastAPI words it. If a parameter
 * occurs twice, the last one counts. Unknown parameters are ignored.
 */
export class QueryReader {
  readonly errors: ValidationError[] = [];
  readonly #query: URLSearchParams;

  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  text(name: string): string | undefined {
    return this.#query.getAll(name).at(-1);
  }

  integer(name: string, { otherwise, low, high }: { otherwise: number; low: number; high: number }): number {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    if (!/^\s*[+-]?\d+\s*$/.test(text)) {
      this.#note(
        name,
        'int_parsing',
        'Input should be a valid integer, unable to parse string as an integer',
      );
      return otherwise;
    }
    const value = Number(text);
    if (value < low)
      this.#note(name, 'greater_than_equal', `Input should be greater than or equal to ${low}`);
    if (value > high) this.#note(name, 'less_than_equal', `Input should be less than or equal to ${high}`);
    return value;
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const text = this.text(name);
    const value = values.find((each) => each === text);
    if (text !== undefined && value === undefined) this.#note(name, 'enum', oneOfMessage(values));
    return value;
  }

  /** A time without a zone is in UTC. In milliseconds since 1970. */
  time(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const match = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(text);
    const value = match ? Date.parse(match[1] === undefined && text.length > 10 ? `${text}Z` : text) : NaN;
    if (!Number.isNaN(value)) return value;
    this.#note(
      name,
      'datetime_from_date_parsing',
      'Input should be a valid datetime or date, invalid character',
    );
    return undefined;
  }

  cursor(cursors: Cursors, list: ListName): Place | undefined {
    const text = this.text('page_id');
    if (text === undefined) return undefined;
    const place = cursors.read(list, text);
    if (!place) this.#note('page_id', 'value_error', 'Value error, page_id is not a cursor of this list');
    return place;
  }

  /** A list of texts: the parameter can occur many times. Undefined if it does not occur. */
  list(name: string, most: number): readonly string[] | undefined {
    const values = this.#query.getAll(name);
    if (values.length > most) {
      const message = `List should have at most ${most} items after validation, not ${values.length}`;
      this.#note(name, 'too_long', message);
    }
    return values.length === 0 ? undefined : values;
  }

  missing(name: string): void {
    this.#note(name, 'missing', 'Field required');
  }

  #note(name: string, type: string, msg: string): void {
    this.errors.push({ loc: ['query', name], msg, type });
  }
}

type Loc = ValidationError['loc'];

/** Reads a JSON body, and notes what is wrong with it as FastAPI words it. Invalid values are undefined. */
export class BodyReader {
  readonly errors: ValidationError[] = [];

  parse(contentType: string, body: string): Readonly<Record<string, unknown>> | undefined {
    let value: unknown;
    if (body !== '' && /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType)) {
      try {
        value = JSON.parse(body);
      } catch {
        this.#note([0], 'json_invalid', 'JSON decode error');
        return undefined;
      }
    }
    return this.object([], value ?? (body === '' ? undefined : body));
  }

  object(loc: Loc, value: unknown): Readonly<Record<string, unknown>> | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
    const message = 'Input should be a valid dictionary or object to extract fields from';
    this.#noteMissingOr(value, loc, 'model_attributes_type', message);
    return undefined;
  }

  list(loc: Loc, value: unknown): readonly unknown[] | undefined {
    if (Array.isArray(value)) return value as unknown[];
    this.#noteMissingOr(value, loc, 'list_type', 'Input should be a valid list');
    return undefined;
  }

  string(loc: Loc, value: unknown): string | undefined {
    if (typeof value === 'string') return value;
    this.#noteMissingOr(value, loc, 'string_type', 'Input should be a valid string');
    return undefined;
  }

  oneOf<Value extends string>(loc: Loc, value: unknown, values: readonly Value[]): Value | undefined {
    const found = values.find((each) => each === value);
    if (found === undefined) this.#noteMissingOr(value, loc, 'enum', oneOfMessage(values));
    return found;
  }

  #noteMissingOr(value: unknown, loc: Loc, type: string, message: string): void {
    if (value === undefined) this.#note(loc, 'missing', 'Field required');
    else this.#note(loc, type, message);
  }

  #note(loc: Loc, type: string, msg: string): void {
    this.errors.push({ loc: ['body', ...loc], msg, type });
  }
}

/** `'a', 'b' or 'c'` */
function oneOfMessage(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop() ?? '';
  return `Input should be ${quoted.length > 0 ? `${quoted.join(', ')} or ` : ''}${last}`;
}
