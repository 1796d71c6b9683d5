import type { DetailBlock, DrawnEntry, Phrase } from '../protocol/drawn.ts';
import { drawBlock, drawPicture, leftOutNote } from './blocks.ts';
import {
  button,
  element,
  fillPlaces,
  foreignText,
  hasKeyboard,
  icon,
  iconButton,
  linkButton,
} from './dom.ts';
import { sends, pageTexts } from './editor.ts';
import { drawMarkdown } from './markdown.ts';

export interface EntryView {
  drawn: DrawnEntry;
  /** Stays the same while the entry is in the list. */
  readonly element: HTMLElement;
  /** The part of the entry that takes the focus. */
  target: HTMLElement;
  /** Undefined while the entry is closed. */
  details: HTMLElement | undefined;
}

type DrawnMessage = Extract<DrawnEntry, { kind: 'message' }>;
type DrawnStep = Exclude<DrawnEntry, DrawnMessage>;

type Toggle = (id: string) => void;

let entryCount = 0;

export function createEntry(drawn: DrawnEntry, toggle: Toggle): EntryView {
  const article = element('article', {
    class: 'entry',
    tabindex: '-1',
    id: `entry-${entryCount++}`,
  });
  const view: EntryView = {
    drawn,
    element: article,
    target: article,
    details: undefined,
  };
  redrawEntry(view, drawn, toggle);
  return view;
}

export function redrawEntry(
  view: EntryView,
  drawn: DrawnEntry,
  toggle: Toggle,
): void {
  view.drawn = drawn;
  const { element: article, details } = view;
  const hadKeyboard = hasKeyboard(article);
  const wasOn = view.target.tabIndex === 0;
  for (const name of [...article.classList])
    if (/^(is|by)-/.test(name)) article.classList.remove(name);
  article.classList.add(`is-${drawn.kind}`);
  if (drawn.kind === 'message') {
    article.classList.add(`by-${drawn.by}`);
    article.classList.toggle('is-thought', drawn.isThought === true);
  } else if (drawn.state) article.classList.add(`is-${drawn.state}`);
  article.dataset.step = drawn.kind === 'message' ? '' : (drawn.step ?? '');
  article.replaceChildren(
    ...(drawn.kind === 'message'
      ? message(view, drawn)
      : [line(view, drawn, toggle), ...ruleMark(drawn), ...modelButton(drawn)]),
  );
  if (details) article.append(details);
  if (wasOn) view.target.tabIndex = 0;
  if (hadKeyboard && !article.contains(document.activeElement))
    view.target.focus({ preventScroll: true });
}

function message(view: EntryView, drawn: DrawnMessage): Node[] {
  const { element: article } = view;
  const head = element(
    'h2',
    { id: `${article.id}-name` },
    drawn.name,
    time(drawn),
    drawn.isStreaming &&
      element('span', { class: 'writing' }, pageTexts.writing),
    drawn.queued !== undefined && queueTools(drawn.queued),
  );
  const body = element(
    'div',
    { class: 'prose', id: `${article.id}-text` },
    drawMarkdown(drawn.text),
    ...drawn.pictures.map(drawPicture),
    drawn.leftOut !== undefined &&
      leftOutNote(drawn.leftOut, sends({ type: 'whole', id: drawn.id })),
  );
  article.setAttribute('aria-labelledby', `${head.id} ${body.id}`);
  view.target = article;
  return drawn.canFork === true ? [head, forkTools(drawn), body] : [head, body];
}

function queueTools(id: number): HTMLElement {
  return element(
    'span',
    { class: 'queueTools' },
    iconButton('edit', pageTexts.editQueued, sends({ type: 'editQueued', id })),
    iconButton(
      'close',
      pageTexts.removeQueued,
      sends({ type: 'removeQueued', id }),
    ),
  );
}

/** The style sheet hides these buttons if the agent cannot be reached. */
function forkTools({ id, by }: DrawnMessage): HTMLElement {
  return element(
    'div',
    { class: 'forkTools' },
    by === 'person' &&
      iconButton(
        'edit',
        pageTexts.editAndResend,
        sends({ type: 'fork', id, isBefore: true }),
      ),
    iconButton(
      'fork',
      pageTexts.forkFromHere,
      sends({ type: 'fork', id, isBefore: false }),
    ),
  );
}

function line(view: EntryView, drawn: DrawnStep, toggle: Toggle): Node {
  const { element: article, details } = view;
  const content = [
    drawn.icon && icon(drawn.icon),
    drawPhrase(drawn.line),
    drawn.state &&
      element(
        'span',
        { class: 'spoken' },
        `, ${pageTexts.states[drawn.state]}`,
      ),
    time(drawn),
  ];
  if (!drawn.hasDetails) {
    const row = element(
      'div',
      { class: 'line', id: `${article.id}-text` },
      ...content,
    );
    article.setAttribute('aria-labelledby', row.id);
    view.target = article;
    return row;
  }
  article.removeAttribute('aria-labelledby');
  const press = () => {
    toggle(drawn.id);
  };
  view.target = button([icon('chevron'), ...content], press, {
    class: 'line',
    tabindex: '-1',
    'aria-expanded': String(details !== undefined),
  });
  return view.target;
}

function ruleMark({ rule }: DrawnStep): readonly Node[] {
  if (rule === undefined) return [];
  const mark = linkButton(
    foreignText(fillPlaces(pageTexts.byRule, rule)),
    sends({ type: 'run', action: 'approvalRules' }),
  );
  mark.classList.add('byRule');
  return [mark];
}

function modelButton({ canChooseModel }: DrawnStep): readonly Node[] {
  if (canChooseModel !== true) return [];
  const choose = linkButton(
    pageTexts.chooseModel,
    sends({ type: 'run', action: 'switchModel' }),
  );
  choose.classList.add('chooseModel');
  return [choose];
}

export function showDetails(
  view: EntryView,
  blocks: readonly DetailBlock[],
): void {
  const { details, drawn } = view;
  if (!details) return;
  const { scrollTop } = details;
  const askForWhole = sends({ type: 'whole', id: drawn.id });
  details.replaceChildren(
    ...blocks.map((block) => drawBlock(block, askForWhole)),
  );
  details.scrollTop = scrollTop;
}

export function drawPhrase(phrase: Phrase): HTMLElement {
  const span = element('span', { class: 'said' });
  for (const part of phrase) {
    if (typeof part === 'string') span.append(part);
    else if ('code' in part)
      span.append(
        element('code', { dir: 'ltr' }, foreignText(part.code, 'code')),
      );
    else span.append(element('bdi', {}, foreignText(part.text)));
  }
  return span;
}

function time({ time: text = '' }: DrawnEntry): HTMLElement {
  return element('time', {}, text);
}
