/**
 * Keeps entries in small groups: with one flat list, adding an entry to 10,000
 * others would be slow.
 */
import { element } from './dom.ts';

const maxGroupSize = 50;

export class EntryGroups {
  readonly #list: HTMLElement;

  constructor(list: HTMLElement) {
    this.#list = list;
  }

  get first(): HTMLElement | undefined {
    return asElement(this.#list.firstElementChild?.firstElementChild);
  }

  get last(): HTMLElement | undefined {
    return asElement(this.#list.lastElementChild?.lastElementChild);
  }

  append(entry: HTMLElement): void {
    let group = this.#list.lastElementChild;
    if (!group || group.childElementCount >= maxGroupSize) {
      group = element('div', { class: 'group' });
      this.#list.append(group);
    }
    group.append(entry);
  }

  /** Inserts the entries at the start, in this order. */
  insertBefore(entries: readonly HTMLElement[]): void {
    for (let end = entries.length; end > 0; end -= maxGroupSize) {
      this.#list.prepend(
        element(
          'div',
          { class: 'group' },
          ...entries.slice(Math.max(0, end - maxGroupSize), end),
        ),
      );
    }
  }

  remove(entry: HTMLElement): void {
    const group = entry.parentElement;
    entry.remove();
    if (group?.childElementCount === 0) group.remove();
  }

  clear(): void {
    this.#list.replaceChildren();
  }
}

export function siblingEntry(
  entry: HTMLElement,
  direction: 1 | -1,
): HTMLElement | undefined {
  const near =
    direction === 1 ? entry.nextElementSibling : entry.previousElementSibling;
  if (near) return asElement(near);
  const group = entry.parentElement;
  return direction === 1
    ? asElement(group?.nextElementSibling?.firstElementChild)
    : asElement(group?.previousElementSibling?.lastElementChild);
}

function asElement(node: Element | null | undefined): HTMLElement | undefined {
  return node instanceof HTMLElement ? node : undefined;
}
