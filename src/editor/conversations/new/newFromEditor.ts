/** Gathers what a new conversation starts from in the editor. Sends nothing. */
import {
  DiagnosticSeverity,
  type Diagnostic,
  FileType,
  languages,
  Range,
  type Selection,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import { t, userError } from '../../../base/l10n.ts';
import { present } from '../../../base/parts.ts';
import type { NewConversation } from '../../../service/abilities/agentService.ts';
import {
  followLinks,
  newLinkDiff,
} from '../../../state/newConversation/fileLinks.ts';
import {
  agentAccess,
  type CodeRange,
  conflictsIn,
  firstMessageOf,
  type LocalFile,
  type MessageMaterial,
  type StartingPoint,
  type UncommittedChange,
} from '../../../state/newConversation/firstMessage.ts';
import {
  type GitFolder,
  repositoryAround,
  type UncommittedFile,
} from '../../ui/gitRepository.ts';
import {
  attachmentsOf,
  leftOutLine,
  taskOf,
  type WorkedOn,
} from '../../words/conversations/startWords.ts';
import type { CreationService } from './askForChoice.ts';

export async function wantedFrom(
  here: FoundHere,
  place: CreationService,
): Promise<Partial<NewConversation>> {
  const { origin, folder } = here;
  const { repository, branch = '' } = origin;
  const access = await agentAccess(
    place.creation,
    place.service.address,
    folder,
  );
  const start = firstMessageOf(here.found, access);
  const leftOut = present(
    ...start.leftOut.map((file) => leftOutLine(file)),
    start.moreChanges > 0 &&
      access !== 'folder' &&
      t('{0} more', start.moreChanges),
  );
  return {
    message: taskOf(start),
    attached: attachmentsOf(start, origin).map(({ name, text }, id) => ({
      id,
      name,
      text,
      gathered: {
        repository: access === 'repository' ? repository : undefined,
        leftOut: id === 0 ? leftOut : [],
      },
    })),
    ...(access === 'folder' && { folder }),
    ...(access === 'repository' &&
      repository !== undefined && { repository, branch }),
  };
}

export interface FoundHere {
  readonly found: MessageMaterial;
  readonly origin: WorkedOn;
  readonly folder: string | undefined;
}

const contextLines = 5;
const maxTestLines = 40;
const maxTextBytes = 1_000_000;
/** Only the conflicts in the file are sent. */
const maxConflictBytes = 20_000_000;
const maxFiles = 300;

export async function findHere(point: StartingPoint): Promise<FoundHere> {
  switch (point.from) {
    case 'editor':
      return await inEditor();
    case 'problem':
      return await problemAt(point);
    case 'test':
      return await failedTest(point);
    case 'changes':
      return await changesHere(point);
  }
}

async function inEditor(): Promise<FoundHere> {
  const editor = window.activeTextEditor;
  if (!editor) return await changesHere({ from: 'changes' });
  const { document, selection } = editor;
  const git = await repositoryAround(document.uri);
  const file = await localFileOf(document, git);
  if (!selection.isEmpty)
    return here('selection', [pointed(file, selection)], git, document.uri);
  const line = selection.active.line + 1;
  const conflict = conflictsIn(document.getText()).find(
    ({ first, last }) => first <= line && line <= last,
  );
  if (conflict)
    return here(
      'conflict',
      [{ file, ...conflict, problems: [] }],
      git,
      document.uri,
    );
  const problems = languages
    .getDiagnostics(document.uri)
    .filter(
      ({ range }) => range.start.line < line && line <= range.end.line + 1,
    );
  if (problems.length > 0)
    return here(
      'problem',
      [withProblems(file, document, problems)],
      git,
      document.uri,
    );
  return here(
    'place',
    [{ file, first: line, last: line, problems: [] }],
    git,
    document.uri,
  );
}

async function problemAt({
  address,
  range,
}: StartingPoint & { from: 'problem' }): Promise<FoundHere> {
  const document = await workspace.openTextDocument(Uri.parse(address));
  const git = await repositoryAround(document.uri);
  const place = new Range(...range);
  const problems = languages
    .getDiagnostics(document.uri)
    .filter((problem) => place.contains(problem.range));
  if (problems.length === 0) throw userError('This problem is gone.');
  const file = await localFileOf(document, git);
  return here(
    'problem',
    [withProblems(file, document, problems)],
    git,
    document.uri,
  );
}

async function failedTest({
  test,
  address,
  line,
}: StartingPoint & { from: 'test' }): Promise<FoundHere> {
  if (address === undefined)
    return {
      found: { from: 'test', pointed: [], test, changes: [] },
      origin: {},
      folder: undefined,
    };
  const document = await workspace.openTextDocument(Uri.parse(address));
  const git = await repositoryAround(document.uri);
  const file = await localFileOf(document, git);
  const last = Math.min(document.lineCount, line + maxTestLines);
  const start = here(
    'test',
    [{ file, first: line + 1, last, problems: [] }],
    git,
    document.uri,
  );
  return { ...start, found: { ...start.found, test } };
}

async function changesHere({
  root,
  addresses,
}: StartingPoint & { from: 'changes' }): Promise<FoundHere> {
  const uris = addresses?.map((address) => Uri.parse(address));
  const git = await repositoryAround(
    uris?.[0] ?? (root === undefined ? undefined : Uri.parse(root)),
  );
  if (!git) {
    throw userError(
      'There is nothing to start from. Open a file of a Git repository, or select some text.',
    );
  }
  const selection = new Set(addresses);
  const chosen = git.changes.filter(
    ({ uri }) => !addresses || selection.has(uri.toString()),
  );
  if (chosen.length === 0)
    throw userError('There are no uncommitted changes here.');
  const folder = Uri.file(git.root);
  if (addresses && chosen.every(({ isInConflict }) => isInConflict)) {
    const conflicts = await Promise.all(
      chosen.map(({ uri }) => conflictsOf(uri, git)),
    );
    return here('conflict', conflicts.flat(), git, folder);
  }
  const ignored = await git.ignored(chosen.map(({ uri }) => uri));
  const changes: UncommittedChange[] = [];
  for (const change of chosen.slice(0, maxFiles)) {
    changes.push({
      path: git.pathOf(change.uri),
      diff: await diffOf(change, git),
      isIgnored: ignored.has(change.uri.toString()),
    });
  }
  const start = here('changes', [], git, folder);
  return {
    ...start,
    found: {
      ...start.found,
      changes,
      moreChanges: chosen.length - changes.length,
    },
  };
}

async function conflictsOf(uri: Uri, git: GitFolder): Promise<CodeRange[]> {
  const document = await open(uri, maxConflictBytes);
  if (!document) return [{ file: notText(uri, git), ...firstLine }];
  const file = await localFileOf(document, git);
  const conflicts = conflictsIn(document.getText());
  return conflicts.length > 0
    ? conflicts.map((place) => ({ file, ...place, problems: [] }))
    : [{ file, ...firstLine }];
}

const firstLine = { first: 1, last: 1, problems: [] };

/** A file whose name is all that can be told. */
function notText(uri: Uri, git: GitFolder): LocalFile {
  return {
    path: git.pathOf(uri),
    language: '',
    text: undefined,
    isIgnored: false,
    isConcealed: false,
    isUnsaved: false,
    version: git.versionOf(uri),
  };
}

/** Returns the diff of a change. A new or unsaved file is included in full. */
async function diffOf(
  { uri, isUntracked }: UncommittedFile,
  git: GitFolder,
): Promise<string | undefined> {
  const unsaved = workspace.textDocuments.find(
    (document) =>
      document.isDirty && document.uri.toString() === uri.toString(),
  );
  const isShownWhole = isUntracked || unsaved !== undefined;
  const diff = isShownWhole
    ? await newLinkDiff(uri.fsPath, git.pathOf(uri))
    : await git.diff(uri);
  if (diff !== undefined)
    return /^(?:Binary files .* differ|GIT binary patch)$/m.test(diff)
      ? undefined
      : diff;
  const text = (unsaved ?? (await open(uri)))?.getText();
  if (text === undefined) return undefined;
  const lines = text.replace(/\n$/, '').split('\n');
  return [
    `+++ b/${git.pathOf(uri)}`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
}

function here(
  from: MessageMaterial['from'],
  pointed: readonly CodeRange[],
  git: GitFolder | undefined,
  uri: Uri,
): FoundHere {
  const { name: repository, branch, commit } = git ?? {};
  return {
    found: { from, pointed, changes: [] },
    origin: { repository, branch, commit },
    folder: git?.root ?? workspace.getWorkspaceFolder(uri)?.uri.fsPath,
  };
}

function pointed(file: LocalFile, { start, end }: Selection): CodeRange {
  // A selection of whole lines ends at the start of the next line.
  const last =
    end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { file, first: start.line + 1, last, problems: [] };
}

function withProblems(
  file: LocalFile,
  document: TextDocument,
  problems: readonly Diagnostic[],
): CodeRange {
  const first = Math.min(...problems.map(({ range }) => range.start.line)) + 1;
  const last = Math.max(...problems.map(({ range }) => range.end.line)) + 1;
  return {
    file,
    first: Math.max(1, first - contextLines),
    last: Math.min(document.lineCount, last + contextLines),
    problems: [...problems]
      .sort((a, b) => a.severity - b.severity)
      .map(problemText),
  };
}

function problemText({
  message,
  source,
  code,
  severity,
  range,
}: Diagnostic): string {
  const id = typeof code === 'object' ? code.value : code;
  const from = [source, id]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  const kind =
    severity === DiagnosticSeverity.Error ? t('error') : t('warning');
  return `${t('line {0}', range.start.line + 1)}, ${kind}: ${message}${from === '' ? '' : ` (${from})`}`;
}

async function localFileOf(
  document: TextDocument,
  git: GitFolder | undefined,
): Promise<LocalFile> {
  const { uri, languageId: language, isDirty, isUntitled } = document;
  const folders = present(
    git?.root,
    ...(workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
  );
  const behind =
    uri.scheme === 'file' ? await followLinks(uri.fsPath, folders) : undefined;
  const places =
    behind && !behind.isConcealed ? [uri, Uri.file(behind.path)] : [uri];
  return {
    path: git ? git.pathOf(uri) : workspace.asRelativePath(uri),
    language,
    text: document.getText(),
    isIgnored: git !== undefined && (await git.ignored(places)).size > 0,
    isConcealed: behind?.isConcealed === true,
    isUnsaved: isDirty || isUntitled,
    version: git?.versionOf(uri),
  };
}

/** Returns `undefined` for binary files, links and missing files. */
async function open(
  uri: Uri,
  maxBytes = maxTextBytes,
): Promise<TextDocument | undefined> {
  try {
    const { size, type } = await workspace.fs.stat(uri);
    if (
      size > maxBytes ||
      (type & (FileType.Directory | FileType.SymbolicLink)) !== 0
    )
      return undefined;
    if ((await workspace.fs.readFile(uri)).includes(0)) return undefined;
    return await workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}
