/** What happened: a list in which arrows move, whose place stays while more comes. */
import type { Block, DrawnEntry } from '../protocol/drawn.ts';
import type { PageState } from '../protocol/pageMessages.ts';
import type { PageWords } from '../protocol/pageWords.ts';
import { button, element, icon } from './dom.ts';
import { EntryGroups, neighbour } from './entryGroups.ts';
import {
  createEntry,
  type EntryActions,
  type EntryView,
  opensToDetails,
  redraw,
  showDetails,
} from './drawEntry.ts';

interface ListRequests {
  readonly older: () => void;
  readonly open: (id: string) => void;
  readonly close: (id: string) => void;
  readonly whole: (id: string) => void;
  readonly copy: (id: string) => void;
  /** What is shown, or open, is different. */
  readonly changed: () => void;
}

interface EntriesChange {
  readonly isReset: boolean;
  readonly before: readonly DrawnEntry[];
  readonly added: readonly DrawnEntry[];
  readonly changed: readonly DrawnEntry[];
  readonly removed: readonly string[];
  readonly hasOlder: boolean;
  readonly empty: string | undefined;
}

/** In pixels: so near to an end counts as there. */
const near = 40;
const nearTop = 600;

export class EntryList {
  readonly element: HTMLElement;
  readonly #scroller: HTMLElement;
  readonly #list: HTMLElement;
  readonly #groups: EntryGroups;
  readonly #older: HTMLElement;
  /** Entries that are still on their way. */
  readonly #pending = element('div', { class: 'pending', hidden: '' });
  readonly #loadOlder: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #newest: HTMLButtonElement;
  readonly #requests: ListRequests;
  readonly #actions: EntryActions;
  readonly #views = new Map<string, EntryView>();
  readonly #byElement = new Map<Element, EntryView>();
  /** Those that are open, or will be once they are there. */
  readonly #open: Set<string>;
  /** What the keyboard comes to with Tab. */
  #stop: EntryView | undefined;
  /** Whether the person has gone there; otherwise it is the newest. */
  #isChosen = false;
  #hasOlder = false;
  #asksForOlder = false;
  /** Whether the end stays in view. */
  #atEnd = true;
  #lastTop = 0;
  /** The place to come back to, until the person moves. */
  #anchor: PageState['anchor'];

