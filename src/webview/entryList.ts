/** The list of entries: arrow-key navigation, and a stable scroll position. */
import type { DetailBlock, DrawnAside, DrawnEntry } from '../protocol/drawn.ts';
import type { PageState, ToPage } from '../protocol/pageMessages.ts';
import { redrawAsides } from './drawAsides.ts';
import { button, element, hasKeyboard, icon } from './dom.ts';
import {
  createEntry,
  type EntryView,
  redrawEntry,
  showDetails,
} from './drawEntry.ts';
import { send, pageTexts } from './editor.ts';
import { EntryGroups, siblingEntry } from './entryGroups.ts';

const nearEndPx = 40;
/** Older entries are requested this far from the top. */
const nearTopPx = 600;

export class EntryList {
  readonly #loadOlder = button(pageTexts.loadOlder, () => {
    this.askForOlder();
  });
  readonly #older = element(
    'div',
    { class: 'older', hidden: '' },
    this.#loadOlder,
  );
  readonly #empty = element('p', { class: 'empty', hidden: '' });
  readonly #list = element('div', {
    role: 'feed',
    'aria-label': pageTexts.history,
    class: 'entries',
    hidden: '',
  });
  readonly #groups = new EntryGroups(this.#list);
  readonly #pending = element('div', { class: 'pending', hidden: '' });
  readonly #asides = element('div', { class: 'asides', hidden: '' });
  readonly #scroller = element(
    'div',
    { class: 'scroller', tabindex: '-1' },
    this.#older,
    this.#empty,
    this.#list,
    this.#pending,
    this.#asides,
  );
  readonly #newest = button(
    [icon('down'), pageTexts.toNewest],
    () => {
      this.#toNewest();
    },
    { class: 'newest', hidden: '' },
  );
  readonly element = element(
    'main',
    { class: 'history' },
    this.#scroller,
    this.#newest,
  );
  readonly #changed: () => void;
  readonly #views = new Map<string, EntryView>();
  readonly #byElement = new Map<Element, EntryView>();
  /** Ids of open entries, including those that have not arrived yet. */
  readonly #open: Set<string>;
  /** The entry that Tab reaches. */
  #stop: EntryView | undefined;
  /**
   * True if the user has moved to the tab stop; otherwise it is the newest
   * entry.
   */
  #isChosen = false;
  /** True while the end stays in view. */
  #atEnd: boolean;
  #lastTop = 0;
  /** The place to return to, until the user scrolls. */
  #anchor: PageState['anchor'];

  constructor(changed: () => void, state: PageState) {
    this.#changed = changed;
    this.#open = new Set(state.open);
    this.#anchor = state.anchor;
    this.#atEnd = state.anchor === undefined;
    this.#listen();
  }

  /** The user's messages, oldest first. */
  get written(): readonly string[] {
    const all = [...this.#list.querySelectorAll('.by-person')].flatMap(
      (article) => {
        const drawn = this.#byElement.get(article)?.drawn;
        return drawn?.kind === 'message' ? drawn.text : [];
      },
    );
    return all.filter(
      (text, index) => text.trim() !== '' && text !== all[index - 1],
    );
  }

  get hasOlder(): boolean {
    return !this.#older.hidden;
  }

  get place(): Pick<PageState, 'anchor' | 'open'> {
    const open = [...this.#open];
    if (this.#atEnd) return { open };
    if (this.#anchor) return { open, anchor: this.#anchor };
    const { left, top, width } = this.#scroller.getBoundingClientRect();
    // A point may be in the gap between two entries.
    for (const below of [2, 12, 24]) {
      const view = this.#viewAt(
        document.elementFromPoint(left + width / 2, top + below),
      );
      if (!view) continue;
      const box = view.element.getBoundingClientRect();
      return {
        open,
        anchor: { id: view.drawn.id, above: Math.round(top - box.top) },
      };
    }
    return { open };
  }

  view(id: string): EntryView | undefined {
    return this.#views.get(id);
  }

  change(message: Extract<ToPage, { type: 'entries' }>): void {
    const { isReset, before, added, changed, removed, hasOlder, empty } =
      message;
    const height = this.#scroller.scrollHeight;
    const top = this.#scroller.scrollTop;
    if (isReset) this.#clear();
    for (const id of removed) this.#remove(id);
    for (const drawn of changed) {
      const view = this.#views.get(drawn.id);
      if (!view) continue;
      redrawEntry(view, drawn, this.#toggle);
      setTabIndex(view, view === this.#stop ? 0 : -1);
      if (view.details) send({ type: 'open', id: drawn.id });
    }
    if (before.length > 0) {
      this.#insertBefore(before);
      if (this.#anchor === undefined && !this.#atEnd) {
        // The browser itself keeps the position, except at the very top.
        this.#scroller.scrollTop = top + (this.#scroller.scrollHeight - height);
      }
    }
    this.#append(added);
    this.#older.hidden = !hasOlder;
    this.#list.hidden = this.#list.childElementCount === 0;
    this.#empty.textContent = empty ?? '';
    this.#empty.hidden = empty === undefined;
    this.#settle();
    if (!this.#atEnd && added.length > 0) this.#newest.classList.add('primary');
    this.#ensureOneStop();
  }

  drawPending(entries: readonly DrawnEntry[]): void {
    const isNew = entries.length > this.#pending.childElementCount;
    const views = entries.map((drawn) => createEntry(drawn, this.#toggle));
    for (const view of views) setTabIndex(view, -1);
    this.#pending.replaceChildren(...views.map(({ element }) => element));
    this.#pending.hidden = views.length === 0;
    if (isNew) this.follow();
    else this.#settle();
  }

  drawAsides(asides: readonly DrawnAside[]): void {
    const isNew = asides.length > this.#asides.childElementCount;
    redrawAsides(this.#asides, asides);
    this.#asides.hidden = asides.length === 0;
    if (isNew) this.follow();
    else this.#settle();
  }

  allowForks(canFork: boolean): void {
    this.#list.classList.toggle('canFork', canFork);
  }

  /** Moves to the end, and stays there while entries come. */
  follow(): void {
    this.#atEnd = true;
    this.#anchor = undefined;
    this.#settle();
  }

  /** Ends a request for older entries, even an empty or failed one. */
  olderEnded(): void {
    this.#loadOlder.ariaDisabled = null;
  }

  details(id: string, blocks: readonly DetailBlock[]): void {
    const view = this.#views.get(id);
    if (!view) return;
    showDetails(view, blocks);
    setTabIndex(view, view === this.#stop ? 0 : -1);
    this.#settle();
  }

  open(id: string): void {
    const view = this.#views.get(id);
    if (
      !view ||
      view.drawn.kind === 'message' ||
      !view.drawn.hasDetails ||
      view.details
    )
      return;
    this.#atEnd = this.#atEnd && this.#groups.last === view.element;
    this.#open.add(id);
    view.details = element('div', { class: 'details' });
    redrawEntry(view, view.drawn, this.#toggle);
    send({ type: 'open', id });
    this.#changed();
  }

  readonly #toggle = (id: string): void => {
    if (this.#open.has(id)) this.#close(id);
    else this.open(id);
  };

  #close(id: string) {
    const view = this.#views.get(id);
    this.#open.delete(id);
    if (view?.details) {
      view.details = undefined;
      redrawEntry(view, view.drawn, this.#toggle);
    }
    this.#changed();
  }

  #toNewest() {
    this.follow();
    if (this.#newestView) this.#focus(this.#newestView);
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
    this.#scroller.scrollTop +=
      (box.top + box.bottom - place.top - place.bottom) / 2;
    this.#choose(view);
  }

  #append(entries: readonly DrawnEntry[]) {
    const views = this.#create(entries);
    for (const { element } of views) {
      this.#groups.append(element);
      this.#join(element);
    }
    this.#restoreOpen(views);
  }

  #insertBefore(entries: readonly DrawnEntry[]) {
    const next = this.#groups.first;
    const views = this.#create(entries);
    this.#groups.insertBefore(views.map(({ element }) => element));
    for (const { element } of views) this.#join(element);
    if (next) this.#join(next);
    this.#restoreOpen(views);
  }

  #create(entries: readonly DrawnEntry[]): readonly EntryView[] {
    return entries.flatMap((drawn) => {
      if (this.#views.has(drawn.id)) return [];
      const view = createEntry(drawn, this.#toggle);
      this.#views.set(drawn.id, view);
      this.#byElement.set(view.element, view);
      setTabIndex(view, -1);
      return view;
    });
  }

  #restoreOpen(views: readonly EntryView[]) {
    for (const { drawn } of views)
      if (this.#open.has(drawn.id)) this.open(drawn.id);
  }

  /** Draws the actions of one step as one group. */
  #join(article: HTMLElement) {
    const before = siblingEntry(article, -1);
    const { step } = article.dataset;
    const same = !!step && before?.dataset.step === step;
    article.classList.toggle('continues', same);
    before?.classList.toggle('isContinued', same);
  }

  #remove(id: string) {
    const view = this.#views.get(id);
    if (!view) return;
    const { element: gone } = view;
    const next = siblingEntry(gone, 1);
    const hadKeyboard = hasKeyboard(gone);
    if (this.#stop === view) this.#stop = undefined;
    this.#groups.remove(gone);
    this.#views.delete(id);
    this.#byElement.delete(gone);
    if (next) this.#join(next);
    if (hadKeyboard) this.#scroller.focus({ preventScroll: true });
  }

  #clear() {
    this.#groups.clear();
    this.#views.clear();
    this.#byElement.clear();
    this.#stop = undefined;
  }

  #settle() {
    if (this.#atEnd) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    else if (this.#anchor) {
      const view = this.#views.get(this.#anchor.id);
      if (view) {
        const box = view.element.getBoundingClientRect();
        this.#scroller.scrollTop +=
          box.top -
          this.#scroller.getBoundingClientRect().top +
          this.#anchor.above;
      }
    }
    this.#newest.hidden = this.#atEnd;
    if (this.#atEnd) this.#newest.classList.remove('primary');
  }

  /** Does nothing while a request is under way. */
  askForOlder(): void {
    if (!this.hasOlder || this.#loadOlder.ariaDisabled === 'true') return;
    this.#loadOlder.ariaDisabled = 'true';
    send({ type: 'older' });
  }

  #listen() {
    // Only the user's own scrolling ends the return to the anchor.
    for (const moves of [
      'wheel',
      'pointerdown',
      'keydown',
      'touchmove',
    ] as const) {
      this.#scroller.addEventListener(moves, () => (this.#anchor = undefined), {
        passive: true,
      });
    }
    this.#scroller.addEventListener('scroll', () => {
      const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
      const isNear = scrollHeight - scrollTop - clientHeight <= nearEndPx;
      // New entries move the end away; the list follows them.
      if (this.#anchor === undefined)
        this.#atEnd = isNear || (this.#atEnd && scrollTop >= this.#lastTop);
      this.#lastTop = scrollTop;
      this.#newest.hidden = this.#atEnd;
      if (this.#atEnd) this.#newest.classList.remove('primary');
      if (scrollTop < nearTopPx && this.#anchor === undefined)
        this.askForOlder();
      this.#changed();
    });
    // Parts above and below change the height, and entries get theirs only when
    // they come into view.
    const sizes = new ResizeObserver(() => {
      this.#settle();
    });
    for (const part of [
      this.#scroller,
      this.#list,
      this.#pending,
      this.#asides,
    ])
      sizes.observe(part);
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

  #key(event: KeyboardEvent) {
    const view = this.#viewAt(event.target);
    if (!view || event.altKey) return;
    const isInside = event.target !== view.target;
    if (event.key === 'c' && (event.ctrlKey || event.metaKey)) {
      if (document.getSelection()?.isCollapsed !== false)
        send({ type: 'copyEntry', id: view.drawn.id });
      return;
    }
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { element: here } = view;
    const to: HTMLElement | undefined = {
      ArrowDown: siblingEntry(here, 1),
      ArrowUp: siblingEntry(here, -1),
      Home: this.#groups.first,
      End: this.#groups.last,
    }[event.key];
    const isMove = /^(ArrowUp|ArrowDown|Home|End)$/.test(event.key);
    if (isMove && !isInside) {
      event.preventDefault();
      const next = to && this.#byElement.get(to);
      if (next) this.#focus(next);
      else if (event.key === 'ArrowUp') this.askForOlder();
    } else if (event.key === 'ArrowRight' && !isInside)
      this.open(view.drawn.id);
    else if (event.key === 'ArrowLeft' && !isInside) this.#close(view.drawn.id);
    else if (event.key === 'Escape' && isInside) view.target.focus();
  }

  #focus(view: EntryView) {
    view.target.focus({ preventScroll: true });
    view.element.scrollIntoView({ block: 'nearest' });
  }

  #choose(view: EntryView) {
    this.#isChosen = true;
    this.#stopAt(view);
  }

  /** Makes this entry, with its links and buttons, the only tab stop. */
  #stopAt(view: EntryView) {
    if (this.#stop && this.#stop !== view) setTabIndex(this.#stop, -1);
    this.#stop = view;
    setTabIndex(view, 0);
  }

  #ensureOneStop() {
    if (!this.#stop) this.#isChosen = false;
    const stop = this.#isChosen ? this.#stop : this.#newestView;
    if (stop) this.#stopAt(stop);
  }

  get #newestView(): EntryView | undefined {
    const { last } = this.#groups;
    return last && this.#byElement.get(last);
  }
}

function setTabIndex({ element: entry, target }: EntryView, index: 0 | -1) {
  target.tabIndex = index;
  for (const inside of entry.querySelectorAll<HTMLElement>(
    'a,button,pre,table',
  ))
    inside.tabIndex = index;
}
