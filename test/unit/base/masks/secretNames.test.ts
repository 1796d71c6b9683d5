import assert from 'node:assert/strict';
import {
  isOpen,
  isOpenName,
  isOpenValue,
  isSecretName,
} from '../../../../src/base/masks/secretNames.ts';

describe('the detection of secret names', () => {
  const names = [
    ...[
      'token',
      'TOKEN',
      'tokens',
      'myToken',
      'my_token',
      'my-token',
      'mytoken',
      'x.token',
      '_authToken',
      'tkn',
    ],
    ...[
      'API_KEY',
      'apiKey',
      'apikey',
      'APIKEY',
      'API-Key',
      'API_KEY_1',
      'apiKey2',
      'API_KEY_21ST',
      'key2Value',
      'x-api-key',
      'key',
    ],
    ...[
      'KEYS',
      'AccountKey',
      'SECRET_KEY_BASE',
      'API_KEY_PROD',
      'TOKEN_V2',
      'KEY_VALUE',
      'TOKEN_BASE64',
      'KEY_OLD',
    ],
    ...[
      'secret',
      'client_secret',
      'secrets',
      'password',
      'passwd',
      'pass',
      'dbpass',
      'pwd',
      'MYSQL_PWD',
      'pw',
      'db_pw',
    ],
    ...[
      'passphrase',
      'passcode',
      'Passwort',
      'kennwort',
      'credential',
      'credentials',
      'creds',
      'aws_cred',
      'mnemonic',
    ],
    ...[
      'jwt',
      'auth',
      'oauth',
      'Authorization',
      'authorisation',
      'bearer',
      'cookie',
      'Set-Cookie',
      'signature',
      'sig',
    ],
    ...[
      'pat',
      'githubpat',
      'GITHUB_PAT',
      'pin',
      'otp',
      'encodedCommand',
      '-enc',
      '--access-token',
      '/password',
    ],
    ...[
      'public_token',
      'MINIO_TOKEN',
      'cached_token',
      'output_token',
      'primary_secret',
      'User Password',
      'primary_key_hex',
    ],
  ];
  for (const name of names) {
    it(`treats ${name} as the name of a secret`, () => {
      assert.ok(isSecretName(name));
    });
  }

  const others = [
    ...[
      'LOG_LEVEL',
      'author',
      'keyboard',
      'tokenizer',
      'token_file',
      'key_id',
      'AUTH_TYPE',
      'secretary',
      'password_file',
    ],
    ...[
      'primary-key',
      'primaryKey',
      'primary--key',
      'primarykey',
      'my_primary_keys',
      'foreign_key',
      'PUBLIC_KEY',
      'sort-key',
      'cache_key',
    ],
    ...[
      'max_tokens',
      'api_max_tokens',
      'max_new_tokens',
      'tokens_max',
      'maxTokens',
      'max-output-tokens',
      'MAX_TOKEN',
      'min_tokens',
      'input_tokens',
      'total-tokens',
    ],
    ...[
      'monkey',
      'donkey',
      'turkey',
      'hotkey',
      'whiskey',
      'compass',
      'bypass',
      'askpass',
      'trespass',
      'compat',
      'expat',
    ],
    ...[
      'design',
      'spin',
      'spw',
      'sacred',
      'fence',
      'keybase',
      'passenger',
      'authority',
      'pattern',
      '',
    ],
  ];
  for (const name of others) {
    it(`treats ${name || 'an empty name'} as harmless`, () => {
      assert.ok(!isSecretName(name));
    });
  }

  it('treats keys such as primary_key and counts such as total_tokens as harmless', () => {
    const keys =
      'primary foreign public partition sort range unique row cache issue project object idempotency hot group order';
    for (const word of keys.split(' ')) {
      for (const name of [
        `${word}_key`,
        `my-${word}-keys`,
        `${word}Key`,
        `${word}key`,
      ])
        assert.ok(!isSecretName(name), name);
      assert.ok(
        isSecretName(`${word}_api_key`) &&
          isSecretName(`${word}_token`) &&
          isSecretName(`x${word}_key`),
      );
    }
    for (const word of 'num total count input output prompt completion context thinking'.split(
      ' ',
    )) {
      assert.ok(
        !isSecretName(`${word}_tokens`) && !isSecretName(`x-${word}Tokens`),
        word,
      );
      assert.ok(
        isSecretName(`${word}_token`) && isSecretName(`x${word}_tokens`),
        word,
      );
    }
  });

  it('judges a very long name by its end', () => {
    assert.ok(isSecretName(`${'a'.repeat(1_000_000)}_token`));
    assert.ok(!isSecretName(`token_${'a'.repeat(1_000_000)}`));
  });
});

