import type { Message } from '../../service/agentService.ts';
import type { NewMessage } from './steeringResults.ts';

/** Makes the parts in which a message is sent. */
export function partsOf({ text, pictures = [], files = [] }: NewMessage): Message {
  return { texts: [text, ...files.map(asPart)].filter((part) => part !== ''), pictures };
}

/** Between more backticks than there are in it. */
function asPart({ name, text }: { readonly name: string; readonly text: string }): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([found]) => found.length));
  const fence = '`'.repeat(longest + 1);
  return `${name}\n${fence}\n${text}\n${fence}`;
}
