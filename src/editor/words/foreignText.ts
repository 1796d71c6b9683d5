/** Makes foreign text safe for places where the editor reads links and icons in it. */
import { plainText } from '../../base/plainText.ts';

const maxLength = 1_000;

/** For messages, where `[text](target)` would become a link. */
export function inMessage(text: string): string {
  return plainText(text, maxLength).replaceAll('](', '] (');
}

/** For prompts, where links and icons would appear. */
export function inQuestion(text: string): string {
  return inPick(inMessage(text));
}

/** For lists to pick from, where `$(name)` would become an icon. */
export function inPick(text: string): string {
  // An escape is not enough: the typed filter can split the text after it.
  return plainText(text, maxLength).replaceAll('$(', '$ (');
}
