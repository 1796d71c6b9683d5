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
  /**
   * Set for a text that was gathered from the editor. It is Markdown, and names
   * its sources itself.
   */
  readonly gathered?: {
    readonly repository?: string | undefined;
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
  const texts = attached.flatMap(({ name, text, gathered }) => {
    if (text === undefined) return [];
    return gathered ? text : `${name}\n${fenced(text)}`;
  });
  return {
    texts: [text, ...texts].filter((part) => part !== ''),
    pictures: attached.flatMap(({ picture }) => picture ?? []),
  };
}

export function longestBackticks(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** A block of Markdown that no backticks in the text can end. */
export function fenced(text: string, language = ''): string {
  const marks = '`'.repeat(Math.max(3, longestBackticks(text) + 1));
  return `${marks}${language}\n${text}\n${marks}`;
}

export function shownMessage({ text, attached = [] }: NewMessage) {
  const names = attached.flatMap(({ name, picture }) => (picture ? [] : name));
  return {
    text: [text, ...names].filter(Boolean).join('\n\n'),
    pictures: attached.flatMap(({ picture }) => picture ?? []),
  };
}
