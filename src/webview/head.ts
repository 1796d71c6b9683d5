import type { DrawnHead, HeadAction } from '../protocol/drawn.ts';
import { drawPhrase } from './drawEntry.ts';
import {
  button,
  element,
  fillPlaces,
  foreignText,
  hasKeyboard,
  icon,
  iconButton,
  linkButton,
  replaceChildren,
} from './dom.ts';
import { send, sends, pageTexts } from './editor.ts';
import type { FindBar } from './findBar.ts';

/** The key of the command in package.json. */
function stopKey(): string {
  if (/mac/i.test(navigator.platform)) return '⌘Escape';
  return /win/i.test(navigator.platform) ? 'Alt+Backspace' : 'Ctrl+Escape';
}

export class HeadView {
  readonly element = element('header', {});
  /** Placed outside the head, which would clip the menu. */
  readonly menu = new Menu(pageTexts.moreActions);
  readonly #title = element('h1');
  readonly #state = element('span', { class: 'state' });
  readonly #connection = element('span', {
    class: 'connection',
    role: 'status',
  });
  readonly #confirmation = element('label', {
    class: 'confirmation',
    hidden: '',
  });
  readonly #select = element('select');
  readonly #meters = element('span', { class: 'meters' });
  readonly #tasks = element('details', { class: 'tasks', hidden: '' });
  readonly #notes = element('div', { class: 'notes' });
  readonly #facts = element('dl');
  readonly #related = element('nav');
  readonly #stop = button('', sends({ type: 'stop' }), {
    class: 'stop',
    hidden: '',
  });
  readonly #buttons = element('div', { class: 'buttons' });
  readonly #folded = element(
    'div',
    { class: 'folded', id: 'facts' },
    this.#facts,
    this.#related,
  );
  readonly #toggle: HTMLButtonElement;
  #ticking: number | undefined;
  #isChosen: boolean;

  /** Calls `changed` when the facts are folded or unfolded. */
  constructor(find: FindBar, changed: () => void, isOpen: boolean | undefined) {
    const toggle = () => {
      this.#isChosen = true;
      this.#fold(this.#folded.hidden !== false);
      changed();
    };
    this.#toggle = button([icon('chevron'), pageTexts.details], toggle, {
      class: 'toggle',
      'aria-controls': 'facts',
    });
    this.#confirmation.append(
      element('span', {}, pageTexts.confirmation),
      this.#select,
    );
    this.#select.addEventListener('change', () => {
      send({ type: 'setConfirmation', value: this.#select.value });
    });
    const tools = element(
      'div',
      { class: 'tools' },
      this.#stop,
      this.#buttons,
      this.#toggle,
      iconButton('find', pageTexts.find, () => {
        find.open();
      }),
      this.menu.button,
    );
    this.element.append(
      element('div', { class: 'titleLine' }, this.#title, tools),
      element(
        'div',
        { class: 'stateLine' },
        this.#state,
        this.#connection,
        this.#confirmation,
        this.#meters,
      ),
      this.#notes,
      this.#tasks,
      this.#folded,
    );
    this.#isChosen = isOpen !== undefined;
    this.#fold(isOpen ?? false);
  }

  /** Undefined until the user has folded or unfolded the facts. */
  get isOpen(): boolean | undefined {
    return this.#isChosen ? !this.#folded.hidden : undefined;
  }

  draw(head: DrawnHead): void {
    if (!this.#isChosen) this.#fold(head.isOpenAtFirst);
    this.#title.replaceChildren(foreignText(head.title));
    // A narrow page truncates the title.
    document.title = this.#title.title = this.#title.textContent;
    this.#drawState(head);
    this.#drawConnection(head);
    this.#drawConfirmation(head);
    replaceChildren(
      this.#meters,
      head.meters.flatMap(({ text, button }) => [
        text !== '' && element('span', {}, foreignText(text)),
        button && linkButton(button.label, runs(button.run)),
      ]),
    );
    this.#drawTasks(head.tasks);
    this.#drawNotes(head);
    this.#facts.replaceChildren(
      ...head.facts.flatMap(([name, value]) => [
        element('dt', {}, name),
        element('dd', { dir: 'auto' }, foreignText(value)),
      ]),
    );
    replaceChildren(
      this.#buttons,
      head.buttons.map(({ run, label, count, lines }) => {
        const content = [
          icon(run === 'takeOver' ? 'takeOver' : 'changes'),
          element('span', {}, label),
          count !== undefined && ` (${count})`,
          lines !== undefined && element('span', { class: 'lines' }, lines),
        ];
        return button(content, runs(run), { title: label });
      }),
    );
    this.menu.draw(
      head.menu.map(({ run, label }) => ({ label, run: runs(run) })),
    );
    replaceChildren(
      this.#related,
      head.related.map(({ id, label }) =>
        linkButton(foreignText(label), sends({ type: 'openConversation', id })),
      ),
    );
  }

  drawStop(label: string | undefined): void {
    const hadKeyboard = hasKeyboard(this.#stop);
    this.#stop.hidden = label === undefined;
    this.#stop.replaceChildren(icon('stop'), label ?? '');
    this.#stop.title = label === undefined ? '' : `${label} (${stopKey()})`;
    if (hadKeyboard && label === undefined) this.#toggle.focus();
  }

  #drawState({ state: { text, tone, work } }: DrawnHead) {
    this.#state.dataset.tone = tone;
    const duration = element('span', { class: 'duration' });
    const tick = () => {
      duration.textContent = fillPlaces(
        pageTexts.workingFor,
        durationOf(work?.since ?? 0),
      );
    };
    window.clearInterval(this.#ticking);
    this.#ticking = work && window.setInterval(tick, 1_000);
    if (!work) {
      this.#state.replaceChildren(text);
      this.#state.title = '';
      return;
    }
    tick();
    const line = work.line.length > 0 ? [' · ', drawPhrase(work.line)] : [];
    this.#state.replaceChildren(duration, ...line);
    this.#state.title = this.#state.textContent;
  }

  #drawConnection({ connection }: DrawnHead) {
    const { text, tone, reason, canRetry, actions = [] } = connection;
    // A live region announces even the same text again.
    const drawn = JSON.stringify(connection);
    if (this.#connection.dataset.drawn === drawn) return;
    this.#connection.dataset.drawn = drawn;
    this.#connection.dataset.tone = tone;
    const links = [
      ...(canRetry
        ? [linkButton(pageTexts.retry, sends({ type: 'retry' }))]
        : []),
      ...actions.map(({ run, label }) =>
        linkButton(foreignText(label), runs(run)),
      ),
    ];
    replaceChildren(this.#connection, [
      foreignText(reason === undefined ? text : `${text} ${reason}`),
      ...links.flatMap((link) => [' ', link]),
    ]);
  }

  #drawNotes({ lowered, notes, allow }: DrawnHead) {
    // An alert announces even the same text again.
    const drawn = JSON.stringify([lowered, notes, allow]);
    if (this.#notes.dataset.drawn === drawn) return;
    this.#notes.dataset.drawn = drawn;
    replaceChildren(this.#notes, [
      lowered &&
        element(
          'p',
          { class: 'lowered', role: 'alert' },
          foreignText(lowered.text),
          ' ',
          linkButton(
            lowered.label,
            sends({ type: 'setConfirmation', value: lowered.policy }),
          ),
        ),
      ...notes.map((note) => element('p', {}, foreignText(note))),
      allow !== undefined &&
        linkButton(foreignText(allow), sends({ type: 'allowOrigin' })),
    ]);
  }

  /** Stays unfolded while the tasks change. */
  #drawTasks(tasks: DrawnHead['tasks']) {
    this.#tasks.hidden = tasks === undefined;
    const drawn = JSON.stringify(tasks);
    if (!tasks || this.#tasks.dataset.drawn === drawn) return;
    this.#tasks.dataset.drawn = drawn;
    const items = tasks.items.map(({ title, state, isDone }) =>
      element(
        'li',
        { class: isDone ? 'isDone' : '' },
        foreignText(title),
        ' ',
        element('small', {}, state),
      ),
    );
    replaceChildren(this.#tasks, [
      element('summary', {}, foreignText(tasks.summary)),
      element('ol', {}, ...items),
    ]);
  }

  #drawConfirmation({ confirmation }: DrawnHead) {
    this.#confirmation.hidden = confirmation === undefined;
    if (!confirmation) return;
    const { value, choices, canChange } = confirmation;
    const options = choices.map((choice) =>
      element('option', { value: choice.value }, choice.label),
    );
    if (document.activeElement !== this.#select)
      this.#select.replaceChildren(...options);
    this.#select.value = value;
    this.#select.disabled = !canChange;
  }

  #fold(isOpen: boolean) {
    this.#folded.hidden = !isOpen;
    this.#toggle.setAttribute('aria-expanded', String(isOpen));
  }
}

