/** The answers to questions that were asked aside, each folded below its question. */
import type { DrawnAside } from '../protocol/drawn.ts';
import { button, element, foreignText, iconButton } from './dom.ts';
import { pageTexts, sends } from './editor.ts';
import { drawMarkdown } from './markdown.ts';

/** Keeps what is unfolded. */
export function redrawAsides(list: HTMLElement, asides: readonly DrawnAside[]): void {
  const before = new Map([...list.children].map((each) => [(each as HTMLElement).dataset.drawn, each]));
  list.replaceChildren(
    ...asides.map((aside) => {
      const drawn = JSON.stringify(aside);
      const made = before.get(drawn) ?? drawAside(aside);
      made.setAttribute('data-drawn', drawn);
      return made;
    }),
  );
}

function drawAside({ id, question, state, answer }: DrawnAside): HTMLElement {
  const title = element('span', { class: 'said' }, foreignText(question));
  const label = element('b', {}, pageTexts.aside);
  const summary = element('summary', {}, label, ' ', title, ' ', element('span', { class: 'note' }, state));
  const remove = sends({ type: 'removeAside', id });
  if (answer === undefined)
    return element('div', { class: 'aside' }, element('div', {}, summary), button(pageTexts.cancel, remove));
  const preview = foreignText((answer.trim().split('\n', 1)[0] ?? '').slice(0, 200));
  summary.append(element('span', { class: 'preview' }, preview));
  const body = element('div', { class: 'prose' }, drawMarkdown(answer));
  return element(
    'div',
    { class: 'aside' },
    element('details', {}, summary, body),
    button(pageTexts.copy, sends({ type: 'copyAside', id })),
    iconButton('close', pageTexts.closeAside, remove),
  );
}
