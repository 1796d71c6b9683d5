import assert from 'node:assert/strict';
import { maskLines } from '../../../../src/base/masks/maskLines.ts';

const longHead = (length: number) =>
  `token,${'a'.repeat(50 + (length % 2))}`.padEnd(length, ',b');

describe('the masking of values below the name of a secret', () => {
  for (const [what, text, shown] of [
    ['a block', 'token: |\n  canary\nport: 80', 'token: |\n  ••\nport: 80'],
    [
      'a block with a sign in its value',
      'token: |\n  can-ary',
      'token: |\n  ••',
    ],
    [
      'a block that begins with a sign',
      'token: |\n  -canary',
      'token: |\n  ••',
    ],
    [
      'a block with an empty line',
      'token: >-\n\n  a\n \n  b',
      'token: >-\n\n  ••\n \n  ••',
    ],
    ['a block in a diff', '+token: |\n+  a\n-  b', '+token: |\n+  ••\n-  ••'],
    [
      'a block with carriage returns',
      'token: |\r\n  a\r\n\r\n  b\r',
      'token: |\r\n  ••\r\n\r\n  ••\r',
    ],
    [
      'a block below a quoted name',
      '"token": | # x\n  a',
      '"token": | # x\n  ••',
    ],
    [
      'two blocks',
      'token: |\n  a\npin: |\n  b',
      'token: |\n  ••\npin: |\n  ••',
    ],
    [
      'a block in a list',
      '-  token: |\n     a\n   port: 80',
      '-  token: |\n     ••\n   port: 80',
    ],
    [
      'a list',
      'tokens:\n  - canary\n  -  "a b"  \nports:',
      'tokens:\n  - ••\n  -  ••  \nports:',
    ],
    [
      'a list at the indentation of its name',
      ' tokens:\n - canary',
      ' tokens:\n - ••',
    ],
    ['a list in a list', '-  tokens:\n   - canary', '-  tokens:\n   - ••'],
    [
      'a list with trailing tabs and carriage returns',
      'pins:\r\n- a\t\r\n- b\r',
      'pins:\r\n- ••\t\r\n- ••\r',
    ],
    [
      'a list in an indented list',
      '  -  tokens:\n     - canary',
      '  -  tokens:\n     - ••',
    ],
    ['a list in a diff', '+tokens:\n+- a\n-- b', '+tokens:\n+- ••\n-- ••'],
    [
      'a list with a reference',
      'tokens:\n- $TOKEN\n- canary',
      'tokens:\n- $TOKEN\n- ••',
    ],
    [
      'a list with "$&" as the cover of a value',
      'tokens:\n- can"$&"ary',
      'tokens:\n- ••',
    ],
    [
      'a list with a colon in a value',
      'tokens:\n- canary@a:b',
      'tokens:\n- ••',
    ],
    ['a table', 'token,port\ncanary,80\ncanary,80', 'token,port\n••,80\n••,80'],
    [
      'a table with quotes',
      '"token",\'port\'\n"can,ary",80',
      '"token",\'port\'\n••,80',
    ],
    [
      'a table with an open quote',
      'port,token\n80,"can,ary',
      'port,token\n80,••',
    ],
    [
      'a table with blanks around values',
      'token,port\n canary ,80',
      'token,port\n •• ,80',
    ],
    ['a table with tabs', 'token\tport\ncanary\t80', 'token\tport\n••\t80'],
    [
      'a table with semicolons',
      'port;token\n80,5;canary',
      'port;token\n80,5;••',
    ],
    [
      'a table with carriage returns',
      'port,token\r\n80,canary\r\n',
      'port,token\r\n80,••\r\n',
    ],
    [
      'a table in a diff',
      '-port,token\n-80,canary\n+80,canary',
      '-port,token\n-80,••\n+80,••',
    ],
    [
      'a table in the context of a diff',
      ' port,token\n 80,canary',
      ' port,token\n 80,••',
    ],
    [
      'a table with a name that has signs',
      'x-port,x-api-key\n80,canary',
      'x-port,x-api-key\n80,••',
    ],
    [
      'a table with a ruler',
      '| Pass | port |\n|:--|--:|\n| canary | 80 |',
      '| Pass | port |\n|:--|--:|\n| •• | 80 |',
    ],
    [
      'a table with blanks in its ruler',
      '|pin|b|\n| --- | --- |\n|a|b|',
      '|pin|b|\n| --- | --- |\n|••|b|',
    ],
    [
      'a table with a ruler of SQL',
      ' pin | b\n-----+---\n a | b',
      ' pin | b\n-----+---\n •• | b',
    ],
    [
      'a table with a ruler and a quote',
      '|pin|b|\n|--|--|\n|"a|b|',
      '|pin|b|\n|--|--|\n|••|b|',
    ],
    [
      'a table with markup in its head',
      '|**pin**|`b`|\n|--|--|\n|a|b|',
      '|**pin**|`b`|\n|--|--|\n|••|b|',
    ],
    [
      'a table with a sentence above',
      '| x\npin|b\n--|--\na|b',
      '| x\npin|b\n--|--\n••|b',
    ],
    [
      'a table with a name of 60 letters',
      `token,${'a'.repeat(60)}\nb,c`,
      `token,${'a'.repeat(60)}\n••,c`,
    ],
    ['a table with signs in its values', 'pin,b\nca+na-ry,d', 'pin,b\n••,d'],
    [
      'a table in a diff without its first value',
      '-pin,b\n-a,c\n+,c',
      '-pin,b\n-••,c\n+,c',
    ],
    [
      'a table whose head is new in a diff',
      '-a,b\n+pin,b\n+c,d',
      '-a,b\n+pin,b\n+••,d',
    ],
    [
      'a member of a section in a table',
      'secrets:\n b,token\n x: canary,none',
      'secrets:\n b,token\n x: ••',
    ],
    ['a section', 'secrets:\n  a: b\nother: c', 'secrets:\n  a: ••\nother: c'],
    [
      'a section with a name before its own',
      'appSecrets:\n  a: b',
      'appSecrets:\n  a: ••',
    ],
    [
      'a section with a name behind its own',
      '[secrets.shop.eu]\na = b',
      '[secrets.shop.eu]\na = ••',
    ],
    [
      'a section with a quoted name',
      '"secrets": # x\n  "a": "b c"',
      '"secrets": # x\n  "a": ••',
    ],
    [
      'a section with a list',
      'secrets:\n  -   a:   b',
      'secrets:\n  -   a:   ••',
    ],
    [
      'a section without blanks',
      '[secrets]\na=b\nc=d',
      '[secrets]\na=••\nc=••',
    ],
    [
      'a section with other values',
      '[secrets]\na =\nb = # c\nd = { e = 5 }\nf = g',
      '[secrets]\na =\nb = # c\nd = { e = 5 }\nf = ••',
    ],
    [
      'a section with blanks at the end',
      '[secrets]\na = none \nb = c ',
      '[secrets]\na = none \nb = •• ',
    ],
    [
      'a section in a diff',
      '+secrets:\n+  a: b\n+other: c',
      '+secrets:\n+  a: ••\n+other: c',
    ],
    [
      'a section with carriage returns',
      '[secrets]\r\n\r\na = b\r\n',
      '[secrets]\r\n\r\na = ••\r\n',
    ],
    [
      'a section with an empty line in a diff',
      '+[secrets]\n+\n+a = b',
      '+[secrets]\n+\n+a = ••',
    ],
    [
      'a section with a comment',
      '[secrets]\n# of shops\na = b#',
      '[secrets]\n# of shops\na = ••',
    ],
    [
      'a section with quotes',
      '[secrets]\na = "none"\nb = no\'ne',
      '[secrets]\na = "none"\nb = ••',
    ],
    [
      'a table below a list',
      'pins:\n- a\npin,b\nc,d',
      'pins:\n- ••\npin,b\n••,d',
    ],
  ] as const) {
    it(`hides the secrets of ${what}: ${JSON.stringify(text)}`, () => {
      assert.equal(maskLines(text, '••'), shown);
    });
  }

  for (const [what, text] of [
    ['text without a name', 'a\nb'],
    ['a line without lines below', 'token: |'],
    ['a block below a harmless name', 'port: |\n  80'],
    ['a line at the indentation of the name of a block', '  token: |\n  80'],
    ['a list below a harmless name', 'ports:\n  - 80'],
    ['a list below a sentence', 'Enter the token:\n  - now'],
    ['a list below a value', 'token: $A\n- now'],
    ['a list outside the list with the name', '- a:\n    tokens:\n- b'],
    ['a list of a list that ends', '-  tokens:\n- b'],
    ['a list of sentences', 'tokens:\n- the first\n- the second'],
    ['a line with a dash', 'tokens:\nsee - there'],
    ['a list of names', 'auth:\n- name:x'],
    ['a list of names without values', 'auth:\n- basic-name:'],
    ['a list of quoted names', 'auth:\n- "name": "x"'],
    ['a list of names in single quotes', "auth:\n- 'name':x"],
    ['lines without separators', 'token\ncanary'],
    ['a list of open values', 'auth:\n- none\n- basic'],
    ['a list after another line', 'tokens:\nport: 80\n- b'],
    ['a section of other things', 'secrets-files:\n  a: b'],
    ['lines below a sentence', 'the secrets:\n  a: b'],
    ['a sentence in a section', 'secrets:\n  see it: now'],
    ['a table of harmless names', 'user,port\nbob,80'],
    ['a table with open values', 'token,port\n"none",80\n$TOKEN,80'],
    ['a table with counts', 'tokens,port\n5,80'],
    [
      'a table with a ruler and counts',
      '| tokens | port |\n|--|--|\n| 5 | 80 |',
    ],
    ['a table with empty values', 'token,port\n,80\n  ,80'],
    ['a row with another number of values', 'token,port\nbob\nbob,80,1'],
    ['a sentence', 'The token, or the pin\nis here, now'],
    ['a sentence with one word at its end', 'Enter the,token\nhere,now'],
    ['a list of one word and a sentence', 'token,or the pin\nhere,now'],
    ['a name of more than 60 letters', `token,${'a'.repeat(61)}\nb,c`],
    ['a table with two kinds of separators', 'a;b,token\nc;d,e'],
    ['a table without its ruler', '|token|b|\n|c|d|\n|e|f|'],
    ['a table with an empty row for a ruler', '|token|b|\n| | |\n|e|f|'],
    ['a table with a word before its ruler', '|token|b|\nx|--|\n|e|f|'],
    ['a table with a word after its ruler', '|token|b|\n|--|x\n|e|f|'],
    ['a table that ended', 'token,port\n\na,b'],
    [
      'a row of a table with a ruler that ended',
      '|token|b|\n|--|--|\nend\n|a|b|',
    ],
  ] as const) {
    it(`shows ${what}: ${JSON.stringify(text)}`, () => {
      assert.equal(maskLines(text, '••'), text);
    });
  }

  it('hides the secrets of a table with a head of up to 2,000 characters', () => {
    for (const [length, isMasked] of [
      [2000, true],
      [2001, false],
    ] as const) {
      const head = longHead(length);
      const row = head.replace('token', 'canary');
      const shown = isMasked ? head.replace('token', '••') : row;
      assert.equal(maskLines(`${head}\n${row}`, '••'), `${head}\n${shown}`);
    }
  });
});
