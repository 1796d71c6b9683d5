import assert from 'node:assert/strict';
import {
  maskPasswordArgument,
  maskPasswordOptions,
  passwordOptionAfter,
} from '../../../../src/base/masks/passwordOptions.ts';

const joined =
  'mysql mysqldump mysql-import mariadb mariadb-dump 7z 7za 7zr 7zz';
const either =
  'sshpass sqlcmd bcp tsql redis-cli valkey-cli keydb-cli mongo mongosh mongodump mongorestore mongoexport ' +
  'mongoimport mosquitto_pub mosquitto_sub zip unzip ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami';
const logins =
  'docker podman nerdctl buildah skopeo oras helm registry az cf oc';

function optionOf(program: string): string {
  if (program.endsWith('-cli')) return '-a';
  if (program.startsWith('ldap')) return '-w';
  return /^(?:sqlcmd|bcp|tsql|mosquitto_.*|zip|unzip)$/.test(program)
    ? '-P'
    : '-p';
}

describe('the masking of passwords after options of one letter', () => {
  const programs = [
    ...either.split(' '),
    ...logins.split(' ').map((name) => `${name} login`),
  ];
  for (const program of [...joined.split(' '), ...programs]) {
    it(`hides the password that is joined to the option of ${program}`, () => {
      const text = (value: string) =>
        `${program} ${optionOf(program)}${value} x`;
      assert.equal(maskPasswordOptions(text('canary'), '••'), text('••'));
    });
  }

  for (const program of programs) {
    it(`hides the password after the option of ${program}`, () => {
      const text = (value: string) =>
        `${program} ${optionOf(program)} ${value} x`;
      assert.equal(maskPasswordOptions(text('canary'), '••'), text('••'));
    });
  }

  for (const [text, result] of [
    // Texts around the program
    ['/usr/bin/mysql -pcanary', '/usr/bin/mysql -p••'],
    [String.raw`C:\bin\mysql.exe -pcanary`, String.raw`C:\bin\mysql.exe -p••`],
    ['["sshpass","-p","canary","ssh"]', '["sshpass","-p",••,"ssh"]'],
    ["'sshpass' '-p' 'can ary' x", "'sshpass' '-p' •• x"],
    [
      String.raw`\"sshpass\" \"-p\" \"can ary\" x`,
      String.raw`\"sshpass\" \"-p\" •• x`,
    ],
    ['`sshpass` `-p` x', '`sshpass` `-p` ••'],
    ['{mysql,-pcanary}', '{mysql,-p••}'],
    ["docker', 'login', '-p', 'canary'", "docker', 'login', '-p', ••"],
    ['docker"  "login -p canary', 'docker"  "login -p ••'],
    ["'sshpass -p canary x' y", "'sshpass -p •• x' y"],
    // Texts before the option
    ['mysql -u x -h y -pcanary z', 'mysql -u x -h y -p•• z'],
    ['mysql \\\n -pcanary', 'mysql \\\n -p••'],
    ['mysql \\\r\n -pcanary', 'mysql \\\r\n -p••'],
    ['mysql a,-pcanary', 'mysql a,-p••'],
    ['mysql [-pcanary', 'mysql [-p••'],
    ['mysql\t-pcanary', 'mysql\t-p••'],
    // Texts before the value
    ['sshpass -p=canary x', 'sshpass -p=•• x'],
    ['sshpass -p  canary x', 'sshpass -p  •• x'],
    ['sshpass -p \\\n canary x', 'sshpass -p \\\n •• x'],
    ['sshpass -p\\\n canary x', 'sshpass -p\\\n •• x'],
    ['sshpass -p\\\r\ncanary x', 'sshpass -p\\\r\n•• x'],
    ['mysql "-pcan ary" x', 'mysql "-p••" x'],
    ["mysql -p'can ary' x", 'mysql -p•• x'],
    ['mysql -p=canary x', 'mysql -p=canary x'],
    // Several commands
    ['mysql -pcanary; sshpass -p canary y', 'mysql -p••; sshpass -p •• y'],
    ['sshpass -p canary mysql -pcanary y', 'sshpass -p •• mysql -p•• y'],
    ['mysql -P canary | sqlcmd -P canary', 'mysql -P canary | sqlcmd -P ••'],
    ['sshpass -p canary -p canary', 'sshpass -p •• -p ••'],
  ] as const) {
    it(`shows ${JSON.stringify(text)} as ${JSON.stringify(result)}`, () => {
      assert.equal(maskPasswordOptions(text, '••'), result);
      assert.equal(maskPasswordOptions(text, '••'), result);
    });
  }

  for (const text of [
    // Other programs
    'ssh -p canary',
    'xmysql -pcanary',
    '.mysql -pcanary',
    'my-mysql -pcanary',
    'mysql.x -pcanary',
    'mysql-a-b -pcanary',
    'mysql:x -pcanary',
    'docker -p canary',
    'dockerlogin -p canary',
    'docker run login -p canary',
    'sshpass.exeb -p canary',
    '7zb -pcanary',
    // Other options, and options without a password
    'mysql -P canary',
    'mysql x-pcanary',
    'mysql -p canary',
    '7z x -p canary',
    'mysql -p',
    'sshpass -p',
    'sshpass -p -v x',
    'sshpass -p $PASSWORD x',
    'sshpass -p "" x',
    'sshpass -p ••. x',
    '(mysql -p)',
    '[mysql -p]',
    '{mysql -p}',
    // Ends of a command
    'mysql\n-pcanary',
    'mysql\r\n -pcanary',
    'mysql; ls -pcanary',
    'mysql & ls -pcanary',
    'mysql | ls -pcanary',
  ]) {
    it(`shows ${JSON.stringify(text)} unchanged`, () => {
      assert.equal(maskPasswordOptions(text, '••'), text);
    });
  }
});

