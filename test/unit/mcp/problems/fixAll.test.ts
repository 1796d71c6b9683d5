import assert from 'node:assert/strict';
import type { Edit } from 'jsonc-parser';
import { withEdits } from '../../../../src/mcp/text/withEdits.ts';
import { fixAll, keepsUntouched } from '../../../../src/mcp/problems/fixAll.ts';
import { createProblem } from '../../../../src/mcp/problems/problem.ts';
import type { Problem } from '../../../../src/mcp/problems/findProblems.ts';
import { Refusal } from '../../../../src/mcp/text/refusal.ts';
import { file, shown } from './cases.ts';

describe('Fix All', () => {
  it('makes every certain fix, and no other', () => {
    const text = `\uFEFF{
  // mine
  "servers": {
    "files": {
      "type": "stdio",
      "command": ["npx", "-y", "files"],
      "environment": { "PORT": 8080 },
      "disabled": true, // for now
    },
    "web": {
      "type": "streamableHttp",
      "serverUrl": "https://example.com/mcp",
      "enabled": "false",
      "timeout": "1e3"
    },
    "web": { "comand": "x" },
  },
  "theme": "dark",
}
`;
    const after = `{
  // mine
  "mcpServers": {
    "files": {
      "type": "stdio",
      "command": "npx",
      "env": { "PORT": "8080" },
      "enabled": false, // for now
      "args": ["-y", "files"]
    },
    "web": {
      "type": "streamableHttp",
      "serverUrl": "https://example.com/mcp",
      "enabled": "false",
      "timeout": "1e3"
    },
    "web": { "comand": "x" }
  },
  "theme": "dark"
}
`;
    assert.equal(fixAll(text), after);
    assert.deepEqual(shown(after), [
      'comment // mine',
      'comment // for now',
      'duplicateServer "web"',
      'misspelledTarget "comand"',
    ]);
    assert.equal(fixAll(after), after);
  });

  it('makes fixes that become certain after another fix', () => {
    assert.equal(
      fixAll(
        '{"a": {"type": "http", "serverUrl": "https://x.y"}, "a": {"type": "http", "httpUrl": "https://x.y", "url": "https://x.y"}}',
      ),
      '{"mcpServers": {"a": {"type": "http", "serverUrl": "https://x.y"}, "a": {"transport": "http", "url": "https://x.y"}}}',
    );
  });

  it('makes adjacent fixes one after the other', () => {
    const same = '"a": {"command": "x"}';
    assert.equal(
      fixAll(`{"mcpServers": {${Array(50).fill(same).join(', ')}}}`),
      `{"mcpServers": {${same}}}`,
    );
    assert.equal(
      fixAll(
        file(
          '{"transport": null, "env": null, "args": null, "command": "x", "disabled": false}',
        ),
      ),
      file('{"command": "x", "enabled": true}'),
    );
  });

  it('makes overlapping fixes one after the other', () => {
    assert.equal(
      fixAll(file('{"command": "x", "env": null, "args": null}')),
      file('{"command": "x"}'),
    );
    assert.equal(
      fixAll(
        file(
          '{"command": "x", "env": null, "args": null, "disabled": true, "transport": null}',
        ),
      ),
      file('{"command": "x", "enabled": false}'),
    );
  });

  it('removes trailing commas before it adds something after them', () => {
    assert.equal(
      fixAll(
        '{\n  "mcpServers": {\n    "a": {\n      "httpUrl": "https://x.y", // why\n    },\n  },\n}',
      ),
      '{\n  "mcpServers": {\n    "a": {\n      "url": "https://x.y", // why\n      "transport": "http"\n    }\n  }\n}',
    );
  });

  it('keeps a key whose removal would make an earlier duplicate count', () => {
    for (const entry of [
      '{"command": "x", "args": ["y"], "args": null}',
      '{"command": "x", "disabled": true, "disabled": false}',
      '{"command": "x", "disabled": true, "disabled": false, "enabled": true}',
      '{"command": "x", "type": "sse", "type": "stdio"}',
      '{"url": "https://x.y", "type": "sse", "type": "http"}',
      '{"serverUrl": "https://x.z", "serverUrl": "https://x.y"}',
      '{"serverUrl": "https://x.z", "serverUrl": "https://x.y", "url": "https://x.y"}',
    ]) {
      assert.equal(fixAll(file(entry)), file(entry));
    }
  });

  it('leaves a text unchanged if it has no certain fix or cannot be read', () => {
    for (const text of [
      '',
      '{',
      '[]',
      '{}',
      '{"mcpServers": {}}',
      '{"mcpServers": {"a": {"comand": "x"}}}',
    ]) {
      assert.equal(fixAll(text), text);
    }
    assert.equal(fixAll('\uFEFF'), '');
  });

  const broken = (edits: (text: string) => Edit[]) => (text: string) => {
    const fixes = [{ title: 'Break it', edits: edits(text), certain: true }];
    return [createProblem('comment', { start: 0, end: 1 }, '', () => fixes)];
  };
  const refuses = (
    text: string,
    find: (text: string) => readonly Problem[],
  ) => {
    assert.throws(
      () => fixAll(text, find),
      (error: unknown) => error instanceof Refusal && error.kind === 'unproven',
    );
  };

  it('refuses fixes that would never end', () => {
    const more = broken((text) => [
      { offset: text.length, length: 0, content: ' ' },
    ]);
    refuses('{"mcpServers": {}}', more);
  });

  it('refuses fixes that would change something else', () => {
    refuses(
      '{"mcpServers": {}}',
      broken(() => [{ offset: 0, length: 1, content: '' }]),
    );
  });
});

