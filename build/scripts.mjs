// Makes scripts (CommonJS) of the modules that esbuild writes, because it splits only modules. Scripts, because the editor
// requires one sooner than it imports a module, and because the terminal can keep what V8 has compiled of a script after
// it has run, functions included: see terminal/compiledScripts.ts.
import { createHash } from 'node:crypto';
import { init, parse } from 'es-module-lexer';

/**
 * For a build with `write: false`.
 * @type {import('esbuild').Plugin}
 */
export const asScripts = {
  name: 'as-scripts',
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      await init();
      const errors = [];
      for (const file of outputFiles.filter(({ path }) => path.endsWith('.cjs'))) {
        try {
          file.contents = Buffer.from(scriptOf(file.text));
        } catch (error) {
          const text = `No script can be made of ${file.path}. ${error.message}`;
          // esbuild prints only what it found itself.
          if (build.initialOptions.logLevel !== 'silent') console.error(text);
          errors.push({ text });
        }
      }
      return { errors };
    });
  },
};

/**
 * The same code as a script, with its lines where they were. It begins with a comment that is different for each content.
 * What is exported must not change after the module has run.
 * @param {string} text as esbuild writes it, with all exports in one clause
 */
function scriptOf(text) {
  const [imports, exports] = parse(text);
  const required = new Map();
  const edits = [];
  for (const { type, specifier, importStart, importEnd } of imports) {
    if (type === 'dynamic') {
      edits.push({ start: importStart, end: importStart + 'import'.length, by: '$import' });
      continue;
    }
    const statement = text.slice(importStart, importEnd);
    const clause = /^import\s*(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\}\s*)?(?:from\s*)?"[^"]*"$/.exec(statement);
    if (type !== 'static' || !clause) throw new Error(`This cannot be part of a script: ${statement}`);
    const [, byDefault, names = ''] = clause;
    const bindings = [...(byDefault ? [`default:${byDefault}`] : []), ...bindingsIn(names)];
    required.set(specifier, [...(required.get(specifier) ?? []), ...bindings]);
    const end = text[importEnd] === ';' ? importEnd + 1 : importEnd;
    edits.push({ start: importStart, end, by: linesOf(statement) });
  }
  if (exports.length > 0) {
    const start = exports[0].exportStart;
    const [statement, names] = /^export\s*\{([^}]*)\};?/.exec(text.slice(start)) ?? [];
    if (exports.some(({ exportStart }) => exportStart !== start)) throw new Error('It has several exports.');
    const exported = bindingsIn(names).map((binding) => binding.split(':').reverse().join(':'));
    const by = `module.exports={${exported.join()}};${linesOf(statement)}`;
    edits.push({ start, end: start + statement.length, by });
  }
  const head = [
    '"use strict";',
    imports.some(({ type }) => type === 'dynamic') ? 'const $import=async(name)=>require(name);' : '',
    ...Array.from(required, ([from, names]) =>
      names.length > 0
        ? `const{${names.join()}}=require(${JSON.stringify(from)});`
        : `require(${JSON.stringify(from)});`,
    ),
  ].join('');
  const script = head + edited(text, edits);
  return `/*${createHash('sha256').update(script).digest('base64url').slice(0, 16)}*/${script}`;
}

/** "a as b, c" as ["a:b", "c"]. */
function bindingsIn(names) {
  const all = names.split(',').map((name) => name.trim());
  return all.filter((name) => name !== '').map((name) => name.split(/\s+as\s+/).join(':'));
}

function linesOf(text) {
  return '\n'.repeat(text.split('\n').length - 1);
}

function edited(text, edits) {
  let result = '';
  let at = 0;
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + by;
    at = end;
  }
  return result + text.slice(at);
}
