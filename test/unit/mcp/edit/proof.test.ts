import assert from 'node:assert/strict';
import { applyEdits, type Edit } from 'jsonc-parser';
import type { Change } from '../../../../src/mcp/edit/wantedChange.ts';
import { outline } from '../../../../src/mcp/format/outline.ts';
import { proveChange } from '../../../../src/mcp/edit/proof.ts';
import { Refusal } from '../../../../src/mcp/text/refusal.ts';

const before =
  '{"mcpServers":{"a":{"command":"x","n":1.0},"b":{"enabled":true} /* c */,"a":{"enabled":true,"n":1.0}},"theme":[1]}';
const server = {
  transport: 'stdio',
  command: 'x',
  args: [],
  env: new Map(),
} as const;
const disable: Change = { do: 'disable', name: 'b' };
const add: Change = { do: 'add', name: 'n', server };
const entry = '"n":{"command":"x","args":[],"env":{}}';

/** An edit that puts a text where another is. */
function put(text: string, what: string, instead: string): Edit {
  const offset = text.indexOf(what);
  assert(offset >= 0);
  return { offset, length: what.length, content: instead };
}

function proven(
  change: Change,
  text: string,
  edits: Edit[],
  claimed = applyEdits(text, edits),
): boolean {
  try {
    proveChange(outline(text), change, edits, claimed);
    return true;
  } catch (error) {
    assert(
      error instanceof Refusal && error.kind === 'unproven',
      String(error),
    );
    assert.match(error.message, /^The change was not made/);
    return false;
  }
}

describe('the proof of a correct change', () => {
  it('passes when exactly the requested change was made', () => {
    assert(proven(disable, before, [put(before, 'true} /*', 'false} /*')]));
    assert(
      proven(add, before, [put(before, '},"theme"', `,${entry}},"theme"`)]),
    );
    assert(
      proven({ do: 'remove', name: 'b' }, before, [
        put(before, '"b":{"enabled":true} /* c */,', '/* c */'),
      ]),
    );
    assert(
      proven({ do: 'rename', name: 'b', to: 'c' }, before, [
        put(before, '"b"', '"c"'),
      ]),
    );
  });

  it('passes when comments are lost only inside the removed or replaced part', () => {
    const text =
      '{"mcpServers":{"a":{/* 1 */"command":"x"},/* 2 */"b":{"enabled":[/* 3 */]}/* 4 */,"a":{"command":/* 5 */"y"}}}';
    const b = '"b":{"enabled":[/* 3 */]}';
    const written = entry.replace('"n":', '');
    const gone = [put(text, b, ''), put(text, '/* 4 */,', '/* 4 */')];
    assert(proven({ do: 'remove', name: 'b' }, text, gone));
    assert(
      proven({ do: 'enable', name: 'b' }, text, [
        put(text, '[/* 3 */]', 'true'),
      ]),
    );
    assert(
      proven({ do: 'replace', name: 'b', server }, text, [
        put(text, b, `"b":${written}`),
      ]),
    );
    const last = put(text, '{"command":/* 5 */"y"}', written);
    assert(proven({ do: 'replace', name: 'a', server }, text, [last]));
    assert(
      !proven({ do: 'replace', name: 'a', server }, text, [
        last,
        put(text, '/* 1 */', ''),
      ]),
    );
  });
});

