/**
 * References to variables in mcp.json. The program replaces `${NAME}` and
 * `${NAME:-default}` in every string, from the secrets of the conversation and
 * the environment of the agent. It replaces no references of other programs and
 * shells.
 */
import type { Span } from '../text/nodes.ts';

export function hasReference(value: string): boolean {
  return /\$\{[^{}"]*\}/.test(value);
}

const reference = /\$\{([A-Za-z_]\w*)(:-[^}]*)?\}/g;

/** Variables that only editors replace. */
const ofEditors =
  /^(?:workspaceFolder(?:Basename)?|workspaceRoot(?:FolderName)?|userHome|(?:relative)?[fF]ile(?:Basename|BasenameNoExtension|Dirname|Extname|WorkspaceFolder)?|cwd|execPath|pathSeparator|lineNumber|selectedText|extensionInstallFolder)$/;

/** The variables that the program replaces, in order. */
export function referencesIn(text: string) {
  // Searching for the end of a default from each `${` would be slow.
  const ended = text.slice(0, text.lastIndexOf('}') + 1);
  return [...ended.matchAll(reference)].flatMap(
    ({ 0: whole, 1: name = '', 2: fallback, index }) =>
      ofEditors.test(name)
        ? []
        : [
            {
              name,
              hasDefault: fallback !== undefined,
              start: index,
              end: index + whole.length,
            },
          ],
  );
}

const braces = /\$\{[^{}"]*\}/g;
/**
 * Matches at the start of a word. A later dollar sign is likely part of a
 * password.
 */
const bare = /(?<![^\s"'=:/\\,;@])\$([A-Z_][A-Z\d_]+)(?![\w{(])/g;

/**
 * Returns each leftover with the reference that is likely meant. `text` may be
 * a JSON string with its quotes.
 */
export function leftoversIn(text: string) {
  const leftovers: (Span & { readonly instead: string | undefined })[] = [];
  for (const { 0: whole, index } of text.matchAll(braces)) {
    if (referencesIn(whole).length > 0) continue;
    leftovers.push({
      start: index,
      end: index + whole.length,
      instead: insteadOf(whole.slice(2, -1)),
    });
  }
  for (const { 0: whole, 1: name = '', index } of text.matchAll(bare)) {
    leftovers.push({
      start: index,
      end: index + whole.length,
      instead: `\${${name}}`,
    });
  }
  return leftovers.sort((a, b) => a.start - b.start);
}

function insteadOf(inner: string): string | undefined {
  if (inner === 'userHome') return '${HOME}';
  const [, kind, name = '', fallback = ''] =
    /^(env|input):([\w-]+)(:-.*)?$/.exec(inner) ?? [];
  const variable =
    kind === 'input' ? name.toUpperCase().replaceAll('-', '_') : name;
  return /^[A-Za-z_]\w*$/.test(variable)
    ? `\${${variable}${fallback}}`
    : undefined;
}

/** Finds a leading `~`, which only a shell replaces. */
export function isBelowHome(value: string): boolean {
  return /^~[/\\]/.test(value);
}
