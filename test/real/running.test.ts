import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { editText } from '../../src/mcp/edit/editText.ts';
import { Secret } from '../../src/base/secret.ts';
import { httpServer } from './mcpServer.ts';
import { type Model, startModel } from './model.ts';
import { Program } from './program.ts';

interface Recorded {
  readonly started?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly called?: string;
  readonly given?: unknown;
}

/** Settings of an agent that the program takes from the environment. */
const environment = {
  SWITCHBOARD_SET: 'from here',
  SWITCHBOARD_TOKEN: 'token-from-here',
  PROBE_COMMAND: process.execPath,
};

describe('an agent of the real program, without a window', () => {
  let program: Program;
  let model: Model;

  beforeEach(async () => {
    program = await Program.open();
    model = await startModel();
  });

  afterEach(async () => {
    await model.stop();
    await program.close();
  });

  /** An entry for the server that writes down what it is given. */
  const probe = (record: string, ...args: string[]) => ({
    command: '${PROBE_COMMAND}',
    args: [
      '--no-warnings',
      join(import.meta.dirname, 'mcpServer.ts'),
      join(program.home, record),
      ...args,
    ],
  });

  const recorded = async (record: string): Promise<Recorded[]> => {
    const text = await readFile(join(program.home, record), 'utf8').catch(
      () => '',
    );
    return text
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Recorded]));
  };

  /** The tools of our servers. */
  const toolsOffered = () =>
    model
      .offered()
      .filter((name) => /^(?:\w+_)?(?:echo|forget|tell)$/.test(name))
      .sort();

  const work = async (task: string, env: NodeJS.ProcessEnv = {}) => {
    const args = ['--headless', '--override-with-envs', '-t', task];
    const llm = {
      LLM_API_KEY: 'x',
      LLM_MODEL: 'openai/rule',
      LLM_BASE_URL: model.url,
    };
    const ran = await program.start(args, { ...environment, ...env, ...llm });
    assert.equal(ran.code, 0, ran.output);
    return ran.output;
  };

  it('starts the server that is enabled, with its variables replaced and without the tools that are off', async () => {
    const server = {
      ...probe(
        'on',
        '${SWITCHBOARD_SET}',
        '${SWITCHBOARD_UNSET:-default}',
        '${SWITCHBOARD_UNSET}',
        '$SWITCHBOARD_SET',
        '${env:SWITCHBOARD_SET}',
        '~/x',
      ),
      env: {
        GIVEN: 'a ${SWITCHBOARD_SET} b',
        DEFAULT: '${SWITCHBOARD_UNSET:-}',
        PLAIN: '$SWITCHBOARD_SET',
      },
      cwd: program.home,
      tools: { forget: { enabled: false } },
      exclude_tags: ['private'],
    };
    await program.write(
      JSON.stringify({
        mcpServers: { on: server, off: { ...probe('off'), enabled: false } },
      }),
    );
    const output = await work('call: echo {"text": "hello"}');

    const [started, called, ...more] = await recorded('on');
    const wanted = [
      'from here',
      'default',
      '${SWITCHBOARD_UNSET}',
      '$SWITCHBOARD_SET',
      '${env:SWITCHBOARD_SET}',
      '~/x',
    ];
    assert.deepEqual(started?.started, wanted, output);
    const { GIVEN, DEFAULT, PLAIN } = started.env ?? {};
    assert.deepEqual(
      [GIVEN, DEFAULT, PLAIN],
      ['a from here b', '', '$SWITCHBOARD_SET'],
    );
    assert.equal(started.folder, program.home);
    assert.deepEqual(
      [called?.called, called?.given, more],
      ['echo', { text: 'hello' }, []],
    );
    assert.deepEqual(await recorded('off'), []);
    assert.deepEqual(toolsOffered(), ['echo']);
  });

  it('calls the tools of two servers by their names, skips one that fails or exceeds its timeout, and replaces variables in addresses and headers', async () => {
    const asked: NodeJS.Dict<string | string[]>[] = [];
    const remote = httpServer((headers) => asked.push(headers));
    await new Promise<void>((resolve) =>
      remote.listen(0, '127.0.0.1', resolve),
    );
    try {
      const port = (remote.address() as AddressInfo).port;
      const url = '${SWITCHBOARD_REMOTE}/mcp';
      const headers = new Map([
        ['Authorization', new Secret('Bearer ${SWITCHBOARD_TOKEN}')],
      ]);
      const hasty = { ...probe('hasty'), timeout: 1 };
      const servers = {
        one: probe('one'),
        broken: { command: '/nowhere/at/all' },
        hasty,
      };
      const file = JSON.stringify({ mcpServers: servers });
      const extra = new Map([['timeout', 0]]);
      const server = { transport: 'http', url, headers } as const;
      const added = editText(file, { do: 'add', name: 'two', server, extra });
      await program.write(added.text);
      await work('call: one_forget {}', {
        SWITCHBOARD_REMOTE: `http://127.0.0.1:${port}`,
      });
    } finally {
      remote.closeAllConnections();
      remote.close();
    }
    const calls = (await recorded('one')).flatMap(({ called }) => called ?? []);
    assert.deepEqual(calls, ['forget']);
    assert.deepEqual(
      [...new Set(asked.map(({ authorization }) => authorization))],
      ['Bearer token-from-here'],
    );
    assert.equal((await recorded('hasty')).length, 1);
    const names = [
      'one_echo',
      'one_forget',
      'one_tell',
      'two_echo',
      'two_forget',
      'two_tell',
    ];
    assert.deepEqual(toolsOffered(), names);
  });
});
