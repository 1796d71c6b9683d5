/**
 * Git in the folders of the demo's agents, derived from their edits and
 * commits.
 */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { bodyOf, type HttpAnswer, failed, json, text } from '../wire/http.ts';
import type { AnswerAbout, RouteContext } from './route.ts';
import {
  processFolder,
  projectAround,
  workingFolder,
} from '../agentServer/folders.ts';
import type { FolderConversation } from '../agentServer/held.ts';
import type { WireAgentEvent } from '../wire/wireTypes.ts';
import {
  type BaseCommit,
  historyOf,
  objectId,
  type Texts,
} from '../agentServer/demoHistory.ts';

interface EditedFile {
  readonly path: string;
  /** `undefined` for an added file. */
  readonly before: string | undefined;
  readonly after: string;
}

type DemoCommit = Omit<BaseCommit, 'texts'>;

const noTexts: Texts = new Map();

class WorkingCopy {
  /** The agent's commits and the original ones, newest first. */
  readonly commits: readonly DemoCommit[];
  /** The commit that the agent started from. */
  readonly base: string;
  readonly #original = new Map<string, string>();
  readonly #now = new Map<string, string>();
  /** Files after each commit of the agent, the oldest first. */
  readonly #committed = new Map<string, Texts>();

  constructor(
    project: string,
    { id, folder }: FolderConversation,
    events: readonly WireAgentEvent[],
  ) {
    const sha = (what: string) =>
      createHash('sha1').update(`${what} ${id}`).digest('hex');
    const own: DemoCommit[] = [];
    for (const event of events) {
      const { command, path, old_content, new_content, prev_exist } =
        (event as { readonly observation?: Observed }).observation ?? {};
      const subject =
        path === undefined &&
        /\bgit commit -m "([^"]+)"/.exec(command ?? '')?.[1];
      if (subject) {
        const commit = {
          sha: sha(event.id),
          subject,
          author: 'openhands',
          at: Date.parse(event.timestamp),
        };
        own.unshift(commit);
        this.#committed.set(commit.sha, new Map(this.#now));
      }
      const name = path?.startsWith(`${folder}/`)
        ? path.slice(folder.length + 1)
        : path;
      if (
        name === undefined ||
        name.startsWith('/') ||
        new_content === undefined
      )
        continue;
      if (prev_exist && old_content !== undefined && !this.#now.has(name))
        this.#original.set(name, old_content);
      this.#now.set(name, new_content);
    }
    const history = historyOf(project);
    this.commits = [...own, ...history];
    this.base = history[0].sha;
  }

  /** Returns the commit of this ref, by default the base commit. */
  resolve(ref: string | null): string {
    return ref === 'HEAD'
      ? (this.commits[0]?.sha ?? this.base)
      : (ref ?? this.base);
  }

  /** Returns the files that differ from this ref, sorted by path. */
  since(ref: string | null): readonly EditedFile[] {
    return this.#between(
      this.#committed.get(this.resolve(ref)) ?? noTexts,
      this.#now,
    );
  }

  changedBy(sha: string): readonly EditedFile[] {
    const after = this.#committed.get(sha);
    const before =
      this.commits[this.commits.findIndex((commit) => commit.sha === sha) + 1];
    return after
      ? this.#between(this.#committed.get(before?.sha ?? '') ?? noTexts, after)
      : [];
  }

  #between(old: Texts, now: Texts): readonly EditedFile[] {
    return [...now]
      .map(([path, after]) => ({
        path,
        before: old.get(path) ?? this.#original.get(path),
        after,
      }))
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

/** The output of `git diff` for a file, with one hunk. */
function filePatch({ path, before, after }: EditedFile): string {
  const isNew = before === undefined;
  const mode = isNew ? 'new file mode 100644\n' : '';
  const index = `index ${isNew ? '0'.repeat(40) : hash(before)}..${hash(after)}${isNew ? '' : ' 100644'}\n`;
  const names = `--- ${isNew ? '/dev/null' : `a/${path}`}\n+++ b/${path}\n`;
  const old = linesOf(before ?? '');
  const now = linesOf(after);
  const at = (lines: readonly string[]) =>
    `${lines.length > 0 ? 1 : 0},${lines.length}`;
  const lines = [
    ...old.map((line) => `-${line}`),
    ...now.map((line) => `+${line}`),
  ].join('');
  return `diff --git a/${path} b/${path}\n${mode}${index}${names}@@ -${at(old)} +${at(now)} @@\n${lines}`;
}

/** Splits text into lines with their line breaks, as in a patch. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/(?<=\n)/).filter((line) => line !== '');
  return lines.map((line) =>
    line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`,
  );
}

function hash(text: string): string {
  return objectId('blob', text).toString('hex');
}

interface AboutPath {
  readonly held: FolderConversation;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly repository: WorkingCopy | undefined;
}

/** Returns `undefined` if the agent works outside repositories. */
export function repositoryOf(
  held: FolderConversation,
  { agentServer }: Pick<RouteContext, 'agentServer'>,
): WorkingCopy | undefined {
  const project = projectAround(held.folder);
  return project === undefined
    ? undefined
    : new WorkingCopy(project, held, agentServer.work(held).events);
}