describe('the detection of harmless names', () => {
  it('accepts names that end with a harmless word, such as LOG_LEVEL but not session_id', () => {
    for (const name of [
      'LOG_LEVEL',
      'read-only',
      'baseUrl',
      'AWS_REGION',
      'features',
      'q',
      'project_ref',
      'max_tokens',
    ])
      assert.ok(isOpenName(name), name);
    const ends =
      'level env environment mode port host hostname domain address url uri endpoint server region zone location debug ' +
      'verbose quiet log logs logging status reason phase telemetry tracking enable enabled disable disabled only path ' +
      'dir directory folder root home file filename name id user username login owner group role profile project org ' +
      'organization organisation team workspace repo repository branch ref tag scope scopes feature features tool tools ' +
      'toolset toolsets program command shell term display editor pager browser option options opts args flags lang ' +
      'language locale tz timezone model provider version type kind format encoding charset transport protocol agent ' +
      'timeout interval delay ttl limit size length count number max min retries workers threads concurrency width ' +
      'height db database schema table collection index bucket queue topic channel partition preference cache ssl tls ' +
      'verify strict input output page offset sort query search filter q accept origin control color theme headless ' +
      'title description label ci unbuffered';
    for (const end of ends.split(' ')) {
      assert.ok(
        isOpenName(end) &&
          isOpenName(`MY_${end.toUpperCase()}`) &&
          isOpenName(`x-my.${end}`),
        end,
      );
      assert.ok(
        !isOpenName(`x${end}`) || ends.split(' ').includes(`x${end}`),
        end,
      );
    }
    for (const name of [
      'FOO',
      'a',
      'session_id',
      'mcp-session-id',
      'state',
      'code',
      'auth_code',
      'level_x',
      'email',
      'rl',
      '',
    ])
      assert.ok(!isOpenName(name), name);
  });
});

describe('the detection of harmless values', () => {
  for (const value of [
    ...[
      'true',
      'False',
      'yes',
      'no',
      'on',
      'off',
      'none',
      'null',
      'undefined',
      'auto',
      'oauth',
      'required',
      'string',
    ],
    ...[
      '${API_KEY}',
      '${env:API_KEY}',
      '${input:api-key}',
      '${A:-}',
      '${{ secrets.A }}',
      '$API_KEY',
      '$env:A',
      '%KEY%',
    ],
    ...[
      '{{ key }}',
      '{{key}}',
      '{{  key  }}',
      '{env:A}',
      '{env:API_KEY}',
      '$env:API_KEY',
      '$(cat /run/x)',
      '${A}:${B}',
      '${A}${B}',
      'Bearer ${A}',
      'Bearer  ${A}',
      'Sentry-Bearer ${A}',
      'bearer $A',
      'Token <token>',
    ],
    ...[
      '<API_KEY>',
      '<your token>',
      '<<KEY>>',
      '<$KEY>',
      'YOUR_API_KEY',
      'your-api-key',
      '••••••',
      '****',
      'xxx',
      'XXXX',
    ],
    ...[
      '...',
      './key.pem',
      './a.yml',
      './a.yaml',
      '/a/b.json',
      '~/.ssh/id',
      '../x/y.key',
      String.raw`C:\keys\a.pem`,
      '$HOME/a.json',
    ],
    ...[
      '/run/secrets/key',
      '/home/me/key',
      '/etc/ssl/My Key',
      '${HOME}/x.env',
      `$${'A'.repeat(299)}`,
    ],
  ]) {
    it(`treats ${value.slice(0, 30)} as harmless`, () => {
      assert.ok(isOpenValue(value));
    });
  }

  for (const value of [
    ...[
      'canary',
      '',
      '1234',
      '$ecret',
      '$ecret!',
      '${API_KEY:-canary}',
      '${A}canary',
      '$(echo canary)',
      '%canary',
      'xx',
    ],
    ...[
      'your-key-1',
      'YOUR_canary',
      '<canary',
      'a<b>',
      '/canary/x',
      'canary.pem',
      '..',
      'truecanary',
      'Bearer canary',
    ],
    ...[
      'xtrue',
      'truex',
      'canary${A}',
      '$canary${A}',
      'YOUR_basic SECRET',
      '$(printf x)',
      'x<a>',
      '**',
      '••',
      'canary Bearer ${A}',
      'x/home/a',
      '/home/a!',
    ],
    ...[
      '$A canary',
      '{{ a b }}',
      '/a/b.pemx',
      'x/a.pem',
      '~x/a',
      `$${'A'.repeat(300)}`,
    ],
  ]) {
    it(`treats ${value.slice(0, 30) || 'an empty value'} as a possible secret`, () => {
      assert.ok(!isOpenValue(value));
    });
  }
});

describe('the detection of harmless variables and parameters', () => {
  for (const [name, value] of [
    ['FOO', 'true'],
    ['FOO', '1'],
    ['FOO', 'v1.2.3'],
    ['FOO', 'v1.10.12'],
    ['FOO', '../x'],
    ['FOO', '/data'],
    ['FOO', '123456'],
    ['FOO', '/usr/bin'],
    ['FOO', String.raw`C:\x`],
    ['FOO', '~/x'],
    ['FOO', '~/x!'],
    ['FOO', './x'],
    ['LOG_LEVEL', 'canary'],
    ['API_KEY', '${API_KEY}'],
    ['TOKENS', '1234567'],
  ] as const) {
    it(`treats ${name}=${value} as harmless`, () => {
      assert.ok(isOpen(name, value));
    });
  }

  for (const [name, value] of [
    ['FOO', 'canary'],
    ['FOO', 'v'],
    ['TOKENS', '5x'],
    ['FOO', '1234567'],
    ['FOO', '1canary'],
    ['API_KEY', '1'],
    ['API_KEY', '/usr/bin/x'.replace('usr', 'x')],
    ['TOKENS', '12345678'],
    ['TOKEN', '5'],
    ['SECRET_TOKEN', '5'],
  ] as const) {
    it(`treats ${name}=${value} as a possible secret`, () => {
      assert.ok(!isOpen(name, value));
    });
  }
});
