/** Texts and pictures of events. */
import type { EventPicture } from './events.ts';
import { isObject, type WireRecord } from './wireValues.ts';

/** Texts and pictures in a part or a list of parts. */
export function contents(content: unknown): {
  readonly text: string;
  readonly images: readonly EventPicture[];
} {
  const parts = (Array.isArray(content) ? (content as unknown[]) : [content]).map((part) =>
    isObject(part) ? part : { text: part },
  );
  return {
    text: parts.flatMap(({ text }) => (typeof text === 'string' ? text : [])).join('\n'),
    images: parts.flatMap(({ image_urls }) =>
      Array.isArray(image_urls) ? (image_urls as unknown[]).flatMap(picture) : [],
    ),
  };
}

/** A text that is not empty, as it was written. */
export function writtenText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function picture(address: unknown): EventPicture | readonly [] {
  if (typeof address !== 'string' || address === '') return [];
  const [all, mediaType = ''] = /^data:(image\/(?:png|jpeg|gif|webp));base64,/i.exec(address) ?? [];
  if (all === undefined) return { address: address.slice(0, maxAddressLength) };
  const base64 = address.slice(all.length);
  return /^[A-Za-z0-9+/]*={0,2}$/.test(base64) ? { mediaType: mediaType.toLowerCase(), base64 } : [];
}

const maxAddressLength = 2_000;

/** It comes without its kind. */
export function screenshot(data: unknown): readonly EventPicture[] {
  if (typeof data !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return [];
  const known = Object.entries(mediaTypes).find(([begin]) => data.startsWith(begin));
  return [{ mediaType: known?.[1] ?? 'image/png', base64: data }];
}

/** The first characters of the Base64 of each kind. */
const mediaTypes: Readonly<Record<string, string>> = {
  '/9j/': 'image/jpeg',
  R0lGODlh: 'image/gif',
  UklGR: 'image/webp',
};

/** Reasoning of a model in any of its forms, except encrypted ones. */
export function reasoningOf({
  reasoning_content,
  thinking_blocks,
  responses_reasoning_item,
}: WireRecord): string | undefined {
  const blocks = list(thinking_blocks).map((block) =>
    isObject(block) ? writtenText(block.thinking) : undefined,
  );
  const item = isObject(responses_reasoning_item) ? responses_reasoning_item : {};
  const parts = [...list(item.summary), ...list(item.content)].map(writtenText);
  return writtenText(reasoning_content) ?? together(blocks) ?? together(parts);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function together(texts: readonly (string | undefined)[]): string | undefined {
  return writtenText(texts.filter((text) => text !== undefined).join('\n\n'));
}
