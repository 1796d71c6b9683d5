import assert from 'node:assert/strict';
import { applyEdits } from 'jsonc-parser';
import { Secret } from '../../../../src/base/secret.ts';
import type { Change } from '../../../../src/mcp/edit/wantedChange.ts';
import { editText } from '../../../../src/mcp/edit/editText.ts';
import { findProblems } from '../../../../src/mcp/problems/findProblems.ts';
import { Refusal } from '../../../../src/mcp/text/refusal.ts';
import type { Server } from '../../../../src/mcp/format/server.ts';
import type { Value } from '../../../../src/mcp/text/values.ts';
import { programFile, programServers } from '../../../support/programFile.ts';

const local: Server = {
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'x'],
  env: new Map([['TOKEN', new Secret('t')]]),
};
const add: Change = { do: 'add', name: 'new', server: local };
const disable: Change = { do: 'disable', name: 'a' };
const enable: Change = { do: 'enable', name: 'a' };
const remove: Change = { do: 'remove', name: 'a' };

/** Lines as one text. */
const lines = (...all: string[]) => all.join('\n');

function edited(before: string, change: Change): string {
  const { text, edits } = editText(before, change);
  assert.equal(
    applyEdits(before, [...edits]),
    text,
    'the edits say what the text says',
  );
  return text;
}

