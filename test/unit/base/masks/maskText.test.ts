import assert from 'node:assert/strict';
import { maskText } from '../../../../src/base/masks/maskText.ts';

describe('text masking', () => {
  for (const text of [
    'npx',
    '-y',
    '@modelcontextprotocol/server-filesystem@2024.11.25',
    '/srv/user/My Documents/projects-2024/a_rather_long_folder_name_v2',
    'ModelContextProtocolServer2.Program',
    'my-mcp-server-v2-for-node20-linux-x64',
    'ghcr.io/github/github-mcp-server:v0.1',
    '--port=8080',
    'task-force-one-of-the-best',
    'asia-southeast1-docker.example.com',
    'an_identifier_without_any_digit_in_it',
    'https://example.com/mcp',
    'Server=my host;Database=my db;Timeout=5',
    'cd /srv; A=1 npx server',
    'MONKEYS_1_2=x',
    'env API_KEY here',
    'the set of keys',
    'cc:me@example.com',
    'npm:lodash@4/x',
    'jsr:std@1/x',
    'mailto:me@h/x',
    'file:a@b/x',
    'workspace:a@1/x',
    'image:tag@sha256:0abc/',
    'x@2fd4e1c67a2d28fced849ee1bb76e7391b93eb12',
    'a/commit/2fd4e1c67a2d28fced849ee1bb76e7391b93eb12',
    'sha256:d2a84f4b8b650937ec8f73cd8be2c74add5a911ba64df27458ed8229da804a26',
    'sha512-Abc1Def2Ghi3Jkl4Mno5Pqr6',
    'hf_transfer npm_config_yes sk-learn-tools pplx-7b-online',
    'Qwen2.5-Coder-32B-Instruct',
    '{"auth": {"type": "none"}}',
    'Bearer token is missing',
    'Basic auth is required',
    'Basic something',
    'The option --api-key is required.',
    '--token && x',
    '--token | x',
    '--token -v',
    '--no-auth /srv',
    '-token, x',
    'tokens: 5',
    'token=true',
    'password:',
    '"token":"" ,"x":1',
    'TOKEN=$(cat /run/x) npx',
    'token=${A}:${B}',
    'token: "${{ secrets.TOKEN }}"',
    'token=<your token>',
    'password=YOUR_PASSWORD',
    'password=********',
    'key: /etc/ssl/key.pem',
    'key=./a.json',
    'primary_key: id',
    'curl -u me https://h',
    'docker run -e FOO x=bar',
    'docker run --env=FOO x=bar',
    '{"other":{"FOO":"bar"}}',
    '{"myenv":{"FOO":"bar"},"envs":{"FOO":"bar"}}',
    '{"env":{"PORT":1},"foo":"bar"}',
    'myenv FOO=bar',
    'envs FOO=bar',
    'env FOO: bar',
    'env npx FOO=bar',
    'reset API_KEY here',
    'sets API_KEY here',
    'bearers canary',
    'Basic Something',
    'Basic ab1cd',
    'Basic abc.d1ef',
    'basics dXNlcjpwYXNz',
    'mybasic dXNlcjpwYXNz',
    'docker run -e LOG_LEVEL=debug -e API_KEY x',
    'at https://h/x?api_key=${API_KEY}.',
    '"--api-key is required"',
    'Bearer token  is missing',
    'Basic a.bcdefg1',
    'Basic abcdef1.x',
    'curl -u : https://h',
    'curl -u :$PASSWORD h',
    'npx --verbose :3000',
    '--the-eABC=here',
    '{"env":{"LABEL":"a=b c"}}',
    '',
  ]) {
    it(`shows ${JSON.stringify(text)} unchanged`, () => {
      assert.equal(maskText(text), text);
    });
  }

  for (const [text, shown] of [
    ['API_KEY=canary', 'API_KEY=••••••'],
    ['API_KEY_1=canary', 'API_KEY_1=••••••'],
    ['token2: canary', 'token2: ••••••'],
    ['Server=h;Password=can ary;Db=my db', 'Server=h;Password=••••••;Db=my db'],
    ['--db=Password=can ary; User Id=me;', '--db=Password=••••••; User Id=me;'],
    [
      'jdbc:sqlserver://h:1433;user=x;password=can ary',
      'jdbc:sqlserver://h:1433;user=x;password=••••••',
    ],
    ['Server=h;Password="can;ary"', 'Server=h;Password=••••••'],
    ['Server=h;Password=', 'Server=h;Password='],
    ['Server=h;Password=${X};Key=canary', 'Server=h;Password=${X};Key=••••••'],
    ['cd /srv; TOKEN=canary npx server', 'cd /srv; TOKEN=•••••• npx server'],
    ['accessToken: canary', 'accessToken: ••••••'],
    ['{"apiKey": "can \\" ary", "port": 1}', '{"apiKey": ••••••, "port": 1}'],
    ["PASSWORD='can ary' npx", 'PASSWORD=•••••• npx'],
    ['PASSWORD="canary', 'PASSWORD=••••••'],
    ['token: `two canary` x', 'token: •••••• x'],
    ['password: {canary}', 'password: {••••••}'],
    ["token='canary''", "token=••••••'"],
    ['{"password": canary}', '{"password": ••••••}'],
    ['Authorization: Digest a="b", response="canary"', 'Authorization: ••••••'],
    ['curl -H x-auth:Bearer\tcanary y', 'curl -H x-auth:•••••• y'],
    ['send Bearer canary now', 'send Bearer •••••• now'],
    [
      'postgresql://user:canary@localhost/db',
      'postgresql://••••••@localhost/db',
    ],
    ['--url=https://h/?a=canary', '--url=https://h/?a=••••••'],
    ['ghp_canarycanary', '••••••'],
    ['x xoxb-1234-canary y', 'x •••••• y'],
    ['AKIAIOSFODNN7EXAMPLE', '••••••'],
    ['eyJhbGciOi.eyJzdWIi.c2ln', '••••••'],
    ['d41d8cd98f00b204e9800998ecf8427e', '••••••'],
    ['12345678901234567890', '••••••'],
    ['JBSWY3DPEHPK3PXPJBSW', '••••••'],
    ['-----BEGIN KEY-----\ncanary\n-----END KEY----- x', '•••••• x'],
    ['-----BEGIN KEY-----\ncanary', '••••••'],
    // Options in a line
    ['npx x --api-key canary --verbose', 'npx x --api-key •••••• --verbose'],
    ['npx x --api-key "two canary" -v', 'npx x --api-key •••••• -v'],
    [String.raw`x --token 'it'\''s canary' -v`, 'x --token •••••• -v'],
    [`x --token 'it'"'"'s canary' -v`, 'x --token •••••• -v'],
    [String.raw`x --token 'it'\\''s canary' -v`, 'x --token •••••• -v'],
    [String.raw`x --token 'it'\''s canary`, 'x --token ••••••'],
    ['x --token "two `" canary" -v', 'x --token •••••• -v'],
    ["x --token 'it''s canary' -v", 'x --token •••••• -v'],
    ["x --token 'can'ary -v", 'x --token •••••• -v'],
    ['"--token=two canary" x', '"--token=••••••" x'],
    ['x --token \\\n canary', 'x --token \\\n ••••••'],
    ['x --token `\n canary', 'x --token `\n ••••••'],
    ['x /password:canary', 'x /password:••••••'],
    [
      'docker run -e FOO=canary -e LOG_LEVEL=debug x',
      'docker run -e FOO=•••••• -e LOG_LEVEL=debug x',
    ],
    ['docker run -eFOO=canary x', 'docker run -eFOO=•••••• x'],
    ['docker run -e FOO="two canary" x=bar', 'docker run -e FOO=•••••• x=bar'],
    [
      "docker run '-e' FOO='two canary' x=bar",
      "docker run '-e' FOO=•••••• x=bar",
    ],
    ['docker run --env=FOO="two canary" x', 'docker run --env=FOO=•••••• x'],
    ['docker run "--env=FOO=two canary" x', 'docker run "--env=FOO=••••••" x'],
    ['docker run -e "FOO=two canary" x', 'docker run -e FOO=•••••• x'],
    [
      'curl --header X-A:canary --headers X-B=canary',
      'curl --header X-A:•••••• --headers X-B=••••••',
    ],
    ['curl -H Authorization:Bearer canary h', 'curl -H Authorization:••••••'],
    [
      'x -U me:canary --user=me:canary --proxy-user me:canary',
      'x -U me:•••••• --user=me:•••••• --proxy-user me:••••••',
    ],
    ['curl -u me:canary https://h', 'curl -u me:•••••• https://h'],
    ['curl -u :canary --token :canary h', 'curl -u :•••••• --token :•••••• h'],
    ['curl -u ghp_canarycanary:x h', 'curl -u ••••••:•••••• h'],
    ['password :canary', 'password :••••••'],
    [
      'curl -H "X-A: two canary" -H Accept:text/html',
      'curl -H X-A: •••••• -H Accept:text/html',
    ],
    ["curl -H 'Cookie: a=canary; b=canary' h", 'curl -H Cookie: •••••• h'],
    ['powershell -EncodedCommand canary', 'powershell -EncodedCommand ••••••'],
    // Variables of a shell
    [
      'env FOO=canary BAR=two npx FOO=three',
      'env FOO=•••••• BAR=•••••• npx FOO=three',
    ],
    ['export FOO=canary; npx FOO=two', 'export FOO=••••••; npx FOO=two'],
    ['set FOO=canary', 'set FOO=••••••'],
    ['env A=${X} FOO=canary npx', 'env A=${X} FOO=•••••• npx'],
    ['ENV FOO=canary', 'ENV FOO=••••••'],
    ['SETX API_KEY canary', 'SETX API_KEY ••••••'],
    ['setenv API_KEY canary', 'setenv API_KEY ••••••'],
    ['$Env:FOO=canary', '$Env:FOO=••••••'],
    ['$ENV:FOO=canary', '$ENV:FOO=••••••'],
    ['set -x API_KEY canary', 'set -x API_KEY ••••••'],
    ['setx API_KEY canary', 'setx API_KEY ••••••'],
    ['$env:FOO = "canary"; npx', '$env:FOO = ••••••; npx'],
    ['TOKEN=$(echo canary) npx', 'TOKEN=•••••• npx'],
    // JSON, code and settings
    [
      String.raw`{\"token\":\"canary\",\"port\":1}`,
      String.raw`{\"token\":••••••,\"port\":1}`,
    ],
    [
      String.raw`{\\\"token\\\":\\\"a \\\\\"canary\\\"}`,
      String.raw`{\\\"token\\\":••••••}`,
    ],
    ['{""token"":""canary"",""port"":1}', '{""token"":••••••,""port"":1}'],
    ['{`"token`":`"canary`"}', '{`"token`":••••••}'],
    ["{'token': 'canary', 'port': 1}", "{'token': ••••••, 'port': 1}"],
    ['["--token","canary","-v"]', '["--token",••••••,"-v"]'],
    [
      '{"env":{"FOO":"canary"},"port":"here"}',
      '{"env":{"FOO":••••••},"port":"here"}',
    ],
    ['{"headers":{"X-Thing":"canary"}}', '{"headers":{"X-Thing":••••••}}'],
    ['{"ENVIRONMENT": {"FOO": "canary"}}', '{"ENVIRONMENT": {"FOO": ••••••}}'],
    [
      '{"env":{"LOG_LEVEL":"very verbose","FOO":"canary"},"bar":"x"}',
      '{"env":{"LOG_LEVEL":"very verbose","FOO":••••••},"bar":"x"}',
    ],
    ["os.environ['API_KEY'] = 'canary'", "os.environ['API_KEY'] = ••••••"],
    ['API_KEY => canary', 'API_KEY => ••••••'],
    ['token := canary', 'token := ••••••'],
    ['x 1;password=two canary;y', 'x 1;password=••••••;y'],
    ["x 'y;password=two canary' z", "x 'y;password=••••••' z"],
    // Ways of signing in
    ['Bearer "canary"', 'Bearer ••••••'],
    ['Sentry-Bearer canary', 'Sentry-Bearer ••••••'],
    ['Set-Cookie: a=1; b=canary\nx', 'Set-Cookie: ••••••\nx'],
    [
      'Proxy-Authorization: Digest canary canary\nx',
      'Proxy-Authorization: ••••••\nx',
    ],
    ['X-Authorization: one two', 'X-Authorization: •••••• two'],
    ['cookies: one two', 'cookies: •••••• two'],
    ['X-Cookie: one two', 'X-Cookie: •••••• two'],
    ['authorization_token: one two', 'authorization_token: •••••• two'],
    ['Cookie: a=1; b=canary', 'Cookie: ••••••'],
    ["{'cookie': canary, 'b': 1}", "{'cookie': ••••••, 'b': 1}"],
    ['x 1;token: one two', 'x 1;token: •••••• two'],
    ['Basic dXNlcjpwYXNz', 'Basic ••••••'],
    ['basic abc1de', 'basic ••••••'],
    ['Basic abcdefgh==', 'Basic ••••••'],
    ['authorization=Bearer canary x', 'authorization=•••••• x'],
    ['me:canary@localhost:5432/db', '••••••@localhost:5432/db'],
    ['see me:canary@h/.', 'see ••••••@h/.'],
    // Addresses in a text
    [
      'at https://me:canary@h/x?k=canary, then',
      'at https://••••••@h/x?k=••••••, then',
    ],
    ['"https://h/?k=can\'ary" x', '"https://h/?k=••••••" x'],
    ['https://u:can"ary@h/ x', 'https://••••••@h/ x'],
    ['<https://h/?a=canary>', '<https://h/?a=••••••>'],
    ['redis://:canary@h', 'redis://••••••@h'],
    ['REDIS://:canary@h', 'REDIS://••••••@h'],
    ['s3://canary@bucket/ x', 's3://••••••@bucket/ x'],
    ['x://canary@h y', 'x://••••••@h y'],
    ['"https://h/?a=canary",b', '"https://h/?a=••••••",b'],
    [String.raw`'https://h/?k=can'\''ary' x`, "'https://h/?k=••••••' x"],
    ['https://h/?a=canary me@y', 'https://h/?a=•••••• me@y'],
    ['https://u:can<ary@h/ x', 'https://••••••@h/ x'],
    // Signs around a value stay.
    ['(key=canary)', '(key=••••••)'],
    ['[key: canary], x', '[key: ••••••], x'],
    ['`key=canary`', '`key=••••••`'],
    ['see `npx --token canary` now', 'see `npx --token ••••••` now'],
    ['see `npx --token ${A}canary` now', 'see `npx --token ••••••` now'],
    ['"npx --token canary now" x', '"npx --token •••••• now" x'],
    ['token: 5', 'token: ••••••'],
    ['tokens=canary', 'tokens=••••••'],
    ['key=/canary/x', 'key=••••••'],
    // Behind an escaped sign
    ['token%3Dghp_canarycanary', 'token%3D••••••'],
    [String.raw`\nghp_canarycanary`, String.raw`\n••••••`],
    [String.raw`\u003dghp_canarycanary`, String.raw`\u003d••••••`],
  ] as const) {
    it(`shows ${JSON.stringify(text)} as ${shown}`, () => {
      assert.equal(maskText(text), shown);
    });
  }

  it('masks the word after an option unless it is a common word or a shell operator', () => {
    const words =
      'a an and are as at auth authentication by can cannot credential credentials expired flag for from had has have ' +
      'header if in invalid is it may missing must need needs not of on option or required scheme should the then to ' +
      'token tokens was were when will with without && | ; <';
    for (const word of words.split(' ')) {
      for (const text of [
        `the option --api-key ${word} x`,
        `--api-key ${word}.`,
        `Bearer ${word.toUpperCase()} x`,
      ])
        assert.equal(maskText(text), text);
      if (/\w/.test(word))
        assert.equal(maskText(`--api-key x${word}`), '--api-key ••••••');
    }
    assert.equal(maskText('--api-key iscanary'), '--api-key ••••••');
  });

  it('keeps the word after an option that takes no value, such as --no-auth', () => {
    for (const word of [
      'no',
      'skip',
      'disable',
      'enable',
      'without',
      'with',
      'require',
      'allow',
    ]) {
      assert.equal(maskText(`x --${word}-auth /srv`), `x --${word}-auth /srv`);
      assert.equal(
        maskText(`x --my-${word}-auth srv`),
        `x --my-${word}-auth ••••••`,
      );
    }
  });

  it('leaves masked text unchanged when masking it again', () => {
    for (const cover of [undefined, '<SECRET>']) {
      const once = maskText(
        'Bearer canary1 token=canary2 --key "canary3" https://u:p@h/?k=v sk-canary4canary4 -e A=canary5',
        cover,
      );
      assert.equal(maskText(once, cover), once);
      assert.ok(!once.includes('canary'));
    }
  });

  it('masks the rest of a text after 100 harmless values', () => {
    const open = 'x -e "A_URL=b" '.repeat(100);
    assert.equal(maskText(open), open);
    assert.equal(maskText(`${open}x -e "A_URL=b" y`), `${open}x -e ••••••`);
  });
});
