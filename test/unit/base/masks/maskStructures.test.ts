import assert from 'node:assert/strict';
import { maskText } from '../../../../src/base/masks/maskText.ts';

describe('the masking of values that are not one word', () => {
  for (const [text, shown] of [
    // Brackets
    ['auth: {"password": "canary"}', 'auth: {"password": ••••••}'],
    [
      'AUTH = {"token": "canary", "type": "basic"}',
      'AUTH = {"token": ••••••, "type": "basic"}',
    ],
    [
      'credentials={password: canary, user: bob}',
      'credentials={password: ••••••, user: bob}',
    ],
    ['auth = [ "admin", "can ary" ] # x', 'auth = [ ••••••, •••••• ] # x'],
    ['passwords: [canary, canary2] x', 'passwords: [••••••, ••••••] x'],
    [
      '"passwords": ["canary", "canary2"], "port": 1',
      '"passwords": [••••••, ••••••], "port": 1',
    ],
    ['TOKENS=(canary canary2)', 'TOKENS=(•••••• ••••••)'],
    ['pins: [12345, 67890]', 'pins: [••••••, ••••••]'],
    [
      "auth={'a' => 'canary', :b => 'canary'}",
      "auth={'a' => ••••••, :b => ••••••}",
    ],
    [
      'auth: {scopes: [read, write], port: 80, value: canary}',
      'auth: {scopes: [read, write], port: 80, value: ••••••}',
    ],
    [
      'auth: {command: "npx --token canary x"}',
      'auth: {command: "npx --token •••••• x"}',
    ],
    [
      'auth: {"a": ["can]ary", {"b": "can}ary"}]}.',
      'auth: {"a": [••••••, {"b": ••••••}]}.',
    ],
    [
      'sh -c \'npx x --auth {"password": "canary"} -v\'',
      'sh -c \'npx x --auth {"password": ••••••} -v\'',
    ],
    [
      String.raw`--auth {\"password\": \"canary\"} -v`,
      String.raw`--auth {\"password\": ••••••} -v`,
    ],
    ['auth: {"password": "canary", "x', 'auth: {"password": ••••••, ••••••'],
    ['auth: {"password": \n"canary", "x', 'auth: {"password": \n••••••, "x'],
    ['password: {SSHA}canary', 'password: ••••••'],
    ['password={canary x', 'password=•••••• x'],
    ['auth:\n  password: canary', 'auth:\n  password: ••••••'],
    ['auth:\n  "password": canary', 'auth:\n  "password": ••••••'],
    [
      'auth: {args: ["--token", "canary", "-v"]}',
      'auth: {args: ["--token", ••••••, "-v"]}',
    ],
    // Lines of YAML
    [
      'password: >-\n  canary\n  canary2\nport: 1',
      'password: >-\n  ••••••\n  ••••••\nport: 1',
    ],
    [
      '- token: |2+ # key\n    canary\n\n    canary\n  port: 1',
      '- token: |2+ # key\n    ••••••\n\n    ••••••\n  port: 1',
    ],
    [
      '+  "password": |\r\n+    canary\r\n+  port: 1',
      '+  "password": |\r\n+    ••••••\r\n+  port: 1',
    ],
    [
      'passwords:\n  - canary\n  - "can ary"\nport: 1',
      'passwords:\n  - ••••••\n  - ••••••\nport: 1',
    ],
    [
      'tokens:\n- canary\n- canary\nports:\n- 80',
      'tokens:\n- ••••••\n- ••••••\nports:\n- 80',
    ],
    // Sections whose members are all secrets
    [
      '[secrets]\nopenai = "canary"\n\nfoo: can ary\n[other]\na = b',
      '[secrets]\nopenai = ••••••\n\nfoo: ••••••\n[other]\na = b',
    ],
    [
      '+[app.credentials]\r\n+bob = canary\r\n',
      '+[app.credentials]\r\n+bob = ••••••\r\n',
    ],
    [
      'a:\n  secrets:\n    openai: canary\n  b: c',
      'a:\n  secrets:\n    openai: ••••••\n  b: c',
    ],
    [
      'stringData:\n  openai: canary\n  x:\n    - y: canary\nkind: Secret',
      'stringData:\n  openai: ••••••\n  x:\n    - y: ••••••\nkind: Secret',
    ],
    [
      'secrets:\n  db:\n    file: ./db.txt\n    external: true\n',
      'secrets:\n  db:\n    file: ./db.txt\n    external: true\n',
    ],
    ['[secrets] are used\nfoo = bar', '[secrets] are used\nfoo = bar'],
    [
      '[secrets]\nThat is all.\nfoo = bar',
      '[secrets]\nThat is all.\nfoo = bar',
    ],
    // Lines of .pgpass
    ['localhost:5432:shop:me:canary', 'localhost:5432:shop:me:••••••'],
    [
      '+db.example:5432:my-shop:admin@x:canary',
      '+db.example:5432:my-shop:admin@x:••••••',
    ],
    ['localhost:5432:shop:me:can ary', 'localhost:5432:shop:me:can ary'],
    ['# x\n*:*:*:me:can:ary\n', '# x\n*:*:*:me:••••••\n'],
    ['src/a.ts:1042:7:error:canary', 'src/a.ts:1042:7:error:canary'],
    ['10:42:07:main:canary', '10:42:07:main:canary'],
    // Elements
    ['<password>canary</password>', '<password>••••••</password>'],
    [
      '<db:password a="b">\n can ary </db:password >',
      '<db:password a="b">••••••</db:password >',
    ],
    [
      '<string name="api_key">canary</string>',
      '<string name="api_key">••••••</string>',
    ],
    [
      '<key>API_KEY</key>\n <string>canary</string>',
      '<key>API_KEY</key>\n <string>••••••</string>',
    ],
    ['<add key="ApiKey" value="canary" />', '<add key=•••••• value=•••••• />'],
    // Arguments of calls
    ["define('DB_PASSWORD', 'canary');", "define('DB_PASSWORD', ••••••);"],
    [
      'os.environ.setdefault("DB_PASSWORD", "canary")',
      'os.environ.setdefault("DB_PASSWORD", ••••••)',
    ],
    [
      'System.setProperty("db.password" , "canary");',
      'System.setProperty("db.password" , ••••••);',
    ],
    [
      'os.environ.get("API_KEY", "canary")',
      'os.environ.get("API_KEY", ••••••)',
    ],
    ['ConvertTo-SecureString "canary"', 'ConvertTo-SecureString ••••••'],
    [
      "x = ConvertTo-SecureString  -Force  -AsPlainText  'can ary' y",
      'x = ConvertTo-SecureString  -Force  -AsPlainText  •••••• y',
    ],
    // Fallback values
    ['process.env.TOKEN ?? "canary"', 'process.env.TOKEN ?? ••••••'],
    ["a = config.apiKey || 'canary';", 'a = config.apiKey || ••••••;'],
    ["ENV['API_KEY'] || 'canary'", "ENV['API_KEY'] || ••••••"],
    ['os.getenv("API_KEY") or "canary"', 'os.getenv("API_KEY") or ••••••'],
    ["getenv('API_KEY') ?: 'canary'", "getenv('API_KEY') ?: ••••••"],
    [
      'process.env["API_KEY"] ??= `canary`',
      'process.env["API_KEY"] ??= ••••••',
    ],
    // Names that are values themselves
    [
      '- name: DB_PASSWORD\n  value: canary\n- name: MODE\n  value: debug',
      '- name: DB_PASSWORD\n  value: ••••••\n- name: MODE\n  value: debug',
    ],
    [
      '{"name": "DB_PASSWORD", "value": "canary"}',
      '{"name": "DB_PASSWORD", "value": ••••••}',
    ],
    [
      '{ name = "db_password", value = "canary" }',
      '{ name = "db_password", value = •••••• }',
    ],
    [
      '"ParameterKey": "DbPassword", "ParameterValue": "canary"',
      '"ParameterKey": ••••••, "ParameterValue": ••••••',
    ],
    [
      'variable "db_password" { default = "canary" }',
      'variable "db_password" { default = •••••• }',
    ],
    [
      'variable "db_password" {\n  type = string\n  default = "canary"\n}',
      'variable "db_password" {\n  type = string\n  default = ••••••\n}',
    ],
    [
      '"DbPassword": {"Type": "String", "Default": "canary"}',
      '"DbPassword": {"Type": "String", "Default": ••••••}',
    ],
    // SQL
    [
      "CREATE USER a IDENTIFIED BY 'canary';",
      'CREATE USER a IDENTIFIED BY ••••••;',
    ],
    [
      "create user a identified with sha2 by 'can''ary'",
      'create user a identified with sha2 by ••••••',
    ],
    [
      'ALTER USER a IDENTIFIED BY canary;',
      'ALTER USER a IDENTIFIED BY ••••••;',
    ],
    [
      "create role a with login password 'canary';",
      'create role a with login password ••••••;',
    ],
    [
      "SET PASSWORD FOR a = PASSWORD('canary');",
      'SET PASSWORD FOR a = PASSWORD(••••••);',
    ],
    // Programs
    ['mysql -u root -pcanary db', 'mysql -u root -p•••••• db'],
    ["mysqldump -h h -p'can ary' db", 'mysqldump -h h -p•••••• db'],
    ['sshpass -p canary ssh h', 'sshpass -p •••••• ssh h'],
    ['/usr/bin/sshpass -pcanary ssh h', '/usr/bin/sshpass -p•••••• ssh h'],
    ['redis-cli -h h -a "can ary" ping', 'redis-cli -h h -a •••••• ping'],
    ['docker login -u me -p canary h', 'docker login -u me -p •••••• h'],
    ['["sshpass","-p","canary","ssh"]', '["sshpass","-p",••••••,"ssh"]'],
    [
      '{"command":"mysql","args":["-pcanary","db"]}',
      '{"command":"mysql","args":["-p••••••","db"]}',
    ],
    ['sh -c \'mysql "-pcan ary" db\'', 'sh -c \'mysql "-p••••••" db\''],
    [
      'machine h login me password canary',
      'machine h login me password ••••••',
    ],
    // Tables
    [
      'user,password\nbob,canary\n"b, c","can ""ary"\n',
      'user,password\nbob,••••••\n"b, c",••••••\n',
    ],
    [
      'id;api_key;port\r\n1;canary;80\r\n',
      'id;api_key;port\r\n1;••••••;80\r\n',
    ],
    ['user\ttoken\nbob\tcanary', 'user\ttoken\nbob\t••••••'],
    [
      '| user | Password |\n|------|:---|\n| bob | canary |\nend',
      '| user | Password |\n|------|:---|\n| bob | •••••• |\nend',
    ],
    [
      ' user | password \n------+-----\n bob  | canary',
      ' user | password \n------+-----\n bob  | ••••••',
    ],
    ['+user,password\n+bob,canary', '+user,password\n+bob,••••••'],
  ] as const) {
    it(`shows ${JSON.stringify(text)} as ${JSON.stringify(shown)}`, () => {
      assert.equal(maskText(text), shown);
    });
  }

  for (const text of [
    'auth: {"type": "none"}',
    'password: {{ .Values.password }}',
    'token: [ ]',
    'auth:\n  type: none',
    'auth:\n  - type: none',
    'ports: |\n  80',
    '<password></password>',
    '<passwordField>x</passwordField>',
    '<key>MODE</key><string>debug</string>',
    "t('token', 'Text')",
    "define('MODE', 'debug')",
    'define("DB_PASSWORD", getenv("X"))',
    'process.env.MODE ?? "debug"',
    'Enter a password or "Cancel"',
    "Unexpected token '<' in JSON",
    '- name: MODE\n  value: debug',
    'variable "region" { default = "eu" }',
    "It is identified by 'id'.".replace("'id'", 'its id'),
    'mysql -u root -p db',
    'mysql -h h -P 3306; x -pabc',
    'mkdir -p a/b',
    'docker run -p 8080:80 x',
    'redis-cli -h h ping',
    'The user, password and token, all of it.\nA line, and another, too.',
    'user,name\nbob,canary',
    '| a | b |\n| password | c |',
  ]) {
    it(`shows ${JSON.stringify(text)} unchanged`, () => {
      assert.equal(maskText(text), text);
    });
  }
});
