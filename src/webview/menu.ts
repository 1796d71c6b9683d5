/** A button with a menu, in which the arrow keys move. */
import { button, element, foreignText, iconButton } from './dom.ts';

interface MenuItem {
  readonly label: string;
  readonly run: () => void;
}

export class Menu {
  readonly element = element('div', { class: 'menu', role: 'menu', id: 'menu', hidden: '' });
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
      const stays = relatedTarget instanceof Node && this.element.contains(relatedTarget);
      if (!stays && relatedTarget !== this.button) this.#hide();
    });
    window.addEventListener('resize', () => {
      this.#hide();
    });
    this.#hide();
  }

  draw(items: readonly MenuItem[]): void {
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
        return button(foreignText(label), press, { role: 'menuitem', tabindex: '-1' });
      }),
    );
  }

  get #items(): readonly HTMLElement[] {
    return [...this.element.children] as HTMLElement[];
  }

  #open(): void {
    this.element.hidden = false;
    this.button.setAttribute('aria-expanded', 'true');
    const { bottom, left } = this.button.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    this.element.style.top = `${bottom + 2}px`;
    this.element.style.left = `${Math.max(0, Math.min(left, clientWidth - this.element.offsetWidth - 4))}px`;
    this.element.style.maxHeight = `${clientHeight - bottom - 8}px`;
    this.#items[0]?.focus();
  }

  #hide(): void {
    this.element.hidden = true;
    this.button.setAttribute('aria-expanded', 'false');
  }

  #close(): void {
    this.button.focus();
    this.#hide();
  }

  #key(event: KeyboardEvent): void {
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
