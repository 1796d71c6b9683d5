/** Git in the folders of the demo's agents, derived from their edits and commits. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { historyOf } from './demoHistory.ts';
import { projectAround } from './folders.ts';
import type { FolderConversation } from './held.ts';
import type { WireAgentEvent } from '../wireTypes.ts';

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
}

interface DemoCommit {
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
  readonly at: number;
}

/** Texts by their paths, of those files that the agent has edited. */
type Texts = ReadonlyMap<string, string>;

const noTexts: Texts = new Map();

export class WorkingCopy {
  /** The newest first: those that the agent has made, and those that were there. */
  readonly commits: readonly DemoCommit[];
  /** The commit that the agent started from. */
  readonly base: string;
  readonly #original = new Map<string, string>();
  readonly #now = new Map<string, string>();
  /** Files after each commit of the agent, the oldest first. */
  readonly #committed = new Map<string, Texts>();

  private constructor(
    project: string,
    { id, folder }: FolderConversation,
    events: readonly WireAgentEvent[],
  ) {
    const sha = (what: string) => createHash('sha1').update(`${what} ${id}`).digest('hex');
    const own: DemoCommit[] = [];
    for (const event of events) {
      const { command, path, old_content, new_content, prev_exist } = observed(event);
      const subject = path === undefined && /\bgit commit -m "([^"]+)"/.exec(command ?? '')?.[1];
      if (subject) {
        const commit = { sha: sha(event.id), subject, author: 'openhands', at: Date.parse(event.timestamp) };
        own.unshift(commit);
        this.#committed.set(commit.sha, new Map(this.#now));
      }
      const name = path?.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
      if (name === undefined || name.startsWith('/') || new_content === undefined) continue;
      if (prev_exist && old_content !== undefined && !this.#now.has(name))
        this.#original.set(name, old_content);
      this.#now.set(name, new_content);
    }
    const history = historyOf(project);
    this.commits = [...own, ...history];
    this.base = history[0].sha;
  }

  /** Undefined if the agent does not work in a repository. */
  static of(held: FolderConversation, events: readonly WireAgentEvent[]): WorkingCopy | undefined {
    const project = projectAround(held.folder);
    return project === undefined ? undefined : new WorkingCopy(project, held, events);
  }

  /** The files that differ from this commit, in the order of their paths. */
  since(sha: string): readonly RepositoryFile[] {
    return this.#between(this.#committed.get(sha) ?? noTexts, this.#now);
  }

  /** The files that this commit changes. */
  changedBy(sha: string): readonly RepositoryFile[] {
    const after = this.#committed.get(sha);
    const before = this.commits[this.commits.findIndex((each) => each.sha === sha) + 1];
    return after ? this.#between(this.#committed.get(before?.sha ?? '') ?? noTexts, after) : [];
  }

  #between(old: Texts, now: Texts): readonly RepositoryFile[] {
    const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));
    return [...now]
      .map(([path, after]) => ({ path, before: old.get(path) ?? this.#original.get(path), after }))
      .filter(({ before, after }) => before !== after)
      .sort((one, other) => (one.path < other.path ? -1 : 1))
      .map(({ path, before, after }) => ({ path, before: bytes(before), after: bytes(after) }));
  }
}

interface Observed {
  readonly command?: string;
  readonly path?: string;
  readonly prev_exist?: boolean;
  readonly old_content?: string;
  readonly new_content?: string;
}

function observed(event: WireAgentEvent & { readonly observation?: Observed }): Observed {
  return event.observation ?? {};
}

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
