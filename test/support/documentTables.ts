/**
 * Generates the tables in docs/ from package.json, and those in SECURITY.md
 * from the results of the long runs. `npm run docs` writes them, and a test
 * checks them.
 */
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import english from '../../package.nls.json' with { type: 'json' };
import { root } from '../host/paths.ts';
import { formatted, table } from './results.ts';

interface Setting {
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly default: string | number | boolean | object | null;
}

const { contributes } = manifest;

/** Replaces a key in package.json with its English text. */
function said(text: string): string {
  return text.replace(
    /^%(.+)%$/,
    (_, key: string) =>
      (english as Readonly<Record<string, string>>)[key] ?? '',
  );
}

function settingsTable(): string {
  const settings = Object.entries<Setting>(
    contributes.configuration.properties,
  );
  const rows = settings.map(
    ([name, { description, markdownDescription, default: value }]) => [
      `\`${name}\``,
      said(markdownDescription ?? description ?? '').replace(
        /`#([\w.]+)#`/g,
        '`$1`',
      ),
      value === '' || typeof value === 'object' ? '' : `\`${String(value)}\``,
    ],
  );
  return table([['Setting', 'Description', 'Default'], ...rows]);
}

function commandsTable(): string {
  const conditions = new Map(
    contributes.menus.commandPalette.map(({ command, when }) => [
      command,
      when,
    ]),
  );
  const rows = contributes.commands
    .filter(({ command }) => conditions.get(command) !== 'false')
    .map(({ command, category, title }) => {
      // Only in menus, but other programs and keys may run it.
      const isHidden = conditions.get(command)?.startsWith('never') === true;
      return [
        isHidden ? said(title) : `${category}: ${said(title)}`,
        `\`${command}\``,
      ];
    });
  return table([['Command', 'ID'], ...rows]);
}

/** The rows of a table of results, with these of its columns. */
function resultsTable(
  file: string,
  columns: readonly string[],
  filter: (row: string) => boolean = () => true,
): string {
  const lines = readFileSync(
    join(root, 'test', file, 'RESULTS.md'),
    'utf8',
  ).split('\n');
  const [head = [], , ...rows] = lines
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const places = columns.map((column) => head.indexOf(column));
  if (places.includes(-1))
    throw new Error(
      `The results of ${file} have no column "${columns.join('" or "')}".`,
    );
  const chosen = rows.filter(([first = '']) => filter(first));
  return table([
    columns,
    ...chosen.map((row) => places.map((place) => row[place] ?? '')),
  ]);
}

/** A document with up-to-date tables. */
export async function withTables(text: string): Promise<string> {
  const tables: Readonly<Record<string, () => string>> = {
    settings: settingsTable,
    commands: commandsTable,
    soak: () => resultsTable('soak', ['What', 'How much', 'Result']),
    masks: () =>
      resultsTable('bench', ['what', 'ours', 'goal'], (what) =>
        /secrets|harmless/.test(what),
      ),
    mutants: () =>
      resultsTable('mutants', ['What', 'Mutants', 'Killed', 'Score']),
  };
  const filled = text.replace(
    /(<!-- (\w+) -->\n)[^]*?(<!-- end of \2 -->)/g,
    (_, begin: string, name: string, end: string) =>
      `${begin}\n${tables[name]?.() ?? ''}\n\n${end}`,
  );
  return await formatted(filled);
}

export const documents = [
  'docs/commands.md',
  'docs/settings.md',
  'SECURITY.md',
] as const;

if (import.meta.main) {
  for (const path of documents.map((name) => join(root, name))) {
    await writeFile(path, await withTables(await readFile(path, 'utf8')));
  }
}
