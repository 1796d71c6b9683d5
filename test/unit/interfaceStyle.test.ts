import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import english from '../../package.nls.json' with { type: 'json' };
import { root } from '../host/paths.ts';
import { wordsOfSource } from '../support/words.ts';

interface Line {
  readonly place: string;
  readonly text: string;
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The interface in English: source, and what package.json shows. */
const shown: readonly Line[] = [
  ...wordsOfSource().sentences,
  ...Object.entries(english).map(([place, text]) => ({ place, text })),
];

/** Documents, without what is code. */
const documents: readonly Line[] = [
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...globSync(['docs/*.md', '.github/**/*.md'], { cwd: root }),
].map((place) => ({
  place,
  text: read(place).replace(/^```[^]*?^```|`[^`\n]*`/gm, ''),
}));

const german: readonly Line[] = [
  'l10n/bundle.l10n.de.json',
  'package.nls.de.json',
].flatMap((place) =>
  Object.values(JSON.parse(read(place)) as Record<string, string>).map(
    (text) => ({ place, text }),
  ),
);

const british =
  /\b(?:\w*(?:colour|behaviour|favour|honour|neighbour|catalogue|labell|licence|artefact)\w*|(?:recogn|organ|optim|custom|normal|initial|minim|maxim|author|synchron|serial|visual|categor|prior|summar)is(?:e[ds]?|ing|ations?)|analys(?:e[ds]?|ing)|cancell(?:ed|ing)|centre|grey|towards|afterwards|whilst|learnt|judgement)\b/i;

const translated =
  /\b(?:any more|anew|as long as|ha(?:s|ve) to be|whoever|once more|(?:does|do) not tell|told by|it is not known|goes on)\b/i;

/**
 * The lines in which something is found that does not belong there, outside of
 * quotes.
 */
function found(pattern: RegExp, lines: readonly Line[]): string[] {
  return lines.flatMap(({ place, text }) => {
    const [hit] = pattern.exec(text.replace(/“[^”\n]*”|„[^“\n]*“/g, '')) ?? [];
    return hit === undefined
      ? []
      : [`${place}: ${hit} in ${text.slice(0, 120)}`];
  });
}

/** Words that may be small within a title. */
const small = new Set(
  'a an and as at but by for from in into nor of on or per the to up via with'.split(
    ' ',
  ),
);

function isTitleCase(title: string): boolean {
  const words =
    title
      .replace(/\$\([\w~-]+\)|\{\d+\}|[“"][^”"]*[”"]|\([^)]*\)/g, '')
      .match(/[\p{L}][\p{L}'.-]*/gu) ?? [];
  return words.every((word, index) => {
    const isInside = index > 0 && index < words.length - 1;
    return (
      /^\p{Lu}/u.test(word) ||
      (isInside && small.has(word)) ||
      /^mcp(?:\.json|Servers)$/.test(word)
    );
  });
}

describe('the English of the interface', () => {
  it('uses American spelling, as do the documents', () => {
    assert.deepEqual(found(british, [...shown, ...documents]), []);
    assert.equal(
      found(british, [{ place: '', text: 'It is recognised.' }]).length,
      1,
    );
  });

  it('has straight apostrophes', () => {
    assert.deepEqual(found(/\S*[’‘]\S*/, [...shown, ...documents]), []);
  });

  it('has an ellipsis of one character, without a space before it', () => {
    const usage = '[-- ARGUMENTS...]';
    const lines = shown.filter(({ text }) => !text.includes(usage));
    assert.deepEqual(found(/\s…|\.\.\./, lines), []);
    assert.deepEqual(
      found(
        /\s…|\.\.\./,
        german.filter(({ text }) => !text.includes('ARGUMENTE')),
      ),
      [],
    );
  });

  it('has none of the phrases that only translations have', () => {
    const guides = documents.filter(({ place }) =>
      /^(?:README|docs)/.test(place),
    );
    assert.deepEqual(found(translated, [...shown, ...guides]), []);
    for (const text of [
      'It is not there any more.',
      'The service does not tell.',
      'not told by the service',
    ])
      assert.equal(found(translated, [{ place: '', text }]).length, 1, text);
  });

  it('has commands and buttons in title case', () => {
    const commands = Object.entries(english).filter(([key]) =>
      key.startsWith('command.'),
    );
    const buttons = Object.entries(english).flatMap(([key, text]) =>
      [...text.matchAll(/^\[([^\]]+)\]\(command:[^)]+\)$/gm)].map(
        ([, title = '']) => [key, title] as const,
      ),
    );
    assert.ok(buttons.length >= 8);
    const labels = globSync('src/editor/**/*.ts', { cwd: root }).flatMap(
      (path) =>
        [
          ...read(path).matchAll(
            /\b(?:command|run|how|do|does): [^,\n]+,\s+label: t\((['"])(.+?)\1[,)]/g,
          ),
        ].map(([, , title = '']) => [path, title] as const),
    );
    assert.ok(labels.length >= 10);
    assert.deepEqual(
      [...commands, ...buttons, ...labels].filter(
        ([, title]) => !isTitleCase(title),
      ),
      [],
    );
    for (const title of [
      'Show changes',
      'open It',
      'Take over Changes',
      'Group by',
    ])
      assert.ok(!isTitleCase(title), title);
    for (const title of [
      'Take Over Changes',
      'Sort Conversations By',
      'Copy to mcp.json',
    ])
      assert.ok(isTitleCase(title), title);
  });
});
