/**
 * Where the text with servers comes from.
 *
 * Text of several lines is read from the clipboard. An input box takes the line breaks out of it, and an untitled
 * editor would have the editor back up what is in it, secrets included, in a file.
 */
import { env } from 'vscode';
import { reason, UserError } from '../../../base/errors.ts';
import { t } from '../../../base/l10n.ts';
import type { Pasted } from '../../../mcp/pasted/pastedServer.ts';
import { showWarning } from '../../asking/messages.ts';
import { askPick, askText, back } from '../../asking/steps.ts';
import { type PastedBatch, itemOf } from './batch.ts';

/** The text of the clipboard; if that is not understood, the person is asked. */
export async function findText(title: string): Promise<PastedBatch | undefined> {
  const understood = await loadReader();
  return read(understood, await readClipboard(), 'clipboard') ?? (await askForAnother(title));
}

/** What is in a text, or why nothing is. */
type Reader = (text: string) => Pasted | string;

/** Loaded when there is a text, because it brings a reader of YAML with it. */
async function loadReader(): Promise<Reader> {
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

/** Empty where the editor may not read it, as in a browser. */
async function readClipboard(): Promise<string> {
  try {
    return await env.clipboard.readText();
  } catch {
    return '';
  }
}

/** Undefined where there is no server in it. */
function read(understood: Reader, text: string, source: PastedBatch['source']): PastedBatch | undefined {
  const pasted = understood(text);
  if (typeof pasted === 'string') return undefined;
  return { items: pasted.servers.map(itemOf), problems: pasted.problems, source, at: 0 };
}

/** Asks for the text, as long as there is no server in it. */
export async function askForAnother(title: string): Promise<PastedBatch | undefined> {
  const understood = await loadReader();
  const clipboard = {
    label: t('Read the Clipboard'),
    detail: t('First copy a command line, JSON, TOML, YAML or an install link. This question stays open.'),
  };
  const line = { label: t('Type or Paste One Line…'), detail: t('Line breaks are lost there') };
  const place = { title, step: 1, totalSteps: undefined };
  let placeholder = t('No MCP server was recognized on the clipboard. Where is the text?');
  for (;;) {
    const answer = await askPick({ ...place, items: [clipboard, line], placeholder });
    if (answer === undefined || answer === back) return undefined;
    if (answer.label === clipboard.label) {
      const text = await readClipboard();
      const found = read(understood, text, 'clipboard');
      if (found) return found;
      const why = understood(text);
      placeholder = typeof why === 'string' ? why : placeholder;
      void showWarning(placeholder);
      continue;
    }
    const typed = await askText({
      ...place,
      step: 2,
      value: '',
      prompt: t('A command line such as “mcp add …”, JSON, an install link or a URL. Nothing in it is run.'),
      validate: (text) => {
        const found = understood(text);
        return typeof found === 'string' ? found : undefined;
      },
      remark: (text) => {
        const found = understood(text);
        if (typeof found === 'string') return undefined;
        const names = found.servers.map(({ suggestedName }) => suggestedName).join(', ');
        return t('Recognized: {0}', names);
      },
    });
    if (typeof typed !== 'string') {
      if (typed === back) continue;
      return undefined;
    }
    return read(understood, typed, 'typed');
  }
}
