const firstLine = /^[ \t\uFEFF]*((?!#)\S.*)$/m;

/** Names in quotes could be JSON too. */
const signs = {
  TOML: /^(?:\[\[?[ \t]*[A-Za-z_][\w.\-"' \t]*\]\]?[ \t]*(?:#.*)?$|[A-Za-z_][\w.-]*[ \t]*=[ \t]*(?:["'{[\d+-]|true\b|false\b))/,
  YAML: /^(?:---(?:[ \t].*)?$|%YAML |(?:- +)?[A-Za-z_][\w.-]*:(?:[ \t].*)?$)/,
} as const;

/**
 * Recognizes TOML and YAML by the first line of a text that is not JSON, and
 * returns its offset with a sentence.
 */
export function otherFormat(text: string) {
  const match = firstLine.exec(text);
  const [whole = '', line = ''] = match ?? [];
  const format = (['TOML', 'YAML'] as const).find((name) =>
    signs[name].test(line.trimEnd()),
  );
  if (!match || !format) return undefined;
  const message = `This is ${format}, not JSON. Paste it with "Add MCP Server from Text" in VS Code.`;
  return { message, start: match.index + whole.length - line.length };
}
