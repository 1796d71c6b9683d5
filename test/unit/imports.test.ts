import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from '../host/paths.ts';
import { circlesIn } from '../support/circles.ts';

const source = join(root, 'src');
const filesIn = (folder: string) =>
  globSync('**/*.ts', { cwd: join(root, folder) }).map((name) =>
    join(root, folder, name),
  );
const shown = (file: string) => relative(source, file).replaceAll('\\', '/');

/** The paths that a text imports from our own source. */
function importsOf(text: string): string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'));
}

describe('the import graph of src/', () => {
  const imports = new Map(
    filesIn('src').map((file) => [
      file,
      importsOf(readFileSync(file, 'utf8')).map((path) =>
        join(dirname(file), path),
      ),
    ]),
  );

  it('has no cycles', () => {
    assert(imports.size > 100);
    const circles = circlesIn(imports).map((circle) =>
      circle.map(shown).join(', '),
    );
    assert.deepEqual(circles, []);
  });

  it('has no cycles of folders', () => {
    const folderOf = (file: string) => dirname(shown(file));
    const folders = new Map<string, string[]>();
    for (const [file, imported] of imports) {
      const folder = folderOf(file);
      const others = imported.map(folderOf).filter((other) => other !== folder);
      folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
    }
    assert(folders.size > 40);
    assert.deepEqual(circlesIn(folders), []);
  });

  it('includes every form of import, types too', () => {
    const text = `
      import type { A } from './a.ts';
      import { type B, b } from '../b.ts';
      import c from 'elsewhere';
      export { d } from './d.ts';
      const e = async () => await import('./e.ts');
      type F = typeof import('./f.ts');
      type G = import('./g.ts').G;
    `;
    assert.deepEqual(importsOf(text).sort(), [
      '../b.ts',
      './a.ts',
      './d.ts',
      './e.ts',
      './f.ts',
      './g.ts',
    ]);
  });

  it('reports the files of each cycle', () => {
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

/**
 * The kinds of services, and the Agent Server of the demo, each have the parts
 * of the same interface.
 */
const implementations =
  /^(service\/(abilities|agentServer|v1|v0)|demo\/agentServer)\/[^/]+$/;

describe('the set of files in src/', () => {
  it('has no duplicate names, except implementations of one interface', () => {
    const all = new Map<string, string[]>();
    for (const file of filesIn('src'))
      all.set(basename(file), [
        ...(all.get(basename(file)) ?? []),
        shown(file),
      ]);
    assert(all.size > 400, String(all.size));
    assert.deepEqual(
      [...all.values()].filter(
        (same) =>
          same.length > 1 && !same.every((file) => implementations.test(file)),
      ),
      [],
    );
  });
});

/** The names that a file exports and no other file mentions. */
function unreadExports(texts: ReadonlyMap<string, string>): string[] {
  const files = [...texts].map(([file, text]) => ({
    file,
    text,
    words: new Set(text.match(/\w+/g)),
  }));
  const declared =
    /^export (?:async |abstract )*(?:const|let|function|class|interface|type|enum)\*? (\w+)/gm;
  return files.flatMap(({ file, text }) =>
    [...text.matchAll(declared)]
      .flatMap(([, name]) => name ?? [])
      .filter(
        (name) =>
          !files.some((other) => other.file !== file && other.words.has(name)),
      )
      .map((name) => `${file}: ${name}`),
  );
}

describe('the set of exports in src/', () => {
  it('contains only names that another file uses, except decodeHTMLStrict', () => {
    const files = ['src', 'test', 'build']
      .flatMap(filesIn)
      .filter((file) => file !== import.meta.filename);
    const texts = new Map(
      files.map((file) => [shown(file), readFileSync(file, 'utf8')]),
    );
    const unread = unreadExports(texts).filter(
      (found) => !found.startsWith('..'),
    );
    // It takes the place of a package, for another one.
    assert.deepEqual(unread, ['webview/htmlEntities.ts: decodeHTMLStrict']);
  });

  it('contains every name only once', () => {
    const all = new Map<string, string[]>();
    for (const file of filesIn('src')) {
      const text = readFileSync(file, 'utf8');
      for (const [, name = ''] of text.matchAll(
        /^export (?:async |abstract )*(?:const|let|function|class|interface|type|enum)\*? (\w+)/gm,
      ))
        all.set(name, [...(all.get(name) ?? []), shown(file)]);
    }
    assert(all.size > 1_000, String(all.size));
    assert.deepEqual(
      [...all].filter(([, files]) => files.length > 1),
      [],
    );
  });

  it('reports names that no other file uses', () => {
    const texts = new Map([
      [
        'a.ts',
        'export const one = 1;\nexport type Two = 2;\nexport async function three() {}',
      ],
      [
        'b.ts',
        "import { one } from './a.ts';\nexport abstract class Four {}\nconst five = one;",
      ],
    ]);
    assert.deepEqual(unreadExports(texts), [
      'a.ts: Two',
      'a.ts: three',
      'b.ts: Four',
    ]);
  });
});
