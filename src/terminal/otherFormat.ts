interface OtherFormat {
  /** A sentence that says which format it is, and what to do. */
  readonly message: string;
  /** Where the text begins, after blank lines and comments. */
  readonly start: number;
}

/** The first line that is neither blank nor a comment. */
const firstLine = /^[ \t\uFEFF]*((?!#)\S.*)$/m;

/** Names in quotes could be part of JSON as well. */
const signs = {
  TOML: /^(?:\[\[?[ \t]*[A-Za-z_][\w.\-"' \t]*\]\]?[ \t]*(?:#.*)?$|[A-Za-z_][\w.-]*[ \t]*=[ \t]*(?:["'{[\d+-]|true\b|false\b))/,
  YAML: /^(?:---(?:[ \t].*)?$|%YAML |(?:- +)?[A-Za-z_][\w.-]*:(?:[ \t].*)?$)/,
} as const;

/** Which format, other than JSON, a text is in that cannot be read as JSON. It goes by how the text begins. */
export function otherFormat(text: string): OtherFormat | undefined {
  const found = firstLine.exec(text);
  const [whole = '', line = ''] = found ?? [];
  const format = (['TOML', 'YAML'] as const).find((each) => signs[each].test(line.trimEnd()));
  if (!found || !format) return undefined;
  const message = `This is ${format}, not JSON. Paste it with "Add MCP Server from Text" in VS Code.`;
  return { message, start: found.index + whole.length - line.length };
}
