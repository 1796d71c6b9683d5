/**
 * Makes texts of a server safe to show: without the secrets of its entry, every
 * character visible.
 */
import { plainText } from '../base/plainText.ts';
import { maskSecrets, redact } from '../base/masks/redact.ts';
import type { Secret } from '../base/secret.ts';

/** More of an output is not searched for secrets. */
const maxOutputLength = 3500;
const maxLines = 15;

export class Redactor {
  readonly #secrets: readonly Secret[];

  constructor(secrets: readonly Secret[]) {
    this.#secrets = secrets;
  }

  /** A sentence, a title or an address that a server or a system wrote. */
  text(text: string, length = 300): string {
    return plainText(
      redact(this.#masked(text).slice(0, maxOutputLength)),
      length,
    );
  }

  /**
   * A name or a description, which is masked only where it repeats a secret of
   * the entry.
   */
  words(text: string, length: number): string {
    const repeats = this.#secrets.some((secret) =>
      text.includes(secret.reveal()),
    );
    return repeats ? this.text(text, length) : plainText(text, length);
  }

  /**
   * A path of this machine, which can have random words in it. One with blanks
   * may be a whole command line.
   */
  path(text: string): string {
    return /[\s=]/.test(text) ? this.text(text, 1000) : this.words(text, 1000);
  }

  /**
   * The last lines of an output. Where it was cut off, the rest of a line is
   * left out, even if there is no other: it could be the rest of a secret.
   */
  lastLines(output: string): string[] {
    const clean = this.#masked(output);
    const cut = clean.slice(-maxOutputLength);
    const whole = cut === clean ? cut : cut.replace(/^.*\n?/, '');
    return redact(whole)
      .split(/\r\n|\n|\r/)
      .map((line) => plainText(line, 300))
      .filter((line) => line !== '')
      .slice(-maxLines);
  }

  #masked(text: string): string {
    return maskSecrets(withoutColours(text), this.#secrets);
  }
}

/** Drops the control sequences of terminals. */
function withoutColours(text: string): string {
  return text.replace(
    /\u001b(?:\[[\d;:?<=>]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g,
    '',
  );
}
