/**
 * Changes of every kind as Git writes them; the agents of the demo only add and
 * edit text files.
 */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

export interface RepositoryFile {
  readonly path: string;
  /** `undefined` for an added file. */
  readonly before: Uint8Array | undefined;
  /** `undefined` for a deleted file. */
  readonly after: Uint8Array | undefined;
  /** The former path of a moved file. */
  readonly from?: string;
  /** The mode of both sides, as Git writes it. */
  readonly mode?: string;
}

/** The output of `git diff --binary`, with one hunk for each file. */
export function patchOf(changed: readonly RepositoryFile[]): Uint8Array {
  return Buffer.concat(
    changed.map((file) => Buffer.from(filePatch(file), 'utf8')),
  );
}

function filePatch({
  path,
  before,
  after,
  from = path,
  mode: bits = '100644',
}: RepositoryFile): string {
  const [old, now] = [quoted(`a/${from}`), quoted(`b/${path}`)];
  const head = `diff --git ${old} ${now}\n`;
  if (from !== path)
    return `${head}similarity index 100%\nrename from ${quoted(from)}\nrename to ${quoted(path)}\n`;
  const mode = !before
    ? `new file mode ${bits}\n`
    : !after
      ? `deleted file mode ${bits}\n`
      : '';
  const index = `index ${hash(before)}..${hash(after)}${mode === '' ? ` ${bits}` : ''}\n`;
  if ([before, after].some((side) => side?.includes(0)))
    return `${head}${mode}${index}GIT binary patch\n${literal(after)}\n${literal(before)}\n`;
  const [left, right] = [linesOf(before), linesOf(after)];
  const names = `--- ${before ? old : '/dev/null'}\n+++ ${after ? now : '/dev/null'}\n`;
  const at = (lines: readonly string[]) =>
    `${lines.length > 0 ? 1 : 0},${lines.length}`;
  const hunk = `@@ -${at(left)} +${at(right)} @@\n`;
  const lines = [
    ...left.map((line) => `-${line}`),
    ...right.map((line) => `+${line}`),
  ];
  return [head, mode, index, names, hunk, ...lines].join('');
}

/** The lines with their line breaks, as a patch has them. */
function linesOf(side: Uint8Array | undefined): readonly string[] {
  const lines = side
    ? Buffer.from(side)
        .toString('utf8')
        .split(/(?<=\n)/)
    : [];
  return lines
    .filter((line) => line !== '')
    .map((line) =>
      line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`,
    );
}

/** A name as Git writes it. */
function quoted(name: string): string {
  const bytes = Array.from(Buffer.from(name, 'utf8'));
  if (
    bytes.every(
      (byte) => byte >= 32 && byte < 127 && byte !== 34 && byte !== 92,
    )
  )
    return name;
  const escaped = bytes.map((byte) =>
    byte >= 32 && byte < 127 && byte !== 34 && byte !== 92
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  );
  return `"${escaped.join('')}"`;
}

function hash(side: Uint8Array | undefined): string {
  if (!side) return '0'.repeat(40);
  return createHash('sha1')
    .update(`blob ${side.byteLength}\0`)
    .update(side)
    .digest('hex');
}

const digits =
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

/** Returns base 85. The sides are short enough for one line. */
function literal(side: Uint8Array = Buffer.alloc(0)): string {
  const packed = deflateSync(side);
  const padded = Buffer.concat([
    packed,
    Buffer.alloc((4 - (packed.length % 4)) % 4),
  ]);
  let line = String.fromCharCode(64 + packed.length);
  for (let at = 0; at < padded.length; at += 4) {
    let value = padded.readUInt32BE(at);
    const group: string[] = [];
    for (let digit = 0; digit < 5; digit++, value = Math.floor(value / 85))
      group.unshift(digits[value % 85] ?? '');
    line += group.join('');
  }
  return `literal ${side.byteLength}\n${line}\n`;
}
