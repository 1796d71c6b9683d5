import assert from 'node:assert/strict';
import { maskElements } from '../../../../src/base/masks/maskElements.ts';

describe('the masking of values between tags', () => {
  for (const [what, text, shown] of [
    ['a tag', '<password>canary</password>', '<password>••</password>'],
    [
      'a tag with "key" at its end',
      '<apiKey>canary</apiKey>',
      '<apiKey>••</apiKey>',
    ],
    [
      'a tag with "key" at its start',
      '<keyToken>canary</keyToken>',
      '<keyToken>••</keyToken>',
    ],
    [
      'a tag with attributes',
      '<pin a="b" id="c">canary</pin>',
      '<pin a="b" id="c">••</pin>',
    ],
    ['a tag on its own lines', '<pin>\n  can ary\n</pin>', '<pin>••</pin>'],
    ['a tag with a brace at its start', '<pin>{can}ary</pin>', '<pin>••</pin>'],
    ['a tag with a brace at its end', '<pin>can{ary}</pin>', '<pin>••</pin>'],
    ['an attribute', '<a name="pin">canary</a>', '<a name="pin">••</a>'],
    [
      'an attribute with blanks',
      "<a NAME = 'pin'> canary </a>",
      "<a NAME = 'pin'>••</a>",
    ],
    [
      'the second attribute',
      '<a id="x" name="pin">canary</a>',
      '<a id="x" name="pin">••</a>',
    ],
    [
      'a property list',
      '<key>pin</key><string>a b</string>',
      '<key>pin</key><string>••</string>',
    ],
    [
      'a property list on lines',
      '<key>pin</key>\n  <string> a </string>',
      '<key>pin</key>\n  <string>••</string>',
    ],
    [
      'a property list in a diff',
      '<key>pin</key>\n+  <string>a</string>',
      '<key>pin</key>\n+  <string>••</string>',
    ],
  ] as const) {
    it(`hides the secret of ${what}: ${JSON.stringify(text)}`, () => {
      assert.equal(maskElements(text, '••'), shown);
    });
  }

  for (const [what, text] of [
    ['a harmless tag', '<port>80</port>'],
    ['a tag without attributes that is called "name"', '<name>pin</name>'],
    ['a key of a file', '<Key>a.txt</Key>'],
    ['blanks', '<pin> \n </pin>'],
    ['an open value', '<auth> none </auth>'],
    ['an expression in code', '<Token>{token.text}</Token>'],
    ['an expression on lines', '<Token>\n{\n  token\n}\n</Token>'],
    ['a translation', '<string name="pin"> Enter the pin </string>'],
    ['an attribute with a harmless name', '<a name="port" class="pin">80</a>'],
    ['a harmless property', '<key>port</key><string>80</string>'],
    ['an open property', '<key>auth</key><string> none </string>'],
    ['an empty property', '<key>pin</key><string> </string>'],
    ['tags that do not belong together', '<pin>80</port>'],
  ] as const) {
    it(`shows ${what}: ${JSON.stringify(text)}`, () => {
      assert.equal(maskElements(text, '••'), text);
    });
  }
});
