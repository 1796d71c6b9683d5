import type { DrawnAside } from '../protocol/drawn.ts';
import { button, element, foreignText, iconButton } from './dom.ts';
import { pageTexts, sends } from './editor.ts';
import { drawMarkdown } from './markdown.ts';

/** Keeps unchanged asides, with their folding. */
export function redrawAsides(
  list: HTMLElement,
  asides: readonly DrawnAside[],
): void {
  const before = new Map(
    [...list.children].map((child) => [
      (child as HTMLElement).dataset.drawn,
      child,
    ]),
  );
  list.replaceChildren(
    ...asides.map((aside) => {
      const drawn = JSON.stringify(aside);
      const node = before.get(drawn) ?? drawAside(aside);
      node.setAttribute('data-drawn', drawn);
      return node;
    }),
  );
}

function drawAside({ id, question, answer }: DrawnAside): HTMLElement {
  const heading = [
    element('b', {}, pageTexts.aside),
    ' ',
    foreignText(question),
  ];
  const remove = sends({ type: 'removeAside', id });
  if (answer === undefined) {
    const asking = element(
      'div',
      {},
      ...heading,
      ' ',
      element('span', { class: 'note' }, pageTexts.asking),
    );
    return element(
      'div',
      { class: 'aside' },
      asking,
      button(pageTexts.cancel, remove),
    );
  }
  const preview = foreignText(
    (answer.trim().split('\n', 1)[0] ?? '').slice(0, 200),
  );
  const summary = element(
    'summary',
    {},
    ...heading,
    element('span', { class: 'preview' }, preview),
  );
  return element(
    'div',
    { class: 'aside' },
    element(
      'details',
      { open: '' },
      summary,
      element('div', { class: 'prose' }, drawMarkdown(answer)),
    ),
    button(pageTexts.copy, sends({ type: 'copyAside', id })),
    iconButton('close', pageTexts.closeAside, remove),
  );
}
