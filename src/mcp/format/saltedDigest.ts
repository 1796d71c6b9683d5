import { createHmac } from 'node:crypto';
import type { Value } from '../text/values.ts';

/** Salted, so that values cannot be guessed from their digests. */
export function saltedDigest(value: Value, salt: string): string {
  return createHmac('sha256', salt)
    .update(canonicalJson(value))
    .digest('base64url');
}

/** Writes equal values as the same text, in any order of members. */
function canonicalJson(value: Value): string {
  if (value instanceof Map) {
    const members = [...(value as ReadonlyMap<string, Value>)].sort(
      ([a], [b]) => (a < b ? -1 : 1),
    );
    return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join()}}`;
  }
  if (Array.isArray(value))
    return `[${(value as readonly Value[]).map(canonicalJson).join()}]`;
  return JSON.stringify(value);
}
