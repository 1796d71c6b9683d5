/** PNG, JPEG, GIF or WebP. */
interface Picture {
  readonly mediaType: string;
  readonly base64: string;
}

export interface Message {
  readonly texts: readonly string[];
  readonly pictures: readonly Picture[];
}

/** A picture, or a text that is sent with a message under its name. */
export type Attached = AttachedContent & {
  readonly id: number;
  readonly name: string;
  /** Set for a text that was gathered from the editor. It is Markdown, and names its sources itself. */
  readonly gathered?: {
    readonly repository?: string | undefined;
    /** Lines that say what is left out, and why. */
    readonly leftOut: readonly string[];
  };
};

export type AttachedContent =
  | { readonly text: string; readonly picture?: undefined }
  | { readonly picture: Picture; readonly text?: undefined };

export interface NewMessage {
  readonly text: string;
  readonly attached?: readonly Attached[] | undefined;
}

export function partsOf({ text, attached = [] }: NewMessage): Message {
  const texts = attached.flatMap(({ name, text, gathered }) =>
    text === undefined ? [] : gathered ? text : asPart(name, text),
  );
  return {
    texts: [text, ...texts].filter((part) => part !== ''),
    pictures: attached.flatMap(({ picture }) => picture ?? []),
  };
}

function asPart(name: string, text: string): string {
  const fence = fenceAround(text);
  return `${name}\n${fence}\n${text}\n${fence}`;
}

/** More backticks than the text contains in a row. */
export function fenceAround(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([found]) => found.length));
  return '`'.repeat(longest + 1);
}

export function shownMessage({ text, attached = [] }: NewMessage) {
  const names = attached.flatMap(({ name, picture }) => (picture ? [] : name));
  return {
    text: [text, ...names].filter(Boolean).join('\n\n'),
    pictures: attached.flatMap(({ picture }) => picture ?? []),
  };
}