describe('the proof of a fix', () => {
  const before =
    '{"x": 1, "mcpServers": {"a": {"command": "x", "n": 1.0} /* c */, "b": {"env": {"A": 1}}}}';
  const put = (text: string, what: string, content: string): Edit => {
    const offset = text.indexOf(what);
    assert(offset >= 0);
    return { offset, length: what.length, content };
  };
  const keeps = (
    edit: Edit,
    text = before,
    claimed = withEdits(text, [edit]),
  ) => keepsUntouched(text, [edit], claimed);

  it('passes if everything outside the edits is still there', () => {
    assert(keeps(put(before, '1}', '"1"}')));
    assert(keeps(put(before, '"env"', '"environment"')));
    assert(keeps(put(before, '"command": "x", ', '')));
    assert(keeps(put(before, ', "n": 1.0', ', "n": 1.0, "o": 2')));
    assert(keepsUntouched(' ', [], ''));
    const atRoot = '{"a": {"command": "x"}}';
    assert(keeps(put(atRoot, atRoot, `{"mcpServers": ${atRoot}}`), atRoot));
  });

  it('fails if anything outside the edits is lost, changed or moved', () => {
    assert(!keeps(put(before, '/* c */', '')));
    assert(!keeps(put(before, '/* c */', '/* d */')));
    assert(!keeps(put(before, '}}}}', '}}}')));
    assert(
      !keeps(
        { offset: 1, length: 0, content: '"z": {' },
        before,
        `{"z": ${before}}`,
      ),
    );
    assert(
      !keeps(
        put(before, '1}', '2}'),
        before,
        before.replace('1.0', '1').replace('1}', '2}'),
      ),
    );
    assert(
      !keeps(
        put(before, '1}', '2}'),
        before,
        before.replace('"b"', '"c"').replace('1}', '2}'),
      ),
    );
    assert(
      !keeps(
        put(before, '1}', '2}'),
        before,
        before.replace('{"env": {"A": 1}}', '1'),
      ),
    );
    // An edit beside a member does not excuse a change of it.
    const beside = (what: string, side: 0 | 1) => ({
      ...put(before, what, ''),
      offset: before.indexOf(what) + side * what.length,
      length: 0,
    });
    for (const side of [0, 1] as const) {
      assert(
        !keeps(beside('"n": 1.0', side), before, before.replace('1.0', '1')),
      );
    }
    assert(!keepsUntouched(' ', [], '{}'));
    const atRoot = '{"a": {"command": "x"}}';
    assert(!keeps(put(atRoot, '"command"', '"comand"'), atRoot));
  });
});
