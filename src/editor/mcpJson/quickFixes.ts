/** Quick fixes and Fix All, as undoable edits. */
import {
  CodeAction,
  type CodeActionContext,
  CodeActionKind,
  type CodeActionProvider,
  type Diagnostic,
  type Range,
  type TextDocument,
} from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { fixAll } from '../../mcp/problems/fixAll.ts';
import type { Problem } from '../../mcp/problems/findProblems.ts';
import { isOfEditor, type ConfigProblems, diagnosticSource } from './problems.ts';
import { rangeOf, workspaceEdit } from './spans.ts';

export const fixAllKind = CodeActionKind.SourceFixAll.append('switchboard');

export class QuickFixes implements CodeActionProvider {
  readonly #problems: ConfigProblems;
  /** The edits of Fix All for the last text. */
  #all: { readonly text: string; readonly edits: ReturnType<typeof fixAll>['edits'] } | undefined;

  constructor(problems: ConfigProblems) {
    this.#problems = problems;
  }

  provideCodeActions(document: TextDocument, range: Range, context: CodeActionContext): CodeAction[] {
    const wants = (kind: CodeActionKind) => !context.only || context.only.contains(kind);
    const problems = this.#problems.of(document);
    const here = problems.filter((problem) => rangeOf(document, problem).intersection(range));
    const actions: CodeAction[] = [];
    if (wants(CodeActionKind.QuickFix)) {
      actions.push(...here.flatMap((problem) => fixesOf(document, problem, context.diagnostics)));
    }
    if (!wants(fixAllKind) && actions.length === 0) return actions;
    const edits = this.#editsOfAll(document.getText(), problems);
    if (edits.length === 0) return actions;
    const kinds = [
      ...(actions.length > 0 ? [CodeActionKind.QuickFix] : []),
      ...(wants(fixAllKind) ? [fixAllKind] : []),
    ];
    for (const kind of kinds) {
      const all = new CodeAction(t('Fix all that is certain'), kind);
      all.edit = workspaceEdit(document, edits);
      actions.push(all);
    }
    return actions;
  }

  #editsOfAll(text: string, problems: readonly Problem[]) {
    if (this.#all?.text !== text) this.#all = { text, edits: editsOfAll(text, problems) };
    return this.#all.edits;
  }
}

function fixesOf(document: TextDocument, problem: Problem, diagnostics: readonly Diagnostic[]): CodeAction[] {
  const range = rangeOf(document, problem);
  const solved = diagnostics.filter((diagnostic) => {
    if (!diagnostic.range.intersection(range)) return false;
    return (
      isOfEditor(diagnostic) || (diagnostic.source === diagnosticSource && diagnostic.code === problem.code)
    );
  });
  if (problem.code === 'byteOrderMark') {
    const action = new CodeAction(t('Save with another encoding…'), CodeActionKind.QuickFix);
    action.command = { title: action.title, command: 'workbench.action.editor.changeEncoding' };
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
  if (!problems.some(({ fixes }) => fixes().some(({ certain }) => certain))) return [];
  try {
    return fixAll(text).edits;
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