/** Returns `0:14` or `1:02:03`. */
function durationOf(since: number): string {
  const seconds = Math.max(0, Math.floor((Date.now() - since) / 1_000));
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = twoDigits(seconds % 60);
  return hours > 0
    ? `${hours}:${twoDigits(minutes)}:${rest}`
    : `${minutes}:${rest}`;
}

function runs(action: HeadAction): () => void {
  return sends({ type: 'run', action });
}

/** A button with a menu, in which the arrow keys move. */
class Menu {
  readonly element = element('div', {
    class: 'menu',
    role: 'menu',
    id: 'menu',
    hidden: '',
  });
  readonly button: HTMLButtonElement;
  #labels = '';

  constructor(label: string) {
    this.element.setAttribute('aria-label', label);
    this.button = iconButton('more', label, () => {
      if (this.element.hidden) this.#open();
      else this.#close();
    });
    this.button.setAttribute('aria-haspopup', 'menu');
    this.button.setAttribute('aria-controls', 'menu');
    this.button.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' || !this.element.hidden) return;
      event.preventDefault();
      this.#open();
    });
    this.element.addEventListener('keydown', (event) => {
      this.#key(event);
    });
    this.element.addEventListener('focusout', ({ relatedTarget }) => {
      const stays =
        relatedTarget instanceof Node && this.element.contains(relatedTarget);
      if (!stays && relatedTarget !== this.button) this.#hide();
    });
    window.addEventListener('resize', () => {
      this.#hide();
    });
    this.#hide();
  }

  draw(
    items: readonly { readonly label: string; readonly run: () => void }[],
  ): void {
    this.button.hidden = items.length === 0;
    const labels = JSON.stringify(items.map(({ label }) => label));
    // An open menu must not change under the pointer without need.
    if (this.#labels === labels) return;
    this.#labels = labels;
    this.#hide();
    this.element.replaceChildren(
      ...items.map(({ label, run }) => {
        const press = () => {
          this.#close();
          run();
        };
        return button(foreignText(label), press, {
          role: 'menuitem',
          tabindex: '-1',
        });
      }),
    );
  }

  get #items(): readonly HTMLElement[] {
    return [...this.element.children] as HTMLElement[];
  }

  #open() {
    this.element.hidden = false;
    this.button.setAttribute('aria-expanded', 'true');
    const { bottom, left } = this.button.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    this.element.style.top = `${bottom + 2}px`;
    this.element.style.left = `${Math.max(0, Math.min(left, clientWidth - this.element.offsetWidth - 4))}px`;
    this.element.style.maxHeight = `${clientHeight - bottom - 8}px`;
    this.#items[0]?.focus();
  }

  #hide() {
    this.element.hidden = true;
    this.button.setAttribute('aria-expanded', 'false');
  }

  #close() {
    this.button.focus();
    this.#hide();
  }

  #key(event: KeyboardEvent) {
    const items = this.#items;
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = {
      ArrowDown: (at + 1) % items.length,
      ArrowUp: (at - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    }[event.key];
    if (to !== undefined) items[to]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') this.#close();
    else return;
    // Tab continues from the button.
    if (event.key !== 'Tab') event.preventDefault();
  }
}
