import type { DetailBlock, DrawnPicture } from '../protocol/drawn.ts';
import { rowsOfChange } from './changedLines.ts';
import { element, fillPlaces, foreignText, linkButton, note } from './dom.ts';
import { pageTexts } from './editor.ts';
import { drawMarkdown } from './markdown.ts';
import { type TextRun, terminalText } from './terminalText.ts';
import { visibleText } from '../protocol/visible.ts';

/** Folds nothing without `askForWhole`. */
export function drawBlock(
  block: DetailBlock,
  askForWhole?: () => void,
): HTMLElement {
  switch (block.kind) {
    case 'note':
      return note(block.text);
    case 'leftOut':
      return leftOutNote(block.text, () => askForWhole?.());
    case 'code':
      return labelled(block.label, code(block.text));
    case 'output':
      return labelled(
        block.label,
        element(
          'pre',
          { class: 'output' },
          ...terminalText(block.text).map(run),
        ),
      );
    case 'prose':
      return labelled(
        block.label,
        element('div', { class: 'prose' }, drawMarkdown(block.text)),
      );
    case 'change':
      return labelled(block.label, change(block, !askForWhole));
    case 'picture':
      return labelled(block.label, drawPicture(block.picture));
  }
}

function labelled(label: string, content: HTMLElement): HTMLElement {
  return element(
    'section',
    { class: 'block' },
    label !== '' && element('h4', {}, foreignText(label)),
    content,
  );
}

export function leftOutNote(
  text: string,
  askForWhole: () => void,
): HTMLElement {
  return note(`${text} `, linkButton(pageTexts.showAll, askForWhole));
}

function code(text: string): HTMLElement {
  return element(
    'pre',
    { class: 'code', dir: 'ltr' },
    foreignText(text, 'code'),
  );
}

/** Adds the rules of terminal colors. Numbers from 8 on are the bright ones. */
const colors = new CSSStyleSheet();
for (const [index, name] of [
  'ansiRed',
  'ansiGreen',
  'ansiYellow',
  'ansiBlue',
  'ansiMagenta',
  'ansiCyan',
].entries()) {
  const normal = index + 1;
  const bright = index + 9;
  const color = `var(--vscode-terminal-${name})`;
  colors.insertRule(`.colour-${normal}{color:${color}}`);
  colors.insertRule(
    `.colour-${bright}{color:${color.replace('ansi', 'ansiBright')}}`,
  );
  colors.insertRule(
    `:is(.background-${normal},.background-${bright}){--tint:${color}}`,
  );
}
document.adoptedStyleSheets = [colors];

function run({ text, style, isMode }: TextRun): Node {
  if (isMode)
    return element('span', { class: 'mode' }, visibleText(text, 'code'));
  const names = [
    style.colour === undefined ? '' : `colour-${style.colour}`,
    style.background === undefined ? '' : `background-${style.background}`,
    ...(['bold', 'faint', 'italic', 'underline', 'struck'] as const).filter(
      (name) => style[name],
    ),
  ].filter((name) => name !== '');
  const drawn = foreignText(text);
  return names.length === 0
    ? drawn
    : element('span', { class: names.join(' ') }, drawn);
}

function change(
  { before, after }: { readonly before: string; readonly after: string },
  isWhole: boolean,
): HTMLElement {
  const rows = rowsOfChange(before, after, isWhole);
  if (!rows)
    return element(
      'div',
      {},
      note(pageTexts.tooLargeToCompare),
      code(before),
      code(after),
    );
  const lines = rows.map((row) =>
    'unchanged' in row
      ? element(
          'span',
          { class: 'unchanged' },
          fillPlaces(pageTexts.unchangedLines, row.unchanged),
          '\n',
        )
      : element(
          'span',
          { class: lineKinds[row.sign] },
          `${row.sign} `,
          foreignText(row.text, 'code'),
          '\n',
        ),
  );
  return element('pre', { class: 'change', dir: 'ltr' }, ...lines);
}

const lineKinds = { '+': 'added', '-': 'removed', ' ': 'same' } as const;

export const shownPictures = /^image\/(png|jpeg|gif|webp)$/;

/** Loads only pictures that the conversation itself contains. */
export function drawPicture(picture: DrawnPicture): HTMLElement {
  if ('address' in picture)
    return note(
      `${pageTexts.pictureFromElsewhere} `,
      foreignText(picture.address, 'code'),
    );
  const { mediaType, base64 } = picture;
  if (
    !shownPictures.test(mediaType) ||
    !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)
  ) {
    return note(pageTexts.picture);
  }
  const src = `data:${mediaType};base64,${base64}`;
  return element('img', { src, alt: pageTexts.picture, loading: 'lazy' });
}
