/**
 * Shows problems of open configuration files, and fixes them with undoable
 * edits.
 */
import {
  CodeAction,
  type CodeActionContext,
  CodeActionKind,
  type CodeActionProvider,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
  Diagnostic,
  Disposable,
  languages,
  Location,
  type Range,
  type TextDocument,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { present } from '../../base/parts.ts';
import {
  commandsToFind,
  missingCommandProblem,
  variableProblem,
  variablesToFind,
} from '../../mcp/problems/missingOnMachine.ts';
import { findProblems } from '../../mcp/problems/findProblems.ts';
import { fixAll } from '../../mcp/problems/fixAll.ts';
import type {
  Problem,
  ProblemCode,
  Severity,
} from '../../mcp/problems/problem.ts';
import { smallestEdit } from '../../mcp/text/withEdits.ts';
import { filesOf, hasTab } from '../ui/tabs.ts';
import { isConfigFile } from './places.ts';
import { programsOnPath } from './programsOnPath.ts';
import { rangeOf, workspaceEdit } from './spans.ts';

const diagnosticSource = 'Agent Switchboard';

export const fixAllKind = CodeActionKind.SourceFixAll.append('switchboard');

const typingPauseMs = 100;

const editorProblemsTimeoutMs = 3_000;

interface Watched {
  readonly document: TextDocument;
  version: number;
  problems: readonly Problem[];
  unset: readonly Problem[];
  missing: ReadonlySet<string>;
  shown: ReadonlySet<string>;
  state: string;
  hasWaited: boolean;
  cancel: () => void;
}

export class ConfigProblems implements CodeActionProvider, Disposable {
  readonly #collection = languages.createDiagnosticCollection('switchboard');
  readonly #isInstalled = programsOnPath();
  readonly #watched = new Map<string, Watched>();
  readonly #subscriptions: Disposable;

  constructor() {
    this.#subscriptions = Disposable.from(
      workspace.onDidOpenTextDocument((document) => {
        this.#open(document);
      }),
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.#close(uri);
      }),
      window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
        for (const uri of closed.flatMap(filesOf))
          if (!hasTab(uri)) this.#close(uri);
        const openedFiles = new Set(opened.flatMap(filesOf).map(String));
        for (const document of workspace.textDocuments)
          if (openedFiles.has(document.uri.toString())) this.#open(document);
      }),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const watched = this.#watched.get(document.uri.toString());
        if (!watched || contentChanges.length === 0) return;
        watched.cancel();
        watched.cancel = systemClock.after(typingPauseMs, () => {
          this.#check(watched);
        });
      }),
      workspace.onDidSaveTextDocument(({ uri }) => {
        const watched = this.#watched.get(uri.toString());
        if (watched) this.#check(watched);
      }),
      languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) {
          const watched = this.#watched.get(uri.toString());
          if (watched) this.#show(watched);
        }
      }),
      this.#collection,
    );
    for (const document of workspace.textDocuments) this.#open(document);
  }

  provideCodeActions(
    document: TextDocument,
    range: Range,
    context: CodeActionContext,
  ): CodeAction[] {
    const wants = (kind: CodeActionKind) =>
      !context.only || context.only.contains(kind);
    const problems = this.#problemsOf(document);
    const here = problems.filter((problem) =>
      rangeOf(document, problem).intersection(range),
    );
    const actions: CodeAction[] = [];
    if (wants(CodeActionKind.QuickFix)) {
      actions.push(
        ...here.flatMap((problem) =>
          fixesOf(document, problem, context.diagnostics),
        ),
      );
    }
    if (!wants(fixAllKind) && actions.length === 0) return actions;
    const edits = editsOfAll(document.getText(), problems);
    if (edits.length === 0) return actions;
    const kinds = present(
      actions.length > 0 && CodeActionKind.QuickFix,
      wants(fixAllKind) && fixAllKind,
    );
    for (const kind of kinds) {
      const all = new CodeAction(t('Apply all safe fixes'), kind);
      all.edit = workspaceEdit(document, edits);
      actions.push(all);
    }
    return actions;
  }

  dispose(): void {
    for (const { document } of [...this.#watched.values()])
      this.#close(document.uri);
    this.#subscriptions.dispose();
  }

  #problemsOf(document: TextDocument): readonly Problem[] {
    const watched = this.#watched.get(document.uri.toString());
    if (!watched) return [];
    if (watched.version !== document.version) this.#check(watched);
    return watched.problems;
  }

  #open(document: TextDocument) {
    const key = document.uri.toString();
    if (
      document.isClosed ||
      !isConfigFile(document.uri) ||
      this.#watched.has(key)
    )
      return;
    const watched: Watched = {
      document,
      version: -1,
      problems: [],
      unset: [],
      missing: new Set(),
      shown: new Set(),
      state: '',
      hasWaited: false,
      cancel: () => undefined,
    };
    this.#watched.set(key, watched);
    this.#check(watched);
  }

  #close(uri: Uri) {
    const key = uri.toString();
    this.#watched.get(key)?.cancel();
    this.#watched.delete(key);
    this.#collection.delete(uri);
  }

  #check(watched: Watched) {
    const { document } = watched;
    watched.cancel();
    watched.version = document.version;
    watched.problems = [
      ...encodingProblems(document),
      ...findProblems(document.getText()),
    ];
    watched.unset = variablesToFind(document.getText())
      .filter(({ variable }) => process.env[variable] === undefined)
      .map(variableProblem);
    watched.hasWaited = false;
    if (watched.problems.some(({ code }) => isSaidByEditor(document, code))) {
      watched.cancel = systemClock.after(editorProblemsTimeoutMs, () => {
        watched.hasWaited = true;
        this.#show(watched);
      });
    }
    this.#show(watched);
    void this.#findCommands(watched);
  }

  async #findCommands(watched: Watched) {
    const { document, version } = watched;
    const all = new Set(
      commandsToFind(document.getText()).map(({ command }) => command),
    );
    const missing = new Set<string>();
    for (const command of all)
      if (!(await this.#isInstalled(command))) missing.add(command);
    if (watched.version !== version) return;
    watched.missing = missing;
    this.#show(watched);
  }

  #show(watched: Watched) {
    const { document, version, missing } = watched;
    const { uri } = document;
    // Places are outdated after closing or typing.
    if (
      this.#watched.get(uri.toString()) !== watched ||
      document.version !== version
    )
      return;
    const theirs = languages.getDiagnostics(uri).filter(isOfEditor);
    const commands =
      missing.size === 0 ? [] : commandsToFind(document.getText());
    const notFound = commands
      .filter(({ command }) => missing.has(command))
      .map(missingCommandProblem);
    const visibleProblems = [
      ...watched.problems,
      ...watched.unset,
      ...notFound,
    ].filter((problem) => {
      if (!isSaidByEditor(document, problem.code)) return true;
      if (isSaid(document, problem, theirs)) return false;
      return watched.hasWaited || watched.shown.has(wordsOf(problem));
    });
    watched.shown = new Set(visibleProblems.map(wordsOf));
    // Setting diagnostics fires the event that led here.
    const state = visibleProblems
      .map((problem) => `${problem.start} ${problem.end} ${wordsOf(problem)}`)
      .join('\n');
    if (state === watched.state) return;
    watched.state = state;
    this.#collection.set(
      uri,
      visibleProblems.map((problem) => diagnosticOf(document, problem)),
    );
  }
}

