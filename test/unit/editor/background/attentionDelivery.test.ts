import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  type AttentionMessage,
  attentionTarget,
  deliver,
} from '../../../../src/editor/background/attentionDelivery.ts';
import { root } from '../../../host/paths.ts';
import { until } from '../../../support/eventually.ts';
import { namesIn, scratchFolder } from '../../../support/files/scratch.ts';
import { isRunning } from '../../../support/isRunning.ts';
import { itOnPosix } from '../../../support/posix.ts';
import { startRecipient } from '../../../support/recipient.ts';

const title = '"Fix" \'login\' $(touch x) `touch y`; touch z\n${env:SECRET} ü';
const message: AttentionMessage = {
  state: 'waiting',
  title,
  service: 'Office',
  link: 'vscode://agent-switchboard.agent-switchboard/conversation?id=c1',
  text: `“${title}” is waiting for you.`,
  action: '',
};

describe('the notification of a program or an address', function () {
  this.timeout(30_000);
  const folder = scratchFolder();
  const { signal } = new AbortController();
  let recipient: Awaited<ReturnType<typeof startRecipient>>;
  let origin: string;

  beforeEach(async () => {
    recipient = await startRecipient();
    ({ origin } = recipient);
    process.env.SECRET = 'the-secret-of-the-test';
    process.env.SWITCHBOARD_API_KEY = 'the-key-of-a-service';
  });

  afterEach(async () => {
    await recipient.stop();
    delete process.env.SECRET;
    delete process.env.SWITCHBOARD_API_KEY;
  });

  const send = async (
    setting: Readonly<Record<string, unknown>>,
    timeoutMs?: number,
  ) => await deliver(attentionTarget(setting), message, signal, timeoutMs);
  const outcomes = async (
    setting: Readonly<Record<string, unknown>>,
    timeoutMs?: number,
  ) =>
    (await send(setting, timeoutMs)).map(({ outcome, hasFailed }) => [
      outcome,
      hasFailed,
    ]);
  const node = (script: string, ...args: readonly string[]) => [
    process.execPath,
    '-e',
    script,
    ...args,
  ];

  it('reaches a program through standard input and variables, without the keys of services', async () => {
    const script = `
      const input = require('fs').readFileSync(0, 'utf8');
      const result = { input, cwd: process.cwd(), args: process.argv.slice(1), env: process.env };
      require('fs').writeFileSync(process.argv[1], JSON.stringify(result));
    `;
    const file = folder.path('result.json');
    const command = node(script, file, '$(touch x)', '${title}');
    assert.deepEqual(await send({ command }), [
      {
        outcome: 'node ended with exit code 0.',
        hasFailed: false,
        sent: JSON.stringify(message),
      },
    ]);
    const result = JSON.parse(await readFile(file, 'utf8')) as {
      readonly input: string;
      readonly cwd: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };
    assert.deepEqual(JSON.parse(result.input), message);
    assert.deepEqual(result.args, [file, '$(touch x)', '${title}']);
    assert.equal(result.cwd, homedir());
    const own = Object.entries(result.env).filter(([name]) =>
      name.startsWith('SWITCHBOARD_'),
    );
    assert.deepEqual(
      Object.fromEntries(own),
      Object.fromEntries(
        Object.entries(message).map(([name, value]) => [
          `SWITCHBOARD_${name.toUpperCase()}`,
          value,
        ]),
      ),
    );
    assert.deepEqual(await namesIn(folder.path()), ['result.json']);
  });

  itOnPosix('runs no part of a title in the shell of a recipe', async () => {
    const script = `cd "$1" && printf %s "$SWITCHBOARD_TITLE" > title`;
    const command = ['sh', '-c', script, 'sh', folder.path()];
    assert.deepEqual(await outcomes({ command }), [
      ['sh ended with exit code 0.', false],
    ]);
    assert.equal(await readFile(folder.path('title'), 'utf8'), title);
    assert.deepEqual(await namesIn(folder.path()), ['title']);
  });

  it('says how a program failed, without secrets', async () => {
    const says =
      "console.error('token=ghp_0123456789abcdefghijABCDEFGHIJ012345');";
    assert.deepEqual(await outcomes({ command: node('process.exit(3)') }), [
      ['node failed: exit code 3', true],
    ]);
    const [[outcome] = []] = await outcomes({
      command: node(`${says} process.exit(1)`),
    });
    assert.match(String(outcome), /^node failed: token=/);
    assert.doesNotMatch(String(outcome), /ghp_0123/);
    assert.deepEqual(
      await outcomes({ command: [folder.path('missing'), 'argument'] }),
      [['missing failed: ENOENT', true]],
    );
  });

  itOnPosix('ends a program that hangs, with what it has started', async () => {
    const file = folder.path('pids');
    const script = `
      process.on('SIGTERM', () => {});
      const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
      require('fs').writeFileSync(process.argv[1], process.pid + ' ' + child.pid);
      setInterval(() => {}, 1e6);
    `;
    assert.deepEqual(await outcomes({ command: node(script, file) }, 2_000), [
      ['node took longer than 2 s.', true],
    ]);
    const pids = (await readFile(file, 'utf8')).split(' ').map(Number);
    assert.equal(pids.length, 2);
    await until(() => !pids.some(isRunning));
  });

  it('ends the program of a window that closes', async () => {
    const closing = new AbortController();
    const file = folder.path('started');
    const script = `require('fs').writeFileSync(process.argv[1], ''); setInterval(() => {}, 1e6)`;
    const delivery = deliver(
      attentionTarget({ command: node(script, file) }),
      message,
      closing.signal,
    );
    await until(async () => (await namesIn(folder.path())).length > 0);
    closing.abort();
    const [{ hasFailed } = { hasFailed: false }] = await delivery;
    assert.ok(hasFailed);
  });

  it('posts the data to an address, with headers from variables', async () => {
    const headers = { Authorization: 'Bearer ${env:SECRET}' };
    const deliveries = await send({ url: `${origin}/hook`, headers });
    assert.deepEqual(deliveries, [
      {
        outcome: `${recipient.host} answered with status 200.`,
        hasFailed: false,
        sent: JSON.stringify(message),
      },
    ]);
    const [request] = recipient.requests;
    assert.ok(request);
    assert.equal(request.method, 'POST');
    assert.equal(request.headers['content-type'], 'application/json');
    assert.equal(
      request.headers.authorization,
      'Bearer the-secret-of-the-test',
    );
    assert.deepEqual(JSON.parse(request.body), message);
  });

  it('fills the placeholders of a body once, and shows no value of a variable', async () => {
    const body = {
      topic: '${env:SECRET}',
      list: [{ title: '${title}', unknown: '${other} $ {title}' }],
      priority: 4,
    };
    const [delivery] = await send({ url: origin, body });
    const list = [{ title, unknown: '${other} $ {title}' }];
    assert.deepEqual(JSON.parse(recipient.requests[0]?.body ?? ''), {
      topic: 'the-secret-of-the-test',
      list,
      priority: 4,
    });
    assert.deepEqual(JSON.parse(delivery?.sent ?? ''), {
      topic: '${env:SECRET}',
      list,
      priority: 4,
    });
  });

  it('does not give a key of a service to an address', async () => {
    for (const setting of [
      { url: `${origin}/\${env:SWITCHBOARD_API_KEY}` },
      { url: origin, headers: { 'X-Key': '${env:SWITCHBOARD_API_KEY}' } },
      { url: origin, body: { key: '${env:SWITCHBOARD_API_KEY}' } },
    ])
      assert.deepEqual(await outcomes(setting), [
        [
          'The environment variable SWITCHBOARD_API_KEY is not set for VS Code.',
          true,
        ],
      ]);
    assert.deepEqual(recipient.requests, []);
  });

  it('follows no redirect, and reports each status but success', async () => {
    const { host, requests } = recipient;
    assert.deepEqual(await outcomes({ url: `${origin}/moved` }), [
      [`${host} answered with status 307.`, true],
    ]);
    assert.deepEqual(await outcomes({ url: `${origin}/full` }), [
      [`${host} answered with status 429.`, true],
    ]);
    assert.deepEqual(
      requests.map(({ path }) => path),
      ['/moved', '/full'],
    );
  });

  it('gives up an address that does not answer', async () => {
    assert.deepEqual(await outcomes({ url: `${origin}/silent` }, 300), [
      [`${recipient.host} took longer than 0.3 s.`, true],
    ]);
  });

  it('sends nothing to an address without encryption or with a password', async () => {
    for (const url of [
      'http://hooks.example.com/secret-path',
      'https://user:secret-password@hooks.example.com/',
      'file:///etc/passwd',
      'not an address',
    ]) {
      const [[outcome, hasFailed] = []] = await outcomes({ url });
      assert.ok(hasFailed);
      assert.match(String(outcome), /^The address to notify must begin/);
    }
  });

  it('repeats no path and no header in a failure', async () => {
    const closed = await startRecipient();
    await closed.stop();
    process.env.SECRET = 'the-secret\nof-the-test';
    for (const setting of [
      { url: `${closed.origin}/the-secret-path` },
      { url: origin, headers: { 'X-Key': '${env:SECRET}' } },
    ]) {
      const [[outcome, hasFailed] = []] = await outcomes(setting);
      assert.ok(hasFailed);
      assert.match(String(outcome), /^127\.0\.0\.1:\d+ failed: /);
      assert.doesNotMatch(String(outcome), /the-secret/);
    }
    assert.deepEqual(recipient.requests, []);
  });

  it('ignores parts of the setting with a wrong type, and needs none', async () => {
    const wrong = { command: 'ls', url: 1, headers: [], body: 'x', on: {} };
    for (const setting of [{}, wrong, { command: [] }])
      assert.deepEqual(await outcomes(setting), []);
    const both = { command: node(''), url: origin, unknown: true };
    assert.equal((await outcomes(both)).length, 2);
  });

  it('knows every field of the recipes in the docs, and each has something to notify', async () => {
    const settings = await recipes();
    assert.equal(settings.length, 6);
    for (const setting of settings) {
      const target: object = attentionTarget(setting);
      assert.deepEqual({ ...target, ...setting }, target);
      assert.ok('command' in setting || 'url' in setting);
    }
  });

  itOnPosix(
    'passes the text of a notification to notify-send as one argument',
    async () => {
      const setting = (await recipes()).find(({ command }) =>
        String(command).includes('notify-send'),
      );
      assert.ok(setting);
      const script = '#!/bin/sh\nprintf "%s|" "$@" > "$0.arguments"\n';
      const standIn = folder.path('notify-send');
      await writeFile(standIn, script, { mode: 0o755 });
      const { PATH } = process.env;
      process.env.PATH = `${folder.path()}:${PATH ?? ''}`;
      try {
        assert.deepEqual(await outcomes(setting), [
          ['sh ended with exit code 0.', false],
        ]);
      } finally {
        process.env.PATH = PATH;
      }
      assert.equal(
        await readFile(`${standIn}.arguments`, 'utf8'),
        `--|${message.text}|`,
      );
    },
  );
});

/** The settings in the docs. */
async function recipes(): Promise<Readonly<Record<string, unknown>>[]> {
  const text = await readFile(join(root, 'docs/notifications.md'), 'utf8');
  const blocks = [...text.matchAll(/```json\n([^`]+)```/g)];
  return blocks.flatMap(([, json = '']) => {
    const { 'switchboard.onAttention': setting } = JSON.parse(json) as {
      readonly 'switchboard.onAttention'?: Readonly<Record<string, unknown>>;
    };
    return setting ? [setting] : [];
  });
}
