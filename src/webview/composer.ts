/** The message box: text, attachments, and buttons to send. */
import type { Attachment, How, InputState, Tone } from '../protocol/drawn.ts';
import type { PageWords } from '../protocol/pageWords.ts';
import { readDropped, readPastedFiles, type DroppedContent } from './attaching.ts';
import { picture } from './blocks.ts';
import { button, element, filled, foreign, iconButton, indexWithKeyboard } from './dom.ts';

interface ComposerRequests {
  readonly send: (how: How, text: string) => void;
  readonly draft: (text: string) => void;
  readonly attach: (what: 'file' | 'selection') => void;
  readonly take: (taken: DroppedContent) => void;
  readonly detach: (id: number) => void;
}

interface ComposerOptions {
  readonly words: PageWords;
  readonly enterSends: boolean;
  readonly draft: string;
  readonly requests: ComposerRequests;
  /** What the person has written before, the newest last. */
  readonly history: () => readonly string[];
}

/** In milliseconds. */
const draftAfter = 400;

export class Composer {
  readonly element: HTMLElement;
  readonly #field: HTMLTextAreaElement;
  readonly #hint = element('p', { class: 'note', hidden: '' });
  readonly #told = element('p', { class: 'told', role: 'status' });
  readonly #attachments = element('ul', { class: 'attachments', hidden: '' });
  readonly #ways = element('div', { class: 'ways' });
  readonly #tools: HTMLElement;
  readonly #options: ComposerOptions;
  #input: InputState = { ways: [] };
  #attached: readonly Attachment[] = [];
  #draftTimer: number | undefined;
  /** Which one of the history is in the field, counted from the newest; undefined for what one writes. */
  #recalled: number | undefined;