function refusal(text: string, change: Change): string {
  try {
    editText(text, change);
  } catch (error) {
    if (error instanceof Refusal) return `${error.kind}: ${error.message}`;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('adding a server', () => {
  const file = lines(
    '{',
    '  "mcpServers": {',
    '    "new": {',
    '      "command": "npx",',
    '      "args": [',
    '        "-y",',
    '        "x"',
    '      ],',
    '      "env": {',
    '        "TOKEN": "t"',
    '      }',
    '    }',
    '  }',
    '}',
  );

  it('writes a whole file when the text is empty or blank', () => {
    assert.equal(edited('', add), `${file}\n`);
    for (const empty of [' \r\n', '\uFEFF', '\uFEFF \r\n'])
      assert.equal(edited(empty, add), `${file}\n`);
  });

  it('keeps the style of a file that the program wrote, and adds no nulls', () => {
    const after = edited(programFile, { ...add, name: 'z' });
    const ours = { command: 'npx', args: ['-y', 'x'], env: { TOKEN: 't' } };
    assert.equal(
      after,
      JSON.stringify({ mcpServers: { ...programServers, z: ours } }, null, 2),
    );
    const off = edited(after, { do: 'disable', name: 'web' });
    assert.equal(
      off,
      after
        .replace('"PT30S"', '"PT30S" ')
        .replace(/("PT30S") ([^}]*"enabled": )true/, '$1$2false'),
    );
    assert.equal(edited(after, { do: 'remove', name: 'z' }), programFile);
  });

  it('creates mcpServers when there is none', () => {
    assert.equal(edited('{}', add), file);
    assert.equal(
      edited('{\n\t"theme": "dark"\n}\n', {
        ...add,
        server: { ...local, env: new Map() },
      }),
      lines(
        '{',
        '\t"theme": "dark",',
        '\t"mcpServers": {',
        '\t\t"new": {',
        '\t\t\t"command": "npx",',
        '\t\t\t"args": [',
        '\t\t\t\t"-y",',
        '\t\t\t\t"x"',
        '\t\t\t],',
        '\t\t\t"env": {}',
        '\t\t}',
        '\t}',
        '}',
        '',
      ),
    );
  });

  it('writes the keys that the program expects for each transport', () => {
    const entry = (server: Server, enabled?: boolean) =>
      edited('{"mcpServers":{}}', {
        do: 'add',
        name: 'n',
        server,
        ...(enabled !== undefined && { enabled }),
      });
    assert.equal(
      entry(
        { transport: 'stdio', command: 'x', args: [], env: new Map() },
        true,
      ),
      '{"mcpServers":{"n":{"command":"x","args":[],"env":{}}}}',
    );
    assert.equal(
      entry({ transport: 'http', url: 'https://x', headers: new Map() }, false),
      '{"mcpServers":{"n":{"url":"https://x","transport":"http","enabled":false}}}',
    );
    const headers = new Map([['A', new Secret('b"')]]);
    assert.equal(
      entry({
        transport: 'sse',
        url: 'https://x',
        headers,
        auth: new Secret('oauth'),
      }),
      '{"mcpServers":{"n":{"url":"https://x","transport":"sse","headers":{"A":"b\\""},"auth":"oauth"}}}',
    );
  });

  it('writes extra fields as they are, but not a second command', () => {
    const extra = new Map<string, Value>([
      ['cwd', '/'],
      ['timeout', 5],
      ['command', 'other'],
    ]);
    assert.equal(
      edited('{"mcpServers":{}}', {
        do: 'add',
        name: 'n',
        server: local,
        enabled: false,
        extra,
      }),
      '{"mcpServers":{"n":{"command":"npx","args":["-y","x"],"env":{"TOKEN":"t"},"cwd":"/","timeout":5,"enabled":false}}}',
    );
  });

  it('follows the style of the surrounding file', () => {
    assert.equal(
      edited('{"mcpServers": {"a": {"command": "x"}}}', add),
      '{"mcpServers": {"a": {"command": "x"}, "new": {"command": "npx", "args": ["-y", "x"], "env": {"TOKEN": "t"}}}}',
    );
    assert.equal(
      edited('{ "mcpServers": { "a": { "command": "x", "args": [] } } }', add),
      '{ "mcpServers": { "a": { "command": "x", "args": [] }, "new": { "command": "npx", "args": ["-y", "x"], "env": { "TOKEN": "t" } } } }',
    );
    assert.equal(
      edited(
        '{\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "x" }\r\n\t}\r\n}',
        add,
      ),
      '{\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "x" },\r\n\t\t"new": { "command": "npx", "args": ["-y", "x"], "env": { "TOKEN": "t" } }\r\n\t}\r\n}',
    );
    const tall = lines(
      '{',
      '    "mcpServers": {',
      '        "a": {',
      '            "args": [',
      '                "x"',
      '            ]',
      '        }',
      '    }',
      '}',
    );
    assert.equal(
      edited(tall, add),
      tall.replace(
        /\n {4}\}\n\}$/,
        lines(
          ',',
          '        "new": {',
          '            "command": "npx",',
          '            "args": [',
          '                "-y",',
          '                "x"',
          '            ],',
          '            "env": {',
          '                "TOKEN": "t"',
          '            }',
          '        }',
          '    }',
          '}',
        ),
      ),
    );
  });

  it('keeps comments and a trailing comma in place', () => {
    assert.equal(
      edited(
        lines(
          '{ "mcpServers": {',
          '  "a": { "command": "x" } /* 1 */ // 2',
          '  // 3',
          '} }',
        ),
        {
          ...add,
          server: { transport: 'http', url: 'u', headers: new Map() },
        },
      ),
      lines(
        '{ "mcpServers": {',
        '  "a": { "command": "x" }, /* 1 */ // 2',
        '  "new": { "url": "u", "transport": "http" }',
        '  // 3',
        '} }',
      ),
    );
    assert.equal(
      edited(lines('{ "mcpServers": {', '  "a": {}, // 1', '}, }'), {
        ...add,
        server: { transport: 'http', url: 'u', headers: new Map() },
      }),
      lines(
        '{ "mcpServers": {',
        '  "a": {}, // 1',
        '  "new": {',
        '    "url": "u",',
        '    "transport": "http"',
        '  }',
        '}, }',
      ),
    );
  });

  it('writes into an object that has only comments or blanks', () => {
    const server: Server = { transport: 'http', url: 'u', headers: new Map() };
    const at = (text: string) => edited(text, { do: 'add', name: 'n', server });
    assert.equal(
      at('{"mcpServers":{ /* none */ }}'),
      '{"mcpServers":{ /* none */"n":{"url":"u","transport":"http"} }}',
    );
    assert.equal(
      at('{"mcpServers":{ }}'),
      '{"mcpServers":{ "n":{"url":"u","transport":"http"} }}',
    );
    assert.equal(
      at('{\n "mcpServers": {\n  // none\n }\n}'),
      '{\n "mcpServers": {\n  // none\n  "n": {\n   "url": "u",\n   "transport": "http"\n  }\n }\n}',
    );
    assert.equal(
      at('{\n\t"mcpServers": { }\n}'),
      '{\n\t"mcpServers": {\n\t\t"n": {\n\t\t\t"url": "u",\n\t\t\t"transport": "http"\n\t\t}\n\t}\n}',
    );
  });

  it('adds to the last of two mcpServers, and reports the duplicate', () => {
    const { text } = editText('{"mcpServers":{"a":{}},"mcpServers":{}}', add);
    assert.match(text, /^\{"mcpServers":\{"a":\{\}\},"mcpServers":\{"new":/);
    const found = findProblems(text).find(
      ({ code }) => code === 'duplicateServers',
    );
    assert.match(
      found?.message ?? '',
      /^"mcpServers" appears again below, and only the last one counts\./,
    );
  });

  it('refuses a name that is taken, even in another spelling, and says where', () => {
    assert.equal(
      refusal('{"mcpServers":{"\\u006eew":{}}}', add),
      'nameTaken: Line 1, column 16: there is already a server "new". Remove it first, or choose another name.',
    );
  });

  it('refuses if it would hide servers at the root', () => {
    assert.match(
      refusal('{"a":{"command":"x"}}', add),
      /^serversAtRoot: .*Move them into "mcpServers" first\.$/,
    );
    assert.match(
      refusal('{"a":{"command":"x"}}', { ...add, name: 'a' }),
      /^nameTaken/,
    );
  });
});

describe('disabling a server', () => {
  it('adds "enabled" in the style of the entry', () => {
    assert.equal(
      edited('{"mcpServers":{"a":{"command":"x"}}}', disable),
      '{"mcpServers":{"a":{"command":"x","enabled":false}}}',
    );
    assert.equal(
      edited('{"mcpServers":{"a":{\n"command" : "x" // why\n}}}', disable),
      '{"mcpServers":{"a":{\n"command" : "x", // why\n"enabled": false\n}}}',
    );
    assert.equal(
      edited('{"mcpServers":{"a":{}}}', disable),
      '{"mcpServers":{"a":{"enabled":false}}}',
    );
    assert.equal(
      edited('{"mcpServers":{"a":{"command":"x","args":[],}}}', disable),
      '{"mcpServers":{"a":{"command":"x","args":[],"enabled":false}}}',
    );
  });

  it('changes an existing "enabled" in place, or the last of two', () => {
    assert.equal(
      edited(
        '{"mcpServers":{"a":{"enabled":true,"enabled": true /* yes */,"x":1.50}}}',
        disable,
      ),
      '{"mcpServers":{"a":{"enabled":true,"enabled": false /* yes */,"x":1.50}}}',
    );
    assert.equal(
      edited('{"mcpServers":{"a":{"enabled":"no"}}}', disable),
      '{"mcpServers":{"a":{"enabled":false}}}',
    );
    assert.equal(
      edited(
        '{"mcpServers":{"a":{"enabled": /* 1 */ {"x": /* 2 */ []} /* 3 */}}}',
        disable,
      ),
      '{"mcpServers":{"a":{"enabled": /* 1 */ false /* 3 */}}}',
    );
  });

  it('changes the last of two servers with the same name, and reports the duplicate', () => {
    const { text } = editText('{"mcpServers":{"a":{},"b":{},"a":{}}}', disable);
    assert.equal(text, '{"mcpServers":{"a":{},"b":{},"a":{"enabled":false}}}');
    const found = findProblems(text).filter(
      ({ code }) => code === 'duplicateServer',
    );
    assert.deepEqual(
      found.map(({ start }) => start),
      [15],
    );
  });

  it('changes nothing when the server is already disabled', () => {
    assert.deepEqual(
      editText('{"mcpServers":{"a":{"enabled":false}}}', disable).edits,
      [],
    );
  });

  it('disables a server at the root', () => {
    assert.equal(
      edited('{"a":{"url":"x"}}', disable),
      '{"a":{"url":"x","enabled":false}}',
    );
  });

  it('keeps every other byte of the entry', () => {
    const odd =
      '"n": 12345678901234567890, "e": 1.0e+400, "\\u0061": "\\/", "x-other": {"b": [ ]}';
    assert.equal(
      edited(`{"mcpServers": {"a": {${odd}}}}`, disable),
      `{"mcpServers": {"a": {${odd}, "enabled": false}}}`,
    );
  });
});

describe('enabling a server', () => {
  it('changes "enabled" in place', () => {
    assert.equal(
      edited('{"mcpServers":{"a":{"enabled": false,"b":1}}}', enable),
      '{"mcpServers":{"a":{"enabled": true,"b":1}}}',
    );
  });

  it('changes nothing when the server is already enabled', () => {
    for (const entry of ['{}', '{"enabled":true}']) {
      const text = `{"mcpServers":{"a":${entry}}}`;
      const { text: now, edits } = editText(text, enable);
      assert.deepEqual([now, edits], [text, []]);
    }
  });
});

describe('removing a server', () => {
  const three = lines(
    '{',
    '  "mcpServers": {',
    '    "a": {},',
    '    "b": {},',
    '    "c": {}',
    '  }',
    '}',
    '',
  );

  it('removes the lines of the server and one comma', () => {
    const without = (name: string) => edited(three, { do: 'remove', name });
    assert.equal(without('a'), three.replace('    "a": {},\n', ''));
    assert.equal(without('b'), three.replace('    "b": {},\n', ''));
    assert.equal(without('c'), three.replace(',\n    "c": {}', ''));
  });

  it('adds no other kind of line break to a text that mixes them', () => {
    assert.equal(
      edited('{"mcpServers": { // why\r  "a": {}\n\n}}', {
        do: 'remove',
        name: 'a',
      }),
      '{"mcpServers": { // why\n}}',
    );
  });

  it('removes a server from within a line', () => {
    const text = '{ "mcpServers": { "a": {}, "b": {}, "c": {} } }';
    const without = (name: string) => edited(text, { do: 'remove', name });
    assert.equal(without('a'), '{ "mcpServers": { "b": {}, "c": {} } }');
    assert.equal(without('b'), '{ "mcpServers": { "a": {}, "c": {} } }');
    assert.equal(without('c'), '{ "mcpServers": { "a": {}, "b": {} } }');
    assert.equal(
      edited('{"mcpServers":{"a":{},\n"b":{}}}', remove),
      '{"mcpServers":{\n"b":{}}}',
    );
  });

  it('leaves an empty pair of braces after the only server', () => {
    for (const inner of [
      '{"a":{}}',
      '{ "a":{} }',
      '{\n  "a": {}\n}',
      '{ "a":{}, }',
    ]) {
      assert.equal(
        edited(`{"mcpServers":${inner}}`, remove),
        '{"mcpServers":{}}',
      );
    }
  });

  it('keeps every comment outside the entry', () => {
    const text = (inner: string) => `{"mcpServers":{${inner}}}`;
    const without = (inner: string) => edited(text(inner), remove);
    assert.equal(
      without('/*1*/ "a" /*2*/ : {/*3*/} /*4*/'),
      text('/*1*/ /*4*/'),
    );
    assert.equal(
      without('"a": {} /*1*/ , /*2*/ "b": {}'),
      text('/*1*/  /*2*/ "b": {}'),
    );
    assert.equal(without('"b": {}, // 1\n  "a": {}\n'), text('"b": {} // 1\n'));
    assert.equal(
      without('\n  // 1\n  "a": {}, // 2\n  "b": {}\n'),
      text('\n  // 1\n  // 2\n  "b": {}\n'),
    );
    assert.equal(
      without('\n  "a": {} // 1\n  ,"b": {}\n'),
      text('\n  // 1\n  "b": {}\n'),
    );
    assert.equal(without('"a": {}, /*1*/'), text('/*1*/'));
    assert.equal(without('/*1*/ "a": {},'), text('/*1*/ '));
    assert.equal(without('"a": {} /*1*/,'), text('/*1*/'));
    assert.equal(without('\r\n"a": {} // 1\r\n'), text('\r\n// 1\r\n'));
  });

  it('keeps a trailing comma', () => {
    assert.equal(
      edited('{"mcpServers":{"b":{},"a":{},}}', remove),
      '{"mcpServers":{"b":{},}}',
    );
  });

  it('removes all entries with the same name and their lines, and keeps the comments between them', () => {
    const text = (...inner: string[]) =>
      lines('{', '  "mcpServers": {', ...inner, '  }', '}', '');
    const a = '    "a": {}';
    const b = '    "b": {}';
    for (const [before, after] of [
      [[`${a},`, `${a},`, b], [b]],
      [[`${a}, "a": {},`, b], [b]],
      [[`${b},`, `${a},`, `${a}, "a": {}`], [b]],
      [[`${a},`, `${b},`, `${a},`], [`${b},`]],
      [
        [`${b},`, `${a}, // 1`, `${a} // 2`],
        [b, '    // 1', '    // 2'],
      ],
      [
        [`${a}, // 1`, `${a},`, b],
        ['    // 1', b],
      ],
      [
        [`${a} /* 1 */,`, `${a} // 2`],
        ['    /* 1 */', '    // 2'],
      ],
    ] as const) {
      assert.equal(edited(text(...before), remove), text(...after));
    }
    for (const [before, after] of [
      ['"a":{},"a":{}', ''],
      [' "a":{}, "a":{}, ', ''],
      ['"b":{}, "a":{}, "a":{}', '"b":{}'],
      ['"a":{}, "b":{}, "a":{}', '"b":{}'],
      ['"a":{}, /*1*/ "a":{}', '/*1*/ '],
      [
        '"b":{} /*1*/, /*2*/ "a":{}, /*3*/ "a":{}, ',
        '"b":{} /*1*/, /*2*/ /*3*/ ',
      ],
    ] as const) {
      assert.equal(
        edited(`{"mcpServers":{${before}}}`, remove),
        `{"mcpServers":{${after}}}`,
      );
    }
  });

  it('removes 20,000 entries with the same name', () => {
    const many = (inner: string) =>
      `{"mcpServers":{${Array.from({ length: 20_000 }, () => inner).join(',')},"b":{}}}`;
    const { text, edits } = editText(many('"a":{} /* 1 */'), remove);
    assert.equal(text.match(/"a"/g), null);
    assert.equal(text.match(/\/\* 1 \*\//g)?.length, 20_000);
    assert.equal(edits.length, 40_000);
    assert.deepEqual(editText(many('"a":{/* 1 */}'), remove).edits.length, 1);
  });

  it('refuses if an entry with the name is not an object, and says where', () => {
    assert.match(
      refusal('{"mcpServers":{"a":1,"a":{},"a":2}}', remove),
      /^wrongType: Line 1, column 33: /,
    );
  });

  it('removes earlier entries with the same name, which would otherwise take effect', () => {
    assert.equal(
      edited('{"mcpServers":{"a":{"x":1},"b":{},"\\u0061":{"y":2}}}', remove),
      '{"mcpServers":{"b":{}}}',
    );
    assert.equal(edited('{"a":{},"a":{"command":"x"}}', remove), '{}');
  });
});

describe('renaming a server', () => {
  const rename = (to: string): Change => ({ do: 'rename', name: 'a', to });

  it('changes only the name, in every entry that has it', () => {
    assert.equal(
      edited(
        '{"mcpServers":{"a" :{"x":1.0}, "\\u0061":{} /* a */}}',
        rename('b"'),
      ),
      '{"mcpServers":{"b\\"" :{"x":1.0}, "b\\"":{} /* a */}}',
    );
    assert.equal(
      edited('{"a":{"command":"x"}}', rename('b')),
      '{"b":{"command":"x"}}',
    );
  });

  it('changes nothing when the name stays the same', () => {
    assert.deepEqual(
      editText('{"mcpServers":{"a":{}}}', rename('a')).edits,
      [],
    );
  });

  it('refuses a taken name, a missing server, and the name mcpServers at the root', () => {
    assert.match(
      refusal('{"mcpServers":{"a":{},"b":{}}}', rename('b')),
      /^nameTaken: .*Choose another name\.$/,
    );
    assert.match(
      refusal('{"mcpServers":{"b":{}}}', rename('b')),
      /^noSuchServer/,
    );
    assert.match(refusal('{}', rename('b')), /^noSuchServer/);
    assert.match(
      refusal('{"a":{"command":"x"}}', rename('mcpServers')),
      /^serversAtRoot/,
    );
  });
});

describe('replacing a server', () => {
  const replace: Change = {
    do: 'replace',
    name: 'a',
    server: local,
    enabled: false,
  };

  it('writes the new entry in the surrounding style', () => {
    assert.equal(
      edited('{"mcpServers":{"a":{"url":"x"},"b":{}}}', replace),
      '{"mcpServers":{"a":{"command":"npx","args":["-y","x"],"env":{"TOKEN":"t"},"enabled":false},"b":{}}}',
    );
    assert.equal(
      edited(
        lines('{', '  "mcpServers": {', '    "a": 5 // what?', '  }', '}'),
        {
          do: 'replace',
          name: 'a',
          server: { transport: 'http', url: 'u', headers: new Map() },
        },
      ),
      lines(
        '{',
        '  "mcpServers": {',
        '    "a": {',
        '      "url": "u",',
        '      "transport": "http"',
        '    } // what?',
        '  }',
        '}',
      ),
    );
  });

  it('refuses a missing server', () => {
    assert.match(refusal('{"mcpServers":{}}', replace), /^noSuchServer/);
  });
});

describe('moving servers from the root into mcpServers', () => {
  const wrap: Change = { do: 'wrap' };

  it('wraps the servers without changing them', () => {
    assert.equal(
      edited('{\n  "a": {"command":"x"}, // 1\n}\n', wrap),
      '{"mcpServers": {\n  "a": {"command":"x"}, // 1\n}}\n',
    );
  });

  it('changes nothing without servers at the root', () => {
    for (const text of ['', '{}', '{"mcpServers":{"a":{}}}'])
      assert.deepEqual(editText(text, wrap).edits, []);
  });

  it('refuses if the root has anything other than servers', () => {
    assert.match(
      refusal('{"a":{"command":"x"},"theme":"dark"}', wrap),
      /^wrongType: .*"theme" is not/,
    );
  });
});

describe('changing the URL of a server', () => {
  const move: Change = { do: 'url', name: 'a', url: 'https://new.example/"x"' };

  it('replaces only the last of two URLs', () => {
    assert.equal(
      edited(
        '{"mcpServers":{"a":{"url":"https://1", // 1\n "url" : "https://2", "headers":{}}}}',
        move,
      ),
      '{"mcpServers":{"a":{"url":"https://1", // 1\n "url" : "https://new.example/\\"x\\"", "headers":{}}}}',
    );
  });

  it('adds the URL if the server has none', () => {
    assert.equal(
      edited('{"mcpServers":{"a":{}}}', move),
      '{"mcpServers":{"a":{"url":"https://new.example/\\"x\\""}}}',
    );
  });

  it('changes nothing for the same URL, and refuses a missing server', () => {
    const text = '{"mcpServers":{"a":{"url":"https://new.example/\\"x\\""}}}';
    assert.deepEqual(editText(text, move).edits, []);
    assert.match(refusal('{"mcpServers":{"b":{}}}', move), /^noSuchServer: /);
  });
});

describe('an impossible change', () => {
  for (const change of [enable, disable, remove]) {
    it(`reports a missing server, with a hint: ${change.do}`, () => {
      assert.equal(
        refusal('{"mcpServers":{"files":{}}}', { ...change, name: 'fiels' }),
        'noSuchServer: There is no server "fiels". Did you mean "files"?',
      );
      assert.equal(
        refusal('', change),
        'noSuchServer: There is no server "a". There are no servers yet.',
      );
    });

    it(`reports an entry that is not an object: ${change.do}`, () => {
      for (const entry of ['[]', '1', '"x"', 'null']) {
        assert.equal(
          refusal(`{"mcpServers":{"a":${entry}}}`, change),
          'wrongType: Line 1, column 20: "a" is not a JSON object. Correct it in the file.',
        );
      }
    });
  }

  for (const text of [
    '{"mcpServers":{"a":{"command":"x"}',
    '{"mcpServers":{"a":{}}',
    '{"mcpServers":{"a" {}}}',
    '{',
  ]) {
    it(`reports a syntax error in an incomplete or invalid file: ${text}`, () => {
      for (const change of [add, enable, disable, remove])
        assert.match(refusal(text, change), /^syntax: Line 1/);
    });
  }

  it('never shows a value of the file', () => {
    for (const text of [
      '{"mcpServers":{"a":{"env":{"T":"canary}}}',
      '{"mcpServers":"canary"}',
      '"canary',
    ]) {
      for (const change of [add, enable, remove])
        assert.doesNotMatch(refusal(text, change), /canary/);
    }
  });
});
