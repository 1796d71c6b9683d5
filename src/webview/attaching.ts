/** Reads pasted and dropped content, and makes messages to the editor of it. */
import type { FromPage } from '../protocol/pageMessages.ts';

const maxTextBytes = 500_000;
const maxPictureBytes = 10_000_000;

const pictures = /^image\/(png|jpeg|gif|webp)$/;

export async function readPastedFiles(files: readonly File[]): Promise<readonly FromPage[]> {
  return await Promise.all(files.map(readFile));
}

/** The editor's own lists give addresses; other programs give files. */
export async function readDropped(given: DataTransfer): Promise<readonly FromPage[]> {
  const files = [...given.files];
  const list = given.getData('application/vnd.code.uri-list') || given.getData('text/uri-list');
  const addresses = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  return addresses.length > 0 ? [{ type: 'attachDropped', addresses }] : await readPastedFiles(files);
}

async function readFile(file: File): Promise<FromPage> {
  const { name, type: mediaType, size } = file;
  if (pictures.test(mediaType) && size <= maxPictureBytes) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { type: 'attachPicture', name, mediaType, base64: base64Of(bytes) };
  }
  if (size > maxTextBytes) return { type: 'cannotAttach', name };
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const text = decoder.decode(await file.arrayBuffer());
    return text.includes('\0') ? { type: 'cannotAttach', name } : { type: 'attachText', name, text };
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
