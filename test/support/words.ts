/**
 * Finds the user-visible text in src/: what can be translated, and what cannot.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { root } from '../host/paths.ts';

/** A text in the source. */
export interface Said {
  readonly text: string;
  /** File and line. */
  readonly place: string;
}

export interface Words {
  /**
   * Text passed to `t`, `userError`, `plural` or `words`, which can be
   * translated.
   */
  readonly sentences: readonly Said[];
  /** Text that looks user-visible but is not passed to one of these. */
  readonly forgotten: readonly Said[];
  /**
   * Calls of `t` that cannot be translated: the text is built at run time, or
   * used before the language is known.
   */
  readonly unreachable: readonly Said[];
}

/**
 * Not checked: the demo service and the terminal, which the editor does not
 * show, commands for a shell, defaults of settings, and text that is checked
 * elsewhere.
 */
const apart =
  /^src\/(demo|terminal|cli\.ts|mcp\/format\/schema\.ts|state\/conversation\/worktree(Removal)?\.ts|editor\/defaultAskRules\.ts|service\/git\/upstream\.ts|localServer\/installCommands\.ts)/;

/** Calls whose text is for developers. */
const forDevelopers = /^(log\.\w+|this\.#log\.\w+|Error|TypeError|RangeError)$/;

export function wordsOfSource(): Words {
  const found = {
    sentences: [] as Said[],
    forgotten: [] as Said[],
    unreachable: [] as Said[],
  };
  for (const path of globSync(join(root, 'src/**/*.ts'))) {
    const name = relative(root, path).replaceAll('\\', '/');
    if (!apart.test(name)) readFile(name, readFileSync(path, 'utf8'), found);
  }
  return found;
}

/** Like `wordsOfSource`, for a single file. */
export function wordsOf(name: string, text: string): Words {
  const found = {
    sentences: [] as Said[],
    forgotten: [] as Said[],
    unreachable: [] as Said[],
  };
  readFile(name, text, found);
  return found;
}

function readFile(
  name: string,
  text: string,
  found: Record<keyof Words, Said[]>,
): void {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const at = (node: ts.Node, words: string): Said => ({
    text: words,
    place: `${name}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`,
  });
  const visit = (node: ts.Node, inFunction: boolean): void => {
    if (
      ts.isImportDeclaration(node) ||
      ts.isExportDeclaration(node) ||
      ts.isTypeNode(node)
    )
      return;
    const called =
      ts.isCallExpression(node) || ts.isNewExpression(node)
        ? node.expression.getText(file)
        : '';
    if (forDevelopers.test(called)) return;
    if (ts.isCallExpression(node) && /^(t|userError)$/.test(called)) {
      const [sentence, ...values] = node.arguments;
      if (sentence && ts.isStringLiteralLike(sentence) && inFunction)
        found.sentences.push(at(node, sentence.text));
      else found.unreachable.push(at(node, node.getText(file)));
      for (const value of values) visit(value, inFunction);
      return;
    }
    if (ts.isCallExpression(node) && called === 'plural') {
      const [count, one, others, ...values] = node.arguments;
      for (const sentence of [one, others])
        if (sentence && ts.isStringLiteralLike(sentence) && inFunction)
          found.sentences.push(at(node, sentence.text));
        else found.unreachable.push(at(node, node.getText(file)));
      for (const value of [count, ...values])
        if (value) visit(value, inFunction);
      return;
    }
    if (ts.isCallExpression(node) && called === 'words') {
      const [table] = node.arguments;
      const entries =
        table && ts.isObjectLiteralExpression(table)
          ? table.properties
          : undefined;
      if (!entries) found.unreachable.push(at(node, node.getText(file)));
      for (const entry of entries ?? []) {
        if (
          ts.isPropertyAssignment(entry) &&
          ts.isStringLiteralLike(entry.initializer)
        )
          found.sentences.push(at(entry, entry.initializer.text));
        else found.unreachable.push(at(entry, entry.getText(file)));
      }
      return;
    }
    const words = wordsIn(node);
    if (words !== undefined && !isCode(node) && looksLikeWords(words))
      found.forgotten.push(at(node, words));
    ts.forEachChild(node, (child) => {
      visit(child, inFunction || ts.isFunctionLike(node));
    });
  };
  visit(file, false);
}

/** The text of a literal, with `{}` for each expression in it. */
function wordsIn(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return (
    node.head.text +
    node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
  );
}

/** A literal that is compared or looked up is never shown. */
function isCode({ parent }: ts.Node): boolean {
  return (
    ts.isCaseClause(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isPropertyName(parent) ||
    (ts.isBinaryExpression(parent) &&
      /^[!=]==$/.test(parent.operatorToken.getText()))
  );
}

/** Names that are the same in every language. */
const names = ['Agent Switchboard', 'Bitbucket'];

/**
 * True for a text with two words separated by a space, and for one word with an
 * initial capital.
 */
function looksLikeWords(text: string): boolean {
  if (names.includes(text) || text.startsWith('<!DOCTYPE')) return false;
  return (
    /\p{L}{2,}["”)}]*[,.:;]? [\p{L}{“"(]/u.test(text) ||
    /\} \p{L}{2,}/u.test(text) ||
    /^\p{Lu}\p{Ll}{2,}[.:…!?]?$/u.test(text)
  );
}
