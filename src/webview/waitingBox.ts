import type { DrawnAction, DrawnWaiting } from '../protocol/drawn.ts';
import { drawBlock } from './blocks.ts';
import {
  button,
  element,
  fillPlaces,
  foreignText,
  hasKeyboard,
  linkButton,
  note,
} from './dom.ts';
import { drawPhrase } from './drawEntry.ts';
import { send, pageTexts } from './editor.ts';

/** An earlier click was meant for the previous action. */
const minTimeToReadMs = 600;

export class WaitingBox {
  readonly element: HTMLElement = element('section', {
    class: 'waitingBox',
    'aria-label': pageTexts.waits,
    hidden: '',
  });
  /** Placed outside the element, which may be hidden. */
  readonly alert = element('div', { role: 'alert', class: 'spoken' });
  #waiting: DrawnWaiting | undefined;
  #since = 0;
  /** The `shown` of the actions whose end has been in view. */
  #read: number | undefined;
  #isWanted = false;
  #stopWatching: () => void = () => undefined;
  readonly #answered: () => void;

  /** `answered` is called when the user answers. */
  constructor(answered: () => void) {
    this.#answered = answered;
  }

  get shown(): number | undefined {
    return this.#waiting?.shown;
  }

  /** Focuses the actions, now or as soon as there are some. */
  focus(): void {
    const whole = this.element.querySelector<HTMLElement>('.whole');
    this.#isWanted = whole === null;
    whole?.focus();
  }

  draw(waiting: DrawnWaiting | undefined): void {
    if (
      waiting &&
      waiting.shown === this.#waiting?.shown &&
      waiting.obstacle === this.#waiting.obstacle &&
      String(waiting.rules) === String(this.#waiting.rules)
    )
      return;
    const hadKeyboard = hasKeyboard(this.element);
    const isNew = waiting?.shown !== this.#waiting?.shown;
    this.#stopWatching();
    this.#waiting = waiting;
    this.#since = performance.now();
    this.element.hidden = waiting === undefined;
    if (!waiting) {
      this.alert.textContent = '';
      this.element.replaceChildren();
      return;
    }
    const end = element('div', { class: 'end' });
    const whole = element(
      'div',
      {
        class: 'whole',
        tabindex: '0',
        role: 'group',
        'aria-label': waiting.heading,
      },
      ...waiting.actions.map((action) => this.#drawAction(action)),
      end,
    );
    this.element.replaceChildren(
      element('h2', {}, foreignText(waiting.heading)),
      whole,
      this.#buttons(waiting, whole, end),
    );
    // The focus must not stay on a button that now answers another action.
    if (hadKeyboard || this.#isWanted) whole.focus();
    this.#isWanted = false;
    if (isNew)
      this.alert.textContent = `${pageTexts.waits}. ${waiting.heading}`;
  }

  #drawAction({ line, risk, why, summary, blocks }: DrawnAction): HTMLElement {
    return element(
      'div',
      { class: 'wanted' },
      element(
        'h3',
        {},
        drawPhrase(line),
        risk &&
          element(
            'span',
            { class: risk.isHigh ? 'highRisk' : 'risk' },
            foreignText(risk.text),
          ),
      ),
      why !== undefined && note(foreignText(why)),
      summary !== undefined && note(foreignText(summary)),
      ...blocks.map((block) => drawBlock(block)),
    );
  }

  #buttons(
    { shown, obstacle, rules }: DrawnWaiting,
    whole: HTMLElement,
    end: HTMLElement,
  ): HTMLElement {
    if (obstacle !== undefined) return note(foreignText(obstacle));
    const buttons = element('div', { class: 'buttons' });
    let isSent = false;
    const isTooEarly = () => performance.now() - this.#since < minTimeToReadMs;
    const answer = (accept: boolean) => {
      // A double click would send a second answer, which would fail because
      // nothing waits.
      if (isSent || isTooEarly()) return;
      isSent = true;
      send({ type: 'answer', shown, accept });
      this.#answered();
    };
    const onceRead = (act: () => void) => () => {
      if (accept.getAttribute('aria-disabled') === 'true') whole.focus();
      else act();
    };
    const accept = button(
      pageTexts.accept,
      onceRead(() => {
        answer(true);
      }),
      { class: 'primary' },
    );
    const reject = button(pageTexts.reject, () => {
      answer(false);
    });
    buttons.append(accept, reject);
    if (rules) {
      const names = rules.map((rule) => `“${rule}”`).join(', ');
      const ask = onceRead(() => {
        if (!isTooEarly()) send({ type: 'acceptByRule', shown });
      });
      buttons.append(
        linkButton(foreignText(fillPlaces(pageTexts.acceptByRule, names)), ask),
      );
    }
    if (this.#read === shown) return buttons;
    const hint = element(
      'span',
      { class: 'note', id: 'read-first' },
      pageTexts.readFirst,
    );
    buttons.append(hint);
    this.#whenRead(whole, end, () => {
      this.#read = shown;
      accept.removeAttribute('aria-disabled');
      accept.removeAttribute('aria-describedby');
      hint.remove();
    });
    accept.setAttribute('aria-disabled', 'true');
    accept.setAttribute('aria-describedby', hint.id);
    return buttons;
  }

  /** Calls `read` once the end of the actions has been in view. */
  #whenRead(whole: HTMLElement, end: HTMLElement, read: () => void) {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        read();
      },
      { root: whole },
    );
    observer.observe(end);
    this.#stopWatching = () => {
      observer.disconnect();
    };
  }
}
