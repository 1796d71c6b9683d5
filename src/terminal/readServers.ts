import { readWhole } from '../files/readWhole.ts';
import { type Document, readDocument } from '../mcp/document.ts';
import { type Warning, warningsOf } from './warnings.ts';

export interface Servers {
  readonly document: Document;
  readonly text: string;
  readonly warnings: readonly Warning[];
  /** Whether there is a file at all. */
  readonly there: boolean;
}

/** What the file has. Throws a UserError where it cannot be read, and a Refusal where no servers can be found in it. */
export async function readServers(file: string): Promise<Servers> {
  const found = await readWhole(file);
  if (!found) return { document: { entries: [], remarks: [] }, text: '', warnings: [], there: false };
  const document = readDocument(found.text);
  const warnings = warningsOf(file, found.text, document.remarks, found.openToOthers);
  return { document, text: found.text, warnings, there: true };
}
