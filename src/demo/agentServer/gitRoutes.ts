/** What Git says about the folder of a conversation, as the Agent Server passes it on. */
import { posix } from 'node:path';
import { type HttpAnswer, type Call, failed, json } from '../http.ts';
import type { RouteContext } from '../route.ts';
import { invalid, QueryReader } from '../validate.ts';
import { processFolder, workingFolder } from './folders.ts';
import type { FolderConversation } from './held.ts';
import { changedBy, commitsOf, patchOf, type RepositoryFile } from './demoRepositories.ts';

type Answering = (held: FolderConversation, context: RouteContext, call: Call) => HttpAnswer;

/** Refuses a path that is not in the folder of the conversation. */
function inFolder(
  answer: (held: FolderConversation, path: string, query: URLSearchParams, call: Call) => HttpAnswer,
  { absolute = false } = {},
): Answering {
  return (held, _, call) => {
    const reader = new QueryReader(call.query);
    const given = reader.required('path');
    if (reader.errors.length > 0) return invalid(reader.errors);
    if (held.isInSandbox && absolute && !given.startsWith('/')) return failed(400, 'Path must be absolute');
    const path = held.isInSandbox ? inProject(held, given) : given;
    const isInside = path === held.folder || path.startsWith(`${held.folder}/`);
    if (!isInside || path.split('/').includes('..'))
      return failed(422, 'path must be inside the conversation workspace');
    return answer(held, path, call.query, call);
  };
}

const needsAbsolute = { absolute: true };

/** The path in a sandbox, where relative ones begin at the folder that the process runs in. */
function inProject(held: FolderConversation, path: string): string {
  const root = posix.join(processFolder, workingFolder(held));
  return posix.join(held.folder, posix.relative(root, posix.resolve(processFolder, path)));
}

/** Those that this ref, or the beginning, does not have yet. */
function since(held: FolderConversation, ref: string | null): readonly RepositoryFile[] {
  const isHead = ref === 'HEAD' || (ref !== null && ref === commitsOf(held)[0]?.sha);
  return changedBy(held).filter(({ committed }) => !isHead || !committed);
}

function fileAt(held: FolderConversation, path: string): RepositoryFile | undefined {
  return changedBy(held).find((file) => `${held.folder}/${file.path}` === path);
}

export const listChanges = inFolder((held, _, query) =>
  json(since(held, query.get('ref')).flatMap(statuses)),
);

export const listCommit: Answering = (held, _, call) => {
  const own = commitsOf(held)[0]?.sha === call.segments[5];
  return json(
    changedBy(held)
      .filter(({ committed }) => own && committed)
      .flatMap(statuses),
  );
};

/** A moved file is deleted in one place and added in another. */
function statuses({ path, before, after, from }: RepositoryFile): object[] {
  if (from !== undefined)
    return [
      { status: 'DELETED', path: from },
      { status: 'ADDED', path },
    ];
  return [{ status: !before ? 'ADDED' : !after ? 'DELETED' : 'UPDATED', path }];
}

export const showDiff = inFolder((held, path) => {
  const file = fileAt(held, path);
  if (!file) return failed(400, `File does not exist: ${path}`);
  // As it is there: without the last line break.
  const side = (bytes: Uint8Array | undefined) =>
    bytes ? Buffer.from(bytes).toString('utf8').replace(/\n$/, '') : '';
  return json({
    modified: side(file.after),
    original: side(file.from === undefined ? file.before : undefined),
  });
});

export const listCommits = inFolder((held) =>
  json({
    commits: commitsOf(held).map(({ sha, subject, author, at }) => ({
      sha,
      short_sha: sha.slice(0, 7),
      subject,
      author,
      timestamp: new Date(at).toISOString().replace(/\.\d+Z$/, '+00:00'),
    })),
    has_more: false,
  }),
);

export const archive = inFolder((held, _, query) => {
  const ref = query.get('base_ref');
  const [head] = commitsOf(held);
  if (!head) return failed(400, 'Path is not a git repository');
  const base =
    ref === 'HEAD' ? head.sha : (ref ?? commitsOf(held).find(({ at }) => at < held.createdAt)?.sha);
  if (base === undefined || !commitsOf(held).some(({ sha }) => sha === base))
    return failed(400, `base_ref '${base ?? ''}' could not be resolved`);
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
    content: patchOf(since(held, ref)),
  };
}, needsAbsolute);

export const download = inFolder((held, path) => {
  const after = fileAt(held, path)?.after;
  if (!after) return failed(404, 'File not found');
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, content: after };
}, needsAbsolute);
