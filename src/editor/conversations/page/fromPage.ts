/** Checks the messages of a page. A page draws text of agents, so its messages are untrusted. */
import { headActions, sendingWays } from '../../../protocol/drawn.ts';
import type { FromPage, PageState } from '../../../protocol/pageMessages.ts';

type Check = (value: unknown) => boolean;
type FieldChecks<Message> = { readonly [Name in keyof Omit<Message, 'type'>]-?: Check };

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => Number.isSafeInteger(value);
const flag: Check = (value) => typeof value === 'boolean';
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const oneOf =
  (all: readonly string[]): Check =>
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
  whole: { id: text },
  answer: { shown: number, accept: flag },
  send: { how: oneOf(sendingWays), text, shown: optional(number) },
  stop: {},
  draft: { text },
  attach: { what: oneOf(['file', 'selection']) },
  attachDropped: { addresses: texts },
  attachPicture: {
    name: text,
    mediaType: oneOf(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    base64: (value) => typeof value === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(value),
  },
  attachText: { name: text, text },
  cannotAttach: { name: text },
  detach: { id: number },
  setConfirmation: { value: text },
  openLink: { address: text },
  openConversation: { id: text },
  run: { action: oneOf(headActions) },
  copyEntry: { id: text },
  find: { query: text },
  allowOrigin: {},
  retry: {},
};

/** Returns undefined for a message with an unknown form. */
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

/** Reads the key of the conversation from the state of a restored page. */
export function readPageKey(state: unknown): string | undefined {
  const key = typeof state === 'object' && state !== null ? (state as Partial<PageState>).key : undefined;
  return typeof key === 'string' && key.includes(' ') ? key : undefined;
}
