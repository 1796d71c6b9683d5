/**
 * Tables in Markdown, as the results of long runs and the documents show them.
 */
import { join } from 'node:path';
import * as prettier from 'prettier';
import { root } from '../host/paths.ts';

/** The first row is the head. */
export function table([
  head = [],
  ...rows
]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join(
    '\n',
  );
}

/** Formats Markdown like the rest of the repository. */
export async function formatted(text: string): Promise<string> {
  const options = await prettier.resolveConfig(join(root, 'README.md'));
  return await prettier.format(text, { ...options, parser: 'markdown' });
}