describe('the proof of a wrong change', () => {
  for (const [what, change, edits] of [
    [
      'the new text is not JSON',
      disable,
      [put(before, 'true} /*', 'false /*')],
    ],
    ['nothing changed', disable, [put(before, '/*', '/*')]],
    [
      'the new value is wrong',
      disable,
      [put(before, 'true} /*', '"false"} /*')],
    ],
    [
      'another server changed',
      disable,
      [put(before, 'true} /*', 'false} /*'), put(before, '"x"', '"y"')],
    ],
    [
      'a number has another spelling',
      { do: 'disable', name: 'a' },
      [put(before, 'true,"n":1.0', 'false,"n":1')],
    ],
    [
      'the first of two servers with the same name changed',
      { do: 'enable', name: 'a' },
      [put(before, '"x"', '"x","enabled":true')],
    ],
    [
      'the entry lost its "enabled"',
      disable,
      [put(before, '"enabled":true} /*', '} /*')],
    ],
    [
      'the entry is no longer an object',
      disable,
      [put(before, '{"enabled":true} /*', 'false /*')],
    ],
    [
      'the server got another name',
      disable,
      [put(before, '"b":{"enabled":true}', '"c":{"enabled":false}')],
    ],
    [
      'the last of two servers with the same name is gone',
      { do: 'disable', name: 'a' },
      [put(before, ',"a":{"enabled":true,"n":1.0}', '')],
    ],
    [
      'the server is gone',
      disable,
      [put(before, '"b":{"enabled":true} /* c */,', '/* c */')],
    ],
    ['a comment is lost', disable, [put(before, 'true} /* c */', 'false}')]],
    ['a comment changed', disable, [put(before, 'true} /* c', 'false} /* d')]],
    [
      'a comment was added',
      disable,
      [put(before, 'true} /*', 'false} /* d *//*')],
    ],
    [
      'a trailing comma was added',
      disable,
      [put(before, 'true} /*', 'false,} /*')],
    ],
    [
      'something outside the servers changed',
      disable,
      [put(before, 'true} /*', 'false} /*'), put(before, '[1]', '[]')],
    ],
    [
      'a key was added at the root',
      disable,
      [put(before, 'true} /*', 'false} /*'), put(before, '[1]', '[1],"x":1')],
    ],
    [
      'the added server has another name',
      add,
      [put(before, '},"theme"', `,${entry.replace('"n"', '"m"')}},"theme"`)],
    ],
    [
      'the added server has other values',
      add,
      [put(before, '},"theme"', `,${entry.replace('[]', '[1]')}},"theme"`)],
    ],
    [
      'the added server is not an object',
      add,
      [put(before, '},"theme"', ',"n":1},"theme"')],
    ],
    ['nothing was added', add, []],
    [
      'only one of two servers with the same name was removed',
      { do: 'remove', name: 'a' },
      [put(before, ',"a":{"enabled":true,"n":1.0}', '')],
    ],
    [
      'mcpServers is no longer an object',
      disable,
      [put(before, '"theme"', '"mcpServers"')],
    ],
    [
      'renaming changed something else',
      { do: 'rename', name: 'b', to: 'c' },
      [put(before, '"b":{"enabled":true}', '"c":{}')],
    ],
    [
      'renaming used another name',
      { do: 'rename', name: 'b', to: 'c' },
      [put(before, '"b"', '"d"')],
    ],
    [
      'replacing wrote other values',
      { do: 'replace', name: 'b', server },
      [put(before, '"enabled":true} /*', '"enabled":false} /*')],
    ],
    [
      'the server to replace never existed',
      { do: 'replace', name: 'z', server },
      [],
    ],
    ['the server to enable never existed', { do: 'enable', name: 'z' }, []],
  ] as const satisfies [string, Change, Edit[]][]) {
    it(`fails when ${what}`, () => {
      assert(!proven(change, before, edits));
    });
  }

  it('fails when an entry that was not an object became one', () => {
    const text = '{"mcpServers":{"b":5}}';
    assert(!proven(disable, text, [put(text, '5', '{"enabled":false}')]));
  });

  it('fails when nothing was added to a file without servers', () => {
    assert(!proven(add, '{"mcpServers":{}}', []));
  });

  it('fails when removing a server added mcpServers to a file without servers', () => {
    const text = '{"theme":1}';
    assert(
      !proven({ do: 'remove', name: 'a' }, text, [
        put(text, '}', ',"mcpServers":{}}'),
      ]),
    );
  });

  it('fails when the edits overlap', () => {
    const text = '{"mcpServers":{"a":{"command":"x"}}}';
    const edit = put(text, '"a"', '"b"');
    const rename: Change = { do: 'rename', name: 'a', to: 'b' };
    const renamed = applyEdits(text, [edit]);
    assert(proven(rename, text, [edit], renamed));
    assert(!proven(rename, text, [edit, edit], renamed));
  });

  it('fails when white space differs from the edits, inside, before or after them', () => {
    const text = ` ${before} `;
    const right = put(text, 'true} /*', 'false } /*');
    const claimed = applyEdits(text, [right]);
    assert(proven(disable, text, [right], claimed));
    for (const place of [/^ /, /(?<=false) /, / $/]) {
      assert(
        !proven(disable, text, [right], claimed.replace(place, '\t')),
        String(place),
      );
    }
  });

  it('fails when the edits and the new text disagree', () => {
    const right = put(before, 'true} /*', 'false} /*');
    const text = applyEdits(before, [right]);
    assert(
      !proven(disable, before, [{ ...right, content: 'false}  /*' }], text),
    );
    assert(!proven(disable, before, [], text));
    assert(
      !proven(
        disable,
        before,
        [right, { ...right, offset: right.offset + 1 }],
        text,
      ),
    );
    assert(!proven(disable, before, [right], text.replace('[1]', '[2]')));
    assert(!proven(disable, before, [right], text.replace('{"a"', '{"b"')));
  });

  it('fails when moving servers added a key outside mcpServers, or lost a server', () => {
    const text = '{"a":{"command":"x"}}';
    const wrap: Change = { do: 'wrap' };
    assert(
      proven(wrap, text, [
        put(text, '{"a"', '{"mcpServers":{"a"'),
        put(text, '}}', '}}}'),
      ]),
    );
    assert(
      !proven(wrap, text, [
        put(text, '{"a"', '{"mcpServers":{"a"'),
        put(text, '}}', '}},"b":1}'),
      ]),
    );
    assert(!proven(wrap, text, [put(text, text, '{"mcpServers":{}}')]));
  });

  it('fails when another change moved servers from the root into mcpServers', () => {
    const text = '{"a":{"command":"x"}}';
    const edits = [
      put(text, text, '{"mcpServers":{"a":{"command":"x","enabled":false}}}'),
    ];
    assert(!proven({ do: 'disable', name: 'a' }, text, edits));
  });
});