/** Refuses a path that is not in the folder of the conversation. */
function inFolder(
  answer: (about: AboutPath) => HttpAnswer,
  { absolute = false } = {},
): AnswerAbout {
  return (held, context, { query }) => {
    const requestedPath = query.get('path') ?? '';
    if (held.isInSandbox && absolute && !requestedPath.startsWith('/'))
      return failed(400, 'Path must be absolute');
    const path = held.isInSandbox
      ? inProject(held, requestedPath)
      : requestedPath;
    return answer({
      held,
      path,
      query,
      repository: repositoryOf(held, context),
    });
  };
}

/** Resolves a path in a sandbox relative to the folder of its process. */
function inProject(held: FolderConversation, path: string): string {
  const root = posix.join(processFolder, workingFolder(held));
  return posix.join(
    held.folder,
    posix.relative(root, posix.resolve(processFolder, path)),
  );
}

export const listChanges = inFolder(({ query, repository }) =>
  json((repository?.since(query.get('ref')) ?? []).map(status)),
);

export const listCommit: AnswerAbout = (held, context, { segments }) =>
  json(
    (repositoryOf(held, context)?.changedBy(segments[5] ?? '') ?? []).map(
      status,
    ),
  );

function status({ path, before }: EditedFile): object {
  return { status: before === undefined ? 'ADDED' : 'UPDATED', path };
}

export const showDiff = inFolder(({ held, path, query, repository }) => {
  const commit = query.get('commit');
  const files =
    commit === null
      ? repository?.since(query.get('ref'))
      : repository?.changedBy(commit);
  const file = fileAt(held, path, files);
  if (!file) return failed(400, `File does not exist: ${path}`);
  // A real service omits the last line break.
  const original = (file.before ?? '').replace(/\n$/, '');
  const modified = file.after.replace(/\n$/, '');
  return json({ modified, original });
});

function fileAt(
  { folder }: FolderConversation,
  path: string,
  files: readonly EditedFile[] = [],
) {
  return files.find((file) => `${folder}/${file.path}` === path);
}

export const listCommits = inFolder(({ repository }) =>
  json({
    commits: (repository?.commits ?? []).map(
      ({ sha, subject, author, at }) => ({
        sha,
        short_sha: sha.slice(0, 7),
        subject,
        author,
        timestamp: new Date(at).toISOString().replace(/\.\d+Z$/, '+00:00'),
      }),
    ),
    has_more: false,
  }),
);

export const archive = inFolder(
  ({ held, query, repository }) => {
    const ref = query.get('base_ref');
    const [head] = repository?.commits ?? [];
    if (!repository || !head)
      return failed(400, 'Path is not a git repository');
    const base = repository.resolve(ref);
    if (!repository.commits.some(({ sha }) => sha === base))
      return failed(400, `base_ref '${base}' could not be resolved`);
    return {
      status: 200,
      headers: {
        'content-type': 'text/x-patch; charset=utf-8',
        // The older service in a sandbox omits these.
        ...(!held.isInSandbox && {
          'x-archive-branch': 'main',
          'x-archive-head-commit': head.sha,
          'x-archive-repo-root': encodeURIComponent(held.folder),
        }),
        'x-archive-base-commit': base,
        'x-archive-base-ref': ref ?? '',
      },
      content: repository.since(base).map(filePatch).join(''),
    };
  },
  { absolute: true },
);

export const download = inFolder(
  ({ held, path, repository }) => {
    const file = fileAt(held, path, repository?.since(null));
    return file
      ? text(file.after, 'application/octet-stream')
      : failed(404, 'File not found');
  },
  { absolute: true },
);

/**
 * Answers our own commands without changing files, which follow only from
 * events.
 */
export const runGitCommand: AnswerAbout = (held, context, call) => {
  const { command } = bodyOf(call) as { command: string };
  const isRemoved = context.agentServer.removedWorktrees.has(held.folder);
  const repository = isRemoved ? undefined : repositoryOf(held, context);
  return commandResult(outputOfGit(held, repository, command));
};

/** Answers with the output of a command; `undefined` for a failed one. */
export function commandResult(stdout: string | undefined): HttpAnswer {
  return json(
    stdout === undefined
      ? { exit_code: 1, stdout: null, stderr: 'fatal: not a worktree' }
      : { exit_code: 0, stdout: stdout || null, stderr: null },
  );
}

/**
 * Returns the output of one of our worktree commands; `undefined` for others.
 */
function outputOfGit(
  { id, folder }: FolderConversation,
  repository: WorkingCopy | undefined,
  command: string,
): string | undefined {
  if (!repository) return undefined;
  const { commits } = repository;
  if (command.includes('git hash-object'))
    return createHash('sha1').update(folder).digest('hex');
  if (command.startsWith('git reflog'))
    return commits
      .map(
        ({ sha, subject, at }) =>
          `${sha} HEAD@{${Math.floor(at / 1_000)}} ${subject}\n`,
      )
      .join('');
  if (command.includes('symbolic-ref')) return `openhands/${id}\n`;
  if (!command.includes('git log')) return undefined;
  const files = repository
    .since('HEAD')
    .map(({ path, before }) => `${before === undefined ? '??' : ' M'} ${path}`);
  const project = projectAround(folder) ?? folder;
  return [
    `${project}/.git${folder === project ? '' : '/worktrees/1'}`,
    `${project}/.git`,
    'files',
    ...(files.length > 0 ? [...files.slice(0, 5), String(files.length)] : []),
    'repositories',
    'commits\n',
  ].join('\n');
}
