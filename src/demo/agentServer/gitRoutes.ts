/** Git in the folder of a conversation, as the Agent Server passes it on. */
import { posix } from 'node:path';
import { type HttpAnswer, type Call, failed, json, text } from '../http.ts';
import type { RouteContext } from '../route.ts';
import { invalid, QueryReader } from '../validate.ts';
import { processFolder, workingFolder } from './folders.ts';
import type { FolderConversation } from './held.ts';
import { WorkingCopy, patchOf, type EditedFile } from './demoRepositories.ts';

type Answering = (held: FolderConversation, context: RouteContext, call: Call) => HttpAnswer;

interface AboutPath {
  readonly held: FolderConversation;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Undefined where there is none. */
  readonly repository: WorkingCopy | undefined;
}

function repositoryOf(held: FolderConversation, { agentServer }: RouteContext): WorkingCopy | undefined {
  return WorkingCopy.of(held, agentServer.work(held).events);
}

/** Refuses a path that is not in the folder of the conversation. */
function inFolder(answer: (about: AboutPath) => HttpAnswer, { absolute = false } = {}): Answering {
  return (held, context, { query }) => {
    const reader = new QueryReader(query);
    const given = reader.required('path');
    if (reader.errors.length > 0) return invalid(reader.errors);
    if (held.isInSandbox && absolute && !given.startsWith('/')) return failed(400, 'Path must be absolute');
    const path = held.isInSandbox ? inProject(held, given) : given;
    const isInside = path === held.folder || path.startsWith(`${held.folder}/`);
    if (!isInside || path.split('/').includes('..'))
      return failed(422, 'path must be inside the conversation workspace');
    return answer({ held, path, query, repository: repositoryOf(held, context) });
  };
}

const needsAbsolute = { absolute: true };

/** The path in a sandbox, where relative ones begin at the folder that the process runs in. */
function inProject(held: FolderConversation, path: string): string {
  const root = posix.join(processFolder, workingFolder(held));
  return posix.join(held.folder, posix.relative(root, posix.resolve(processFolder, path)));
}

/** The files that this ref, by default the beginning, does not have as they are. */
function since(repository: WorkingCopy | undefined, ref: string | null): readonly EditedFile[] {
  return repository?.since(resolved(repository, ref)) ?? [];
}

function resolved({ commits, base }: WorkingCopy, ref: string | null): string {
  return ref === 'HEAD' ? (commits[0]?.sha ?? base) : (ref ?? base);
}

export const listChanges = inFolder(({ query, repository }) =>
  json(since(repository, query.get('ref')).map(status)),
);

export const listCommit: Answering = (held, context, { segments }) =>
  json((repositoryOf(held, context)?.changedBy(segments[5] ?? '') ?? []).map(status));

function status({ path, before }: EditedFile): object {
  return { status: before === undefined ? 'ADDED' : 'UPDATED', path };
}

export const showDiff = inFolder(({ held, path, query, repository }) => {
  const commit = query.get('commit');
  const files = commit === null ? since(repository, query.get('ref')) : (repository?.changedBy(commit) ?? []);
  const file = fileAt(held, path, files);
  if (!file) return failed(400, `File does not exist: ${path}`);
  // A real one leaves out the last line break.
  const [original, modified] = [file.before ?? '', file.after].map((text) => text.replace(/\n$/, ''));
  return json({ modified, original });
});

function fileAt(
  { folder }: FolderConversation,
  path: string,
  files: readonly EditedFile[],
): EditedFile | undefined {
  return files.find((file) => `${folder}/${file.path}` === path);
}

export const listCommits = inFolder(({ repository }) =>
  json({
    commits: (repository?.commits ?? []).map(({ sha, subject, author, at }) => ({
      sha,
      short_sha: sha.slice(0, 7),
      subject,
      author,
      timestamp: new Date(at).toISOString().replace(/\.\d+Z$/, '+00:00'),
    })),
    has_more: false,
  }),
);

export const archive = inFolder(({ held, query, repository }) => {
  const ref = query.get('base_ref');
  const [head] = repository?.commits ?? [];
  if (!repository || !head) return failed(400, 'Path is not a git repository');
  const base = resolved(repository, ref);
  if (!repository.commits.some(({ sha }) => sha === base))
    return failed(400, `base_ref '${base}' could not be resolved`);
  return {
    status: 200,
    headers: {
      'content-type': 'text/x-patch; charset=utf-8',
      // The older service in a sandbox does not tell these.
      ...(!held.isInSandbox && {
        'x-archive-branch': 'main',
        'x-archive-head-commit': head.sha,
        'x-archive-repo-root': encodeURIComponent(held.folder),
      }),
      'x-archive-base-commit': base,
      'x-archive-base-ref': ref ?? '',
    },
    content: patchOf(repository.since(base)),
  };
}, needsAbsolute);

export const download = inFolder(({ held, path, repository }) => {
  const file = fileAt(held, path, since(repository, null));
  return file ? text(file.after, 'application/octet-stream') : failed(404, 'File not found');
}, needsAbsolute);
