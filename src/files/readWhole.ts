import { readDocument } from '../mcp/document.ts';
import { Refusal } from '../mcp/refusal.ts';
import { readConfig, type ConfigText } from './read.ts';

/** The configuration, read again for a moment where another program may be in the middle of writing it. */
export async function readWhole(path: string): Promise<ConfigText | undefined> {
  return await readConfig(path, { whole: isWhole });
}

function isWhole(text: string): boolean {
  try {
    readDocument(text);
    return text !== '';
  } catch (error) {
    return !(error instanceof Refusal && error.kind === 'syntax');
  }
}
