/** Asks before dangerous actions. Text that is too long for a message is shown in an editor. */
import { t } from '../../base/l10n.ts';
import { showText } from './previews.ts';
import { confirm } from './messages.ts';
import { askPick } from './steps.ts';

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

/** Returns true if the user agrees. */
export async function confirmLines(asked: LinesQuestion): Promise<boolean> {
  const { question, lines, button } = asked;
  const isShort =
    lines.length <= maxLines &&
    lines.join('').length <= maxLength &&
    lines.every(({ length }) => length <= maxLineLength);
  return isShort ? await confirm(question, lines, button) : await askBeside(asked);
}

/** Asks beside an editor that shows all lines. */
async function askBeside({ question, lines, button, title, beside }: LinesQuestion): Promise<boolean> {
  const shown = await showText(lines.join('\n'), title);
  try {
    const answer = await askPick({
      title: question,
      stays: true,
      items: [{ label: button }, { label: t('Cancel') }],
      placeholder: beside,
    });
    return typeof answer === 'object' && answer.label === button;
  } finally {
    shown.dispose();
  }
}
