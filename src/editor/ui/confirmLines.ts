/** Asks before what is dangerous, where there may be more to say than fits into a message: that is then in an editor. */
import { t } from '../../base/l10n.ts';
import { showText } from './previews.ts';
import { confirm } from './messages.ts';
import { askPick } from './steps.ts';

/** What fits into a message. A line that is longer would be cut off. */
const mostText = 1_800;
const longestLine = 900;
const mostLines = 30;

interface LinesQuestion {
  readonly question: string;
  readonly lines: readonly string[];
  readonly button: string;
  /** Of the editor with the lines, and what is said beside it. */
  readonly title: string;
  readonly beside: string;
}

/** True when the person goes on. */
export async function confirmLines(asked: LinesQuestion): Promise<boolean> {
  const { question, lines, button } = asked;
  const isShort =
    lines.length <= mostLines &&
    lines.join('').length <= mostText &&
    lines.every(({ length }) => length <= longestLine);
  return isShort ? await confirm(question, lines, button) : await askBeside(asked);
}

/** With the text in an editor, where all of it can be read. */
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
