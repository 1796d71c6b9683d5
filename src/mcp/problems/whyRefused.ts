import type { Outline } from '../format/outline.ts';
import { isRefused } from '../format/verdict.ts';
import type { Problem } from './findProblems.ts';

/** The first reason for a refusal. Loads the checks only for a refused file. */
export async function whyRefused(found: Outline): Promise<Problem | undefined> {
  if (!isRefused(found)) return undefined;
  const { findProblems } = await import('./findProblems.ts');
  return findProblems(found.text).find(({ severity }) => severity === 'error');
}
