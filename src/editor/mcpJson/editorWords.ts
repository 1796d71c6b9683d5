/** The errors that the editor's own JSON support reports, so that nothing is said twice. */
import { type Diagnostic, DiagnosticSeverity, type TextDocument, workspace } from 'vscode';
import type { Problem, ProblemCode } from '../../mcp/problems/findProblems.ts';
import { rangeOf } from './spans.ts';

/** What a schema says has no source. */
export function isOfEditor({ source }: Diagnostic): boolean {
  return source === undefined || source === 'json' || source === 'jsonc';
}

/**
 * Whether the editor is expected to say it as well, and as an error. What it finds with our schema is only a warning of
 * its own, which would hide that the whole file is refused; and in the language that it takes mcp.json for, it lets
 * comments and commas pass.
 */
export function isSaidByEditor({ uri, languageId }: TextDocument, code: ProblemCode): boolean {
  if (languageId !== 'json' && languageId !== 'jsonc') return false;
  if (workspace.getConfiguration('json', uri).get('validate.enable') === false) return false;
  return code === 'syntax' || ((code === 'comment' || code === 'trailingComma') && languageId === 'json');
}

/** Whether it does say it. */
export function isSaid(document: TextDocument, problem: Problem, theirs: readonly Diagnostic[]): boolean {
  if (problem.code === 'syntax') {
    return theirs.some(({ severity }) => severity === DiagnosticSeverity.Error);
  }
  const range = rangeOf(document, problem);
  return theirs.some((their) => their.range.intersection(range) !== undefined);
}
