import { maskText } from './maskText.ts';
import { maxMaskedLength } from './maskUrl.ts';
import { mask, type Secret } from '../secret.ts';

/**
 * Masks these secrets in a text from outside, in every form in which others
 * repeat them, and all that looks like a secret. Cuts off a long text.
 */
export function redact(text: string, secrets: readonly Secret[] = []): string {
  return maskText(shortened(maskSecrets(text, secrets)));
}

/** Masks only these secrets, in a text of any length. */
export function maskSecrets(text: string, secrets: readonly Secret[]): string {
  return (
    secrets
      .flatMap((secret) => formsOf(secret.reveal()))
      // Longer forms first: one form can begin with another.
      .sort((a, b) => b.length - a.length)
      .reduce((result, form) => result.replaceAll(form, mask), text)
  );
}

/** Shorter secrets would be found everywhere. */
const minSecretLength = 4;

/** The value as it is, in JSON, in a URL, in a form and in Base64. */
function formsOf(value: string): string[] {
  if (value.length < minSecretLength) return [];
  const encoded = encodeURIComponent(value.toWellFormed());
  const base64 = Buffer.from(value).toString('base64').replaceAll('=', '');
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encoded,
    encoded.replace(/%../g, (sign) => sign.toLowerCase()),
    encoded.replaceAll('%20', '+'),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
  ];
}

/** Cuts between words, because the rest of a secret may not look like one. */
function shortened(text: string): string {
  if (text.length <= maxMaskedLength) return text;
  const end = Math.max(
    ...[' ', '\n'].map((blank) => text.lastIndexOf(blank, maxMaskedLength - 1)),
  );
  return end < 0 ? text : `${text.slice(0, end)}…`;
}
