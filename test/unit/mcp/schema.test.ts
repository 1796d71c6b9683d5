import assert from 'node:assert/strict';
import { jsonSchema } from '../../../src/mcp/jsonSchema.ts';
import { localServer, mcpFile, remoteServer } from '../../../src/mcp/schema.ts';

const accepts = (server: unknown) => mcpFile.safeParse({ mcpServers: { name: server } }).success;

describe('the format of mcp.json', () => {
  it('accepts a local server with all its keys', () => {
    assert.ok(accepts({ command: 'npx' }));
    assert.ok(
      accepts({
        command: 'npx',
        args: ['-y', 'server'],
        env: { TOKEN: 'x' },
        transport: 'stdio',
        cwd: '/',
        timeout: 1,
        enabled: false,
        description: 'text',
        icon: 'text',
      }),
    );
  });

  it('accepts a remote server with all its keys, and each of its transports', () => {
    assert.ok(accepts({ url: 'https://example.com/mcp' }));
    for (const transport of ['http', 'streamable-http', 'sse']) {
      assert.ok(
        accepts({
          url: 'https://example.com/mcp',
          transport,
          headers: { Authorization: 'Bearer x' },
          auth: 'oauth',
          sse_read_timeout: 1,
          timeout: 1,
          enabled: true,
          description: 'text',
          icon: 'text',
        }),
      );
    }
  });

  it('accepts unknown keys at every level', () => {
    assert.ok(mcpFile.safeParse({ mcpServers: { name: { command: 'x', other: {} } }, other: 1 }).success);
  });

  it('rejects a server without a program or an address, and values of the wrong type', () => {
    for (const wrong of [
      {},
      'npx',
      { command: '' },
      { command: ['npx'] },
      { command: 'x', args: 'y' },
      { command: 'x', env: { A: 1 } },
      { command: 'x', enabled: 'yes' },
      { command: 'x', transport: 'http' },
      { url: 'https://example.com', transport: 'stdio' },
      { url: 'https://example.com', transport: 'websocket' },
      { url: 'https://example.com', headers: ['A: b'] },
      { url: 'https://example.com', timeout: '5' },
    ]) {
      assert.ok(!accepts(wrong), JSON.stringify(wrong));
    }
    assert.ok(!mcpFile.safeParse({}).success);
    assert.ok(!mcpFile.safeParse({ mcpServers: [] }).success);
  });
});

describe('the JSON schema', () => {
  it('describes every key of the file and of both kinds of server', () => {
    const described = new Set<string>();
    const visit = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, property] of Object.entries((schema as { properties?: object }).properties ?? {})) {
        assert.ok((property as { description?: string }).description, key);
        described.add(key);
      }
      Object.values(schema).forEach(visit);
    };
    visit(jsonSchema());
    const all = ['mcpServers', ...Object.keys(localServer.shape), ...Object.keys(remoteServer.shape)];
    assert.deepEqual([...described].sort(), [...new Set(all)].sort());
  });

  it('offers a snippet for each kind of server', () => {
    const text = JSON.stringify(jsonSchema());
    for (const label of [
      'Local server',
      'Remote server',
      'Remote server over server-sent events',
      'Remote server with OAuth',
    ]) {
      assert.ok(text.includes(`"label":"${label}"`), label);
    }
  });

  it('has descriptions in Markdown where they name keys or values, and plain ones as well', () => {
    const text = JSON.stringify(jsonSchema());
    const plain = [...text.matchAll(/"(?:description|enumDescriptions)":(?:"|\["|\[)((?:[^"\\]|\\.)*)/g)];
    assert.ok(plain.length > 20);
    for (const [, words] of plain) assert.doesNotMatch(words ?? '', /`/);
    assert.match(text, /"markdownDescription":"`oauth` to sign in/);
    assert.match(text, /"markdownEnumDescriptions":\[[^\]]*`http`/);
  });
});
