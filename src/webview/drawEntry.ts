/** Draws one entry of what happened. */
import type { Block, DrawnEntry, Phrase } from '../protocol/drawn.ts';
import type { PageWords } from '../protocol/pageWords.ts';
import { drawBlocks, picture } from './blocks.ts';
import { button, element, foreign, icon } from './dom.ts';
import { markdown } from './markdown.ts';

export interface EntryView {
  drawn: DrawnEntry;
  /** Stays the same for as long as the entry is there. */
  readonly element: HTMLElement;
  /** What has the keyboard when the entry has it. */
  target: HTMLElement;
  /** Undefined while it is closed. */
  details: HTMLElement | undefined;
}

export interface EntryActions {
  readonly words: PageWords;
  readonly toggle: (id: string) => void;
  readonly askForWhole: (id: string) => void;
}

let made = 0;

export function createEntry(drawn: DrawnEntry, actions: EntryActions): EntryView {
  const article = element('article', { class: 'entry', tabindex: '-1', id: `entry-${made++}` });
  const view: EntryView = { drawn, element: article, target: article, details: undefined };
  redraw(view, drawn, actions);
  return view;
}

export function opensToDetails(drawn: DrawnEntry): boolean {
  return drawn.kind === 'action' || drawn.kind === 'other' || (drawn.kind === 'line' && drawn.hasDetails);
}

/** In its place, with its details as they are. */
export function redraw(view: EntryView, drawn: DrawnEntry, actions: EntryActions): void {
  view.drawn = drawn;
  const { element: article, details } = view;
  const hadKeyboard = article.contains(document.activeElement);
  const wasOn = view.target.tabIndex === 0;
  for (const name of [...article.classList])
    if (name.startsWith('is-') || name.startsWith('by-')) article.classList.remove(name);
  article.classList.add(`is-${drawn.kind}`);
  if (drawn.kind === 'action') article.classList.add(`is-${drawn.state}`);
  if (drawn.kind === 'message') article.classList.add(`by-${drawn.by}`);
  article.classList.toggle('is-thought', drawn.kind === 'message' && drawn.isThought === true);
  article.dataset.step = drawn.kind === 'action' ? (drawn.step ?? '') : '';
  const parts = drawn.kind === 'message' ? message(view, drawn, actions) : [line(view, drawn, actions)];
  article.replaceChildren(...parts, ...(details ? [details] : []));
  if (wasOn) view.target.tabIndex = 0;
  if (hadKeyboard && !article.contains(document.activeElement)) view.target.focus({ preventScroll: true });
}

function message(
  view: EntryView,
  drawn: Extract<DrawnEntry, { kind: 'message' }>,
  { words, askForWhole }: EntryActions,
): Node[] {
  const { element: article } = view;
  const head = element('h2', { id: `${article.id}-name` }, drawn.name, time(drawn.time));
  const body = element('div', { class: 'prose', id: `${article.id}-text` }, markdown(drawn.text));
  if (drawn.isStreaming) head.append(element('span', { class: 'writing' }, words.writing));
  for (const each of drawn.pictures) body.append(picture(each, words));
  if (drawn.leftOut !== undefined) {
    const more = button(
      words.showAll,
      () => {
        askForWhole(drawn.id);
      },
      { class: 'link' },
    );
    body.append(element('p', { class: 'note' }, `${drawn.leftOut} `, more));
  }
  article.setAttribute('aria-labelledby', `${head.id} ${body.id}`);
  view.target = article;
  return [head, body];
}

function line(
  view: EntryView,
  drawn: Exclude<DrawnEntry, { kind: 'message' }>,
  { words, toggle }: EntryActions,
): Node {
  const { element: article, details } = view;
  const said =
    drawn.kind === 'error' ? element('span', { class: 'said' }, foreign(drawn.text)) : drawPhrase(drawn.line);
  const stateWord =
    drawn.kind === 'action'
      ? element('span', { class: 'spoken' }, `, ${words.states[drawn.state]}`)
      : undefined;
  const signs = drawn.kind === 'action' ? [icon(drawn.icon)] : [];
  if (!opensToDetails(drawn)) {
    const made = element(
      'div',
      { class: 'line', id: `${article.id}-text` },
      ...signs,
      said,
      time(drawn.time),
    );
    article.setAttribute('aria-labelledby', made.id);
    view.target = article;
    return made;
  }
  article.removeAttribute('aria-labelledby');
  const press = () => {
    toggle(drawn.id);
  };
  const made = button('', press, { class: 'line', tabindex: '-1' });
  made.append(icon('chevron'), ...signs, said);
  if (stateWord) made.append(stateWord);
  made.append(time(drawn.time));
  made.setAttribute('aria-expanded', String(details !== undefined));
  view.target = made;
  return made;
}

export function showDetails(view: EntryView, blocks: readonly Block[], actions: EntryActions): void {
  const { details, drawn } = view;
  if (!details) return;
  const { scrollTop } = details;
  const askForWhole = () => {
    actions.askForWhole(drawn.id);
  };
  details.replaceChildren(...drawBlocks(blocks, { words: actions.words, isWhole: false, askForWhole }));
  details.scrollTop = scrollTop;
}

export function drawPhrase(given: Phrase): HTMLElement {
  const made = element('span', { class: 'said' });
  for (const part of given) {
    if (typeof part === 'string') made.append(part);
    else if ('code' in part) made.append(element('code', { dir: 'ltr' }, foreign(part.code, 'code')));
    else made.append(element('bdi', {}, foreign(part.text)));
  }
  return made;
}

function time(given: string | undefined): HTMLElement {
  return element('time', {}, given ?? '');
}
