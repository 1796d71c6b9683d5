/** What the editor's own support of JSON says is wrong, so that nothing is said twice. */
import { type Diagnostic, DiagnosticSeverity, type TextDocument, workspace } from 'vscode';
import type { Problem, ProblemCode } from '../../mcp/problems/findProblems.ts';
import { hasSchema } from './places.ts';
import { rangeOf } from './spans.ts';

/** What it says where it checks a file with our schema. */
const bySchema: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'wrongType',
  'notAnObject',
  'noTarget',
  'commandIsList',
  'emptyCommand',
  'badValue',
  'unknownTransport',
  'transportMisfit',
  'badUrl',
]);

/** What a schema says has no source. */
export function isOfEditor({ source }: Diagnostic): boolean {
  return source === undefined || source === 'json' || source === 'jsonc';
}

/**
 * Whether the editor is expected to say it as well. What it does not know is said in any case: that a comment or a comma
 * makes the whole file useless, which it lets pass in the language that it takes mcp.json for, and which one of two
 * keys counts.
 */
export function isSaidByEditor({ uri, languageId }: TextDocument, code: ProblemCode): boolean {
  if (languageId !== 'json' && languageId !== 'jsonc') return false;
  if (workspace.getConfiguration('json', uri).get('validate.enable') === false) return false;
  if (code === 'syntax') return true;
  if (code === 'comment' || code === 'trailingComma') return languageId === 'json';
  return bySchema.has(code) && hasSchema(uri);
}

/** Whether it does say it. */
export function isSaid(document: TextDocument, problem: Problem, theirs: readonly Diagnostic[]): boolean {
  if (problem.code === 'syntax') {
    return theirs.some(({ severity }) => severity === DiagnosticSeverity.Error);
  }
  const range = rangeOf(document, problem);
  return theirs.some((their) => their.range.intersection(range) !== undefined);
}
