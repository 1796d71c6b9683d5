/** Comments and exported names that a reader would have to decode. */
import ts from 'typescript';

/**
 * Words that begin a fragment. A comment begins with a verb or names a thing.
 */
const openings = /^(What|Whether|Where|Who|Whose|How|Of|By|Those|Which|As)\b/i;

/** Everyday words that say nothing about a thing outside of its file. */
const everydayWords = new Set(
  `again all also another ask at changing doing done end far fewer first from give go held hold how into is it know known
  last later left less line look made many maybe more most much near need never next none now of off on one only open
  other others out place read rest same saw say seen set settled since some such take taken tell that then there thing
  told under way what when where which who whose with without`.split(/\s+/),
);

/** Comments that begin like a fragment, as `LINE: COMMENT`. */
export function fragmentsOfComments(name: string, text: string): string[] {
  return commentsIn(text).flatMap(({ line, words }) =>
    openings.test(words) ? `${name}:${line}: ${words}` : [],
  );
}

/**
 * The first words of each comment. Line comments below each other are one
 * comment.
 */
function commentsIn(text: string): { line: number; words: string }[] {
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const starts = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    if (node.getChildCount(file) === 0)
      for (const find of [
        ts.getLeadingCommentRanges,
        ts.getTrailingCommentRanges,
      ])
        for (const range of find(
          text,
          find === ts.getLeadingCommentRanges ? node.pos : node.end,
        ) ?? [])
          starts.set(range.pos, range);
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  let lastLine = -1;
  return [...starts.values()]
    .sort((one, other) => one.pos - other.pos)
    .flatMap(({ pos, end, kind }) => {
      const line = file.getLineAndCharacterOfPosition(pos).line + 1;
      const goesOn =
        kind === ts.SyntaxKind.SingleLineCommentTrivia && line === lastLine + 1;
      lastLine = kind === ts.SyntaxKind.SingleLineCommentTrivia ? line : -1;
      const words = text
        .slice(pos, end)
        .replace(/^\/[/*]+\s*(\*\s*)?/, '')
        .replace(/\s*\*\/$/, '')
        .trim();
      return goesOn ? [] : [{ line, words }];
    });
}

/** Exported names that are one everyday word, as `LINE: NAME`. */
export function everydayExports(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  return file.statements.flatMap((statement) =>
    namesExportedBy(statement)
      .filter(({ text: word }) => everydayWords.has(word.toLowerCase()))
      .map(
        (id) =>
          `${name}:${file.getLineAndCharacterOfPosition(id.getStart(file)).line + 1}: ${id.text}`,
      ),
  );
}

function namesExportedBy(statement: ts.Statement): readonly ts.Identifier[] {
  if (
    ts.isExportDeclaration(statement) &&
    statement.exportClause &&
    ts.isNamedExports(statement.exportClause)
  )
    return statement.exportClause.elements
      .map((each) => each.name)
      .filter(ts.isIdentifier);
  const modifiers = ts.canHaveModifiers(statement)
    ? (ts.getModifiers(statement) ?? [])
    : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      identifiersIn(name),
    );
  const { name } = statement as ts.DeclarationStatement;
  return name && ts.isIdentifier(name) ? [name] : [];
}

function identifiersIn(name: ts.BindingName): readonly ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((each) =>
    ts.isOmittedExpression(each) ? [] : identifiersIn(each.name),
  );
}
