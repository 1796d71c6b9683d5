import assert from 'node:assert/strict';
import { mask } from '../../../../src/base/secret.ts';
import { isSecretFile } from '../../../../src/state/newConversation/secretFiles.ts';
import { withoutSecrets } from '../../../../src/state/newConversation/withoutSecrets.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const canary = 'Zx81canaryQ7v';
const cleaned = (path: string, ...lines: readonly string[]) =>
  withoutSecrets(lines.join('\n'), path);

describe('the text of a message without secrets', () => {
  it('masks likely secrets on their lines, and returns the line numbers', () => {
    const { text, lines } = cleaned(
      'src/shop.ts',
      'const url = "https://shop.example";',
      `const password = '${canary}';`,
      'export const a = 1;',
      `fetch(url, { headers: { authorization: 'Bearer ${canary}' } });`,
      'const key = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";',
    );
    assert.deepEqual(lines, [2, 4, 5]);
    assert.doesNotMatch(text, /canary|ghp_/);
    assert.equal(text.split('\n')[2], 'export const a = 1;');
    assert.equal(text.split('\n').length, 5);
  });

  it('masks all lines of a private key, even when it is cut off', () => {
    const rows = [
      '-----BEGIN PRIVATE KEY-----',
      'MIIEvQIBADANBg',
      canary,
      '-----END PRIVATE KEY-----',
      'after',
    ];
    for (const some of [rows, rows.slice(0, 3)]) {
      const { text, lines } = cleaned('notes.md', 'before', ...some);
      assert.doesNotMatch(text, /canary|MIIE/);
      assert.deepEqual(lines.slice(0, 3), [2, 3, 4]);
      assert.equal(text.split('\n')[0], 'before');
    }
  });

  it('keeps variables, calls and types in code', () => {
    const code = [
      'const token = await getToken(request);',
      'const password = request.body.password;',
      'function sign(secret: Secret, apiKey: KeyOf<Service>) {',
      '  return hmac(secret, apiKey);',
      '}',
      'login({ password: password });',
      'const auth = (req, res) => next(req);',
      'const token = [scope, await next(realm)];',
      'const credentials = { user, password: read(user) };',
      'const secret = { value: settings.value, other };',
      'tokens = [word for word in words]',
    ];
    assert.deepEqual(cleaned('src/login.ts', ...code), {
      text: code.join('\n'),
      lines: [],
    });
  });

  it('masks the literal behind a type, a lookup or a call, and shows what is before it', () => {
    for (const [path, line, shown] of [
      ['a.py', 'api_key: str = "canary"', 'api_key: str = ••••••'],
      ['a.py', 'pin: int = 471108', 'pin: int = ••••••'],
      [
        'a.py',
        'def f(token: str = "canary", port: int = 5):',
        'def f(token: str = ••••••, port: int = 5):',
      ],
      [
        'a.py',
        'api_key: str = Field(default="canary", env="X")',
        'api_key: str = Field(default=••••••, env=••••••)',
      ],
      [
        'a.rs',
        'static TOKEN: &\'static str = "canary";',
        "static TOKEN: &'static str = ••••••;",
      ],
      [
        'a.go',
        'var password string = "canary"',
        'var password string = ••••••',
      ],
      ['a.c', 'char password[] = "canary";', 'char password[] = ••••••;'],
      [
        'a.ts',
        'const token = process.env.TOKEN ?? "canary";',
        'const token = process.env.TOKEN ?? ••••••;',
      ],
      [
        'a.ts',
        'const token = other ?? "canary";',
        'const token = •••••• ?? ••••••;',
      ],
      [
        'a.ts',
        'const token = a ? "canary" : "canary";',
        'const token = a ? •••••• : ••••••;',
      ],
      [
        'a.py',
        'password = os.getenv("DB_PASSWORD", "canary")',
        'password = os.getenv("DB_PASSWORD", ••••••)',
      ],
      [
        'a.py',
        'password = os.environ.get("PW") or "canary"',
        'password = os.environ.get("PW") or ••••••',
      ],
      [
        'a.py',
        'password = login("canary", "canary")',
        'password = login(••••••, ••••••)',
      ],
      ['Dockerfile', 'ENV DB_PASSWORD canary', 'ENV DB_PASSWORD ••••••'],
      [
        'a.ps1',
        '$x = ConvertTo-SecureString -Force "canary"',
        '$x = ConvertTo-SecureString -Force ••••••',
      ],
    ] as const) {
      assert.equal(cleaned(path, line).text, shown);
    }
  });

  it('keeps comparisons, blocks, types and arguments by name', () => {
    const lines = [
      "const token = tokens.find((each) => each.name === 'first');",
      "if (pat[at] == 'x') return;",
      'run({ setApiKey: async (address) => {',
      "  const service = await pick(address, 'Select a service');",
      '} });',
      'function f(password: string, user: string = "bob") {}',
    ];
    assert.deepEqual(cleaned('a.ts', ...lines), {
      text: lines.join('\n'),
      lines: [],
    });
  });

  it('masks secrets in strings, comments and files that are not code', () => {
    for (const [path, line] of [
      ['a.ts', `const x = "password=correcthorse.battery";`],
      ['a.ts', `// password: correcthorse.battery`],
      ['a.py', `# password = correcthorse.battery`],
      ['a.yaml', `password: correcthorse`],
      ['a.ts', `const password = '${canary}' + suffix();`],
      ['a.ts', `const password = new Secret('${canary}');`],
    ] as const) {
      const { text, lines } = cleaned(path, line);
      assert.deepEqual(lines, [1], line);
      assert.doesNotMatch(text, /horse|canary/);
    }
  });

  it('masks blocks, tables and brackets of any length, and keeps every line', () => {
    const long = Array.from({ length: 400 }, (_, i) => `row ${i}`);
    for (const [path, ...lines] of [
      ['a.yaml', 'password: |', ...long.map((row) => `  ${row} ${canary}`)],
      ['a.csv', 'user,password', ...long.map((row) => `${row},${canary}`)],
      [
        'a.md',
        '| user | token |',
        '| - | --- |',
        ...long.map((row) => `| ${row} | ${canary} |`),
      ],
      [
        'a.ts',
        'const auth = {',
        ...long.slice(0, 40).map((row) => `  "${row}": "${canary}",`),
        '};',
      ],
      ['a.ts', `const auth = { type: 'basic', value: '${canary}' };`],
      ['a.py', `os.environ.setdefault("DB_PASSWORD", "${canary}")`],
    ] as const) {
      for (const sign of ['', '+', '-', ' ']) {
        const { text } = cleaned(
          path,
          'first',
          ...lines.map((line) => sign + line),
          'last',
        );
        assert.doesNotMatch(text, /canary/, path + sign);
        assert.equal(text.split('\n').length, lines.length + 2);
      }
    }
  });

  it('masks a value on the line after its name', () => {
    const { text } = cleaned(
      'a.ts',
      'const settings = {',
      '  password:',
      `    '${canary}',`,
      '};',
    );
    assert.doesNotMatch(text, /canary/);
  });

  it('masks a secret anywhere in a long file, and any line that is too long to be searched', () => {
    for (let filler = 2_900; filler < 3_100; filler += 7) {
      const { text, lines } = cleaned(
        'a.ini',
        'x'.repeat(filler / 2),
        'y '.repeat(filler / 4),
        `password = ${canary}`,
      );
      assert.doesNotMatch(text, /canary/);
      assert.ok(lines.includes(3));
    }
    assert.equal(cleaned('a.ini', 'a'.repeat(9_000)).text, mask);
  });

  it('keeps line endings, and leaves text without secrets unchanged', () => {
    const text = 'one\r\n\r\ntwo\n\tthree  \n';
    assert.deepEqual(withoutSecrets(text, 'a.txt'), { text, lines: [] });
    assert.equal(
      withoutSecrets(`a\r\npassword = ${canary}\r\nb\r\n`, 'a.ini').text.split(
        '\n',
      ).length,
      4,
    );
  });

  it('handles a file of 8,000 lines in 5 s of processor time', () => {
    const text = 'const a = { b: "c", token: next(d) };\n'.repeat(8_000);
    assert.ok(cpuMsOf(() => withoutSecrets(text, 'a.ts')) < 5_000);
  });

  it('identifies secret files by their names', () => {
    const secret = [
      ...[
        '.env',
        '.env.local',
        'app/.env.production',
        '.envrc',
        'prod.env',
        'id_rsa',
        '.ssh/config',
        'a.pem',
      ],
      ...[
        'server.key',
        '.npmrc',
        '.netrc',
        'secrets.json',
        'config/credentials.yml',
        '.aws/credentials',
      ],
      ...[
        'service-account.json',
        'infra/prod.tfvars',
        'my-secrets.prod.yaml',
        'a\\b\\.env',
      ],
      ...[
        '.env_prod',
        '.env~',
        '.dev.vars',
        '.dev.vars.staging',
        '.flaskenv',
        '.envs/.production/.django',
      ],
      ...[
        'secrets/prod.json',
        'run/secrets/db_password',
        '.secrets/a/b.md',
        'deploy/credentials/prod.yaml',
      ],
      ...[
        'auth.json',
        '.docker/config.json',
        '.vault-token',
        '.vault_pass',
        '.s3cfg',
        '.boto',
      ],
      ...[
        'serviceAccountKey.json',
        'shop-firebase-adminsdk-ab1c2-0d3e.json',
        'gcp-key.json',
        'api_keys.yaml',
      ],
      ...[
        'client_secret_123-abc.apps.googleusercontent.com.json',
        'deploy_key',
        '.terraformrc',
        'terraform.rc',
      ],
      ...[
        'credentials.csv',
        'credentials.yml.enc',
        'config/credentials/production.yml.enc',
        'wp-config.php',
      ],
      ...[
        'mcp.json',
        '.mcp.json',
        '.cursor/mcp.json',
        '.vscode/mcp.json',
        'a\\mcp_config.json',
      ],
      ...[
        'cline_mcp_settings.json',
        'claude_desktop_config.json',
        'terraform.tfstate.backup',
        'id_rsa~',
      ],
      ...[
        'token.txt',
        'gh_token.txt',
        'vault.yml',
        'group_vars/all/vault.yaml',
        'passwords.txt',
        'my.cnf',
      ],
      ...[
        'private.asc',
        'my-private-key.asc',
        '.gitconfig',
        '.openhands/settings.json',
      ],
    ];
    assert.deepEqual(
      secret.filter((path) => !isSecretFile(path)),
      [],
    );
    const open = [
      'src/env.ts',
      'credentials.ts',
      'secrets.test.ts',
      'keyboard.json',
      'id_rsa.pub',
      'environment.yml',
      ...[
        'src/secrets/rotate.ts',
        'secrets/README.md',
        'docs/credentials/index.html',
        'src/auth.ts',
      ],
      ...[
        '.docker/Dockerfile',
        'config.json',
        'deploy_key.pub',
        'key.json',
        'auth/config.json',
        'mcp.ts',
      ],
      ...[
        'mcp-server.json',
        '.envoy.yaml',
        'deploy.key.md',
        'wp-config-sample.md',
        'dev.vars.ts',
      ],
      ...[
        'tokens.md',
        'src/token.ts',
        'vault.md',
        'public.asc',
        'gitconfig.ts',
        '.vscode/settings.json',
      ],
      ...['tokenizer.txt', 'amy.cnf', 'nightly.asc'],
    ];
    assert.deepEqual(open.filter(isSecretFile), []);
  });
});
