/** What the agent wants to do, whole, and the answer to it. */
import type { DrawnAction, DrawnWaiting } from '../protocol/drawn.ts';
import type { PageWords } from '../protocol/pageWords.ts';
import { drawBlocks } from './blocks.ts';
import { button, element, foreign } from './dom.ts';
import { drawPhrase } from './drawEntry.ts';

interface WaitingAnswer {
  readonly shown: number;
  readonly accept: boolean;
}

/** In milliseconds. A click that comes so soon was meant for what was there before. */
const tooSoon = 600;

export class WaitingBox {
  readonly element: HTMLElement = element('section', { class: 'waitingBox', hidden: '' });
  readonly #alert = element('div', { role: 'alert', class: 'spoken' });
  readonly #words: PageWords;
  readonly #answer: (answer: WaitingAnswer) => void;
  #waiting: DrawnWaiting | undefined;
  #since = 0;
  #isWanted = false;
  #stopWatching: () => void = () => undefined;

  constructor(words: PageWords, answer: (answer: WaitingAnswer) => void) {
    this.#words = words;
    this.#answer = answer;
    this.element.setAttribute('aria-label', words.waits);
  }

  /** Stands outside of what is hidden. */
  get alert(): HTMLElement {
    return this.#alert;
  }

  get shown(): number | undefined {
    return this.#waiting?.shown;
  }

  /** Now, or as soon as there is something. */
  focus(): void {
    const whole = this.element.querySelector<HTMLElement>('.whole');
    this.#isWanted = whole === null;
    whole?.focus();
  }

  draw(waiting: DrawnWaiting | undefined): void {
    if (waiting && waiting.shown === this.#waiting?.shown && waiting.obstacle === this.#waiting.obstacle)
      return;
    const hadKeyboard = document.hasFocus() && this.element.contains(document.activeElement);
    const isNew = waiting?.shown !== this.#waiting?.shown;
    this.#stopWatching();
    this.#waiting = waiting;
    this.#since = performance.now();
    this.element.hidden = waiting === undefined;
    if (!waiting) {
      this.#alert.textContent = '';
      this.element.replaceChildren();
      return;
    }
    const end = element('div', { class: 'end' });
    const whole = element(
      'div',
      { class: 'whole', tabindex: '0', role: 'group', 'aria-label': waiting.heading },
      ...waiting.actions.map((action) => this.#drawAction(action)),
      end,
    );
    const buttons = this.#buttons(waiting, whole, end);
    this.element.replaceChildren(element('h2', {}, foreign(waiting.heading)), whole, buttons);
    // The keyboard does not stay on a button that now answers something else.
    if (hadKeyboard || this.#isWanted) whole.focus();
    this.#isWanted = false;
    if (isNew) this.#alert.textContent = `${this.#words.waits}. ${waiting.heading}`;
  }

  #drawAction({ line, risk, summary, blocks }: DrawnAction): HTMLElement {
    const head = element('h3', {}, drawPhrase(line));
    if (risk) head.append(element('span', { class: risk.isHigh ? 'highRisk' : 'risk' }, foreign(risk.text)));
    const made = element('div', { class: 'wanted' }, head);
    if (summary !== undefined) made.append(element('p', { class: 'note' }, foreign(summary)));
    made.append(...drawBlocks(blocks, { words: this.#words, isWhole: true }));
    return made;
  }

  #buttons({ shown, obstacle }: DrawnWaiting, whole: HTMLElement, end: HTMLElement): HTMLElement {
    const words = this.#words;
    if (obstacle !== undefined) return element('p', { class: 'note' }, foreign(obstacle));
    const made = element('div', { class: 'buttons' });
    let isSent = false;
    const send = (answer: WaitingAnswer) => {
      // Another click of the same hand may arrive when the answer is already taken, and would be told that nothing waits.
      if (isSent || performance.now() - this.#since < tooSoon) return;
      isSent = true;
      this.#answer(answer);
    };
    const accept = button(
      words.accept,
      () => {
        if (accept.getAttribute('aria-disabled') === 'true') whole.focus();
        else send({ shown, accept: true });
      },
      { class: 'primary' },
    );
    const reject = button(words.reject, () => {
      send({ shown, accept: false });
    });
    const hint = element('span', { class: 'note', id: 'read-first' }, words.readFirst);
    made.append(accept, reject, hint);
    this.#allowWhenRead(accept, hint, whole, end);
    return made;
  }

  /** Nobody accepts what was not in sight: where it does not fit, one scrolls to its end first. */
  #allowWhenRead(accept: HTMLElement, hint: HTMLElement, whole: HTMLElement, end: HTMLElement): void {
    accept.setAttribute('aria-disabled', 'true');
    accept.setAttribute('aria-describedby', hint.id);
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        accept.removeAttribute('aria-disabled');
        accept.removeAttribute('aria-describedby');
        hint.remove();
        observer.disconnect();
      },
      { root: whole },
    );
    observer.observe(end);
    this.#stopWatching = () => {
      observer.disconnect();
    };
  }
}
