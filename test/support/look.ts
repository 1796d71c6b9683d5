/** A text as jsonc-parser's scanner and parser see it. */
import {
  createScanner,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser';

export interface ScannedText {
  readonly text: string;
  readonly root: Node | undefined;
  readonly errors: readonly ParseError[];
  /** Everything except white space and commas, with its place. */
  readonly tokens: readonly string[];
  readonly places: readonly number[];
  readonly trailingCommas: number;
}

export function scanText(text: string): ScannedText {
  const errors: ParseError[] = [];
  // A space is as wide as the byte order mark, so all offsets stay the same.
  const bare = text.replace(/^\uFEFF/, ' ');
  const root = parseTree(bare, errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  const tokens: string[] = [];
  const places: number[] = [];
  let trailingCommas = 0;
  let comma = false;
  const scanner = createScanner(bare);
  for (
    let kind = scanner.scan() as number;
    kind !== 17;
    kind = scanner.scan()
  ) {
    const token = bare.slice(
      scanner.getTokenOffset(),
      scanner.getTokenOffset() + scanner.getTokenLength(),
    );
    if (kind === 14 || kind === 15) continue;
    if (kind === 5) comma = true;
    else {
      if (kind !== 12 && kind !== 13) {
        if (comma && (kind === 2 || kind === 4)) trailingCommas++;
        comma = false;
      }
      tokens.push(token);
      places.push(scanner.getTokenOffset());
    }
  }
  return { text, root, errors, tokens, places, trailingCommas };
}

export const nameOf = (property: Node) =>
  property.children?.[0]?.value as string;
export const valueOf = (property: Node | undefined) => property?.children?.[1];

export function container({ root }: ScannedText): {
  node: Node | undefined;
  atRoot: boolean;
} {
  const property = root?.children?.findLast(
    (each) => nameOf(each) === 'mcpServers',
  );
  if (property) return { node: valueOf(property), atRoot: false };
  const isServer = (each: Node) =>
    valueOf(each)?.type === 'object' &&
    valueOf(each)?.children?.some((member) =>
      ['command', 'url'].includes(nameOf(member)),
    );
  return root?.children?.some(isServer)
    ? { node: root, atRoot: true }
    : { node: undefined, atRoot: false };
}

/** All properties of the servers that have this name. */
export function occurrences(found: ScannedText, name: string): Node[] {
  return (
    container(found).node?.children?.filter((each) => nameOf(each) === name) ??
    []
  );
}

export const endOf = (node: Node | undefined) =>
  (node?.offset ?? 0) + (node?.length ?? 0);

/** The source text of a value without white space and comments. */
export function words(text: string, node: Node | undefined): string {
  return scanText(text.slice(node?.offset, endOf(node))).tokens.join(' ');
}
