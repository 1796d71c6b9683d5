/** Above what happened: what it is about, how it is connected, when the agent asks; and the facts, which fold. */
import type { Head, HeadAction, HeadButton } from '../protocol/drawn.ts';
import type { PageWords } from '../protocol/pageWords.ts';
import { button, element, foreign, icon, iconButton, indexWithKeyboard } from './dom.ts';
import { Menu } from './menu.ts';

interface HeadRequests {
  readonly run: (action: HeadAction) => void;
  readonly openConversation: (id: string) => void;
  readonly retry: () => void;
  readonly allowOrigin: () => void;
  readonly stop: () => void;
  readonly setConfirmation: (value: string) => void;
  readonly find: () => void;
  /** It was folded or unfolded. */
  readonly changed: () => void;
}

/** The key of the command, as package.json has it. */
const stopKey = /mac/i.test(navigator.platform)
  ? '⌘Escape'
  : /win/i.test(navigator.platform)
    ? 'Alt+Backspace'
    : 'Ctrl+Escape';

export class HeadView {
  readonly element = element('header', {});
  /** Stands outside of the head, which would cut it off. */
  readonly menu: Menu;
  readonly #title = element('h1');
  readonly #state = element('span', { class: 'state' });
  readonly #connection = element('span', { class: 'connection', role: 'status' });
  readonly #confirmation = element('label', { class: 'confirmation', hidden: '' });
  readonly #select = element('select');
  readonly #notes = element('div', { class: 'notes' });
  readonly #facts = element('dl');
  readonly #related = element('nav');
  readonly #stop: HTMLButtonElement;
  readonly #buttons = element('div', { class: 'buttons' });
  readonly #folded: HTMLElement;
  readonly #toggle: HTMLButtonElement;
  readonly #words: PageWords;
  readonly #requests: HeadRequests;
  /** Whether the person has folded or unfolded it. */
  #isChosen: boolean;

