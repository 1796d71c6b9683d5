import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits, modify } from 'jsonc-parser';
import { isAtRoot, outline } from '../../../../src/mcp/format/outline.ts';
import type { Change } from '../../../../src/mcp/edit/wantedChange.ts';
import { editText } from '../../../../src/mcp/edit/editText.ts';
import type { Editor } from '../../../support/editOracle.ts';
import { editSequences } from '../../../support/editSequences.ts';

/**
 * Makes jsonc-parser's own edit of a change that ours can make, as most
 * programs do.
 */
const byModify: Editor = (text, change) => {
  const { edits } = editText(text, change);
  if (['wrap', 'add', 'tools', 'url'].includes(change.do) || edits.length === 0)
    return editText(text, change);
  const path = [
    ...(isAtRoot(outline(text)) ? [] : ['mcpServers']),
    'name' in change ? change.name : '',
  ];
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  const found =
    change.do === 'remove'
      ? modify(text, path, undefined, { formattingOptions })
      : modify(text, [...path, 'enabled'], change.do === 'enable', {
          formattingOptions,
        });
  return { text: applyEdits(text, found), edits: found };
};

/** Our own edit, spoilt in one way. */
const spoilt =
  (spoil: (text: string, change: Change, before: string) => string): Editor =>
  (text, change) => {
    const { text: after, edits } = editText(text, change);
    return {
      text: edits.length > 0 ? spoil(after, change, text) : after,
      edits,
    };
  };

const faults: Readonly<Record<string, Editor>> = {
  'jsonc-parser.modify instead of our edit': byModify,
  'a changed line break': spoilt((text) => text.replace(/\r\n?/, '\n')),
  'a lost byte order mark': spoilt((text) => text.replace(/^\uFEFF/, '')),
  'a lost comment': spoilt((text) => text.replace(/\/\* why \*\//, '')),
  'a lost final line break': spoilt((text) => text.replace(/[\r\n]+$/, '')),
  'a number in another spelling': spoilt((text) =>
    text.replace('12345678901234567890', '12345678901234567000'),
  ),
  'an escape in another spelling': spoilt((text) =>
    text.replace(/\\u0061/, 'a'),
  ),
  'a trailing comma': spoilt((text, change) =>
    change.do === 'remove' ? text.replace(/\}(\s*)$/, ',}$1') : text,
  ),
  'a lost trailing comma': spoilt((text) => text.replace(/,(\s*\}\s*)$/, '$1')),
  'an edit of the first of two duplicates': spoilt((text, change, before) =>
    change.do === 'disable'
      ? before.replace('"command"', '"enabled": false, "command"')
      : text,
  ),
  'a whole file that is reserialized': spoilt((text) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }),
  'an empty object left behind for a tool': spoilt((text, change, before) =>
    change.do === 'tools' && change.off.length === 0
      ? before.replace(/"enabled"\s*:\s*false\s*(?=\})/, '')
      : text,
  ),
  'a second tool switched off with the first': spoilt((text, change) =>
    change.do === 'tools'
      ? text.replace(/\{\s*"name" ?: ?"x"/, '{"enabled":false,"name":"x"')
      : text,
  ),
  'a changed field of a tool': spoilt((text, change) =>
    change.do === 'tools'
      ? text.replace(/"name": "x"\s*\}/, '"name": "y"}')
      : text,
  ),
  'a lost "__proto__" name': spoilt((text, change) =>
    change.do === 'add' ? text.replace(/"__proto__"/, '"proto"') : text,
  ),
};

describe('a sequence of changes', function () {
  this.timeout(120_000);

  it('loses no byte in 2,000 odd texts', () => {
    fc.assert(editSequences(editText), { numRuns: 2000, endOnFailure: true });
  });
});

describe('the search for lost bytes', function () {
  this.timeout(120_000);

  for (const [fault, editor] of Object.entries(faults)) {
    it(`finds ${fault}`, () => {
      const { failed } = fc.check(editSequences(editor), {
        numRuns: 5000,
        endOnFailure: true,
      });
      assert(failed);
    });
  }
});
