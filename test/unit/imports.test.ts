import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from '../host/paths.ts';

const source = join(root, 'src');

/** The paths that a text imports from our own source. */
function importsOf(text: string): string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'));
}

/** Files that import each other, directly or not: the strongly connected components with more than one file. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const number = order.size;
    let low = number;
    order.set(file, number);
    open.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === number) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1 || imports.get(file)?.includes(file)) circles.push(circle.sort());
    }
    return low;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}

describe('the imports in src/', () => {
  it('go in no circle', () => {
    const files = globSync('**/*.ts', { cwd: source }).map((name) => join(source, name));
    const imports = new Map(
      files.map((file) => [
        file,
        importsOf(readFileSync(file, 'utf8')).map((path) => join(dirname(file), path)),
      ]),
    );
    assert(imports.size > 100);
    const shown = (file: string) => relative(source, file).replaceAll('\\', '/');
    const circles = circlesIn(imports).map((circle) => circle.map(shown).join(', '));
    assert.deepEqual(circles, []);
  });

  it('are found wherever they are, types included', () => {
    const text = `
      import type { A } from './a.ts';
      import { type B, b } from '../b.ts';
      import c from 'elsewhere';
      export { d } from './d.ts';
      const e = async () => await import('./e.ts');
      type F = typeof import('./f.ts');
      type G = import('./g.ts').G;
    `;
    assert.deepEqual(importsOf(text).sort(), ['../b.ts', './a.ts', './d.ts', './e.ts', './f.ts', './g.ts']);
  });

  it('are told where they go in a circle', () => {
    const imports = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['e']],
      ['e', []],
      ['f', ['f']],
    ]);
    assert.deepEqual(circlesIn(imports), [['a', 'b', 'c'], ['f']]);
  });
});