  constructor(words: PageWords, requests: ListRequests, state: PageState) {
    this.#requests = requests;
    this.#open = new Set(state.open);
    this.#anchor = state.anchor;
    this.#atEnd = state.anchor === undefined;
    this.#actions = {
      words,
      toggle: (id) => {
        this.toggle(id);
      },
      askForWhole: requests.whole,
    };
    this.#loadOlder = button(words.loadOlder, () => {
      this.#askForOlder();
    });
    this.#older = element('div', { class: 'older', hidden: '' }, this.#loadOlder);
    this.#empty = element('p', { class: 'empty', hidden: '' });
    this.#list = element('div', { role: 'feed', 'aria-label': words.history, class: 'entries', hidden: '' });
    this.#groups = new EntryGroups(this.#list);
    this.#scroller = element(
      'div',
      { class: 'scroller', tabindex: '-1' },
      this.#older,
      this.#empty,
      this.#list,
      this.#pending,
    );
    this.#newest = button(
      '',
      () => {
        this.toNewest();
      },
      { class: 'newest', hidden: '' },
    );
    this.#newest.append(icon('down'), words.toNewest);
    this.element = element('main', { class: 'history' }, this.#scroller, this.#newest);
    this.#listen();
  }

  /** What the person has written, the oldest first. */
  get written(): readonly string[] {
    const all = [...this.#list.querySelectorAll('.is-message.by-person')].flatMap((each) => {
      const drawn = this.#byElement.get(each)?.drawn;
      return drawn?.kind === 'message' ? drawn.text : [];
    });
    return all.filter((text, index) => text.trim() !== '' && text !== all[index - 1]);
  }

  get hasOlder(): boolean {
    return this.#hasOlder;
  }

  get place(): Pick<PageState, 'anchor' | 'open'> {
    const open = [...this.#open];
    if (this.#atEnd) return { open };
    if (this.#anchor) return { open, anchor: this.#anchor };
    const { left, top, width } = this.#scroller.getBoundingClientRect();
    // The gap between two entries has none.
    for (const below of [2, 12, 24]) {
      const view = this.#viewAt(document.elementFromPoint(left + width / 2, top + below));
      if (!view) continue;
      const box = view.element.getBoundingClientRect();
      return { open, anchor: { id: view.drawn.id, above: Math.round(top - box.top) } };
    }
    return { open };
  }

  view(id: string): EntryView | undefined {
    return this.#views.get(id);
  }

  change({ isReset, before, added, changed, removed, hasOlder, empty }: EntriesChange): void {
    const height = this.#scroller.scrollHeight;
    const top = this.#scroller.scrollTop;
    if (isReset) this.#clear();
    for (const id of removed) this.#remove(id);
    for (const drawn of changed) {
      const view = this.#views.get(drawn.id);
      if (!view) continue;
      redraw(view, drawn, this.#actions);
      setTabIndex(view, view === this.#stop ? 0 : -1);
    }
    if (before.length > 0) {
      this.#insertBefore(before);
      if (this.#anchor === undefined && !this.#atEnd) {
        // The browser keeps the place itself, but not at the very top.
        this.#scroller.scrollTop = top + (this.#scroller.scrollHeight - height);
      }
      this.#asksForOlder = false;
    }
    this.#append(added);
    this.#hasOlder = hasOlder;
    this.#older.hidden = !hasOlder;
    this.#list.hidden = this.#list.childElementCount === 0;
    this.#empty.textContent = empty ?? '';
    this.#empty.hidden = empty === undefined;
    this.#settle();
    if (!this.#atEnd && added.length > 0) this.#newest.classList.add('unread');
    this.#ensureOneStop();
  }

  drawPending(entries: readonly DrawnEntry[]): void {
    const isNew = entries.length > this.#pending.childElementCount;
    const made = entries.map((drawn) => createEntry(drawn, this.#actions));
    for (const view of made) setTabIndex(view, -1);
    this.#pending.replaceChildren(...made.map(({ element }) => element));
    this.#pending.hidden = made.length === 0;
    if (isNew) {
      this.#atEnd = true;
      this.#anchor = undefined;
    }
    this.#settle();
  }

  /** It was asked for, and there may be none, or it failed. */
  olderEnded(): void {
    this.#asksForOlder = false;
    this.#loadOlder.removeAttribute('aria-disabled');
  }

  details(id: string, blocks: readonly Block[]): void {
    const view = this.#views.get(id);
    if (!view) return;
    showDetails(view, blocks, this.#actions);
    setTabIndex(view, view === this.#stop ? 0 : -1);
    this.#settle();
  }

  toggle(id: string): void {
    if (this.#open.has(id)) this.close(id);
    else this.open(id);
  }

  open(id: string): void {
    const view = this.#views.get(id);
    if (!view || !opensToDetails(view.drawn) || view.details) return;
    this.#atEnd = this.#atEnd && this.#groups.last === view.element;
    this.#open.add(id);
    view.details = element('div', { class: 'details' });
    redraw(view, view.drawn, this.#actions);
    this.#requests.open(id);
    this.#requests.changed();
  }

  close(id: string): void {
    const view = this.#views.get(id);
    this.#open.delete(id);
    if (view?.details) {
      view.details = undefined;
      redraw(view, view.drawn, this.#actions);
    }
    this.#requests.close(id);
    this.#requests.changed();
  }

  toNewest(): void {
    this.#atEnd = true;
    this.#anchor = undefined;
    this.#settle();
    const { last } = this.#groups;
    const view = last && this.#byElement.get(last);
    if (view) this.#focus(view);
    this.#settle();
  }

  reveal(id: string): void {
    const view = this.#views.get(id);
    if (!view) return;
    this.#atEnd = false;
    this.#anchor = undefined;
    const box = view.element.getBoundingClientRect();
    const place = this.#scroller.getBoundingClientRect();
    // `scrollIntoView` would also move the editor's frame around the page.
    this.#scroller.scrollTop += (box.top + box.bottom - place.top - place.bottom) / 2;
    this.#choose(view);
  }

  #append(entries: readonly DrawnEntry[]): void {
    const made = this.#create(entries);
    for (const { element } of made) {
      this.#groups.append(element);
      this.#join(element);
    }
    this.#restoreOpen(made);
  }

  #insertBefore(entries: readonly DrawnEntry[]): void {
    const next = this.#groups.first;
    const made = this.#create(entries);
    this.#groups.insertBefore(made.map(({ element }) => element));
    for (const { element } of made) this.#join(element);
    if (next) this.#join(next);
    this.#restoreOpen(made);
  }

  #create(entries: readonly DrawnEntry[]): readonly EntryView[] {
    return entries.flatMap((drawn) => {
      if (this.#views.has(drawn.id)) return [];
      const view = createEntry(drawn, this.#actions);
      this.#views.set(drawn.id, view);
      this.#byElement.set(view.element, view);
      setTabIndex(view, -1);
      return view;
    });
  }

  #restoreOpen(made: readonly EntryView[]): void {
    for (const { drawn } of made) if (this.#open.has(drawn.id)) this.open(drawn.id);
  }

  /** Actions of one step look as one. */
  #join(each: HTMLElement): void {
    const before = neighbour(each, -1);
    const { step } = each.dataset;
    const same = !!step && before?.dataset.step === step;
    each.classList.toggle('continues', same);
    before?.classList.toggle('isContinued', same);
  }

  #remove(id: string): void {
    const view = this.#views.get(id);
    if (!view) return;
    const { element: gone } = view;
    const next = neighbour(gone, 1);
    const had = gone.contains(document.activeElement);
    if (this.#stop === view) this.#stop = undefined;
    this.#groups.remove(gone);
    this.#views.delete(id);
    this.#byElement.delete(gone);
    if (next) this.#join(next);
    if (had) this.#scroller.focus({ preventScroll: true });
  }

  #clear(): void {
    this.#groups.clear();
    this.#views.clear();
    this.#byElement.clear();
    this.#stop = undefined;
  }

  /** Brings back the place: the end, or where it was left. */
  #settle(): void {
    if (this.#atEnd) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    else if (this.#anchor) {
      const view = this.#views.get(this.#anchor.id);
      if (view) {
        const box = view.element.getBoundingClientRect();
        this.#scroller.scrollTop += box.top - this.#scroller.getBoundingClientRect().top + this.#anchor.above;
      }
    }
    this.#newest.hidden = this.#atEnd;
    if (this.#atEnd) this.#newest.classList.remove('unread');
  }

  #askForOlder(): void {
    if (!this.#hasOlder || this.#asksForOlder) return;
    this.#asksForOlder = true;
    this.#loadOlder.setAttribute('aria-disabled', 'true');
    this.#requests.older();
  }

  #listen(): void {
    // Only a person moves it: what we do ourselves leaves it where it is.
    for (const moves of ['wheel', 'pointerdown', 'keydown', 'touchmove'] as const) {
      this.#scroller.addEventListener(moves, () => (this.#anchor = undefined), { passive: true });
    }
    this.#scroller.addEventListener('scroll', () => {
      const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
      const isNear = scrollHeight - scrollTop - clientHeight <= near;
      // What grows below moves the end away, and is followed.
      if (this.#anchor === undefined) this.#atEnd = isNear || (this.#atEnd && scrollTop >= this.#lastTop);
      this.#lastTop = scrollTop;
      this.#newest.hidden = this.#atEnd;
      if (this.#atEnd) this.#newest.classList.remove('unread');
      if (scrollTop < nearTop && this.#anchor === undefined) this.#askForOlder();
      this.#requests.changed();
    });
    // What is above or below the list takes room, and what is drawn gets its height only when it is seen.
    const sizes = new ResizeObserver(() => {
      this.#settle();
    });
    sizes.observe(this.#scroller);
    sizes.observe(this.#list);
    sizes.observe(this.#pending);
    this.#list.addEventListener('focusin', ({ target }) => {
      const view = this.#viewAt(target);
      if (view) this.#choose(view);
    });
    this.#list.addEventListener('keydown', (event) => {
      this.#key(event);
    });
  }

  #viewAt(place: EventTarget | null): EntryView | undefined {
    const entry = place instanceof Element ? place.closest('.entry') : null;
    return entry ? this.#byElement.get(entry) : undefined;
  }

  #key(event: KeyboardEvent): void {
    const view = this.#viewAt(event.target);
    if (!view || event.altKey) return;
    const isInside = event.target !== view.target;
    if (event.key === 'c' && (event.ctrlKey || event.metaKey)) {
      if (document.getSelection()?.isCollapsed !== false) this.#requests.copy(view.drawn.id);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { element: here } = view;
    const to: HTMLElement | undefined = {
      ArrowDown: neighbour(here, 1),
      ArrowUp: neighbour(here, -1),
      Home: this.#groups.first,
      End: this.#groups.last,
    }[event.key];
    const isMove = /^(ArrowUp|ArrowDown|Home|End)$/.test(event.key);
    if (isMove && !isInside) {
      event.preventDefault();
      const next = to && this.#byElement.get(to);
      if (next) this.#focus(next);
      // There may be older ones.
      else if (event.key === 'ArrowUp') this.#askForOlder();
    } else if (event.key === 'ArrowRight' && !isInside) this.open(view.drawn.id);
    else if (event.key === 'ArrowLeft' && !isInside) this.close(view.drawn.id);
    else if (event.key === 'Escape' && isInside) view.target.focus();
  }

  #focus(view: EntryView): void {
    view.target.focus({ preventScroll: true });
    view.element.scrollIntoView({ block: 'nearest' });
  }

  #choose(view: EntryView): void {
    this.#isChosen = true;
    this.#stopAt(view);
  }

  /** Only what is in this entry can be reached with Tab. */
  #stopAt(view: EntryView): void {
    if (this.#stop && this.#stop !== view) setTabIndex(this.#stop, -1);
    this.#stop = view;
    setTabIndex(view, 0);
  }

  #ensureOneStop(): void {
    const { last } = this.#groups;
    const newest = last && this.#byElement.get(last);
    if (!this.#stop) this.#isChosen = false;
    const stop = this.#isChosen ? this.#stop : newest;
    if (stop) this.#stopAt(stop);
  }
}

function setTabIndex({ element: entry, target }: EntryView, index: 0 | -1): void {
  target.tabIndex = index;
  for (const inside of entry.querySelectorAll<HTMLElement>('a,button,pre,table')) inside.tabIndex = index;
}