  constructor(options: ComposerOptions) {
    this.#options = options;
    const { words, requests, draft } = options;
    this.#field = element('textarea', {
      rows: '1',
      'aria-label': words.message,
    });
    this.#field.placeholder = this.#placeholder;
    this.#field.value = draft;
    this.#tools = element(
      'div',
      { class: 'tools' },
      iconButton('attach', words.attachFile, () => {
        requests.attach('file');
      }),
      iconButton('selection', words.attachSelection, () => {
        requests.attach('selection');
      }),
    );
    const bar = element('div', { class: 'bar' }, this.#tools, this.#ways);
    const box = element('div', { class: 'box' }, this.#attachments, this.#field, bar);
    this.element = element('footer', {}, this.#told, this.#hint, box);
    this.#listen();
    this.#fit();
  }

  focus(): void {
    this.#field.focus();
  }

  draw(input: InputState): void {
    this.#input = input;
    const { words } = this.#options;
    const hint = input.obstacle ?? input.busy ?? input.hint;
    this.#hint.hidden = hint === undefined;
    this.#hint.replaceChildren(foreign(hint ?? ''));
    // The text can still be copied.
    this.#field.readOnly = input.obstacle !== undefined;
    this.#field.disabled = this.#field.readOnly && this.#field.value === '';
    this.#field.placeholder = this.#placeholder;
    this.#fit();
    this.#tools.hidden = input.obstacle !== undefined;
    const had = indexWithKeyboard(this.#ways);
    const made = input.ways.map(({ how, label }, index) =>
      button(
        label,
        () => {
          this.#send(how);
        },
        index === 0 && !input.mustChoose ? { class: 'primary' } : {},
      ),
    );
    this.#ways.replaceChildren(...made);
    if (had >= 0) (made[had] ?? this.#field).focus();
    this.element.setAttribute('aria-label', words.message);
  }

  drawAttachments(attachments: readonly Attachment[]): void {
    const { words, requests } = this.#options;
    this.#attached = attachments;
    this.#attachments.hidden = attachments.length === 0;
    this.#attachments.replaceChildren(
      ...attachments.map(({ id, name, picture: shown }) => {
        const made = element(
          'li',
          {},
          ...(shown ? [picture(shown, words)] : []),
          element('span', {}, foreign(name)),
        );
        made.append(
          iconButton('close', filled(words.detach, name), () => {
            requests.detach(id);
            this.#field.focus();
          }),
        );
        return made;
      }),
    );
  }

  tell(text: string, tone: Tone): void {
    this.#told.dataset.tone = tone;
    this.#told.replaceChildren(foreign(text));
  }

  /** What is told stays only where something has gone wrong. */
  forgetSuccess(): void {
    if (this.#told.dataset.tone === 'good') this.#told.replaceChildren();
  }

  /** This was not sent. What was written since stays behind it. */
  putBack(text: string): void {
    this.#field.setRangeText(this.#field.value === '' ? text : `${text}\n\n`, 0, 0, 'preserve');
    this.#recalled = undefined;
    this.#wasWritten();
  }

  /** The hint in the empty field. */
  get #placeholder(): string {
    const { words, enterSends } = this.#options;
    const { obstacle, mustChoose, ways } = this.#input;
    if (obstacle !== undefined) return '';
    if (!mustChoose || !ways[0]) return enterSends ? words.enterSends : words.controlEnterSends;
    return filled(enterSends ? words.enterChooses : words.controlEnterChooses, ways[0].label);
  }

  #set(text: string): void {
    this.#field.value = text;
    this.#recalled = undefined;
    this.#wasWritten();
  }

  #send(how: How): void {
    const text = this.#field.value;
    if (text.trim() === '' && this.#attached.length === 0 && how !== 'resume') {
      this.#field.focus();
      return;
    }
    this.#options.requests.send(how, text);
    if (how === 'resume') return;
    // The message is among the entries from now on, and Enter must not send it twice.
    this.#set('');
    this.#sendDraftNow();
    this.#attached = [];
    this.#told.replaceChildren();
    this.#field.focus();
  }

  #listen(): void {
    const { requests } = this.#options;
    this.#field.addEventListener('input', () => {
      this.#recalled = undefined;
      this.#wasWritten();
    });
    this.#field.addEventListener('blur', () => {
      this.#sendDraftNow();
    });
    this.#field.addEventListener('keydown', (event) => {
      this.#key(event);
    });
    this.#field.addEventListener('paste', (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      void readPastedFiles(files).then((all) => {
        for (const taken of all) requests.take(taken);
      });
    });
    for (const over of ['dragenter', 'dragover'] as const) {
      document.addEventListener(over, (event) => {
        event.preventDefault();
        this.element.classList.add('dropping');
      });
    }
    document.addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) this.element.classList.remove('dropping');
    });
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      this.element.classList.remove('dropping');
      if (!event.dataTransfer || this.#input.obstacle !== undefined) return;
      void readDropped(event.dataTransfer).then((all) => {
        for (const taken of all) requests.take(taken);
        this.#field.focus();
      });
    });
  }

  #key(event: KeyboardEvent): void {
    // The key belongs to what one writes with.
    if (event.isComposing) return;
    if (event.key === 'Enter') {
      const withControl = event.ctrlKey || event.metaKey;
      const sends = withControl || (this.#options.enterSends && !event.shiftKey && !event.altKey);
      const [first] = this.#input.ways;
      if (!sends) return;
      event.preventDefault();
      if (this.#input.mustChoose) this.#ways.querySelector('button')?.focus();
      else if (first) this.#send(first.how);
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') this.#recall(event);
  }

  /** The arrows leaf through what was written before, as long as nothing else is written. */
  #recall(event: KeyboardEvent): void {
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    if (this.#field.value !== '' && this.#recalled === undefined) return;
    const history = this.#options.history();
    const index = (this.#recalled ?? -1) + (event.key === 'ArrowUp' ? 1 : -1);
    if (index >= history.length || index < -1) return;
    event.preventDefault();
    const text = index === -1 ? '' : (history.at(-1 - index) ?? '');
    this.#set(text);
    this.#recalled = index === -1 ? undefined : index;
  }

  #wasWritten(): void {
    this.#fit();
    clearTimeout(this.#draftTimer);
    this.#draftTimer = window.setTimeout(() => {
      this.#sendDraftNow();
    }, draftAfter);
  }

  #sendDraftNow(): void {
    if (this.#draftTimer === undefined) return;
    clearTimeout(this.#draftTimer);
    this.#draftTimer = undefined;
    this.#options.requests.draft(this.#field.value);
  }

  /** As high as what is written, within the limits of the style. */
  #fit(): void {
    this.#field.style.height = 'auto';
    this.#field.style.height = `${this.#field.scrollHeight + 2}px`;
  }
}
