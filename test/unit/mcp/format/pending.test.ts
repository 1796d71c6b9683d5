import assert from 'node:assert/strict';
import { activeServers, pendingChanges, rememberEntries } from '../../../../src/mcp/format/pending.ts';
import { readEntries } from '../../../../src/mcp/format/document.ts';

const file = (servers: object) => readEntries(JSON.stringify({ mcpServers: servers }));
const local = { command: 'npx', args: ['-y', 'x'], env: { TOKEN: 'canary', OTHER: '1' } };

/** Remembers servers, and reads them back from their stored form. */
function stored(servers: object) {
  return JSON.parse(JSON.stringify(rememberEntries(file(servers)))) as ReturnType<typeof rememberEntries>;
}

const pending = (before: object, now: object) => pendingChanges(stored(before), file(now));

describe('the server list of a conversation', () => {
  it('lists the servers that were enabled when the conversation started', () => {
    const start = stored({ a: local, b: { ...local, enabled: false }, c: { ...local, enabled: true } });
    assert.deepEqual(activeServers(start), ['a', 'c']);
  });

  it('reports nothing pending when an entry differs only in key order or a default', () => {
    assert.deepEqual(pending({ a: local }, { a: local }), []);
    const same = { enabled: true, env: { OTHER: '1', TOKEN: 'canary' }, args: ['-y', 'x'], command: 'npx' };
    assert.deepEqual(pending({ a: local }, { a: same }), []);
  });

  it('reports a changed transport, but not added default values', () => {
    const url = 'https://example.com/mcp';
    assert.deepEqual(
      pending(
        { a: { command: 'x' }, b: { url, transport: 'http' } },
        {
          a: { command: 'x', args: [], env: {}, transport: 'stdio', type: null, cwd: null },
          b: { url, transport: 'http', headers: {}, auth: null },
        },
      ),
      [],
    );
    assert.deepEqual(pending({ a: { url } }, { a: { url, transport: 'sse' } }), [
      { name: 'a', kind: 'changed', fields: ['transport'] },
    ]);
  });

  it('reports a server that was added or removed', () => {
    assert.deepEqual(pending({}, { a: local }), [{ name: 'a', kind: 'added' }]);
    assert.deepEqual(pending({ a: local }, {}), [{ name: 'a', kind: 'removed' }]);
  });

  it('reports a server that was enabled or disabled', () => {
    const off = { ...local, enabled: false };
    assert.deepEqual(pending({ a: off }, { a: local }), [{ name: 'a', kind: 'enabled', fields: [] }]);
    assert.deepEqual(pending({ a: local }, { a: off }), [{ name: 'a', kind: 'disabled' }]);
    assert.deepEqual(pending({ a: off }, { a: { ...local, cwd: '/' } }), [
      { name: 'a', kind: 'enabled', fields: ['cwd'] },
    ]);
  });

  it('reports a changed server with the names of the changed fields', () => {
    const now = { args: ['x', '-y'], env: local.env, url: 'https://example.com', deep: [{ a: null }] };
    assert.deepEqual(pending({ a: local }, { a: now }), [
      { name: 'a', kind: 'changed', fields: ['command', 'args', 'url', 'deep'] },
    ]);
    const secret = { ...local, env: { ...local.env, TOKEN: 'other' } };
    assert.deepEqual(pending({ a: local }, { a: secret }), [{ name: 'a', kind: 'changed', fields: ['env'] }]);
  });

  it('reports nothing pending when a disabled server is added, removed or changed', () => {
    const off = { ...local, enabled: false };
    assert.deepEqual(pending({}, { a: off }), []);
    assert.deepEqual(pending({ a: off }, {}), []);
    assert.deepEqual(pending({ a: off }, { a: { ...off, command: 'other' } }), []);
  });

  it('accepts any name, and entries that are not valid servers', () => {
    const odd = readEntries('{"mcpServers":{"__proto__":{"command":"x","__proto__":1},"":5}}');
    assert.deepEqual(pendingChanges(rememberEntries(odd), odd), []);
    assert.deepEqual(activeServers(rememberEntries(odd)), ['__proto__', '']);
    assert.deepEqual(
      pendingChanges(stored({}), odd).map(({ name }) => name),
      ['__proto__', ''],
    );
  });
});

describe('the stored server list of a conversation', () => {
  it('contains no value of the file, and stores the same value differently each time', () => {
    const [one, other] = [stored({ a: local }), stored({ a: local })];
    assert.doesNotMatch(JSON.stringify(one), /canary|npx/);
    assert.notEqual(one.servers[0]?.fields.env, other.servers[0]?.fields.env);
  });
});