  constructor(words: PageWords, requests: HeadRequests, isOpen: boolean | undefined) {
    this.#words = words;
    this.#requests = requests;
    this.#folded = element('div', { class: 'folded', id: 'facts' }, this.#facts, this.#related);
    this.#toggle = button(
      '',
      () => {
        this.#isChosen = true;
        this.#fold(this.#folded.hidden !== false);
        requests.changed();
      },
      { class: 'toggle', 'aria-controls': 'facts' },
    );
    this.#toggle.append(icon('chevron'), words.details);
    this.#confirmation.append(element('span', {}, words.confirmation), this.#select);
    this.#select.addEventListener('change', () => {
      requests.setConfirmation(this.#select.value);
    });
    this.#stop = button('', requests.stop, { class: 'stop', hidden: '' });
    this.menu = new Menu(words.moreActions);
    const tools = element(
      'div',
      { class: 'tools' },
      this.#stop,
      this.#buttons,
      this.#toggle,
      iconButton('find', words.find, () => {
        requests.find();
      }),
      this.menu.button,
    );
    this.element.append(
      element('div', { class: 'titleLine' }, this.#title, tools),
      element('div', { class: 'stateLine' }, this.#state, this.#connection, this.#confirmation),
      this.#notes,
      this.#folded,
    );
    this.#isChosen = isOpen !== undefined;
    this.#fold(isOpen ?? false);
  }

  /** Undefined until the person has decided. */
  get isOpen(): boolean | undefined {
    return this.#isChosen ? !this.#folded.hidden : undefined;
  }

  draw(head: Head): void {
    if (!this.#isChosen) this.#fold(head.isOpenAtFirst);
    this.#title.replaceChildren(foreign(head.title));
    // Where the page is narrow, it is cut.
    document.title = this.#title.title = this.#title.textContent;
    this.#state.textContent = head.state.text;
    this.#state.dataset.tone = head.state.tone;
    this.#drawConnection(head);
    this.#drawConfirmation(head);
    this.#drawNotes(head);
    this.#facts.replaceChildren(
      ...head.facts.flatMap(([name, value]) => [
        element('dt', {}, name),
        element('dd', { dir: 'auto' }, foreign(value)),
      ]),
    );
    keepKeyboard(this.#buttons, () => {
      this.#buttons.replaceChildren(...head.buttons.map((each) => this.#drawButton(each)));
    });
    this.menu.draw(
      head.menu.map(({ run, label }) => ({
        label,
        run: () => {
          this.#requests.run(run);
        },
      })),
    );
    keepKeyboard(this.#related, () => {
      this.#related.replaceChildren(
        ...head.related.map(({ id, label }) =>
          link(label, () => {
            this.#requests.openConversation(id);
          }),
        ),
      );
    });
  }

  /** Without a label, there is nothing to stop. */
  drawStop(label: string | undefined): void {
    const hadKeyboard = this.#stop === document.activeElement;
    this.#stop.hidden = label === undefined;
    this.#stop.replaceChildren(icon('stop'), label ?? '');
    this.#stop.title = label === undefined ? '' : `${label} (${stopKey})`;
    if (hadKeyboard && label === undefined) this.#toggle.focus();
  }

  #drawButton({ run, label, count }: HeadButton): HTMLElement {
    const press = () => {
      this.#requests.run(run);
    };
    const made = button('', press, { title: label });
    made.append(icon(run === 'takeOver' ? 'takeOver' : 'changes'), element('span', {}, label));
    if (count !== undefined) made.append(` (${count})`);
    return made;
  }

  #drawNotes({ notes, allow }: Head): void {
    const drawn: Node[] = notes.map((note) => element('p', {}, foreign(note)));
    if (allow !== undefined) drawn.push(link(allow, this.#requests.allowOrigin));
    keepKeyboard(this.#notes, () => {
      this.#notes.replaceChildren(...drawn);
    });
  }

  #drawConnection({ connection }: Head): void {
    const { text, tone, reason, canRetry, actions = [] } = connection;
    const words = reason === undefined ? text : `${text} ${reason}`;
    const said = JSON.stringify(connection);
    if (this.#connection.dataset.said === said) return;
    this.#connection.dataset.said = said;
    this.#connection.dataset.tone = tone;
    keepKeyboard(this.#connection, () => {
      this.#fillConnection(words, canRetry, actions);
    });
  }

  #fillConnection(words: string, canRetry: boolean, actions: readonly HeadButton[]): void {
    this.#connection.replaceChildren(foreign(words));
    if (canRetry) {
      this.#connection.append(
        ' ',
        button(
          this.#words.retry,
          () => {
            this.#requests.retry();
          },
          { class: 'link' },
        ),
      );
    }
    for (const { run, label } of actions) {
      const press = () => {
        this.#requests.run(run);
      };
      this.#connection.append(' ', link(label, press));
    }
  }

  #drawConfirmation({ confirmation }: Head): void {
    this.#confirmation.hidden = confirmation === undefined;
    if (!confirmation) return;
    const { value, choices, canChange } = confirmation;
    const options = choices.map((choice) => element('option', { value: choice.value }, choice.label));
    if (document.activeElement !== this.#select) this.#select.replaceChildren(...options);
    this.#select.value = value;
    this.#select.disabled = !canChange;
  }

  #fold(isOpen: boolean): void {
    this.#folded.hidden = !isOpen;
    this.#toggle.setAttribute('aria-expanded', String(isOpen));
  }
}

function link(label: string, press: () => void): HTMLElement {
  const made = button('', press, { class: 'link' });
  made.append(foreign(label));
  return made;
}

/** What is drawn again keeps the keyboard at the same place. */
function keepKeyboard(parent: HTMLElement, draw: () => void): void {
  const index = indexWithKeyboard(parent);
  draw();
  const again = parent.children[index];
  if (again instanceof HTMLElement) again.focus();
}
