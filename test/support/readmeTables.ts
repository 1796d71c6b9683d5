/** Generates the tables in README.md from package.json. `npm run readme` writes them, and a test checks them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as prettier from 'prettier';
import manifest from '../../package.json' with { type: 'json' };
import english from '../../package.nls.json' with { type: 'json' };
import { root } from '../host/paths.ts';

interface Setting {
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly default: unknown;
}

const { contributes } = manifest;

/** Replaces a key in package.json with its English text. */
function said(text: string): string {
  return text.replace(
    /^%(.+)%$/,
    (_, key: string) => (english as Readonly<Record<string, string>>)[key] ?? '',
  );
}

function settingsTable(): string {
  const settings = Object.entries<Setting>(contributes.configuration.properties);
  const rows = settings.map(([name, { description, markdownDescription, default: value }]) => [
    `\`${name}\``,
    said(markdownDescription ?? description ?? '').replace(/`#([\w.]+)#`/g, '`$1`'),
    value === '' ? '' : `\`${String(value)}\``,
  ]);
  return table([['Setting', 'Description', 'Default'], ...rows]);
}

function commandsTable(): string {
  const hidden = new Set(
    contributes.menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command),
  );
  const rows = contributes.commands
    .filter(({ command }) => !hidden.has(command))
    .map(({ command, category, title }) => [`${category}: ${said(title)}`, `\`${command}\``]);
  return table([['Command', 'ID'], ...rows]);
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The README with up-to-date tables. */
export async function withTables(readme: string): Promise<string> {
  const tables: Readonly<Record<string, string>> = { settings: settingsTable(), commands: commandsTable() };
  const text = readme.replace(
    /(<!-- (\w+) -->\n)[^]*?(<!-- end of \2 -->)/g,
    (_, begin: string, name: string, end: string) => `${begin}\n${tables[name] ?? ''}\n\n${end}`,
  );
  return await prettier.format(text, { ...(await prettier.resolveConfig(path)), parser: 'markdown' });
}

export const path = join(root, 'README.md');

if (import.meta.main) await writeFile(path, await withTables(await readFile(path, 'utf8')));