/**
 * A byte order mark is not in the document's text. Saving with another encoding
 * removes it.
 */
function encodingProblems({ encoding }: TextDocument): Problem[] {
  if (encoding !== 'utf8bom') return [];
  return findProblems('\uFEFF{"mcpServers":{}}').map((problem) => ({
    ...problem,
    fixes: () => [],
  }));
}

function wordsOf({ code, message }: Problem): string {
  return `${code} ${message}`;
}

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

function diagnosticOf(document: TextDocument, problem: Problem): Diagnostic {
  const { code, message, severity, related = [] } = problem;
  const diagnostic = new Diagnostic(
    rangeOf(document, problem),
    message,
    severities[severity],
  );
  diagnostic.code = code;
  diagnostic.source = diagnosticSource;
  diagnostic.relatedInformation = related.map(
    (place) =>
      new DiagnosticRelatedInformation(
        new Location(document.uri, rangeOf(document, place)),
        place.message,
      ),
  );
  return diagnostic;
}

/** Schema problems have no source. */
function isOfEditor({ source }: Diagnostic): boolean {
  return source === undefined || source === 'json' || source === 'jsonc';
}

/**
 * True if the editor is expected to report the same as an error. Schema
 * problems are only warnings of the editor, which would hide that the whole
 * file is refused; and in mcp.json, the editor allows comments and trailing
 * commas.
 */
function isSaidByEditor(
  { uri, languageId }: TextDocument,
  code: ProblemCode,
): boolean {
  if (languageId !== 'json' && languageId !== 'jsonc') return false;
  if (workspace.getConfiguration('json', uri).get('validate.enable') === false)
    return false;
  return (
    code === 'syntax' ||
    ((code === 'comment' || code === 'trailingComma') && languageId === 'json')
  );
}

function isSaid(
  document: TextDocument,
  problem: Problem,
  theirs: readonly Diagnostic[],
): boolean {
  if (problem.code === 'syntax') {
    return theirs.some(({ severity }) => severity === DiagnosticSeverity.Error);
  }
  const range = rangeOf(document, problem);
  return theirs.some((their) => their.range.intersection(range) !== undefined);
}

function fixesOf(
  document: TextDocument,
  problem: Problem,
  diagnostics: readonly Diagnostic[],
): CodeAction[] {
  const range = rangeOf(document, problem);
  const solved = diagnostics.filter((diagnostic) => {
    if (!diagnostic.range.intersection(range)) return false;
    return (
      isOfEditor(diagnostic) ||
      (diagnostic.source === diagnosticSource &&
        diagnostic.code === problem.code)
    );
  });
  if (problem.code === 'byteOrderMark') {
    const action = new CodeAction(
      t('Save with another encoding…'),
      CodeActionKind.QuickFix,
    );
    action.command = {
      title: action.title,
      command: 'workbench.action.editor.changeEncoding',
    };
    action.diagnostics = solved;
    return [action];
  }
  return problem.fixes().map(({ title, edits, certain }) => {
    const action = new CodeAction(title, CodeActionKind.QuickFix);
    action.edit = workspaceEdit(document, edits);
    action.diagnostics = solved;
    action.isPreferred = certain;
    return action;
  });
}

/** Empty if the fixes conflict; each can still be applied on its own. */
function editsOfAll(text: string, problems: readonly Problem[]) {
  if (!problems.some(({ fixes }) => fixes().some(({ certain }) => certain)))
    return [];
  try {
    const fixed = fixAll(text);
    return fixed === text ? [] : [smallestEdit(text, fixed)];
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
