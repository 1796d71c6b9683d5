/** The ids of rows of changed files, which commands get as their argument. */

export function fileRowId(key: string, path: string): string {
  return `${key} ${path}`;
}

/**
 * Addresses and ids have no spaces; paths may. The path is empty if it is the
 * id of something else.
 */
export function readFileRow(id: string): {
  readonly key: string;
  readonly path: string;
} {
  const [, key = '', path = ''] = /^(\S+ \S+) (.*)$/s.exec(id) ?? [];
  return { key, path };
}
