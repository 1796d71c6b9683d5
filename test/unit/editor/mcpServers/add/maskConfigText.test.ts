import assert from 'node:assert/strict';
import { Secret } from '../../../../../src/base/secret.ts';
import { maskBoth } from '../../../../../src/editor/mcpServers/add/maskConfigText.ts';
import { cpuMsOf } from '../../../../support/cpuTime.ts';

const shown = (text: string) => maskBoth('', text).after;

describe('a preview of mcp.json', () => {
  it('keeps a text without secrets byte for byte', () => {
    for (const text of [
      '',
      '{ "mcpServers" :\t{} }\r\n',
      '{"mcpServers": {"a": {"command": "npx", "args": ["-y", "server"], "env": {"EMPTY": ""}, "enabled": false}}}',
      '{"a": {"url": "https://a.example/mcp", "transport": "http", "auth": "oauth", "timeout": 5}} // words',
      '{"mcpServers": {"a": {"command": "\\u006epx", "cwd": "/work", "description": "Reads files",},}}',
    ]) {
      assert.equal(shown(text), text);
    }
  });

  it('shows the values of variables that change what runs, with the secrets in them masked', () => {
    const text =
      '{"mcpServers": {"a": {"env": {"NODE_OPTIONS": "--require ./pre.js", "PATH": 5}}}}';
    assert.equal(shown(text), text.replace('5', '"••••••"'));
    assert.equal(
      shown(
        '{"a": {"env": {"GIT_SSH_COMMAND": "ssh --token canary"}, "headers": {"PATH": "canary"}}}',
      ),
      '{"a": {"env": {"GIT_SSH_COMMAND": "ssh --token ••••••"}, "headers": {"PATH": "••••••"}}}',
    );
  });

  it('masks known secrets wherever they appear', () => {
    const text =
      '{"a": {"command": "x", "args": ["canary", "--dir=/canary/b", "abc", "abcd"], "url": "https://a/canary/b"}}';
    const secrets = ['canary', 'abc', ''].map((value) => new Secret(value));
    assert.equal(
      maskBoth('', text, secrets).after,
      '{"a": {"command": "x", "args": ["••••••", "--dir=/••••••/b", "••••••", "abcd"], "url": "https://a/••••••/b"}}',
    );
  });

  it('drops the byte order mark', () => {
    assert.equal(
      shown('\uFEFF{"a": {"command": "x"}}'),
      '{"a": {"command": "x"}}',
    );
  });

  const entries = [
    '{"env": {"A": "canary", "B": 12345, "C": true, "D": ["canary"], "E": {"F": "canary"}}}',
    '{"url": "https://u:canary@a.example/?key=canary#canary", "auth": "canary"}',
    '{"url": "x", "headers": {"Authorization": "Bearer canary"}, "unknown": "canary", "more": {"x": ["canary"]}}',
    '{"command": "A_TOKEN=canary run", "args": ["--token", "canary", "-e", "K=canary", "--key=canary"]}',
    '{"args": ["x", ["--token", "canary"]], "description": "token: canary", "icon": "canary"}',
    '{"command": "sshpass", "args": ["-p", "canary", "ssh", "h"]}',
    '{"args": ["-p", "canary", "ssh", "h"], "command": "sshpass"}',
    '{"command": "sh", "args": ["-c", "x --auth {\\"password\\": \\"canary\\"} && mysql -pcanary"]}',
    '{"env": "canary", "headers": "canary", "args": "canary"}',
  ];
  for (const entry of entries) {
    it(`masks secrets in ${entry}`, () => {
      for (const text of [
        `{"mcpServers": {"a": ${entry}}}`,
        `{"a": ${entry}}`,
      ]) {
        assert.doesNotMatch(shown(text), /canary|12345/);
        assert.match(shown(text), /••••••/);
        assert.doesNotMatch(maskBoth(text, '').before, /canary|12345/);
        // It is still JSON of the same shape.
        assert.deepEqual(
          shape(JSON.parse(shown(text)) as unknown),
          shape(JSON.parse(text) as unknown),
        );
      }
    });
  }

  it('masks the arguments of each entry as its own command reads them', () => {
    const text =
      '{"mcpServers": {"a": {"args": ["-p", "8080"], "command": "npx"}, "a": {"args": ["-p", "canary"], "command": "sshpass"}, "b": {"args": ["-p", "8080"]}}}';
    assert.equal(shown(text), text.replace('canary', '••••••'));
  });

  it('masks secrets in comments, in names and outside the servers', () => {
    const text = `{ // Authorization: Bearer canary
      /* password=canary */ "other": "canary", "list": ["canary"],
      "servers": {"a": {"url": "canary", "env": {"K": "canary"}}},
      "mcpServers": {"sk-canary-canary-1234": {"command": "x"}} }`;
    assert.doesNotMatch(shown(text), /canary/);
  });

  it('marks a secret as changed only when it differs', () => {
    const text = (token: string, url: string) =>
      `{"mcpServers": {"a": {"url": "https://a.example/?k=${url}", "headers": {"K": "${token}", "L": "same"}}}}`;
    const { before, after } = maskBoth(
      text('canary1', 'canary3'),
      text('canary2', 'canary4'),
    );
    assert.equal(before, text('••••••', '••••••').replace('same', '••••••'));
    assert.equal(
      after,
      text('•••••• (changed)', '•••••• (changed)').replace('same', '••••••'),
    );
    assert.equal(
      maskBoth(text('a', 'b'), text('a', 'b')).after,
      maskBoth(text('a', 'b'), '').before,
    );
  });

  it('masks a file with 5,000 servers in 3 s of processor time', () => {
    const servers = new Map(
      Array.from(
        { length: 5_000 },
        (_, i) =>
          [`s${i}`, { command: 'x', env: { K: `canary${i}` } }] as const,
      ),
    );
    const text = JSON.stringify(
      { mcpServers: Object.fromEntries(servers) },
      null,
      2,
    );
    let after = '';
    const spentMs = cpuMsOf(() => ({ after } = maskBoth(text, text)));
    assert.ok(spentMs < 3_000, `${spentMs} ms`);
    assert.doesNotMatch(after, /canary/);
  });
});

/** The same for values that differ in their text only. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return (value as readonly unknown[]).map(shape);
  if (typeof value !== 'object' || value === null) return '';
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, shape(item)]),
  );
}
