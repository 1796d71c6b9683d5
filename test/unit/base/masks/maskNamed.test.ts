import assert from 'node:assert/strict';
import { maskText } from '../../../../src/base/masks/maskText.ts';

describe('the masking of values after names', () => {
  for (const [text, shown] of [
    ['Authorization: (Digest) canary', 'Authorization: ••••••'],
    ['Cookie: [a] canary', 'Cookie: ••••••'],
    ['npx --token \\\n  canary: -v', 'npx --token \\\n  •••••• -v'],
    // Quotes of PowerShell and Markdown
    ['`token`: canary', '`token`: ••••••'],
    ['see `token=two canary` now', 'see `token=••••••` now'],
    ['x `"--token=two canary`" "-v y"', 'x `"--token=••••••`" "-v y"'],
    // Names that are values themselves
    [
      '- name: DB_PASSWORD\n  user: bob\n  value: canary',
      '- name: DB_PASSWORD\n  user: bob\n  value: ••••••',
    ],
    [
      '- name: DB_PASSWORD # its default name\n  value: 5',
      '- name: DB_PASSWORD # its default name\n  value: ••••••',
    ],
    ['password:\n  value: canary', 'password:\n  value: ••••••'],
    [
      'db.name: DB_PASSWORD\nvalue: canary',
      'db.name: DB_PASSWORD\nvalue: ••••••',
    ],
    [
      'name: DB_PASSWORD\ndefault: canary\nvalue: shown',
      'name: DB_PASSWORD\ndefault: ••••••\nvalue: shown',
    ],
    [
      '"db_password": {"value": "canary", "default": "b"}',
      '"db_password": {"value": ••••••, "default": ••••••}',
    ],
    [
      '- value: canary\n  name: DB_PASSWORD',
      '- value: ••••••\n  name: DB_PASSWORD',
    ],
    [
      '+- value: canary\n+  name: DB_PASSWORD',
      '+- value: ••••••\n+  name: DB_PASSWORD',
    ],
    [
      '{"value": "canary", "name": "DB_PASSWORD"}',
      '{"value": ••••••, "name": "DB_PASSWORD"}',
    ],
    [
      '"value=canary", "name=DB_PASSWORD"',
      '"value=••••••", "name=DB_PASSWORD"',
    ],
    ['value: canary \nname: DB_PASSWORD', 'value: •••••• \nname: DB_PASSWORD'],
    [
      '-- value: canary\n-  name: DB_PASSWORD',
      '-- value: ••••••\n-  name: DB_PASSWORD',
    ],
    [
      'value = "canary"\nname = "DB_PASSWORD"',
      'value = ••••••\nname = "DB_PASSWORD"',
    ],
    // Variables of images
    ['ENV DB_PASSWORD canary', 'ENV DB_PASSWORD ••••••'],
    ['+ENV  DB_PASSWORD canary', '+ENV  DB_PASSWORD ••••••'],
    ['FROM a\n   ENV DB_PASSWORD canary', 'FROM a\n   ENV DB_PASSWORD ••••••'],
    // Types, lookups and fallback values
    ['var password string = "canary"', 'var password string = ••••••'],
    ['var password *string = "canary"', 'var password *string = ••••••'],
    ['var password []byte="canary"', 'var password []byte=••••••'],
    ['char password[16] = "canary";', 'char password[16] = ••••••;'],
    ['Dim password As String = "canary"', 'Dim password As String = ••••••'],
    [
      'x; token = a["TOKEN"] ?? "canary", b = 1',
      'x; token = a["TOKEN"] ?? ••••••, b = 1',
    ],
    [
      'x; token = a.b("none", "canary") ?? "canary" y',
      'x; token = a.b("none", ••••••) ?? •••••• y',
    ],
    ['Authorization: f("canary") canary', 'Authorization: ••••••'],
    ['x 1;password=f(a) + "b";y', 'x 1;password=••••••"b";y'],
    ['--token f("canary")', '--token ••••••")'],
    // Letters and signs of a quote
    ['password = f"two canary" x', 'password = •••••• x'],
    ["password = Rb'two canary' x", 'password = •••••• x'],
    ["PASSWORD=$'two canary' npx", 'PASSWORD=•••••• npx'],
    ['--password $"two canary" -v', '--password •••••• -v'],
    ['--password @$"two canary" -v', '--password •••••• -v'],
    ['--password fr"two canary" -v', '--password •••••• -v'],
    ['--password rb"two canary" -v', '--password •••••• -v'],
    // Arguments of calls
    ['set(API_TOKEN "canary")', 'set(API_TOKEN ••••••)'],
    ['set( "API_KEY", "canary" )', 'set( "API_KEY", •••••• )'],
    ["PASSWORD( 'canary')", 'PASSWORD( ••••••)'],
    // SQL and .netrc, with several blanks between the words
    ["IDENTIFIED  BY 'canary'", 'IDENTIFIED  BY ••••••'],
    ["identified with  sha2 by 'canary'", 'identified with  sha2 by ••••••'],
    ["identified with sha2  by 'canary'", 'identified with sha2  by ••••••'],
    [
      'machine h login  me password canary',
      'machine h login  me password ••••••',
    ],
    [
      'machine h login me  password canary',
      'machine h login me  password ••••••',
    ],
  ] as const) {
    it(`shows ${JSON.stringify(text)} as ${JSON.stringify(shown)}`, () => {
      assert.equal(maskText(text), shown);
    });
  }

  for (const text of [
    'token=••••••. It',
    '- name: MODE\n  value: fast\n- name: DB_PASSWORD\n',
    'value: fast\nname: MODE',
    'value: fast ones\nname: DB_PASSWORD',
    '- value: fast\n- name: DB_PASSWORD',
    'See ENV token shown',
    'ENV PORT=1 token shown',
    'password String == "x"',
    'password lists = "x"',
    'name: DB_PASSWORD; the value is shown',
    'name: "Change password"\nvalue: soon',
    'name: "password?"\nvalue: soon',
    'name: password/change\nvalue: soon',
    'name: Bob\nvalue: soon',
    'keyboard: DB_PASSWORD\nvalue: soon',
    'variable "db_password" { values: x }',
    'password:\n  user:',
    'put(h "x")',
    'see (token "x")',
    'add(label, "token", "The token to use")',
    "identified nearby 'x'",
    "identified bytes 'x'",
    'It was identified in the BY region.',
    'forgot_password "link"',
    'passwordless "link"',
    '"password" "link"',
    'login me and then password reset',
    "password(old,'y')",
  ]) {
    it(`shows ${JSON.stringify(text)} unchanged`, () => {
      assert.equal(maskText(text), text);
    });
  }

  it('masks the argument of a call at the beginning of a long text', () => {
    const rest = ' run();'.repeat(20);
    assert.equal(
      maskText(`set("API_KEY", "canary");${rest}`),
      `set("API_KEY", ••••••);${rest}`,
    );
  });

  it('masks the value on the line after an unclosed bracket of a long text', () => {
    const rest = '\nThis is a line.'.repeat(12);
    assert.equal(
      maskText(`auth: {"password":\n"can ary"${rest}`),
      `auth: {"password":\n••••••${rest}`,
    );
  });

  it('masks the rest of a text after 10 brackets that do not close', () => {
    for (const [line, masked] of [
      ['auth: {user: bob\n', 'auth: {user: bob\n'],
      ['auth: {abc x\n', 'auth: •••••• x\n'],
    ] as const) {
      const [open, shown] = [line, masked].map((text) => text.repeat(10)) as [
        string,
        string,
      ];
      assert.equal(maskText(`${open}port`), `${shown}port`);
      assert.equal(maskText(`x ${open}${line}port`), `x ${shown}auth: ••••••`);
    }
  });

  it('shows the rest of a text after any number of brackets that close', () => {
    const closed = 'auth: {user: bob} '.repeat(20);
    assert.equal(maskText(`${closed}port`), `${closed}port`);
  });
});
