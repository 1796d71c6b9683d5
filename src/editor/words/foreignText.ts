/** Text from elsewhere, where the editor would take parts of it for something else. */
import { plainText } from '../../base/plainText.ts';

/** More than anybody reads. */
const longest = 1_000;

/** Text from elsewhere in a message: there, `[text](target)` would become a link. */
export function inMessage(text: string): string {
  return plainText(text, longest).replaceAll('](', '] (');
}

/** Text from elsewhere in the words beside a question, where links and icons would be made of it. */
export function inQuestion(text: string): string {
  return inPick(inMessage(text));
}

/** Text from elsewhere in a list to pick from: there, `$(name)` would become an icon. */
export function inPick(text: string): string {
  // An escape would not do: what is typed can split the text between it and the icon.
  return plainText(text, longest).replaceAll('$(', '$ (');
}
