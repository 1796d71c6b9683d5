/** The repositories in which agents of the demo have worked: what was in their files before, and what is now. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { isProject } from './folders.ts';
import type { FolderConversation } from './held.ts';

export interface RepositoryFile {
  readonly path: string;
  /** Undefined where it was added. */
  readonly before: Uint8Array | undefined;
  /** Undefined where it was deleted. */
  readonly after: Uint8Array | undefined;
  /** Where it was before it was moved. */
  readonly from?: string;
  /** That of Git, of both sides. */
  readonly mode?: string;
  /** It is in the commit that the agent has made, and has not been changed since. */
  readonly committed?: true;
}

interface DemoCommit {
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
  readonly at: number;
}

/** What is changed since the conversation began, in the order of the paths. */
export function changedBy({ folder, position }: FolderConversation): readonly RepositoryFile[] {
  // Some have only looked.
  return isProject(folder) && position % 4 !== 3 ? files : [];
}

/** The newest first: the one that the agent has made, and those that were there. */
export function commitsOf(held: FolderConversation): readonly DemoCommit[] {
  if (!isProject(held.folder)) return [];
  const { createdAt, updatedAt, id } = held;
  const sha = (what: string) => createHash('sha1').update(`${what} ${id}`).digest('hex');
  const own = {
    sha: sha('own'),
    subject: 'Add the tax rate',
    author: 'agent',
    at: (createdAt + updatedAt) / 2,
  };
  return [
    ...(changedBy(held).length > 0 ? [own] : []),
    { sha: sha('base'), subject: 'Round prices', author: 'Ada Lind', at: createdAt - 86_400_000 },
    { sha: sha('first'), subject: 'First version', author: 'Ada Lind', at: createdAt - 9 * 86_400_000 },
  ];
}

const text = (content: string) => Buffer.from(content, 'utf8');

const format = 'export function format(price: number): string {\n  return price.toFixed(2);\n}\n';

const files: readonly RepositoryFile[] = [
  { path: 'docs/old-prices.md', before: text('# Prices\n\nAll prices are net.\n'), after: undefined },
  {
    path: 'media/logo.png',
    before: Buffer.from([0x89, 0x50, 0, 1]),
    after: Buffer.from([0x89, 0x50, 0, 2, 3]),
  },
  {
    path: 'src/cart.ts',
    before: text(
      'import { format } from "./format";\n\nexport function total(prices: number[]) {\n  return format(prices.reduce((a, b) => a + b));\n}\n',
    ),
    after: text(
      'import { format } from "./prices";\nimport { tax } from "./tax";\n\nexport function total(prices: number[]) {\n  const net = prices.reduce((a, b) => a + b, 0);\n  return format(net * (1 + tax));\n}\n',
    ),
  },
  { path: 'src/prices.ts', from: 'src/format.ts', before: text(format), after: text(format) },
  { path: 'src/tax.ts', before: undefined, after: text('export const tax = 0.19;\n'), committed: true },
  {
    path: 'test/empty basket.test.ts',
    before: undefined,
    after: text('// An empty basket costs nothing.\n'),
  },
];

/** As `git diff --binary` writes it; each file that has changed as one hunk. */
export function patchOf(changed: readonly RepositoryFile[]): Uint8Array {
  return Buffer.concat(changed.map((file) => Buffer.from(filePatch(file), 'utf8')));
}

function filePatch({ path, before, after, from = path, mode: bits = '100644' }: RepositoryFile): string {
  const [old, now] = [quoted(`a/${from}`), quoted(`b/${path}`)];
  const head = `diff --git ${old} ${now}\n`;
  if (from !== path)
    return `${head}similarity index 100%\nrename from ${quoted(from)}\nrename to ${quoted(path)}\n`;
  const mode = !before ? `new file mode ${bits}\n` : !after ? `deleted file mode ${bits}\n` : '';
  const index = `index ${hash(before)}..${hash(after)}${mode === '' ? ` ${bits}` : ''}\n`;
  if ([before, after].some((side) => side?.includes(0)))
    return `${head}${mode}${index}GIT binary patch\n${literal(after)}\n${literal(before)}\n`;
  const [left, right] = [linesOf(before), linesOf(after)];
  const names = `--- ${before ? old : '/dev/null'}\n+++ ${after ? now : '/dev/null'}\n`;
  const at = (lines: readonly string[]) => `${lines.length > 0 ? 1 : 0},${lines.length}`;
  const hunk = `@@ -${at(left)} +${at(right)} @@\n`;
  const lines = [...left.map((line) => `-${line}`), ...right.map((line) => `+${line}`)];
  return [head, mode, index, names, hunk, ...lines].join('');
}

/** With their line breaks, as a patch has them. */
function linesOf(side: Uint8Array | undefined): readonly string[] {
  const lines = side
    ? Buffer.from(side)
        .toString('utf8')
        .split(/(?<=\n)/)
    : [];
  return lines
    .filter((line) => line !== '')
    .map((line) => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`));
}

/** A name as Git writes it. */
function quoted(name: string): string {
  const bytes = Array.from(Buffer.from(name, 'utf8'));
  if (bytes.every((byte) => byte >= 32 && byte < 127 && byte !== 34 && byte !== 92)) return name;
  const escaped = bytes.map((byte) =>
    byte >= 32 && byte < 127 && byte !== 34 && byte !== 92
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  );
  return `"${escaped.join('')}"`;
}

function hash(side: Uint8Array | undefined): string {
  if (!side) return '0'.repeat(40);
  return createHash('sha1').update(`blob ${side.byteLength}\0`).update(side).digest('hex');
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

/** In base 85; they are short enough for one line. */
function literal(side: Uint8Array = Buffer.alloc(0)): string {
  const packed = deflateSync(side);
  const padded = Buffer.concat([packed, Buffer.alloc((4 - (packed.length % 4)) % 4)]);
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
