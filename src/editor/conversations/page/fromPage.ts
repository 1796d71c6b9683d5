/** Reads what a page sends. It draws what agents write, so nothing of it is believed that does not have this form. */
import type { FromPage, PageState } from '../../../protocol/pageMessages.ts';

type Check = (value: unknown) => boolean;
type FieldChecks<Message> = { readonly [Name in keyof Omit<Message, 'type'>]-?: Check };

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => Number.isSafeInteger(value);
const flag: Check = (value) => typeof value === 'boolean';
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const oneOf =
  (...all: readonly string[]): Check =>
  (value) =>
    all.includes(value as string);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const forms: { readonly [Type in FromPage['type']]: FieldChecks<Extract<FromPage, { type: Type }>> } = {
  ready: { anchor: optional(text) },
  older: {},
  open: { id: text },
  close: { id: text },
  whole: { id: text },
  answer: { shown: number, accept: flag },
  send: {
    how: oneOf('send', 'leave', 'rejectAndSend', 'resumeAndSend', 'resume'),
    text,
    shown: optional(number),
  },
  stop: {},
  draft: { text },
  attach: { what: oneOf('file', 'selection') },
  attachDropped: { addresses: texts },
  attachPicture: {
    name: text,
    mediaType: oneOf('image/png', 'image/jpeg', 'image/gif', 'image/webp'),
    base64: (value) => typeof value === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(value),
  },
  attachText: { name: text, text },
  cannotAttach: { name: text },
  detach: { id: number },
  setConfirmation: { value: text },
  openLink: { address: text },
  openConversation: { id: text },
  run: {
    action: oneOf(
      'open',
      'openPullRequest',
      'showChanges',
      'takeOver',
      'openAgentEditor',
      'copyId',
      'copyUrl',
      'rename',
      'fork',
      'delete',
      'copyAll',
      'new',
      'cancelNew',
    ),
  },
  copyEntry: { id: text },
  find: { query: text },
  allowOrigin: {},
  retry: {},
};

/** Undefined if it is none. */
export function readFromPage(given: unknown): FromPage | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { type } = given as { readonly type?: unknown };
  if (typeof type !== 'string' || !Object.hasOwn(forms, type)) return undefined;
  const form = forms[type as FromPage['type']] as Readonly<Record<string, Check>>;
  const fits = Object.entries(form).every(([name, check]) =>
    check((given as Readonly<Record<string, unknown>>)[name]),
  );
  return fits ? (given as FromPage) : undefined;
}

/** The key of the conversation whose page is restored. */
export function readPageKey(state: unknown): string | undefined {
  const key = typeof state === 'object' && state !== null ? (state as Partial<PageState>).key : undefined;
  return typeof key === 'string' && key.includes(' ') ? key : undefined;
}
