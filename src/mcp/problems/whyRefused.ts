import type { Outline } from '../format/outline.ts';
import { isRefused } from '../format/verdict.ts';
import type { Problem } from './findProblems.ts';

/** The first reason why the program refuses a file, where it does. What says it is loaded only then. */
export async function whyRefused(found: Outline): Promise<Problem | undefined> {
  if (!isRefused(found)) return undefined;
  const { findProblems } = await import('./findProblems.ts');
  return findProblems(found.text).find(({ severity }) => severity === 'error');
}
