// Makes few files of many modules. Of several parts, esbuild makes one file for each set of parts that have some code in
// common: a hundred. To find a file takes longer than to read it, and in the package small files take more room.
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import * as esbuild from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const source = resolve(root, 'src');

/**
 * @typedef {object} Parts
 * @property {readonly (readonly string[])[]} together files in src/ that are used together, though each is imported when
 *   it is used: they become one part
 * @property {readonly Start[]} starts what is shared by several parts becomes one file for each set of starts that load
 *   it, and one for what no start loads
 *
 * @typedef {object} Start
 * @property {readonly string[]} files in src/: what these import is loaded at once
 * @property {boolean} [later] whether what they may import later counts as well
 */

/**
 * @param {esbuild.BuildOptions} options
 * @param {Parts} parts
 * @returns {Promise<esbuild.BuildOptions>}
 */
export async function inFewFiles(options, parts) {
  const build = (groups, plugins = []) => ({
    ...options,
    absWorkingDir: root,
    metafile: true,
    plugins: [ofSource(parts, groups), ...plugins],
  });
  const none = { of: new Map(), imported: new Map() };
  try {
    const quiet = { write: false, logLevel: 'silent' };
    const { metafile } = await esbuild.build({ ...build(none, options.plugins), ...quiet });
    return build(groupsIn(metafile, parts.starts), options.plugins);
  } catch (error) {
    // The build itself prints what is wrong with the sources.
    if (!Array.isArray(error.errors)) throw error;
    return build(none, options.plugins);
  }
}

/**
 * @typedef {object} Groups
 * @property {ReadonlyMap<string, string>} of the group of each file that several parts share
 * @property {ReadonlyMap<string, readonly string[]>} imported the groups of which a file imports something
 *
 * @returns {Groups} with paths as the metafile has them
 */
function groupsIn({ inputs, outputs }, starts) {
  const loaded = starts.map(({ files, later = false }) => {
    const found = new Set();
    const load = (path) => {
      if (found.has(path)) return;
      found.add(path);
      for (const { path: next, kind, external } of outputs[path].imports) {
        if (external !== true && (later || kind === 'import-statement')) load(next);
      }
    };
    for (const file of files) {
      const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === `src/${file}`) ?? [];
      if (path === undefined) throw new Error(`${file} does not start anything.`);
      load(path);
    }
    return found;
  });
  const of = new Map();
  for (const [path, output] of Object.entries(outputs)) {
    if (output.entryPoint !== undefined) continue;
    const group = loaded.map((found) => (found.has(path) ? 1 : 0)).join('');
    for (const file of Object.keys(output.inputs)) if (/^src\/.*\.ts$/.test(file)) of.set(file, group);
  }
  const imported = Object.entries(inputs).map(([file, { imports }]) => {
    const all = imports.flatMap(({ path, kind }) =>
      kind === 'import-statement' ? (of.get(path) ?? []) : [],
    );
    return [file, [...new Set(all)].filter((group) => group !== of.get(file))];
  });
  return { of, imported: new Map(imported) };
}

/**
 * Whatever imports a file of a group imports all of it, so that all of it is needed by the same parts.
 * @param {Parts} parts
 * @param {Groups} groups
 * @returns {esbuild.Plugin}
 */
function ofSource({ together }, { of, imported }) {
  const withGroups = (text, groups = []) =>
    `${text}\n${groups.map((group) => `import 'group:${group}';`).join('\n')}`;
  const inSource = (contents) => ({ contents, resolveDir: source });
  const pathOf = (file) => relative(root, file).replaceAll('\\', '/');
  const partOf = (path) => together.findIndex((files) => files.some((file) => `src/${file}` === path));
  return {
    name: 'of-source',
    setup(build) {
      build.onResolve({ filter: /^\..*\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const file = pathOf(resolve(resolveDir, path));
        const part = partOf(file);
        if (part >= 0) return { path: `part${part}`, namespace: 'together' };
        return of.has(file) ? { path: file, namespace: 'grouped' } : undefined;
      });
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
        loader: 'ts',
        contents: withGroups(await readFile(path, 'utf8'), imported.get(pathOf(path))),
      }));
      build.onLoad({ filter: /./, namespace: 'together' }, async ({ path }) => {
        const files = together[Number(path.slice('part'.length))];
        const names = (await Promise.all(files.map(exported))).flat();
        const twice = names.filter((name, index) => names.indexOf(name) < index);
        return {
          ...inSource(
            withGroups(
              files.map((file) => `export * from './${file}';`).join('\n'),
              imported.get(`together:${path}`),
            ),
          ),
          // Nothing of that name would be exported.
          errors: twice.map((name) => ({ text: `${name} is exported twice in one part.` })),
        };
      });
      build.onLoad({ filter: /./, namespace: 'grouped' }, ({ path }) =>
        inSource(withGroups(`export * from './../${path}';`, [of.get(path)])),
      );
      build.onResolve({ filter: /^group:/ }, ({ path }) => ({ path, namespace: 'group' }));
      build.onLoad({ filter: /./, namespace: 'group' }, ({ path }) => {
        const files = [...of].filter(([, group]) => path === `group:${group}`);
        return inSource(files.map(([file]) => `import './../${file}';`).join('\n'));
      });
    },
  };
}

async function exported(file) {
  const text = await readFile(resolve(source, file), 'utf8');
  return Array.from(text.matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm), ([, name]) => name);
}
