import assert from 'node:assert/strict';
import { Secret } from '../../../../../src/base/secret.ts';
import {
  authorizationRemark,
  type ServerDraft,
  emptyServerDraft,
  followTarget,
  freeName,
  nameProblem,
  serverOfDraft,
  draftOptions,
  draftSummary,
  targetProblem,
  targetRemark,
  valueNameProblem,
  valueProblem,
  valueRemark,
} from '../../../../../src/editor/mcpServers/add/serverDraft.ts';
import { showServer } from '../../../../../src/mcp/format/mask.ts';

const draft = (values: Partial<ServerDraft>): ServerDraft => ({
  ...emptyServerDraft(),
  ...values,
});

describe('an entered server name', () => {
  const taken = new Set(['a', 'b', 'b-2', 'c-9']);

  it('accepts any free name, with or without spaces around it', () => {
    for (const name of ['d', ' d ', 'my server', 'A', 'größe', '服务']) {
      assert.equal(nameProblem(name, taken), undefined, name);
    }
  });

  it('rejects a name that is empty, taken or partly invisible', () => {
    for (const name of [
      '',
      '  ',
      'a',
      ' a ',
      'x\u202Ey',
      'x\ny',
      'x  y',
      '\u200B',
    ]) {
      assert.ok(nameProblem(name, taken), JSON.stringify(name));
    }
    assert.match(nameProblem('b', taken) ?? '', /“b-3” is free\./);
  });

  it('suggests a free name with the next number', () => {
    assert.deepEqual(
      ['a', 'b', 'b-2', 'c-9', 'd'].map((name) => freeName(name, taken)),
      ['a-2', 'b-3', 'b-3', 'c-10', 'd'],
    );
  });
});

