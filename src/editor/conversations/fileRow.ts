import type { ConversationKey } from '../../service/model/entities.ts';
/** The ids of rows of changed files, which commands get as their argument. */

export function fileRowId(key: ConversationKey, path: string): string {
  return `${key} ${path}`;
}

/**
 * Addresses and ids have no spaces; paths may. `undefined` for the id of
 * something else.
 */
export function readFileRow(
  rowId: string,
): { readonly key: ConversationKey; readonly path: string } | undefined {
  const [service = '', id = '', ...path] = rowId.split(' ');
  if (path.length === 0) return undefined;
  return { key: `${service} ${id}`, path: path.join(' ') };
}
