import {
  type Attachment,
  choiceNames,
  type DetailBlock,
  type InputState,
  type Tone,
} from '../protocol/drawn.ts';
import type { FromPage, ToPage } from '../protocol/pageMessages.ts';
import { drawBlock, drawPicture, shownPictures } from './blocks.ts';
import {
  button,
  element,
  fillPlaces,
  foreignText,
  iconButton,
  linkButton,
  replaceChildren,
} from './dom.ts';
import { send, sends, pageTexts } from './editor.ts';
import type { EntryList } from './entryList.ts';
import type { WaitingBox } from './waitingBox.ts';

type ComposerOptions = Pick<
  Extract<ToPage, { type: 'start' }>,
  'enterSends' | 'draft'
>;

const draftDelayMs = 400;
const maxTextBytes = 500_000;
const maxPictureBytes = 10_000_000;

export class Composer {
  readonly element: HTMLElement;
  readonly #field = element('textarea', {
    rows: '1',
    'aria-label': pageTexts.message,
  });
  readonly #hint = element('p', { class: 'note', hidden: '' });
  readonly #told = element('p', { class: 'told', role: 'status' });
  readonly #attachments = element('ul', { class: 'attachments', hidden: '' });
  readonly #leftOut = element('p', { class: 'leftOut', hidden: '' });
  readonly #content = element('div', {
    class: 'content',
    tabindex: '0',
    role: 'region',
    hidden: '',
  });
  /**
   * Buttons are kept, because one has the focus while the editor asks for a
   * choice.
   */
  readonly #choiceButtons = choiceNames.map((name) => ({
    name,
    button: button('', sends({ type: 'choose', name }), {
      'aria-haspopup': 'dialog',
    }),
  }));
  readonly #choices = element(
    'div',
    {
      class: 'choices',
      role: 'group',
      'aria-label': pageTexts.choices,
      hidden: '',
    },
    ...this.#choiceButtons.map(({ button }) => button),
  );
  readonly #ways = element('div', { class: 'ways' });
  readonly #tools = element(
    'div',
    { class: 'tools' },
    iconButton(
      'attach',
      pageTexts.attachFile,
      sends({ type: 'attach', what: 'file' }),
    ),
    iconButton(
      'selection',
      pageTexts.attachSelection,
      sends({ type: 'attach', what: 'selection' }),
    ),
  );
  readonly #options: ComposerOptions;
  readonly #list: EntryList;
  readonly #waiting: WaitingBox;
  #input: InputState = { ways: [] };
  #attached: readonly Attachment[] = [];
  #lookedAt: number | undefined;
  #created: string | undefined;
  #draftTimer: number | undefined;
  /** Position after an `@` that is to be replaced by an attached file. */
  #mentionEnd: number | undefined;
  /**
   * Position of the recalled message, counted from the newest; undefined for
   * new text.
   */
  #recalled: number | undefined;

  constructor(options: ComposerOptions, list: EntryList, waiting: WaitingBox) {
    this.#options = options;
    this.#list = list;
    this.#waiting = waiting;
    this.#field.placeholder = this.#placeholder;
    this.#field.value = options.draft;
    this.element = element(
      'footer',
      { 'aria-label': pageTexts.message },
      this.#told,
      this.#hint,
      element(
        'div',
        { class: 'box' },
        element(
          'div',
          { class: 'attached' },
          this.#attachments,
          this.#leftOut,
          this.#content,
        ),
        this.#field,
        element('div', { class: 'bar' }, this.#tools, this.#ways),
      ),
      this.#choices,
    );
    this.#listen();
    this.#fit();
  }

  focus(): void {
    this.#field.focus();
  }

  draw(input: InputState): void {
    // The message of a new conversation is now among the entries.
    if (
      this.#input.choices &&
      !input.choices &&
      this.#field.value === this.#created
    )
      this.#field.value = '';
    this.#input = input;
    const hint = input.obstacle ?? input.busy ?? input.hint;
    this.#hint.hidden = hint === undefined;
    this.#hint.replaceChildren(foreignText(hint ?? ''));
    // Text can still be copied.
    this.#field.readOnly = input.obstacle !== undefined;
    this.#field.disabled = this.#field.readOnly && this.#field.value === '';
    this.#field.placeholder = this.#placeholder;
    this.#fit();
    this.#tools.hidden = input.obstacle !== undefined;
    const buttons = input.ways.map(({ how, label }, index) => {
      const press = () => {
        this.#send(how);
      };
      return button(
        label,
        press,
        index === 0 && !input.mustChoose ? { class: 'primary' } : {},
      );
    });
    replaceChildren(this.#ways, buttons, this.#field);
    this.#choices.hidden = !input.choices?.length;
    for (const { name, button } of this.#choiceButtons) {
      const label = input.choices?.find(
        (choice) => choice.name === name,
      )?.label;
      button.hidden = label === undefined;
      button.replaceChildren(foreignText(label ?? ''));
    }
  }

  drawAttachments(attachments: readonly Attachment[]): void {
    if (attachments.length > this.#attached.length) this.#dropMention();
    this.#attached = attachments;
    this.#attachments.hidden = attachments.length === 0;
    const chips = attachments.map(({ id, name, picture }) => {
      const look = linkButton(foreignText(name), () => {
        if (this.#lookedAt === id) this.#look(undefined);
        else send({ type: 'lookAt', id });
      });
      look.dataset.id = String(id);
      const remove = iconButton(
        'close',
        fillPlaces(pageTexts.detach, name),
        () => {
          send({ type: 'detach', id });
          this.#field.focus();
        },
      );
      return element('li', {}, picture && drawPicture(picture), look, remove);
    });
    this.#attachments.replaceChildren(...chips);
    const leftOut = attachments.flatMap(
      (attachment) => attachment.leftOut ?? [],
    );
    this.#leftOut.hidden = leftOut.length === 0;
    this.#leftOut.replaceChildren(
      foreignText([pageTexts.leftOut, ...leftOut].join('\n')),
    );
    this.#look(
      attachments.some(({ id }) => id === this.#lookedAt)
        ? this.#lookedAt
        : undefined,
    );
  }

  drawAttached(id: number, content: DetailBlock): void {
    this.#content.replaceChildren(drawBlock(content));
    this.#look(id);
  }

  tell(text: string, tone: Tone): void {
    this.#told.dataset.tone = tone;
    this.#told.replaceChildren(foreignText(text));
  }

  /** Clears a message about a success. Warnings stay. */
  forgetSuccess(): void {
    if (this.#told.dataset.tone === 'good') this.#told.replaceChildren();
  }

  /** Puts text that was not sent before the text that was typed since. */
  putBack(text: string): void {
    this.#field.setRangeText(
      this.#field.value === '' ? text : `${text}\n\n`,
      0,
      0,
      'preserve',
    );
    this.#recalled = undefined;
    this.#wasWritten();
  }

  get #placeholder(): string {
    const { enterSends } = this.#options;
    const { obstacle, mustChoose, ways, choices } = this.#input;
    if (obstacle !== undefined) return '';
    if (choices)
      return enterSends
        ? pageTexts.enterCreates
        : pageTexts.controlEnterCreates;
    if (!mustChoose || !ways[0])
      return enterSends ? pageTexts.enterSends : pageTexts.controlEnterSends;
    return fillPlaces(
      enterSends ? pageTexts.enterChooses : pageTexts.controlEnterChooses,
      ways[0].label,
    );
  }

  #set(text: string, recalled?: number) {
    this.#field.value = text;
    this.#recalled = recalled;
    this.#wasWritten();
  }

  /** Removes the `@` for which a file was attached. */
  #dropMention() {
    const end = this.#mentionEnd;
    this.#mentionEnd = undefined;
    if (end === undefined || this.#field.value[end - 1] !== '@') return;
    this.#field.setRangeText('', end - 1, end, 'end');
    this.#wasWritten();
    this.#field.focus();
  }

  #look(id: number | undefined) {
    this.#lookedAt = id;
    this.#content.hidden = id === undefined;
    this.#content.setAttribute(
      'aria-label',
      this.#attached.find((attachment) => attachment.id === id)?.name ?? '',
    );
    for (const look of this.#attachments.querySelectorAll<HTMLElement>('.link'))
      look.setAttribute(
        'aria-expanded',
        String(look.dataset.id === String(id)),
      );
  }

  #send(how: InputState['ways'][number]['how']) {
    const text = this.#field.value;
    const isEmpty =
      text.trim() === '' && (this.#attached.length === 0 || how === 'aside');
    if (isEmpty && how !== 'resume') {
      this.#field.focus();
      return;
    }
    if (how === 'create') {
      this.#created = text;
      this.#told.replaceChildren();
      send({ type: 'create', text });
      return;
    }
    send({ type: 'send', how, text, shown: this.#waiting.shown });
    if (how === 'resume') return;
    // The message is now among the entries. Enter must not send it twice.
    this.#set('');
    this.#sendDraftNow();
    if (how !== 'aside') this.#attached = [];
    this.#told.replaceChildren();
    this.#field.focus();
  }

  #listen() {
    window.addEventListener('resize', () => {
      this.#fit();
    });
    this.#field.addEventListener('input', (event) => {
      this.#recalled = this.#mentionEnd = undefined;
      this.#wasWritten();
      const { selectionStart: end, value } = this.#field;
      const isMention =
        event instanceof InputEvent &&
        event.data === '@' &&
        /(?:^|\s)@$/.test(value.slice(0, end));
      if (!isMention || this.#input.obstacle !== undefined) return;
      this.#mentionEnd = end;
      send({ type: 'attach', what: 'mention' });
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
      void Promise.all(files.map(readFile)).then((all) => {
        all.forEach(send);
      });
    });
    for (const over of ['dragenter', 'dragover'] as const) {
      document.addEventListener(over, (event) => {
        event.preventDefault();
        this.element.classList.add('dropping');
      });
    }
    document.addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null)
        this.element.classList.remove('dropping');
    });
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      this.element.classList.remove('dropping');
      if (!event.dataTransfer || this.#input.obstacle !== undefined) return;
      void readDropped(event.dataTransfer).then((all) => {
        all.forEach(send);
        this.#field.focus();
      });
    });
  }

  #key(event: KeyboardEvent) {
    // The key belongs to the input method.
    if (event.isComposing) return;
    if (event.key === 'Enter') {
      const withControl = event.ctrlKey || event.metaKey;
      const sends =
        withControl ||
        (this.#options.enterSends && !event.shiftKey && !event.altKey);
      const [first] = this.#input.ways;
      if (!sends) return;
      event.preventDefault();
      if (this.#input.mustChoose) this.#ways.querySelector('button')?.focus();
      else if (first) this.#send(first.how);
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown')
      this.#recall(event);
  }

  /** Recalls earlier messages while the field has no other text. */
  #recall(event: KeyboardEvent) {
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey)
      return;
    if (this.#field.value !== '' && this.#recalled === undefined) return;
    const history = this.#list.written;
    const index = (this.#recalled ?? -1) + (event.key === 'ArrowUp' ? 1 : -1);
    if (index >= history.length || index < -1) return;
    event.preventDefault();
    if (index === -1) this.#set('');
    else this.#set(history.at(-1 - index) ?? '', index);
  }

  #wasWritten() {
    this.#fit();
    clearTimeout(this.#draftTimer);
    this.#draftTimer = window.setTimeout(() => {
      this.#sendDraftNow();
    }, draftDelayMs);
  }

  #sendDraftNow() {
    if (this.#draftTimer === undefined) return;
    clearTimeout(this.#draftTimer);
    this.#draftTimer = undefined;
    send({ type: 'draft', text: this.#field.value });
  }

  /** Fits the height to the text, within the limits of the style sheet. */
  #fit() {
    this.#field.style.height = 'auto';
    this.#field.style.height = `${this.#field.scrollHeight + 2}px`;
  }
}

/** The editor's own lists give addresses; other programs give files. */
async function readDropped(
  transfer: DataTransfer,
): Promise<readonly FromPage[]> {
  const files = [...transfer.files];
  const list =
    transfer.getData('application/vnd.code.uri-list') ||
    transfer.getData('text/uri-list');
  const addresses = list
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'));
  return addresses.length > 0
    ? [{ type: 'attachDropped', addresses }]
    : await Promise.all(files.map(readFile));
}

async function readFile(file: File): Promise<FromPage> {
  const { name, type: mediaType, size } = file;
  if (shownPictures.test(mediaType) && size <= maxPictureBytes) {
    return {
      type: 'attachPicture',
      name,
      mediaType,
      base64: base64Of(new Uint8Array(await file.arrayBuffer())),
    };
  }
  if (size > maxTextBytes) return { type: 'cannotAttach', name };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      await file.arrayBuffer(),
    );
    return text.includes('\0')
      ? { type: 'cannotAttach', name }
      : { type: 'attachText', name, text };
  } catch {
    return { type: 'cannotAttach', name };
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  // A call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 32_768) {
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  }
  return btoa(text);
}
