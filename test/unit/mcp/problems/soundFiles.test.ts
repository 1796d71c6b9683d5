import assert from 'node:assert/strict';
import { Secret } from '../../../../src/base/secret.ts';
import { addOptions, readAdd } from '../../../../src/mcp/cli/commandLine.ts';
import { editText } from '../../../../src/mcp/edit/editText.ts';
import { jsonSchema } from '../../../../src/mcp/format/jsonSchema.ts';
import { sortArguments } from '../../../../src/mcp/cli/options.ts';
import type { Server } from '../../../../src/mcp/format/server.ts';
import { servers } from '../../../support/editOracle.ts';
import { programFile, programServers } from '../../../support/programFile.ts';
import { shown } from './cases.ts';

describe('the check of a correct file', () => {
  it('reports nothing in a file that we wrote', () => {
    const all: Server[] = [
      ...servers.filter(
        (server) => server.transport !== 'stdio' || server.command !== '',
      ),
      {
        transport: 'http',
        url: 'https://example.com/sse',
        headers: new Map(),
        auth: new Secret('eyJabc.def'),
      },
    ];
    for (const enabled of [true, false]) {
      let text = '';
      for (const [i, server] of all.entries()) {
        ({ text } = editText(text, {
          do: 'add',
          name: `server ${i}`,
          server,
          enabled,
        }));
        assert.deepEqual(shown(text), []);
      }
    }
  });

  it('reports nothing for servers that the documented command lines add', () => {
    for (const args of [
      [
        'web',
        '--transport',
        'http',
        '--header',
        'Authorization: Bearer abc123',
        'https://example.com/mcp',
      ],
      [
        'web',
        '--transport',
        'sse',
        '--auth',
        'oauth',
        'https://example.com/sse',
      ],
      [
        'web',
        '--transport',
        'http',
        '--header',
        'X-API-Key: 0a1b2c',
        '--disabled',
        'https://example.com/mcp',
      ],
      [
        'files',
        '--transport',
        'stdio',
        '--env',
        'API_KEY=0a1b2c',
        'npx',
        '--',
        '-y',
        '@scope/server',
        '/srv',
      ],
      [
        'git',
        '--transport',
        'stdio',
        '--env',
        'TOKEN=',
        'docker',
        '--',
        'run',
        '-i',
        '--rm',
        '-e',
        'TOKEN',
        'image',
      ],
    ]) {
      const { text } = editText('', {
        do: 'add',
        ...readAdd(sortArguments(args, addOptions)),
      });
      assert.deepEqual(shown(text), [], args.join(' '));
    }
  });

  it('reports nothing in a file that the program wrote, including its nulls', () => {
    assert.deepEqual(shown(programFile), []);
    assert.deepEqual(
      shown(
        JSON.stringify(programServers)
          .replace('{', '{"mcpServers":{')
          .concat('}'),
      ),
      [],
    );
  });

  it('reports nothing in a file with every key of the format', () => {
    const common = {
      ...{
        enabled: true,
        timeout: 0,
        description: '',
        icon: '',
        authentication: {},
      },
      ...{
        tools: { a: { enabled: false, name: 'b' } },
        include_tags: ['x'],
        exclude_tags: [],
      },
    };
    const local = {
      command: 'npx',
      args: [''],
      env: { A: '' },
      cwd: '/',
      transport: 'stdio',
      type: 'stdio',
    };
    const entries = {
      local: { ...local, keep_alive: false, ...common },
      http: {
        url: 'https://x.y',
        transport: 'http',
        headers: { 'X-A': '' },
        auth: 'oauth',
        ...common,
      },
      sse: {
        url: 'https://x.y',
        transport: 'sse',
        sse_read_timeout: 1.5,
        ...common,
      },
      streamable: {
        url: 'https://x.y',
        transport: 'streamable-http',
        max_sse_event_size: 2048,
        ...common,
      },
    };
    assert.deepEqual(
      shown(
        JSON.stringify({ $schema: 'x', mcpServers: entries, other: { a: [] } }),
      ),
      [],
    );
  });

  it('reports nothing in the examples of the schema', () => {
    const { definitions } = { definitions: jsonSchema() };
    const examples: string[] = [];
    JSON.stringify(definitions, (key, value: unknown) => {
      if (key === 'examples')
        examples.push(
          ...(value as unknown[]).map((each) => JSON.stringify(each)),
        );
      return value;
    });
    assert(
      examples.includes('"npx"') &&
        examples.includes('"https://example.com/mcp"'),
    );
    const entry = {
      command: 'npx',
      args: ['-y', 'some-mcp-server'],
      env: { API_TOKEN: '' },
    };
    const remote = {
      url: 'https://example.com/mcp',
      headers: { Authorization: 'Bearer ' },
      auth: 'oauth',
      timeout: 30_000,
    };
    for (const value of [...Object.values(entry), ...Object.values(remote)]) {
      if (value !== 'Bearer ')
        assert(examples.includes(JSON.stringify(value)), JSON.stringify(value));
    }
    assert.deepEqual(
      shown(JSON.stringify({ mcpServers: { entry, remote } })),
      [],
    );
  });
});
