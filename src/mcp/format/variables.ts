/**
 * References to variables in the strings of mcp.json. `${NAME}` and `${NAME:-default}` are replaced in every string, from
 * the secrets of the conversation and the environment of the agent; what other programs and shells replace is not.
 */
import type { Span } from '../text/nodes.ts';

/** Whether there is a reference of any program in a value. */
export function hasReference(value: string): boolean {
  return /\$\{[^{}"]*\}/.test(value);
}

/** A variable that is replaced. */
interface Reference extends Span {
  readonly name: string;
  readonly hasDefault: boolean;
}

const reference = /\$\{([A-Za-z_]\w*)(:-[^}]*)?\}/g;

/** What the editor from which an entry is would replace, by names that no environment has. */
const ofEditors =
  /^(?:workspaceFolder(?:Basename)?|workspaceRoot(?:FolderName)?|userHome|(?:relative)?[fF]ile(?:Basename|BasenameNoExtension|Dirname|Extname|WorkspaceFolder)?|cwd|execPath|pathSeparator|lineNumber|selectedText|extensionInstallFolder)$/;

/** The variables in a text that are replaced, in their order. */
export function referencesIn(text: string): Reference[] {
  // A default without an end would be looked for from each of many beginnings.
  const ended = text.slice(0, text.lastIndexOf('}') + 1);
  return [...ended.matchAll(reference)].flatMap(({ 0: whole, 1: name = '', 2: fallback, index }) =>
    ofEditors.test(name)
      ? []
      : [{ name, hasDefault: fallback !== undefined, start: index, end: index + whole.length }],
  );
}

/** What looks like a reference and arrives as it is written. */
interface Leftover extends Span {
  /** What is written here for what is most likely meant. */
  readonly instead: string | undefined;
}

const braces = /\$\{[^{}"]*\}/g;
/** As in a shell, where a word begins. In the middle of a word it is more likely part of a password. */
const bare = /(?<![^\s"'=:/\\,;@])\$([A-Z_][A-Z\d_]+)(?![\w{(])/g;

/** What is left as it is in a text, which may be a JSON string with its quotes. */
export function leftoversIn(text: string): Leftover[] {
  const found: Leftover[] = [];
  for (const { 0: whole, index } of text.matchAll(braces)) {
    if (referencesIn(whole).length > 0) continue;
    found.push({ start: index, end: index + whole.length, instead: insteadOf(whole.slice(2, -1)) });
  }
  for (const { 0: whole, 1: name = '', index } of text.matchAll(bare)) {
    found.push({ start: index, end: index + whole.length, instead: `\${${name}}` });
  }
  return found.sort((a, b) => a.start - b.start);
}

function insteadOf(inner: string): string | undefined {
  if (inner === 'userHome') return '${HOME}';
  const [, kind, name = '', fallback = ''] = /^(env|input):([\w-]+)(:-.*)?$/.exec(inner) ?? [];
  const variable = kind === 'input' ? name.toUpperCase().replaceAll('-', '_') : name;
  return /^[A-Za-z_]\w*$/.test(variable) ? `\${${variable}${fallback}}` : undefined;
}

/** The `~` of a folder below the home of somebody, which only a shell replaces. */
export function isBelowHome(value: string): boolean {
  return /^~[/\\]/.test(value);
}
