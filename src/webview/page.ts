/** The script of a conversation page: draws messages of the editor, and sends the user's actions back. */
import './page.css';
import type { FromPage, PageState, SendToEditor, ToPage } from '../protocol/pageMessages.ts';
import { Announcer } from './announcer.ts';
import { Composer } from './composer.ts';
import { EntryList } from './entryList.ts';
import { FindBar } from './findBar.ts';
import { HeadView } from './head.ts';
import { isWebAddress, prepareMarkdown } from './markdown.ts';
import { WaitingBox } from './waitingBox.ts';

interface Editor {
  postMessage(message: FromPage): void;
  getState(): PageState | undefined;
  setState(state: PageState): void;
}

declare function acquireVsCodeApi(): Editor;

const editor = acquireVsCodeApi();

const key = () => document.body.dataset.key ?? '';
const firstState = (): PageState => ({ key: key(), open: [] });

let parts: ReturnType<typeof build> | undefined;
let keepTimer: number | undefined;

function build(start: Extract<ToPage, { type: 'start' }>) {
  const { words } = start;
  const state = editor.getState() ?? firstState();
  const send: SendToEditor = (message) => {
    editor.postMessage(message);
  };
  const keep = () => {
    clearTimeout(keepTimer);
    keepTimer = window.setTimeout(keepNow, 200);
  };
  const keepNow = () => {
    editor.setState({ key: key(), ...list.place, headIsOpen: head.isOpen });
  };
  const list = new EntryList(words, send, keep, state);
  const find = new FindBar(words, list, send);
  const head = new HeadView(words, send, find, keep, state.headIsOpen);
  const waiting = new WaitingBox(words, send);
  const composer = new Composer(start, send, list, waiting);
  const announcer = new Announcer();
  document.body.replaceChildren(
    head.element,
    find.element,
    list.element,
    waiting.element,
    composer.element,
    waiting.alert,
    head.menu.element,
    announcer.element,
  );
  document.documentElement.lang = start.language;
  window.addEventListener('pagehide', keepNow);
  const begin = () => {
    if (document.activeElement === document.body) composer.focus();
  };
  // Taking the focus from another part of the window would disturb the user. Focusing needs a layout, so it waits for the first one.
  if (document.hasFocus()) setTimeout(begin);
  window.addEventListener('focus', begin);
  return { head, list, waiting, composer, find, announcer };
}

function receive(message: ToPage): void {
  if (message.type === 'start') {
    parts = build(message);
    return;
  }
  if (!parts) return;
  const { head, list, waiting, composer, find, announcer } = parts;
  switch (message.type) {
    case 'key':
      document.body.dataset.key = message.key;
      editor.setState({ ...(editor.getState() ?? firstState()), key: message.key });
      return;
    case 'entries':
      list.change(message);
      announcer.announce(message);
      find.renew();
      return;
    case 'details':
      list.details(message.id, message.blocks);
      find.mark();
      return;
    case 'head':
      head.draw(message.head);
      return;
    case 'waiting':
      // "Accepted." was about the previous action.
      if (message.waiting && message.waiting.shown !== waiting.shown) composer.forgetSuccess();
      waiting.draw(message.waiting);
      return;
    case 'input':
      composer.draw(message.input);
      head.drawStop(message.input.stop);
      return;
    case 'attachments':
      composer.drawAttachments(message.attachments);
      return;
    case 'pending':
      list.drawPending(message.entries);
      return;
    case 'putBack':
      composer.putBack(message.text);
      return;
    case 'told':
      composer.tell(message.text, message.tone);
      return;
    case 'found':
      find.found(message.query, message.ids, message.inDetails);
      return;
    case 'olderEnded':
      list.olderEnded();
      return;
    case 'goTo':
      if (message.place === 'waiting') waiting.focus();
      else composer.focus();
  }
}

window.addEventListener('message', ({ data, origin }: MessageEvent<ToPage>) => {
  // The editor's frame around this one has the same origin.
  if (origin === window.origin) receive(data);
});

/** Only the editor opens addresses, after it has asked. The middle button (`auxclick`) would open one too. */
for (const click of ['click', 'auxclick'] as const) {
  document.addEventListener(
    click,
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link) return;
      event.preventDefault();
      event.stopPropagation();
      if (click === 'click' && isWebAddress(link.href))
        editor.postMessage({ type: 'openLink', address: link.href });
    },
    true,
  );
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'f' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    event.preventDefault();
    parts?.find.open();
  }
});

editor.postMessage({ type: 'ready', anchor: editor.getState()?.anchor?.id });
// The editor restores a page only if the page has a state.
if (!editor.getState()) editor.setState(firstState());
// Uses the time until the editor answers.
prepareMarkdown();
