import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readArguments, usage } from '../../support/demo/arguments.ts';
import { switchNames } from '../../support/demo/faults/misbehaving.ts';
import { root } from '../../host/paths.ts';
import { itOnPosix } from '../../support/posix.ts';

describe('npm run demo', () => {
  it('sets no options and no misbehaviour without arguments', () => {
    assert.deepEqual(readArguments([]), { misbehaviour: {} });
  });

  it('reads the interface, port, number of conversations, key and seed', () => {
    const options = readArguments([
      '--port',
      '8080',
      '--conversations=100000',
      '--key',
      'k',
      '--seed',
      '7',
    ]);
    assert.deepEqual(readArguments(['--interface', 'agentServer']), {
      interface: 'agentServer',
      misbehaviour: {},
    });
    assert.deepEqual(options, {
      port: 8080,
      conversations: 100_000,
      key: 'k',
      seed: 7,
      misbehaviour: {},
    });
  });

  it('reads misbehaviours from one list or from repeated options, with or without values', () => {
    const options = readArguments([
      '--misbehave',
      'noV0,emptyPages=3,errorBody=html,errorStatus=502,endlessPages=fresh,reset=false',
      '--misbehave=rateLimit=Thu: 1 Jan',
      '--misbehave=redirectOther=http://127.0.0.1:1/?a=b',
      '--misbehave=unavailable',
      '--misbehave=gzipBomb',
      '--misbehave=hugeBody=7',
      '--only=GET /api',
      '--times=4',
    ]);
    assert.deepEqual(options, {
      misbehaviour: {
        noV0: '404',
        emptyPages: 3,
        errorBody: 'html',
        errorStatus: 502,
        endlessPages: 'fresh',
        reset: false,
        rateLimit: { retryAfter: 'Thu: 1 Jan', times: Infinity },
        redirectOther: 'http://127.0.0.1:1/?a=b',
        unavailable: { retryAfter: '2', times: Infinity },
        gzipBomb: true,
        hugeBody: 7,
        only: 'GET /api',
        times: 4,
      },
    });
  });

  it('has a default value for every misbehaviour, and lists each in its help', () => {
    const { misbehaviour } = readArguments([
      '--misbehave',
      switchNames.join(','),
    ]) as {
      misbehaviour: object;
    };
    assert.deepEqual(Object.keys(misbehaviour), switchNames);
    for (const [name, value] of Object.entries(misbehaviour)) {
      assert.notEqual(value, undefined);
      assert.ok(usage.includes(name));
    }
    assert.equal(readArguments(['--port', '1', '--help']), 'help');
  });

  it('says which argument is invalid', () => {
    for (const [args, message] of [
      [
        ['--port', 'x'],
        /--port takes a whole number from 0 to 65535, not "x"\./,
      ],
      [['--port', '65536'], /--port takes/],
      [['--seed=-1'], /--seed takes/],
      [['--times='], /--times takes/],
      [
        ['--misbehave', 'badly'],
        /Unknown misbehaviour "badly"\. Choose from: noV0, /,
      ],
      [['--misbehave', 'noV0=500'], /"500" is not a value of noV0/],
      [
        ['--misbehave', 'slowHeaders=soon'],
        /"soon" is not a value of slowHeaders/,
      ],
      [['--misbehave', 'reset=maybe'], /"maybe" is not a value of reset/],
      [
        ['--interface', 'v2'],
        /--interface takes v0, v1, agentServer, not "v2"/,
      ],
      [['--colour'], /--colour.*See --help/],
      [['here'], /here.*See --help/],
    ] as const) {
      assert.throws(() => readArguments(args), { name: 'UserError', message });
    }
  });

  itOnPosix(
    'prints its address, its key and a curl command, serves, and stops on Ctrl-C',
    async () => {
      const args = [
        join(root, 'test/support/demo/main.ts'),
        '--key',
        'my-key',
        '--misbehave',
        'noV0=410',
      ];
      const child = spawn(process.execPath, args, {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      while (!output.includes('Ctrl-C')) {
        const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
        output += chunk.toString();
      }
      const url =
        /^Address: (http:\/\/127\.0\.0\.1:\d+)$/m.exec(output)?.[1] ?? '';
      assert.match(output, /^Key: {5}my-key$/m);
      assert.ok(
        output.includes(
          `curl -H 'X-Session-API-Key: my-key' '${url}/api/conversations?limit=3'`,
        ),
      );
      const response = await fetch(`${url}/api/conversations`, {
        headers: { 'X-Access-Token': 'my-key' },
      });
      assert.equal(response.status, 410);
      child.kill('SIGINT');
      assert.deepEqual(await once(child, 'close'), [0, null]);
    },
  );
});
