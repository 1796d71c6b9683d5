/**
 * Where the text with servers comes from.
 *
 * Text of several lines is read from the clipboard. An input box takes the line breaks out of it, and an untitled
 * editor would have the editor back up what is in it, secrets included, in a file.
 */
import { env, type QuickPickItem } from 'vscode';
import { reason, UserError } from '../../../base/errors.ts';
import { t } from '../../../base/l10n.ts';
import type { PastedServers } from '../../../mcp/pasted/pastedServer.ts';
import { showWarning } from '../../ui/messages.ts';
import { askPick, back } from '../../ui/steps.ts';
import { inPick } from '../../words/foreignText.ts';
import { type PastedBatch, itemOf as batchItem } from './batch.ts';

/** The text of the clipboard; if that is not understood, the person is asked. */
export async function findText(title: string): Promise<PastedBatch | undefined> {
  const understood = await loadReader();
  return read(understood, await readClipboard(), 'clipboard') ?? (await askForAnother(title));
}

/** What is in a text, or why nothing is. */
type Reader = (text: string) => PastedServers | string;

/** Loaded when there is a text, because it brings a reader of YAML with it. */
export async function loadReader(): Promise<Reader> {
  const { readPasted } = await import('../../../mcp/pasted/readPasted.ts');
  const onWindows = process.platform === 'win32';
  return (text) => {
    try {
      return readPasted(text, { onWindows });
    } catch (error) {
      if (error instanceof UserError) return reason(error);
      throw error;
    }
  };
}

/** True for a text with servers rather than the command or the URL of one. */
export function isPasted(typed: string, found: PastedServers | string): boolean {
  return (
    /^\s*[[{"]/.test(typed) || (typeof found !== 'string' && found.servers.some(({ isGuess }) => !isGuess))
  );
}

export function problemOf(found: PastedServers | string): string | undefined {
  return typeof found === 'string' ? found : undefined;
}

export function recognized(found: PastedServers | string): string | undefined {
  if (typeof found === 'string') return undefined;
  return t('Recognized: {0}', found.servers.map(({ suggestedName }) => suggestedName).join(', '));
}

/** Empty where the editor may not read it, as in a browser. */
async function readClipboard(): Promise<string> {
  try {
    return await env.clipboard.readText();
  } catch {
    return '';
  }
}

/** Undefined where there is no server in it. */
export function read(
  understood: Reader,
  text: string,
  source: PastedBatch['source'],
): PastedBatch | undefined {
  const pasted = understood(text);
  if (typeof pasted === 'string') return undefined;
  return { items: pasted.servers.map(batchItem), problems: pasted.problems, source, at: 0 };
}

interface SourceItem extends QuickPickItem {
  /** The text that was typed or pasted. */
  readonly typed?: string;
}

/** Asks for the text, as long as there is no server in it. What is typed or pasted into the question is taken as the text. */
export async function askForAnother(title: string): Promise<PastedBatch | undefined> {
  const understood = await loadReader();
  const clipboard: SourceItem = {
    label: t('Read the Clipboard'),
    detail: t('First copy a command line, JSON, TOML, YAML or an install link.'),
    alwaysShow: true,
  };
  const itemOf = (typed: string): SourceItem => {
    const found = understood(typed);
    return {
      label: recognized(found) ?? t('No MCP server recognized yet'),
      ...(typeof found === 'string' ? { detail: inPick(found) } : {}),
      alwaysShow: true,
      typed,
    };
  };
  let value = '';
  let placeholder = t('Paste a command line, JSON, an install link or a URL here');
  for (;;) {
    const answer = await askPick({
      ...{ title, placeholder, value, stays: true },
      items: [clipboard],
      later: (typed) => Promise.resolve(typed === '' ? [clipboard] : [itemOf(typed), clipboard]),
    });
    if (answer === undefined || answer === back) return undefined;
    const text = answer.typed ?? (await readClipboard());
    const found = read(understood, text, answer.typed === undefined ? 'clipboard' : 'typed');
    if (found) return found;
    value = answer.typed ?? '';
    placeholder = problemOf(understood(text)) ?? placeholder;
    void showWarning(placeholder);
  }
}
