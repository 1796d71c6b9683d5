/** The titles of the tests in a file, and the ones that are no sentences. */
import ts from 'typescript';

/**
 * A title that begins with "never", "still" or the like begins with the verb
 * after it.
 */
const adverbs = new Set([
  'also',
  'always',
  'both',
  'even',
  'first',
  'immediately',
  'just',
  'never',
  'only',
  'still',
  'then',
]);

const verbsWithoutS = new Set(['can', 'cannot']);

/** Words that look like a verb in the third person. */
const noVerbs = new Set(
  `access across address arguments as besides bus commands entries events files fields is its less lines links names
  numbers ours others perhaps process rows servers services theirs this titles tools unless us values was whereas
  words`.split(/\s+/),
);

/** Titles of `it` and its wrappers such as `itOnPosix`, as `LINE: TITLE`. */
export function fragmentsIn(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const title =
      ts.isCallExpression(node) && isTest(node.expression)
        ? node.arguments[0]
        : undefined;
    const begin = title && beginOf(title);
    if (title && begin !== undefined && !beginsWithVerb(begin)) {
      const line =
        file.getLineAndCharacterOfPosition(title.getStart(file)).line + 1;
      found.push(`${name}:${line}: ${title.getText(file)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

export function beginsWithVerb(title: string): boolean {
  const words = title.split(/[\s,:;]+/);
  const verb = words.find((word) => !adverbs.has(word)) ?? '';
  return (
    verbsWithoutS.has(verb) ||
    (/^[a-z][a-z-]*s$/.test(verb) && !noVerbs.has(verb))
  );
}

function isTest(called: ts.Expression): boolean {
  return ts.isIdentifier(called) && /^it([A-Z]\w*)?$/.test(called.text);
}

/**
 * The literal text that a title begins with: empty where it begins with a
 * value; `undefined` for a wrapper's parameter.
 */
function beginOf(title: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(title)) return title.text;
  if (ts.isTemplateExpression(title)) return title.head.text;
  return ts.isIdentifier(title) && title.text === 'title' ? undefined : '';
}
