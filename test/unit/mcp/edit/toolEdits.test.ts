import assert from 'node:assert/strict';
import { applyEdits } from 'jsonc-parser';
import { editText } from '../../../../src/mcp/edit/editText.ts';
import { Refusal } from '../../../../src/mcp/text/refusal.ts';

/** The text after tools of the server "s" were switched. */
function switched(
  before: string,
  { on = [], off = [] }: { on?: string[]; off?: string[] },
): string {
  const { text, edits } = editText(before, { do: 'tools', name: 's', on, off });
  assert.equal(
    applyEdits(before, [...edits]),
    text,
    'the edits say what the text says',
  );
  return text;
}

function refusal(
  text: string,
  off: readonly string[],
  on: readonly string[] = [],
): string {
  try {
    editText(text, { do: 'tools', name: 's', on, off });
  } catch (error) {
    if (error instanceof Refusal) return `${error.kind}: ${error.message}`;
    throw error;
  }
  throw new Error('It was not refused.');
}

const server = (rest: string) =>
  `{"mcpServers": {"s": {"command": "x"${rest}}}}`;
const tools = (inside: string) => server(`, "tools": ${inside}`);
const lines = (...all: string[]) => all.join('\n');

describe('switching a tool off', () => {
  it('writes "enabled": false in the style of the entry', () => {
    assert.equal(
      switched(server(''), { off: ['delete_repo'] }),
      tools('{"delete_repo": {"enabled": false}}'),
    );
    const tall = (...more: string[]) =>
      lines(
        '{',
        '\t"mcpServers": {',
        '\t\t"s": {',
        '\t\t\t"command": "x"' + more.join('\n'),
        '\t\t}\n\t}\n}\n',
      );
    assert.equal(
      switched(tall(), { off: ['a'] }),
      tall(
        ',',
        '\t\t\t"tools": {',
        '\t\t\t\t"a": {',
        '\t\t\t\t\t"enabled": false',
        '\t\t\t\t}',
        '\t\t\t}',
      ),
    );
  });

  it('adds the tool after the others, in their style', () => {
    assert.equal(
      switched(tools('{ "a": { "enabled":false } }'), { off: ['b'] }),
      tools('{ "a": { "enabled":false }, "b": { "enabled": false } }'),
    );
    const list = (...all: string[]) =>
      lines('{"mcpServers": {"s": {"tools": {', ...all, '}}}}');
    assert.equal(
      switched(list('  "a": {"enabled": false}, // dangerous'), { off: ['b'] }),
      list(
        '  "a": {"enabled": false}, // dangerous',
        '  "b": {"enabled": false}',
      ),
    );
    assert.equal(
      switched(tools('{}'), { off: ['a'] }),
      tools('{"a": {"enabled": false}}'),
    );
  });

  it('keeps the other fields of the tool', () => {
    assert.equal(
      switched(
        tools('{"a": {"name": "b", "arguments": {"x": {"hide": true}}}}'),
        { off: ['a'] },
      ),
      tools(
        '{"a": {"name": "b", "arguments": {"x": {"hide": true}}, "enabled": false}}',
      ),
    );
    assert.equal(
      switched(tools('{"a": { }}'), { off: ['a'] }),
      tools('{"a": { "enabled": false }}'),
    );
  });

  it('replaces a value that means on, and keeps one that means off', () => {
    for (const word of [
      'true',
      '1',
      '"yes"',
      '"maybe"',
      'null',
      '[ /* 1 */ ]',
    ]) {
      assert.equal(
        switched(tools(`{"a": {"enabled": ${word}, "tags": []}}`), {
          off: ['a'],
        }),
        tools('{"a": {"enabled": false, "tags": []}}'),
        word,
      );
    }
    for (const word of ['false', '0', '"off"', '"No"']) {
      const text = tools(`{"a": {"enabled": ${word}}}`);
      assert.deepEqual(
        editText(text, { do: 'tools', name: 's', on: [], off: ['a'] }).edits,
        [],
        word,
      );
    }
  });

  it('accepts a tool with any name', () => {
    const names = [
      '__proto__',
      '',
      'a "b"',
      'back\\slash',
      'x.y',
      'constructor',
      '1',
      '\u2028',
      '😀',
    ];
    const text = switched(server(''), { off: names });
    const { mcpServers } = JSON.parse(text) as {
      mcpServers: { s: { tools: object } };
    };
    assert.deepEqual(
      Object.entries(mcpServers.s.tools).sort(),
      names.map((name) => [name, { enabled: false }]).sort(),
    );
    assert.equal(switched(text, { on: names }), server(''));
  });

  it('switches off many tools at once, and writes repeated names once', () => {
    const off = Array.from({ length: 500 }, (_, i) => `tool_${i % 400}`);
    const { mcpServers } = JSON.parse(switched(server(''), { off })) as {
      mcpServers: { s: { tools: object } };
    };
    assert.equal(Object.keys(mcpServers.s.tools).length, 400);
  });

  it('treats "tools": null as empty', () => {
    assert.equal(
      switched(tools('null'), { off: ['a'] }),
      tools('{"a": {"enabled": false}}'),
    );
  });

  it('changes the last of two servers, of two "tools", of two tools and of two "enabled"', () => {
    assert.equal(
      switched('{"mcpServers": {"s": {"url": "y"}, "s": {"command": "x"}}}', {
        off: ['a'],
      }),
      '{"mcpServers": {"s": {"url": "y"}, "s": {"command": "x", "tools": {"a": {"enabled": false}}}}}',
    );
    assert.equal(
      switched(server(', "tools": {"a": {"enabled": false}}, "tools": {}'), {
        off: ['a'],
      }),
      server(
        ', "tools": {"a": {"enabled": false}}, "tools": {"a": {"enabled": false}}',
      ),
    );
    assert.equal(
      switched(tools('{"a": {"enabled": false}, "a": {}}'), { off: ['a'] }),
      tools('{"a": {"enabled": false}, "a": {"enabled": false}}'),
    );
    assert.equal(
      switched(tools('{"a": {"enabled": false, "enabled": true}}'), {
        off: ['a'],
      }),
      tools('{"a": {"enabled": false, "enabled": false}}'),
    );
  });

  it('switches off a tool of a server at the root', () => {
    assert.equal(
      switched('{"s":{"url":"x"}}', { off: ['a'] }),
      '{"s":{"url":"x","tools":{"a":{"enabled":false}}}}',
    );
  });

  it('refuses if "tools" is not an object', () => {
    for (const value of ['["*"]', '[]', '"a"', 'false']) {
      assert.equal(
        refusal(tools(value), ['a']),
        'wrongType: Line 1, column 48: "tools" is not a JSON object, so it is ignored and agents get all tools. Correct or remove it in the file.',
      );
    }
  });

  it('refuses tags for which the program ignores "tools", and lets a tool be switched on', () => {
    for (const tags of ['[1]', '"a"', '{}', '[[]]']) {
      const text = server(
        `, "exclude_tags": ${tags}, "tools": {"a": {"enabled": false}}`,
      );
      assert.equal(
        refusal(text, ['b']),
        'wrongType: Line 1, column 55: "exclude_tags" must be a list of strings. As it is, it is ignored, and so is "tools".',
      );
      assert.equal(
        switched(text, { on: ['a'] }),
        server(`, "exclude_tags": ${tags}`),
      );
    }
    const text = server(', "include_tags": null, "exclude_tags": ["a"]');
    assert.match(switched(text, { off: ['b'] }), /"b": \{"enabled": false\}/);
  });

  it('refuses if the entry of the tool is not an object', () => {
    for (const value of ['false', 'null', '[]', '"x"']) {
      assert.equal(
        refusal(tools(`{"a": ${value}}`), ['a'], ['b']),
        'wrongType: Line 1, column 54: The entry for "a" in "tools" is not a JSON object. Correct it in the file.',
      );
    }
  });

  it('refuses a server that is missing or not an object', () => {
    assert.match(
      refusal('{"mcpServers": {"t": {}}}', ['a']),
      /^noSuchServer: There is no server "s"/,
    );
    assert.match(
      refusal('{"mcpServers": {"s": []}}', ['a']),
      /^wrongType: .*"s" is not a JSON object/,
    );
  });
});

