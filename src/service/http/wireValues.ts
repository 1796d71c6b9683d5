/**
 * Tolerant readers of the values that a service sends. A missing value or one
 * of the wrong type becomes undefined or empty, and text becomes safe to show.
 */
import { plainText } from '../../base/plainText.ts';
import { redact } from '../../base/masks/redact.ts';
import { Secret } from '../../base/secret.ts';
import type { Link, Time } from '../model/entities.ts';

/** Generous limits of what is read. */
const maxListLength = 100;
const maxIdLength = 500;
const maxDateLength = 60;
const maxAddressLength = 8_000;
const maxComplaintLength = 2_000;

/** A JSON object whose fields have not been checked yet. */
export type WireRecord = Readonly<Record<string, unknown>>;

/** The origin of a record. */
export interface Source {
  /** The address of the service, as it is shown. */
  readonly service: string;
  /** Values to mask. */
  readonly secrets: readonly Secret[];
  readonly address?: URL;
  readonly now?: Time;
}

/**
 * Turns a record of the wire into one of ours; undefined if it cannot be read.
 */
export type Reader<T> = (record: unknown, source?: Source) => T | undefined;

/**
 * A reader of records with an id in this field. A record without an id cannot
 * be read.
 */
export function recordReader<T>(
  idField: string,
  make: (id: string, record: WireRecord, source: Source) => T,
): Reader<T> {
  return (record, source = { service: '', secrets: [] }) => {
    if (!isObject(record)) return undefined;
    const id = identifier(record[idField]);
    return id === undefined ? undefined : make(id, record, source);
  };
}

export function isObject(value: unknown): value is WireRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !JSON.isRawJSON(value)
  );
}

/** A text that is neither empty nor too long, unchanged: not safe to show. */
function text(value: unknown, maxLength = Infinity): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maxLength
    ? value
    : undefined;
}

/** Spelt as by the service: not safe to show. */
export function identifier(value: unknown): string | undefined {
  return text(value, maxIdLength);
}

/** A text as one line that is safe to show. */
export function shownLine(value: unknown): string | undefined {
  const line = text(value);
  return line === undefined ? undefined : plainText(line) || undefined;
}

/**
 * A failure in the words of the service, as a line that is safe to show, with
 * these and other secrets masked.
 */
export function complaint(
  value: unknown,
  secrets: readonly Secret[],
): string | undefined {
  const message = text(value);
  return message === undefined
    ? undefined
    : shownLine(redact(beginning(message), secrets));
}

/**
 * Cuts a long text before the last word, because half of a secret would not be
 * recognised.
 */
function beginning(text: string): string {
  if (text.length <= maxComplaintLength) return text;
  return text.slice(0, maxComplaintLength).replace(/(?<![!-~])[!-~]+$/, '');
}

/** Empty for a placeholder of a title. */
export function title(value: unknown): string {
  const line = plainText(text(value) ?? '', 500);
  return /^conversation ([0-9a-f]{5}|[0-9a-f-]{32,36})$/i.test(line)
    ? ''
    : line;
}

/**
 * Translates a value of an enumeration. Unknown values stay as they are,
 * without secrets.
 */
export function enumValue<T extends string>(
  ours: Readonly<Record<string, T>>,
  value: unknown,
): T | string | undefined {
  const word = text(value);
  if (word === undefined) return undefined;
  return Object.hasOwn(ours, word)
    ? ours[word]
    : plainText(redact(beginning(word)), 60);
}

export function array(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, maxListLength) : [];
}

export function integer(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

export function integers(values: unknown): number[] {
  return array(values).filter((value): value is number =>
    Number.isSafeInteger(value),
  );
}

/** Dates without a zone are UTC. */
export function time(value: unknown): Time | undefined {
  const date = text(value, maxDateLength);
  if (date === undefined) return undefined;
  const parsed = Date.parse(
    /(?:z|[+-]\d\d:?\d\d)$/i.test(date) ? date : `${date}Z`,
  );
  return Number.isNaN(parsed) ? undefined : parsed;
}

/**
 * An address in its usual form, without a user name. The first group is the
 * part to show, so it needs no parsing.
 */
const usualAddress =
  /^(https?:\/\/[\w.-]+(?::\d{1,5})?\/[\w.~:/%+,=-]*)(?:[?#][!-~]*)?$/;

/**
 * An address that is safe to open in a browser: http or https, without a user
 * name or a password.
 */
export function link(value: unknown): Link | undefined {
  const address = text(value, maxAddressLength);
  if (address === undefined) return undefined;
  const visiblePart = usualAddress.exec(address)?.[1];
  if (visiblePart !== undefined)
    return { shown: plainText(visiblePart, 500), full: new Secret(address) };
  const url = URL.parse(address);
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== ''
  )
    return undefined;
  return {
    shown: plainText(`${url.origin}${url.pathname}`, 500),
    full: new Secret(url.href),
  };
}

/**
 * The page of a conversation; undefined for an address of the interface, which
 * is for programs.
 */
export function pageLink(
  value: unknown,
  { address }: Source,
): Link | undefined {
  const target = text(value, maxAddressLength);
  const isRelative = target !== undefined && /^\/(?!\/)/.test(target);
  const page = link(
    isRelative && address ? URL.parse(target, address.href)?.href : target,
  );
  return page && /^https?:\/\/[^/]+\/(.+\/)?api\//i.test(page.shown)
    ? undefined
    : page;
}
