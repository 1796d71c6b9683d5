/**
 * The script of a conversation page: draws messages of the editor, and sends
 * the user's actions back.
 */
import './page.css';
import type { DrawnEntry } from '../protocol/drawn.ts';
import { handle, type Handlers } from '../protocol/handlers.ts';
import type { PageState, ToPage } from '../protocol/pageMessages.ts';
import { visibleText } from '../protocol/visible.ts';
import { Composer } from './composer.ts';
import { element } from './dom.ts';
import { drawPhrase } from './drawEntry.ts';
import { editor, send, setPageTexts } from './editor.ts';
import { EntryList } from './entryList.ts';
import { FindBar } from './findBar.ts';
import { HeadView } from './head.ts';
import { isWebAddress, prepareMarkdown } from './markdown.ts';
import { WaitingBox } from './waitingBox.ts';

const key = () => document.body.dataset.key ?? '';
const firstState = (): PageState => ({ key: key(), open: [] });

type StartMessage = Extract<ToPage, { readonly type: 'start' }>;

let handlers: Handlers<Exclude<ToPage, StartMessage>> | undefined;
let keepTimer: number | undefined;

/** Draws an empty page. Returns the handlers of later messages. */
function build(start: StartMessage): Handlers<Exclude<ToPage, StartMessage>> {
  setPageTexts(start.words);
  const state = editor.getState() ?? firstState();
  const keep = () => {
    clearTimeout(keepTimer);
    keepTimer = window.setTimeout(keepNow, 200);
  };
  const keepNow = () => {
    editor.setState({ key: key(), ...list.place, headIsOpen: head.isOpen });
  };
  const list = new EntryList(keep, state);
  const find = new FindBar(list);
  const head = new HeadView(find, keep, state.headIsOpen);
  const waiting = new WaitingBox(() => {
    list.follow();
  });
  const composer = new Composer(start, list, waiting);
  const announcements = element('div', {
    class: 'spoken',
    role: 'log',
    'aria-live': 'polite',
  });
  document.body.replaceChildren(
    head.element,
    find.element,
    list.element,
    waiting.element,
    composer.element,
    waiting.alert,
    head.menu.element,
    announcements,
  );
  document.documentElement.lang = start.language;
  window.addEventListener('pagehide', keepNow);
  document.addEventListener('keydown', (event) => {
    if (
      event.key === 'f' &&
      (event.ctrlKey || event.metaKey) &&
      !event.altKey &&
      !event.shiftKey
    ) {
      event.preventDefault();
      find.open();
    }
  });
  let last: EventTarget | null = null;
  document.addEventListener('focusin', ({ target }) => (last = target));
  const begin = () => {
    // A question of the editor takes the focus away.
    if (document.activeElement === document.body && last instanceof HTMLElement)
      last.focus();
    if (document.activeElement === document.body) composer.focus();
  };
  // Taking the focus from another part of the window would disturb the user: a
  // list that the editor opens when its palette closes would close again. And
  // focusing needs a layout.
  const beginIfFocused = () => {
    setTimeout(() => {
      if (document.hasFocus()) begin();
    });
  };
  beginIfFocused();
  window.addEventListener('focus', beginIfFocused);
  return {
    key: ({ key }) => {
      document.body.dataset.key = key;
      editor.setState({ ...(editor.getState() ?? firstState()), key });
    },
    entries: (message) => {
      list.change(message);
      // The first entries come with a reset, and are not new.
      if (!message.isReset) announce(message.added, announcements);
      find.renew();
    },
    details: ({ id, blocks }) => {
      list.details(id, blocks);
      find.mark();
    },
    head: (message) => {
      head.draw(message.head);
      list.allowForks(message.head.menu.some(({ run }) => run === 'fork'));
    },
    waiting: (message) => {
      // "Accepted." was about the previous action.
      if (message.waiting && message.waiting.shown !== waiting.shown)
        composer.forgetSuccess();
      waiting.draw(message.waiting);
    },
    input: ({ input }) => {
      composer.draw(input);
      head.drawStop(input.stop);
    },
    attachments: ({ attachments }) => {
      composer.drawAttachments(attachments);
    },
    attached: ({ id, content }) => {
      composer.drawAttached(id, content);
    },
    pending: ({ entries }) => {
      list.drawPending(entries);
    },
    asides: ({ asides }) => {
      list.drawAsides(asides);
    },
    putBack: ({ text }) => {
      composer.putBack(text);
    },
    told: ({ text, tone }) => {
      composer.tell(text, tone);
    },
    found: ({ query, ids, inDetails }) => {
      find.found(query, ids, inDetails);
    },
    olderEnded: () => {
      list.olderEnded();
    },
    goTo: ({ place }) => {
      (place === 'waiting' ? waiting : composer).focus();
    },
  };
}

function receive(message: ToPage) {
  if (message.type === 'start') handlers = build(message);
  else if (handlers) handle(handlers, message);
}

const maxTextLength = 500;
const maxAnnouncements = 20;

/**
 * Announces new messages and errors to a screen reader, but not the actions
 * between them.
 */
function announce(added: readonly DrawnEntry[], log: HTMLElement) {
  for (const drawn of added) {
    const words = spoken(drawn);
    if (words !== undefined) log.append(element('p', {}, words));
  }
  while (log.childElementCount > maxAnnouncements)
    log.firstElementChild?.remove();
}

function spoken(drawn: DrawnEntry): string | undefined {
  if (drawn.kind === 'error')
    return drawPhrase(drawn.line).textContent.slice(0, maxTextLength);
  if (drawn.kind !== 'message' || drawn.by === 'person' || drawn.isStreaming)
    return undefined;
  return `${drawn.name}: ${visibleText(drawn.text.slice(0, maxTextLength), 'prose')}`;
}

window.addEventListener('message', ({ data, origin }: MessageEvent<ToPage>) => {
  // The editor's frame around this one has the same origin.
  if (origin === window.origin) receive(data);
});

/**
 * Only the editor opens addresses, after it has asked. The middle button
 * (`auxclick`) would open one too.
 */
for (const click of ['click', 'auxclick'] as const) {
  document.addEventListener(
    click,
    (event) => {
      const link =
        event.target instanceof Element ? event.target.closest('a') : null;
      if (!link) return;
      event.preventDefault();
      event.stopPropagation();
      if (click === 'click' && isWebAddress(link.href))
        send({ type: 'openLink', address: link.href });
    },
    true,
  );
}

send({ type: 'ready', anchor: editor.getState()?.anchor?.id });
// The editor restores a page only if the page has a state.
if (!editor.getState()) editor.setState(firstState());
// Uses the time until the editor answers.
prepareMarkdown();
