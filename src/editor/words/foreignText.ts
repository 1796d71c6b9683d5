/**
 * Makes foreign text safe for places where the editor reads links and icons in
 * it.
 */
import { plainText } from '../../base/plainText.ts';

const maxLength = 1_000;

/** Keeps `[text](target)` from becoming a link in a message. */
export function inMessage(text: string): string {
  return plainText(text, maxLength).replaceAll('](', '] (');
}

/** Keeps links and icons out of a prompt. */
export function inQuestion(text: string): string {
  return inPick(inMessage(text));
}

/** Keeps `$(name)` from becoming an icon in a list to pick from. */
export function inPick(text: string): string {
  // An escape is not enough: the typed filter can split the text after it.
  return plainText(text, maxLength).replaceAll('$(', '$ (');
}
