import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import english from '../../package.nls.json' with { type: 'json' };
import { jsonSchema } from '../../src/mcp/format/jsonSchema.ts';
import { root } from '../host/paths.ts';
import { type Said, wordsOf, wordsOfSource } from '../support/words.ts';

type Translations = Readonly<Record<string, string>>;

const read = (path: string) =>
  JSON.parse(readFileSync(join(root, path), 'utf8')) as Translations;
const languages = globSync('package.nls.*.json', { cwd: root }).map(
  (name) => name.split('.')[2] ?? '',
);
const places = (text: string) =>
  [...text.matchAll(/\{\d+\}|\$\([\w~-]+\)|\(command:[\w.]+\)|`[^`]*`/g)]
    .map(String)
    .sort();

describe('the text of the interface', () => {
  const { sentences, forgotten, unreachable } = wordsOfSource();
  const list = (found: readonly Said[]) =>
    found.map(({ text, place }) => `${place} ${text}`);

  it('goes through translation everywhere', () => {
    assert.deepEqual(list(forgotten), []);
  });

  it('consists of literals that are translated only once the language is known', () => {
    assert.deepEqual(list(unreachable), []);
  });

  it('reports a sentence that cannot be translated', () => {
    const found = (text: string) =>
      wordsOf('src/a.ts', text).forgotten.map((each) => each.text);
    assert.deepEqual(found("const a = 'Open';"), ['Open']);
    assert.deepEqual(found("show('It is gone.');"), ['It is gone.']);
    assert.deepEqual(found('show(`${n} servers`, `All of ${n}`);'), [
      '{} servers',
      'All of {}',
    ]);
    assert.deepEqual(found("f(() => t('It is {0}.', 'not done'));"), [
      'not done',
    ]);
    assert.deepEqual(
      found(
        "t('It is gone.'); log.info('It is gone.'); if (a === 'not this') f('id-1');",
      ),
      [],
    );
    assert.equal(
      wordsOf('src/a.ts', "const a = t('Open');").unreachable.length,
      1,
    );
    assert.equal(
      wordsOf('src/a.ts', 'f(() => t(`Open ${a}`));').unreachable.length,
      1,
    );
  });

  it('takes all text of package.json from package.nls.json, without unused keys', () => {
    const used = [...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map(
      ([, key]) => key ?? '',
    );
    assert.deepEqual([...new Set(used)].sort(), Object.keys(english).sort());
    const { commands, viewsWelcome, views, configuration, walkthroughs } =
      manifest.contributes;
    const shown = [
      manifest.description,
      ...commands.map(({ title }) => title),
      ...viewsWelcome.map(({ contents }) => contents),
      ...views.switchboard.map(({ name }) => name),
      ...Object.values(configuration.properties).flatMap((setting) =>
        Object.entries(setting).flatMap(([key, value]) =>
          /description/i.test(key) ? (value as string) : [],
        ),
      ),
      ...walkthroughs.flatMap(({ title, description, steps }) => [
        title,
        description,
        ...steps.flatMap((step) => [
          step.title,
          step.description,
          step.media.altText,
        ]),
      ]),
    ].flat();
    assert.deepEqual(
      shown.filter((text) => !/^%[\w.]+%$/.test(text)),
      [],
    );
  });

  it('has a German translation, and no other', () => {
    assert.deepEqual(languages, ['de']);
  });

  for (const language of languages) {
    describe(`in the language ${language}`, () => {
      const bundle = read(`l10n/bundle.l10n.${language}.json`);
      const nls = read(`package.nls.${language}.json`);

      it('has every translation, and none left over', () => {
        const said = sentences.map(({ text }) => text);
        jsonSchema((text) => {
          said.push(text);
          return text;
        });
        assert.deepEqual([...new Set(said)].sort(), Object.keys(bundle).sort());
        assert.deepEqual(Object.keys(nls), Object.keys(english));
        for (const text of [...Object.values(bundle), ...Object.values(nls)])
          assert.notEqual(text.trim(), '');
      });

      it('keeps the values, icons, buttons and names of the English text', () => {
        for (const [key, text] of Object.entries(bundle))
          assert.deepEqual(places(text), places(key), key);
        for (const [key, text] of Object.entries(english))
          assert.deepEqual(places(nls[key] ?? ''), places(text), key);
      });

      it('refers to commands by their titles in the Command Palette', () => {
        const titles = (all: Translations) =>
          Object.keys(english).flatMap((key) =>
            key.startsWith('command.') ? `Switchboard: ${all[key] ?? ''}` : [],
          );
        const called = (text: string) =>
          [...text.matchAll(/(?<!Agent )Switchboard: [^"*.]+/g)].map(String);
        for (const [key, text] of Object.entries(bundle)) {
          const expected = called(key).map(
            (title) => titles(nls)[titles(english).indexOf(title)],
          );
          assert.deepEqual(called(text), expected, key);
        }
      });
    });
  }
});