describe('switching a tool on again', () => {
  it('restores the file from before the tool was switched off', () => {
    for (const before of [
      server(''),
      server(', "tools": {"a": {"name": "b"}}'),
      '{"mcpServers":{"s":{}}}',
      '{"mcpServers":{"s":{"tools":{"b":{}}}}}',
      lines(
        '{',
        '  "mcpServers": {',
        '    "s": {',
        '      "command": "x" // why',
        '    }',
        '  }',
        '}',
      ),
      '{\r\n\t"s": {\r\n\t\t"url": "x"\r\n\t}\r\n}\r\n',
    ]) {
      const off = switched(before, { off: ['a', 'c'] });
      // A comma that nothing follows stays away, as it does when a server is
      // removed.
      assert.equal(switched(off, { on: ['a', 'c'] }), before);
    }
  });

  it('removes "enabled", and keeps other fields and other tools', () => {
    assert.equal(
      switched(tools('{"a": {"name": "b", "enabled": false, "tags": []}}'), {
        on: ['a'],
      }),
      tools('{"a": {"name": "b", "tags": []}}'),
    );
    assert.equal(
      switched(tools('{"a": {"enabled": "off"}, "b": {"enabled": false}}'), {
        on: ['a'],
      }),
      tools('{"b": {"enabled": false}}'),
    );
  });

  it('keeps an empty object that was there before', () => {
    assert.equal(
      switched(tools('{"a": {}, "b": {"enabled": false}}'), { on: ['a', 'b'] }),
      tools('{"a": {}}'),
    );
  });

  it('keeps comments outside the removed value, and the objects that hold them', () => {
    assert.equal(
      switched(tools('{"a": {/* why */ "enabled": false}}'), { on: ['a'] }),
      tools('{"a": {/* why */ }}'),
    );
    assert.equal(
      switched(tools('{/* why */ "a": {"enabled": false}}'), { on: ['a'] }),
      tools('{/* why */ }'),
    );
    assert.equal(
      switched(tools('{"a": /* why */ {"enabled": false}}'), { on: ['a'] }),
      tools('{"a": /* why */ {}}'),
    );
    assert.equal(
      switched(tools('{"a": {"enabled": /* gone */ false}}'), { on: ['a'] }),
      tools('{"a": {}}'),
    );
  });

  it('never makes an earlier duplicate count', () => {
    assert.equal(
      switched(
        tools(
          '{"a": {"enabled": false, "name": "b"}, "a": {"enabled": false}}',
        ),
        { on: ['a'] },
      ),
      tools('{"a": {"enabled": false, "name": "b"}, "a": {}}'),
    );
    assert.equal(
      switched(tools('{"a": {"enabled": true, "enabled": false}}'), {
        on: ['a'],
      }),
      server(''),
    );
    assert.equal(
      switched(
        tools('{"a": {"enabled": false, "name": "b", "enabled": false}}'),
        { on: ['a'] },
      ),
      tools('{"a": {"name": "b"}}'),
    );
    assert.equal(
      switched(
        server(
          ', "tools": {"b": {"enabled": false}}, "tools": {"a": {"enabled": false}}',
        ),
        {
          on: ['a'],
        },
      ),
      server(', "tools": {"b": {"enabled": false}}, "tools": {}'),
    );
  });

  it('changes nothing for a tool that is already on', () => {
    for (const text of [
      server(''),
      ...[
        '["a"]',
        'null',
        '{}',
        '{"a": {}}',
        '{"a": {"enabled": true}}',
        '{"a": 1}',
      ].map(tools),
    ]) {
      const { text: after, edits } = editText(text, {
        do: 'tools',
        name: 's',
        on: ['a'],
        off: [],
      });
      assert.deepEqual([after, edits], [text, []]);
    }
  });
});

describe('switching some tools on and others off', () => {
  it('applies both changes at once', () => {
    assert.equal(
      switched(
        tools(
          '{"a": {"enabled": false}, "b": {"enabled": false, "name": "x"}, "c": {"enabled": true}, "d": {}}',
        ),
        { on: ['a', 'b'], off: ['c', 'd'] },
      ),
      tools(
        '{"b": {"name": "x"}, "c": {"enabled": false}, "d": {"enabled": false}}',
      ),
    );
  });

  it('replaces removed tools with added ones', () => {
    const [three, two] = [
      ['a', 'b', 'c'],
      ['d', 'e'],
    ];
    const all = (names: string[]) =>
      tools(
        `{${names.map((name) => `"${name}": {"enabled": false}`).join(', ')}}`,
      );
    assert.equal(switched(all(three), { on: three, off: two }), all(two));
    assert.equal(switched(all(two), { on: two, off: three }), all(three));
    assert.equal(
      switched(all(['a', ...two]), { on: two, off: ['b'] }),
      all(['a', 'b']),
    );
  });

  it('switches off a tool that is in both lists', () => {
    assert.equal(
      switched(server(''), { on: ['a'], off: ['a'] }),
      tools('{"a": {"enabled": false}}'),
    );
  });
});
