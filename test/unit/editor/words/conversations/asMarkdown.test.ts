import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt, { type Token } from 'markdown-it';
import { inertMarkdown } from '../../../../../src/editor/words/conversations/asMarkdown.ts';

/**
 * The types of everything in it, as a reader that allows HTML and pictures sees
 * them.
 */
function typesIn(text: string): readonly string[] {
  const types = (tokens: readonly Token[]): string[] =>
    tokens.flatMap(({ type, children }) => [type, ...types(children ?? [])]);
  return types(new MarkdownIt({ html: true }).parse(text, {}));
}

describe('inert Markdown', () => {
  it('keeps code, links and emphasis as they were written', () => {
    const text = [
      'Use `vec![1]` and ``Map<a, `b>`` *here*, see <https://a.invalid/> or [this](https://a.invalid).',
      '',
      '1. A list:',
      '   ```rust',
      '   #![no_std] Vec<u8>',
      '   ```',
      '',
      '| `a![` | b < c |',
      '| --- | --- |',
      '| `![x](y)` | **!** |',
      '',
      '    indented <b>![x](y)',
    ].join('\n');
    assert.equal(inertMarkdown(text), text);
  });

  it('turns pictures into links, and shows HTML as text', () => {
    assert.equal(inertMarkdown('!![x](u) ![y][1]'), '!\\![x](u) \\![y][1]');
    assert.equal(
      inertMarkdown('<img src="http://a.invalid"> a < b'),
      '\\<img src="http://a.invalid"> a < b',
    );
    assert.equal(inertMarkdown('\\![x](u) \\<b>'), '\\![x](u) \\<b>');
  });

  it('has no picture and no HTML, however the text is put together', () => {
    const picture = '![x](http://a.invalid/p)';
    const parts = [
      picture,
      picture,
      '<img src=u>',
      '<div>',
      '<!--',
      '<a href="`">',
      '<https://a.invalid/`>',
    ];
    const marks = [
      '`',
      '``',
      '```',
      '~~~',
      '\\',
      '|',
      '| - | - |',
      '> ',
      '- ',
      '1. ',
      '    ',
      ' ',
      'a',
      '#',
    ];
    const text = fc
      .array(fc.constantFrom(...parts, ...marks, '\n', '\n', '\n\n', '\r'), {
        maxLength: 25,
      })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (given) => {
        const types = typesIn(inertMarkdown(given));
        assert.deepEqual(
          types.filter((type) => /^(image|html_\w+)$/.test(type)),
          [],
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
