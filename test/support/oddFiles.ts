/**
 * Changed files of every kind: deleted, binary, moved, added, and with a space
 * in the name.
 */
import type { RepositoryFile } from './demo/patches.ts';

const text = (content: string) => Buffer.from(content, 'utf8');

const format =
  'export function format(price: number): string {\n  return price.toFixed(2);\n}\n';

export const oddFiles: readonly RepositoryFile[] = [
  {
    path: 'docs/old-prices.md',
    before: text('# Prices\n\nAll prices are net.\n'),
    after: undefined,
  },
  {
    path: 'media/logo.png',
    before: Buffer.from([0x89, 0x50, 0, 1]),
    after: Buffer.from([0x89, 0x50, 0, 2, 3]),
  },
  {
    path: 'src/cart.ts',
    before: text(
      'import { format } from "./format";\n\nexport const total = 0;\n',
    ),
    after: text(
      'import { format } from "./prices";\nimport { tax } from "./tax";\n',
    ),
  },
  {
    path: 'src/prices.ts',
    from: 'src/format.ts',
    before: text(format),
    after: text(format),
  },
  {
    path: 'src/tax.ts',
    before: undefined,
    after: text('export const tax = 0.19;\n'),
  },
  {
    path: 'test/empty basket.test.ts',
    before: undefined,
    after: text('// An empty basket costs nothing.\n'),
  },
];
