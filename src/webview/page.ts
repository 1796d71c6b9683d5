/** The page of a conversation: draws what the editor tells, and tells the editor what the person does. */
import './page.css';
import type { FromPage, PageState, ToPage } from '../protocol/pageMessages.ts';
import type { PageWords } from '../protocol/pageWords.ts';
import { Announcer } from './announcer.ts';
import type { DroppedContent } from './attaching.ts';
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

interface Parts {
  readonly head: HeadView;
  readonly list: EntryList;
  readonly waiting: WaitingBox;
  readonly composer: Composer;
  readonly find: FindBar;
  readonly announcer: Announcer;
}

let parts: Parts | undefined;
let keepTimer: number | undefined;

function build(words: PageWords, start: Extract<ToPage, { type: 'start' }>): Parts {
  const state = editor.getState() ?? firstState();
  const send = (message: FromPage) => {
    editor.postMessage(message);
  };
  const keep = () => {
    clearTimeout(keepTimer);
    keepTimer = window.setTimeout(keepNow, 200);
  };
  const keepNow = () => {
    editor.setState({ key: key(), ...list.place, headIsOpen: head.isOpen });
  };
  const list = new EntryList(
    words,
    {
      older: () => {
        send({ type: 'older' });
      },
      open: (id) => {
        send({ type: 'open', id });
      },
      close: (id) => {
        send({ type: 'close', id });
      },
      whole: (id) => {
        send({ type: 'whole', id });
      },
      copy: (id) => {
        send({ type: 'copyEntry', id });
      },
      changed: keep,
    },
    state,
  );
  const find: FindBar = new FindBar(
    words,
    list,
    (query) => {
      send({ type: 'find', query });
    },
    () => {
      send({ type: 'older' });
    },
  );
  const head = new HeadView(
    words,
    {
      run: (action) => {
        send({ type: 'run', action });
      },
      openConversation: (id) => {
        send({ type: 'openConversation', id });
      },
      retry: () => {
        send({ type: 'retry' });
      },
      allowOrigin: () => {
        send({ type: 'allowOrigin' });
      },
      stop: () => {
        send({ type: 'stop' });
      },
      setConfirmation: (value) => {
        send({ type: 'setConfirmation', value });
      },
      find: () => {
        find.open();
      },
      changed: keep,
    },
    state.headIsOpen,
  );
  const waiting = new WaitingBox(words, (answer) => {
    send({ type: 'answer', ...answer });
  });
  const composer = new Composer({
    words,
    enterSends: start.enterSends,
    draft: start.draft,
    history: () => list.written,
    requests: {
      send: (how, text) => {
        send({ type: 'send', how, text, shown: waiting.shown });
      },
      draft: (text) => {
        send({ type: 'draft', text });
      },
      attach: (what) => {
        send({ type: 'attach', what });
      },
      take: (taken) => {
        send(attached(taken));
      },
      detach: (id) => {
        send({ type: 'detach', id });
      },
    },
  });
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
  // Asking for the keyboard would take it away from where the person is. It needs a layout, and so waits for the first one.
  if (document.hasFocus()) setTimeout(begin);
  window.addEventListener('focus', begin);
  return { head, list, waiting, composer, find, announcer };
}

function attached(taken: DroppedContent): FromPage {
  switch (taken.kind) {
    case 'picture': {
      const { name, mediaType, base64 } = taken;
      return { type: 'attachPicture', name, mediaType, base64 };
    }
    case 'text':
      return { type: 'attachText', name: taken.name, text: taken.text };
    case 'addresses':
      return { type: 'attachDropped', addresses: taken.addresses };
    case 'cannot':
      return { type: 'cannotAttach', name: taken.name };
  }
}

function take(message: ToPage): void {
  if (message.type === 'start') {
    parts = build(message.words, message);
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
      // "Accepted." is about what was there before.
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
  // The editor's frame around this one has the same.
  if (origin !== window.origin) return;
  take(data);
});

document.addEventListener(
  'click',
  (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    // The editor asks before it opens an address. Nothing else is done with one.
    event.preventDefault();
    event.stopPropagation();
    if (isWebAddress(link.href)) editor.postMessage({ type: 'openLink', address: link.href });
  },
  true,
);

// The middle button would open one too.
document.addEventListener(
  'auxclick',
  (event) => {
    if (event.target instanceof Element && event.target.closest('a')) {
      event.preventDefault();
      event.stopPropagation();
    }
  },
  true,
);

document.addEventListener('keydown', (event) => {
  if (event.key === 'f' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    event.preventDefault();
    parts?.find.open();
  }
});

editor.postMessage({ type: 'ready', anchor: editor.getState()?.anchor?.id });
// So that it is restored also when nobody has moved in it.
if (!editor.getState()) editor.setState(firstState());
// While the editor answers.
prepareMarkdown();