describe('the masking of arguments with a password', () => {
  function masked(...words: readonly string[]): string {
    let option: ReturnType<typeof passwordOptionAfter>;
    let before = '';
    const results = words.map((word) => {
      const result = maskPasswordArgument(word, before, option, '••') ?? word;
      option = passwordOptionAfter(word, before, option);
      before = word;
      return result;
    });
    return results.join(' ');
  }

  for (const [words, result] of [
    [['mysql', '-pcanary'], 'mysql -p••'],
    [['mysql', '-p', 'canary'], 'mysql -p canary'],
    [['/bin/mysql', '-pcanary'], '/bin/mysql -p••'],
    [
      [String.raw`C:\a/b\mysql.exe`, '-pcanary'],
      String.raw`C:\a/b\mysql.exe -p••`,
    ],
    [[String.raw`C:\a\b/mysql`, '-pcanary'], String.raw`C:\a\b/mysql -p••`],
    [['mysql x', '-pcanary'], 'mysql x -pcanary'],
    [['x mysql', '-pcanary'], 'x mysql -pcanary'],
    [['mysql', '-u', 'me', '-pcanary'], 'mysql -u me -p••'],
    [['mysql', 'x-pcanary', 'canary'], 'mysql x-pcanary canary'],
    [['mysql', '-p$A', '-p', '-p-v'], 'mysql -p$A -p -p-v'],
    [
      ['sshpass', '-p', 'canary', 'mysql', '-pcanary'],
      'sshpass -p •• mysql -p••',
    ],
    [['sshpass', '-pcanary', 'x'], 'sshpass -p•• x'],
    [['sshpass', '-p', '-v', 'x'], 'sshpass -p -v x'],
    [['sshpass', '-p', '${A}', 'x'], 'sshpass -p ${A} x'],
    [['redis-cli', '-acanary', '-a', 'canary'], 'redis-cli -a•• -a ••'],
    [
      ['docker', 'login', '-u', 'me', '-p', 'canary'],
      'docker login -u me -p ••',
    ],
    [['/bin/docker', 'login', '-p', 'canary'], '/bin/docker login -p canary'],
    [['docker', 'x', 'login', '-p', 'canary'], 'docker x login -p canary'],
    [['login', '-p', 'canary'], 'login -p canary'],
    [['--exec=/bin/mysql', '-pcanary'], '--exec=/bin/mysql -p••'],
    [['-mysql', '-pcanary'], '-mysql -pcanary'],
  ] as const) {
    it(`shows ${words.join(' ')} as ${result}`, () => {
      assert.equal(masked(...words), result);
    });
  }

  it('reads no program from a word of more than 300 characters', () => {
    for (const [length, isMasked] of [
      [300, true],
      [301, false],
    ] as const) {
      const program = '/mysql'.padStart(length, 'a');
      assert.equal(
        masked(program, '-pcanary'),
        `${program} ${isMasked ? '-p••' : '-pcanary'}`,
      );
    }
  });
});
