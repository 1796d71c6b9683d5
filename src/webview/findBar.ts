import { element, fillPlaces, iconButton, linkButton } from './dom.ts';
import { send, pageTexts } from './editor.ts';
import type { EntryList } from './entryList.ts';

export class FindBar {
  readonly element: HTMLElement;
  readonly #field = element('input', {
    type: 'text',
    placeholder: pageTexts.findPlaceholder,
    'aria-label': pageTexts.findPlaceholder,
  });
  readonly #count = element('span', { class: 'count', role: 'status' });
  readonly #more = linkButton(pageTexts.loadOlder, () => {
    this.#list.askForOlder();
  });
  readonly #list: EntryList;
  #ids: readonly string[] = [];
  #inDetails: ReadonlySet<string> = new Set();
  #current: string | undefined;
  /** The element that had the focus before. */
  #before: Element | null = null;

  constructor(list: EntryList) {
    this.#list = list;
    this.element = element(
      'div',
      { class: 'find', role: 'search', hidden: '' },
      this.#field,
      this.#count,
      iconButton('up', pageTexts.previousMatch, () => {
        this.#go(-1);
      }),
      iconButton('down', pageTexts.nextMatch, () => {
        this.#go(1);
      }),
      iconButton('close', pageTexts.closeFind, () => {
        this.close();
      }),
      this.#more,
    );
    this.#field.addEventListener('input', () => {
      this.#current = undefined;
      this.#ask();
    });
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
      else if (event.key === 'Enter' && event.target === this.#field)
        this.#go(event.shiftKey ? -1 : 1);
      else return;
      event.preventDefault();
    });
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  open(): void {
    if (!this.isOpen) this.#before = document.activeElement;
    this.element.hidden = false;
    const selected = document.getSelection()?.toString() ?? '';
    if (selected !== '' && !selected.includes('\n'))
      this.#field.value = selected;
    this.#field.focus();
    this.#field.select();
    this.#ask();
  }

  close(): void {
    this.element.hidden = true;
    CSS.highlights.clear();
    const back = this.#list.view(this.#current ?? '')?.target ?? this.#before;
    if (back instanceof HTMLElement && back.isConnected)
      back.focus({ preventScroll: true });
  }

  /** Searches again, after entries have changed. */
  renew(): void {
    if (this.isOpen && this.#field.value !== '') this.#ask();
  }

  found(
    query: string,
    ids: readonly string[],
    inDetails: readonly string[],
  ): void {
    if (!this.isOpen || query !== this.#field.value) return;
    this.#ids = ids;
    this.#inDetails = new Set(inDetails);
    if (this.#current !== undefined && ids.includes(this.#current))
      this.#draw();
    else {
      // The newest match is nearest to the end.
      this.#current = ids.at(-1);
      this.#show();
    }
  }

  /** Highlights matches in details that were drawn again. */
  mark(): void {
    if (this.isOpen) this.#highlight();
  }

  #ask() {
    send({ type: 'find', query: this.#field.value });
  }

  #go(direction: 1 | -1) {
    const { length } = this.#ids;
    if (length === 0) return;
    const index = this.#ids.indexOf(this.#current ?? '');
    this.#current = this.#ids[(index + direction + length) % length];
    this.#show();
  }

  #show() {
    if (this.#current !== undefined) {
      if (this.#inDetails.has(this.#current)) this.#list.open(this.#current);
      this.#list.reveal(this.#current);
    }
    this.#draw();
  }

  #draw() {
    this.#count.textContent = this.#countText();
    this.#more.hidden = !this.#list.hasOlder;
    this.#highlight();
  }

  #countText(): string {
    if (this.#field.value === '') return '';
    if (this.#ids.length === 0) return pageTexts.noMatches;
    const index = this.#ids.indexOf(this.#current ?? '');
    return fillPlaces(pageTexts.matches, index + 1, this.#ids.length);
  }

  #highlight() {
    const query = this.#field.value.toLocaleLowerCase();
    CSS.highlights.clear();
    if (query === '') return;
    const near = this.#ids.indexOf(this.#current ?? '');
    const all = new Highlight();
    // Highlights the matches around the current one: thousands would be slow.
    for (const id of this.#ids.slice(Math.max(0, near - 50), near + 50)) {
      const view = this.#list.view(id);
      if (view)
        for (const range of rangesOf(view.element, query)) all.add(range);
    }
    CSS.highlights.set('found', all);
    const view = this.#list.view(this.#current ?? '');
    const [first] = view ? rangesOf(view.element, query) : [];
    if (first) {
      CSS.highlights.set('found-now', new Highlight(first));
      first.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
    }
  }
}

/**
 * Matches within one text node each. Text that markup divides is found, but not
 * highlighted.
 */
function rangesOf(root: Element, query: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (
    let node = walker.nextNode();
    node && ranges.length < 200;
    node = walker.nextNode()
  ) {
    const text = (node.nodeValue ?? '').toLocaleLowerCase();
    for (
      let at = text.indexOf(query);
      at >= 0 && ranges.length < 200;
      at = text.indexOf(query, at + query.length)
    ) {
      const range = new Range();
      const { length } = node.nodeValue ?? '';
      range.setStart(node, Math.min(at, length));
      range.setEnd(node, Math.min(at + query.length, length));
      ranges.push(range);
    }
  }
  return ranges;
}
