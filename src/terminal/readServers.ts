import { readConfig } from '../files/read.ts';
import { type Document, documentOf } from '../mcp/document.ts';
import { Refusal } from '../mcp/refusal.ts';
import type { Context } from './context.ts';
import { type Warning, warningsOf } from './warnings.ts';

interface Servers {
  readonly document: Document;
  readonly text: string;
  readonly warnings: readonly Warning[];
  /** Whether the file exists. */
  readonly there: boolean;
}

/** What the file contains. Throws a UserError if it cannot be read, and a Refusal if no servers can be found in it. */
export async function readServers({ host, file }: Pick<Context, 'host' | 'file'>): Promise<Servers> {
  const config = await readConfig(file, { disk: host.disk });
  if (!config) return { document: { entries: [], remarks: [] }, text: '', warnings: [], there: false };
  const { text, found, openToOthers } = config;
  if (found instanceof Refusal) throw found;
  const document = documentOf(found);
  return { document, text, warnings: warningsOf(file, text, document.remarks, openToOthers), there: true };
}
