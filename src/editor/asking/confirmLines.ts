/** Asks before what is dangerous, where there may be more to say than fits into a message: that is then in an editor. */
import { showText } from '../pages/previews.ts';
import { confirmDanger } from './messages.ts';
import { askPick } from './steps.ts';

/** What fits into a message. A line that is longer would be cut off. */
const mostText = 1_800;
const longestLine = 900;
const mostLines = 30;

interface LinesQuestion {
  readonly question: string;
  readonly lines: readonly string[];
  readonly button: string;
  readonly keep: string;
  /** Of the editor with the lines, and what is said beside it. */
  readonly title: string;
  readonly beside: string;
}

/** True when the person goes on. */
export async function confirmLines(asked: LinesQuestion): Promise<boolean> {
  const { question, lines, button, keep } = asked;
  const isShort =
    lines.length <= mostLines &&
    lines.join('').length <= mostText &&
    lines.every(({ length }) => length <= longestLine);
  return isShort ? await confirmDanger(question, lines, button, keep) : await askBeside(asked);
}

/** With the text in an editor, where all of it can be read. */
async function askBeside({ question, lines, button, keep, title, beside }: LinesQuestion): Promise<boolean> {
  const shown = await showText(lines.join('\n'), title);
  try {
    const answer = await askPick({
      title: question,
      stays: true,
      items: [{ label: keep }, { label: button }],
      placeholder: beside,
    });
    return typeof answer === 'object' && answer.label === button;
  } finally {
    shown.dispose();
  }
}
