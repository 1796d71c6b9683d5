/** Git in the folders of the demo's agents, derived from their edits and commits. */
import { createHash } from 'node:crypto';
import { historyOf } from './demoHistory.ts';
import { projectAround } from './folders.ts';
import type { FolderConversation } from './held.ts';
import type { WireAgentEvent } from '../wireTypes.ts';

export interface EditedFile {
  readonly path: string;
  /** `undefined` for an added file. */
  readonly before: string | undefined;
  readonly after: string;
}

interface DemoCommit {
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
  readonly at: number;
}

/** The texts of edited files by their paths. */
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
  since(sha: string): readonly EditedFile[] {
    return this.#between(this.#committed.get(sha) ?? noTexts, this.#now);
  }

  /** The files that this commit changes. */
  changedBy(sha: string): readonly EditedFile[] {
    const after = this.#committed.get(sha);
    const before = this.commits[this.commits.findIndex((each) => each.sha === sha) + 1];
    return after ? this.#between(this.#committed.get(before?.sha ?? '') ?? noTexts, after) : [];
  }

  #between(old: Texts, now: Texts): readonly EditedFile[] {
    return [...now]
      .map(([path, after]) => ({ path, before: old.get(path) ?? this.#original.get(path), after }))
      .filter(({ before, after }) => before !== after)
      .sort((one, other) => (one.path < other.path ? -1 : 1));
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

/** The output of `git diff`, with one hunk for each file. */
export function patchOf(files: readonly EditedFile[]): string {
  return files.map(filePatch).join('');
}

function filePatch({ path, before, after }: EditedFile): string {
  const isNew = before === undefined;
  const mode = isNew ? 'new file mode 100644\n' : '';
  const index = `index ${isNew ? '0'.repeat(40) : hash(before)}..${hash(after)}${isNew ? '' : ' 100644'}\n`;
  const names = `--- ${isNew ? '/dev/null' : `a/${path}`}\n+++ b/${path}\n`;
  const [old, now] = [linesOf(before ?? ''), linesOf(after)];
  const at = (lines: readonly string[]) => `${lines.length > 0 ? 1 : 0},${lines.length}`;
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)].join('');
  return `diff --git a/${path} b/${path}\n${mode}${index}${names}@@ -${at(old)} +${at(now)} @@\n${lines}`;
}

/** The lines with their line breaks, as a patch has them. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/(?<=\n)/).filter((line) => line !== '');
  return lines.map((line) => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`));
}

function hash(text: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest('hex');
}
