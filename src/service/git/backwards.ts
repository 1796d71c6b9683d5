/**
 * Restores a side of a file from a patch, alone or with the other side, and
 * verifies it by hashes.
 */
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import type { BinaryBlock, FilePatch, Hunk } from './patch.ts';

/** Bytes of the largest side made from a patch. */
export const maxSideSize = 20_000_000;

/** The whole contents of an added or a deleted file. */
export function wholeSide({
  before,
  after,
  body,
}: FilePatch): Uint8Array | undefined {
  if (before && after) return undefined;
  if (body.kind === 'binary') {
    const [forward, back] = body.blocks;
    const block = before ? back : forward;
    return block?.kind === 'literal' ? unpacked(block) : undefined;
  }
  const sign = before ? '-' : '+';
  const lines = body.hunks.flatMap((hunk) =>
    hunk.lines.filter((line) => line.startsWith(sign)),
  );
  return bytesOf(lines.map((line) => line.slice(1)).join(''));
}

/**
 * The contents before, from those after; undefined if the hashes do not match.
 */
export function undoPatch(
  patch: FilePatch,
  after: Uint8Array,
): Uint8Array | undefined {
  const { body } = patch;
  if (!isOf(patch.after?.hash, after)) return undefined;
  const before =
    body.kind === 'binary'
      ? undoneBinary(body.blocks, after)
      : undoneText(body.hunks, after);
  return before && isOf(patch.before?.hash, before) ? before : undefined;
}

/**
 * The contents after a text patch, from those before; undefined if the hashes
 * do not match.
 */
export function applyPatch(
  { before, after, body }: FilePatch,
  oldBytes: Uint8Array,
): Uint8Array | undefined {
  // A file that was only moved has no hash.
  if (
    body.kind === 'binary' ||
    after?.hash === undefined ||
    !isOf(before?.hash, oldBytes)
  )
    return undefined;
  const newBytes = undoneText(body.hunks.map(reversed), oldBytes);
  return newBytes && isOf(after.hash, newBytes) ? newBytes : undefined;
}

export function isAfter({ after }: FilePatch, bytes: Uint8Array): boolean {
  return isOf(after?.hash, bytes);
}

function reversed({ before, after, lines }: Hunk): Hunk {
  const signs: Readonly<Record<string, string>> = { '+': '-', '-': '+' };
  return {
    before: after,
    after: before,
    lines: lines.map(
      (line) => `${signs[line.charAt(0)] ?? ' '}${line.slice(1)}`,
    ),
  };
}

/** True if this is the hash that Git gives these contents, or its beginning. */
function isOf(hash: string | undefined, bytes: Uint8Array): boolean {
  // A file that was only moved has none.
  if (hash === undefined) return true;
  return ['sha1', 'sha256'].some((kind) =>
    createHash(kind)
      .update('blob ')
      .update(`${bytes.byteLength}\0`)
      .update(bytes)
      .digest('hex')
      .startsWith(hash),
  );
}

function undoneText(
  hunks: readonly Hunk[],
  after: Uint8Array,
): Uint8Array | undefined {
  const lines = Buffer.from(after.buffer, after.byteOffset, after.byteLength)
    .toString('latin1')
    .split(/(?<=\n)/);
  const before: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const there = hunk.lines
      .filter((line) => !line.startsWith('-'))
      .map((line) => line.slice(1));
    const first = there.length > 0 ? hunk.after - 1 : hunk.after;
    if (
      first < at ||
      there.some((line, index) => lines[first + index] !== line)
    )
      return undefined;
    before.push(lines.slice(at, first).join(''));
    for (const line of hunk.lines)
      if (!line.startsWith('+')) before.push(line.slice(1));
    at = first + there.length;
  }
  before.push(lines.slice(at).join(''));
  return bytesOf(before.join(''));
}

function undoneBinary(
  blocks: readonly BinaryBlock[],
  after: Uint8Array,
): Uint8Array | undefined {
  if (blocks.length === 0) return undefined;
  const back = blocks[1];
  const data = back && unpacked(back);
  if (!data) return undefined;
  return back.kind === 'literal' ? data : withDelta(data, after);
}

function unpacked({ size, lines }: BinaryBlock): Uint8Array | undefined {
  if (size > maxSideSize) return undefined;
  try {
    const data = inflateSync(base85(lines), { maxOutputLength: maxSideSize });
    return data.byteLength === size ? data : undefined;
  } catch {
    return undefined;
  }
}

/** A delta of Git: pieces of another text, and pieces of its own. */
function withDelta(
  delta: Uint8Array,
  source: Uint8Array,
): Uint8Array | undefined {
  let at = 0;
  const byte = () => delta[at++] ?? 0;
  const size = () => {
    let value = 0;
    let shift = 1;
    for (;;) {
      const next = byte();
      value += (next & 127) * shift;
      if (next < 128) return value;
      shift *= 128;
    }
  };
  if (size() !== source.byteLength) return undefined;
  const length = size();
  if (length > maxSideSize) return undefined;
  const output = new Uint8Array(length);
  let to = 0;
  while (at < delta.length) {
    const command = byte();
    const pick = (bit: number) => (command & bit ? byte() : 0);
    const isCopy = command >= 128;
    const from = isCopy
      ? pick(1) + pick(2) * 256 + pick(4) * 65_536 + pick(8) * 16_777_216
      : at;
    const count = isCopy
      ? pick(16) + pick(32) * 256 + pick(64) * 65_536 || 65_536
      : command;
    const piece = (isCopy ? source : delta).subarray(from, from + count);
    if (count === 0 || piece.byteLength !== count || to + count > length)
      return undefined;
    output.set(piece, to);
    to += count;
    if (!isCopy) at += count;
  }
  return to === length ? output : undefined;
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

const digits =
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const values = new Map(Array.from(digits, (digit, value) => [digit, value]));

/**
 * The bytes in lines as Git writes them: the first letter says how many bytes a
 * line has.
 */
function base85(lines: readonly string[]): Uint8Array {
  return Buffer.concat(lines.map(base85Line));
}

function base85Line(line: string): Uint8Array {
  const length = lengthOf(line.charCodeAt(0));
  const bytes = Buffer.alloc(Math.ceil((line.length - 1) / 5) * 4);
  for (let group = 0; group * 5 + 1 < line.length; group++) {
    let value = 0;
    for (const digit of line.slice(group * 5 + 1, group * 5 + 6))
      value = value * 85 + (values.get(digit) ?? 0);
    bytes.writeUInt32BE(value % 2 ** 32, group * 4);
  }
  return bytes.subarray(0, length);
}

/** A is 1, Z is 26, a is 27. */
function lengthOf(letter: number): number {
  return letter >= 97 ? letter - 97 + 27 : letter - 64;
}
