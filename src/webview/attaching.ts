/** What is pasted or dropped, as it is sent to the editor. */

export type DroppedContent =
  | { readonly kind: 'picture'; readonly name: string; readonly mediaType: string; readonly base64: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  /** Addresses of files, which the editor reads. */
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'cannot'; readonly name: string };

/** In bytes. */
const largestText = 500_000;
const largestPicture = 10_000_000;

const pictures = /^image\/(png|jpeg|gif|webp)$/;

export async function readPastedFiles(files: readonly File[]): Promise<readonly DroppedContent[]> {
  return await Promise.all(files.map(read));
}

/** From the editor's own lists come addresses; from elsewhere, files. */
export async function readDropped(given: DataTransfer): Promise<readonly DroppedContent[]> {
  const files = [...given.files];
  const list = given.getData('application/vnd.code.uri-list') || given.getData('text/uri-list');
  const addresses = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  if (addresses.length > 0) return [{ kind: 'addresses', addresses }];
  return await readPastedFiles(files);
}

async function read(file: File): Promise<DroppedContent> {
  const { name, type: mediaType, size } = file;
  if (pictures.test(mediaType) && size <= largestPicture) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { kind: 'picture', name, mediaType, base64: base64Of(bytes) };
  }
  if (size > largestText) return { kind: 'cannot', name };
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const text = decoder.decode(await file.arrayBuffer());
    return text.includes('\0') ? { kind: 'cannot', name } : { kind: 'text', name, text };
  } catch {
    return { kind: 'cannot', name };
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  // More arguments at once would be too many.
  for (let at = 0; at < bytes.length; at += 32_768) {
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  }
  return btoa(text);
}
