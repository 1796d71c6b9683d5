/** Reads answers of the service with bounded memory. */
import { t } from '../../base/l10n.ts';
import type { Secret } from '../../base/secret.ts';
import type { FieldError } from './serviceError.ts';
import { complaint } from './wireValues.ts';

export class TooLarge extends Error {}

/**
 * The body. Stops reading at `limit` bytes, counted after decompression, and
 * throws TooLarge.
 */
export async function readBody(
  response: Response,
  limit: number,
): Promise<Buffer> {
  if (!response.body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { value } = (await reader.read()) as { value?: Uint8Array };
    if (!value) return Buffer.concat(chunks, size);
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel().catch(() => undefined);
      throw new TooLarge();
    }
    chunks.push(value);
  }
}

export function isHtml(response: Response, text: string): boolean {
  return (
    /\bhtml\b/i.test(response.headers.get('content-type') ?? '') ||
    /^\s*<(!doctype|html)\b/i.test(text)
  );
}

interface Complaint {
  readonly detail: string | undefined;
  readonly fields: readonly FieldError[];
}

/** Reads the body of an error, whatever its shape, without secrets. */
export function readComplaint(
  text: string,
  html: boolean,
  secrets: readonly Secret[],
): Complaint {
  const clean = (value: unknown) =>
    complaint(value, secrets)?.replace(/(?<=.)\.$/, '');
  if (html)
    return {
      detail: clean(/<title[^>]*>([^<]*)</i.exec(text.slice(0, 10_000))?.[1]),
      fields: [],
    };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return {
      detail: /^\s*[{[]/.test(text) ? undefined : clean(text),
      fields: [],
    };
  }
  if (typeof body !== 'object' || body === null)
    return { detail: clean(body), fields: [] };
  const { detail, message, error, exception } = body as Record<string, unknown>;
  if (Array.isArray(detail)) {
    return {
      detail: undefined,
      fields: detail.slice(0, 10).flatMap((item) => fieldError(item, clean)),
    };
  }
  const texts = [
    exception,
    detail,
    message,
    error,
    inner(detail),
    inner(error),
  ].map(clean);
  return { detail: texts.find((value) => value !== undefined), fields: [] };
}

function inner(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? (value as { message?: unknown }).message
    : undefined;
}

/**
 * An entry of an HTTPValidationError, without the place of the parameter
 * (query, path or body).
 */
function fieldError(
  item: unknown,
  clean: (value: unknown) => string | undefined,
): FieldError[] {
  const { loc, msg } = (item ?? {}) as { loc?: unknown; msg?: unknown };
  const message = clean(msg);
  if (message === undefined) return [];
  const path = (Array.isArray(loc) ? loc.slice(0, 10) : [])
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map(String);
  if (
    path.length > 1 &&
    ['query', 'path', 'body', 'header'].includes(String(path[0]))
  )
    path.shift();
  return [{ name: clean(path.join('.')) ?? t('the request'), message }];
}

const maxRetryAfterMs = 5 * 60_000;

/**
 * Milliseconds that the service asks us to wait, at most five minutes;
 * undefined if it says nothing usable.
 */
export function retryAfter(
  response: Response,
  now: number,
): number | undefined {
  const text = response.headers.get('retry-after') ?? '';
  const wait = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - now;
  return Number.isNaN(wait) || wait < 0 || text.startsWith('-')
    ? undefined
    : Math.min(wait, maxRetryAfterMs);
}
