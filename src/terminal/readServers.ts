import { readConfig } from '../files/read.ts';
import { agentsGetNone } from '../mcp/format/agentsGetNone.ts';
import { type Document, documentOf } from '../mcp/format/document.ts';
import { Refusal } from '../mcp/text/refusal.ts';
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
  if (found instanceof Refusal) {
    const other = found.kind === 'syntax' ? (await import('./otherFormat.ts')).otherFormat(text) : undefined;
    const { message, start } = other ?? { message: found.what, start: found.position?.offset };
    throw new Refusal(found.kind, `${message} ${agentsGetNone()}`, text, start);
  }
  const document = documentOf(found);
  const warnings = await warningsOf(file, found, document.remarks, openToOthers);
  return { document, text, warnings, there: true };
}