describe('an entered command line', () => {
  it('explains why a text is not a command line', () => {
    for (const [line, problem] of [
      ['', /^Type the command/],
      ["''", /^Type the command/],
      ['npx "a', /^The quote " at character 5 is not closed\.$/],
      ["it's", /^The quote ' at character 3/],
      ['$ npx', /^Remove the prompt's \$/],
      ['A=1 npx', /^Begin with the command/],
    ] as const) {
      assert.match(targetProblem(line, false) ?? '', problem, line);
      assert.equal(targetRemark(line, false), undefined);
    }
  });

  it('shows the command and the arguments that it was split into', () => {
    for (const [line, remark] of [
      ['npx', 'Command “npx” with no arguments.'],
      ['npx "a b"', 'Command “npx” with the argument “a b”.'],
      [String.raw`npx a\ b ''`, 'Command “npx” with 2 arguments: “a b”, “”.'],
      [
        'a b | c',
        'Command “a” with 3 arguments: “b”, “|”, “c”. No shell reads it, so | is an ordinary argument.',
      ],
    ] as const) {
      assert.equal(targetRemark(line, false), remark);
    }
    assert.match(
      targetRemark(`a ${'b '.repeat(20)}`, false) ?? '',
      /, and 8 more\.$/,
    );
  });

  it('masks secrets in the split command line', () => {
    const line =
      'npx --token canary -e KEY=canary https://u:canary@a.example/?k=canary';
    assert.doesNotMatch(targetRemark(line, false) ?? '', /canary/);
  });

  it('splits a command line by Windows rules on Windows', () => {
    const server = serverOfDraft(
      draft({ target: String.raw`C:\node.exe "a b"` }),
      true,
    );
    assert.deepEqual(showServer(server), {
      transport: 'stdio',
      command: String.raw`C:\node.exe`,
      args: ['a b'],
      env: {},
    });
  });
});

describe('an entered URL', () => {
  it('accepts only http and https URLs', () => {
    for (const url of [
      'https://a.example/mcp',
      ' HTTP://localhost:1 ',
      'https://u:p@a.example?x=y#z',
    ]) {
      assert.equal(targetProblem(url, false), undefined, url);
    }
    for (const url of ['https://', 'ftp://a', 'https://a b', 'https://a:x/'])
      assert.ok(targetProblem(url, false), url);
  });

  it('warns about credentials without showing them', () => {
    const remark = targetRemark('https://u:canary@a.example/') ?? '';
    assert.match(remark, /will be stored with the server/);
    assert.doesNotMatch(remark, /canary/);
    assert.equal(targetRemark('https://a.example/sse'), undefined);
  });
});

describe('an entered header or variable', () => {
  it('rejects a name that is empty, invalid or taken', () => {
    const remote = draft({
      transport: 'http',
      headers: new Map([['X-Key', new Secret('')]]),
    });
    for (const name of ['', 'X Y', 'X:', 'x-KEY', 'authorization', 'ü']) {
      assert.ok(valueNameProblem(remote, name), name);
    }
    assert.equal(valueNameProblem(remote, ' X-Other '), undefined);
    const local = draft({
      transport: 'stdio',
      env: new Map([['KEY', new Secret('')]]),
    });
    for (const name of ['', 'A B', 'A=', 'KEY'])
      assert.ok(valueNameProblem(local, name), name);
    for (const name of ['key', 'ProgramFiles(x86)', 'Authorization']) {
      assert.equal(valueNameProblem(local, name), undefined, name);
    }
  });

  it('rejects a value that cannot be sent or set, and warns about a placeholder', () => {
    assert.ok(valueProblem({ transport: 'http' }, ' '));
    assert.ok(valueProblem({ transport: 'http' }, 'a\nb'));
    assert.ok(valueProblem({ transport: 'stdio' }, 'a\0b'));
    assert.equal(valueProblem({ transport: 'stdio' }, ''), undefined);
    assert.equal(valueProblem({ transport: 'http' }, 'x'), undefined);
    assert.match(valueRemark('YOUR_KEY') ?? '', /placeholder/);
    assert.equal(valueRemark('abc'), undefined);
  });

  it('warns about a missing “Bearer” and about a placeholder in Authorization', () => {
    assert.match(authorizationRemark('abcdef') ?? '', /“Bearer”/);
    assert.equal(authorizationRemark('Bearer abcdef'), undefined);
    assert.equal(authorizationRemark(''), undefined);
    assert.match(authorizationRemark('Bearer YOUR_TOKEN') ?? '', /placeholder/);
  });
});

describe('an entered server', () => {
  it('takes its name and transport from the command or the URL', () => {
    for (const [target, name, transport] of [
      [
        'npx -y @modelcontextprotocol/server-filesystem "/srv/my files"',
        'filesystem',
        'stdio',
      ],
      ['uvx mcp-server-fetch', 'fetch', 'stdio'],
      ['https://mcp.linear.app/mcp', 'linear', 'http'],
      [' https://mcp.example.com/sse/ ', 'example-2', 'sse'],
      ['node server.js', 'server-2', 'stdio'],
    ] as const) {
      const made = draft({ target });
      followTarget(made, new Set(['example', 'server']));
      assert.deepEqual([made.name, made.transport], [name, transport], target);
    }
  });

  it('keeps a typed name and a chosen transport, and follows another target', () => {
    const made = draft({ target: 'https://a.example/mcp' });
    followTarget(made, new Set());
    Object.assign(made, { name: 'mine', isNamed: true, transport: 'sse' });
    followTarget(made, new Set());
    assert.deepEqual([made.name, made.transport], ['mine', 'sse']);
    made.target = 'npx other';
    followTarget(made, new Set());
    assert.deepEqual([made.name, made.transport], ['mine', 'stdio']);
  });

  it('offers to change what follows from the target, and what only some servers need', () => {
    const rows = (more: Partial<ServerDraft>) =>
      draftOptions(draft({ name: 'a', ...more })).map(
        ({ label, description }) => `${label}: ${description}`,
      );
    assert.deepEqual(rows({ env: new Map([['KEY', new Secret('k')]]) }), [
      'Name: a',
      'Variables: 1 variable',
      'State: Enabled',
    ]);
    assert.deepEqual(
      rows({ transport: 'http', authentication: 'oauth', enabled: false }),
      [
        'Name: a',
        'Transport: HTTP',
        'Headers: None',
        'Sign-In: OAuth',
        'State: Disabled',
      ],
    );
  });

  it('keeps only the values of its transport and authentication', () => {
    const values = {
      env: new Map([['KEY', new Secret('k')]]),
      headers: new Map([['X-Key', new Secret(' k ')]]),
      authorization: new Secret(' Bearer t '),
    };
    const shown = (more: Partial<ServerDraft>) =>
      showServer(
        serverOfDraft(
          draft({ target: ' https://a.example ', ...values, ...more }),
          false,
        ),
        true,
      );
    const remote = { transport: 'http', url: 'https://a.example' };
    assert.deepEqual(shown({ transport: 'http' }), {
      ...remote,
      headers: { 'X-Key': 'k' },
      auth: null,
    });
    assert.deepEqual(shown({ transport: 'http', authentication: 'header' }), {
      ...remote,
      headers: { 'X-Key': 'k', Authorization: 'Bearer t' },
      auth: null,
    });
    assert.deepEqual(shown({ transport: 'sse', authentication: 'oauth' }), {
      ...remote,
      transport: 'sse',
      headers: { 'X-Key': 'k' },
      auth: 'oauth',
    });
    assert.deepEqual(
      shown({ target: 'npx a', transport: 'stdio', authentication: 'header' }),
      {
        transport: 'stdio',
        command: 'npx',
        args: ['a'],
        env: { KEY: 'k' },
      },
    );
  });

  it('shows a one-line draftSummary without secrets', () => {
    const url = 'https://u:canary@a.example/?k=canary';
    assert.equal(
      draftSummary(draft({ name: 'a', transport: 'http', target: url })),
      'a · HTTP · https://••••••@a.example/?k=••••••',
    );
    assert.equal(
      draftSummary(draft({ target: 'npx --token canary' })),
      'Local Program · npx',
    );
  });
});
