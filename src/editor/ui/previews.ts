/**
 * Shows texts and diffs in temporary documents, beside questions about them.
 */
import { randomUUID } from 'node:crypto';
import { commands, Uri, window, workspace } from 'vscode';
import { t } from '../../base/l10n.ts';
import { confirm } from './messages.ts';
import { askPick } from './steps.ts';
import { filesOf } from './tabs.ts';

const scheme = 'switchboard-preview';

/**
 * Documents on the screen. Closing them can move the focus, so await it before
 * the next question.
 */
interface Preview {
  close(): Promise<void>;
}

/** Shows a diff until it is closed. The focus stays where it is. */
export async function showPreview(
  before: string,
  after: string,
  title: string,
): Promise<Preview> {
  // The names are not mcp.json, where masked values would be reported as
  // problems.
  const { addresses, preview } = provide({
    'before.jsonc': before,
    'after.jsonc': after,
  });
  await commands.executeCommand('vscode.diff', ...addresses, title, {
    preserveFocus: true,
    preview: false,
  });
  return preview;
}

function provide(texts: Readonly<Record<string, string>>): {
  readonly addresses: readonly Uri[];
  readonly preview: Preview;
} {
  // A new folder, because the editor caches documents by their address.
  const folder = `/${randomUUID()}/`;
  const provider = workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ path }) =>
      path.startsWith(folder) ? texts[path.slice(folder.length)] : undefined,
  });
  const close = async () => {
    const tabs = window.tabGroups.all.flatMap((group) =>
      group.tabs.filter((tab) =>
        filesOf(tab).some(
          (file) => file.scheme === scheme && file.path.startsWith(folder),
        ),
      ),
    );
    // The user may close them at the same moment.
    await window.tabGroups.close(tabs, true).then(undefined, () => false);
    provider.dispose();
  };
  return {
    addresses: Object.keys(texts).map((name) =>
      Uri.from({ scheme, path: folder + name }),
    ),
    preview: { close },
  };
}

/** Limits of a message. It would cut off longer lines. */
const maxLength = 1_800;
const maxLineLength = 900;
const maxLines = 30;

interface LinesQuestion {
  readonly question: string;
  readonly lines: readonly string[];
  readonly button: string;
  /** The title of the editor with the lines, and the question beside it. */
  readonly title: string;
  readonly beside: string;
}

/** Asks before a dangerous action. Returns true if the user agrees. */
export async function confirmLines(request: LinesQuestion): Promise<boolean> {
  const { question, lines, button } = request;
  const isShort =
    lines.length <= maxLines &&
    lines.join('').length <= maxLength &&
    lines.every(({ length }) => length <= maxLineLength);
  return isShort
    ? await confirm(question, lines, button)
    : await askBeside(request);
}

/** Asks beside an editor that shows all lines. */
async function askBeside({
  question,
  lines,
  button,
  title,
  beside,
}: LinesQuestion): Promise<boolean> {
  const { addresses, preview } = provide({
    [`${title}.txt`]: lines.join('\n'),
  });
  try {
    for (const address of addresses)
      await window.showTextDocument(address, {
        preserveFocus: true,
        preview: false,
      });
    const answer = await askPick({
      title: question,
      stays: true,
      items: [{ label: button }, { label: t('Cancel') }],
      placeholder: beside,
    });
    return typeof answer === 'object' && answer.label === button;
  } finally {
    await preview.close();
  }
}
