/**
 * Files with a secret in them, made by rule: each kind of file with each name,
 * as it quotes any text.
 */
import { secrets } from './secrets.ts';

export interface FileWithSecret {
  readonly secret: string;
  readonly path: string;
  readonly text: string;
}

const names = [
  'DB_PASSWORD',
  'apiKey',
  'client_secret',
  'github-token',
  'Passphrase',
];

const json = JSON.stringify;
const single = (text: string) => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
const doubled = (text: string) => `'${text.replaceAll("'", "''")}'`;
const xml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
const csv = (text: string) => `"${text.replaceAll('"', '""')}"`;
const cell = (text: string) => text.replaceAll('|', '_');

type Shape = readonly [
  path: string,
  write: (name: string, secret: string) => string,
];

const brackets = [
  (value: string) => `{"value": ${value}}`,
  (value: string) => `{ "user": "bob", "password": ${value} }`,
  (value: string) => `[${value}]`,
  (value: string) => `[ "admin", ${value} ]`,
  (value: string) => `(${value}, 5)`,
  (value: string) => `{"all": [{"value": ${value}}, {"value": "other"}]}`,
].flatMap((wrap): Shape[] => [
  ['a.yaml', (name, secret) => `${name}: ${wrap(json(secret))}`],
  [
    'a.py',
    (name, secret) => `${name.replaceAll('-', '_')} = ${wrap(json(secret))}`,
  ],
  ['a.sh', (name, secret) => `run --${name} ${wrap(json(secret))} --verbose`],
]);

const yaml = ['|', '>-', '|2', '>+ # the key'].flatMap((block): Shape[] => [
  ['a.yaml', (name, secret) => `${name}: ${block}\n    ${secret}\nport: 80`],
  [
    'a.yaml',
    (name, secret) =>
      `list:\n  - ${name}: ${block}\n      ${secret}\n    port: 80`,
  ],
]);

const calls = [
  'define',
  'os.environ.setdefault',
  'System.setProperty',
  'config.set',
  'putenv',
  'os.getenv',
].map((call): Shape => [
  'a.py',
  (name, secret) => `${call}(${single(name)}, ${single(secret)})`,
]);

const defaults = ['??', '||', '?:', '??='].flatMap((sign): Shape[] => [
  [
    'a.ts',
    (name, secret) =>
      `x = process.env.${name.replaceAll('-', '_')} ${sign} ${json(secret)};`,
  ],
  [
    'a.ts',
    (name, secret) => `x = env[${single(name)}] ${sign} ${single(secret)};`,
  ],
]);

type CodeShape = readonly [
  path: string,
  write: (name: string, literal: string) => string,
];

const typed: readonly CodeShape[] = [
  ['a.py', (name, literal) => `${name}: str = ${literal}`],
  ['a.py', (name, literal) => `${name}: Optional[str] = ${literal}`],
  [
    'a.py',
    (name, literal) =>
      `${name}: str | None = Field(default=${literal}, alias="a")`,
  ],
  [
    'a.py',
    (name, literal) =>
      `def f(user: str, ${name}: str = ${literal}, port: int = 5):`,
  ],
  [
    'a.ts',
    (name, literal) =>
      `private readonly ${name}?: string | undefined = ${literal};`,
  ],
  ['a.ts', (name, literal) => `const ${name}: Array<string> = [${literal}];`],
  ['a.kt', (name, literal) => `private val ${name}: String? = ${literal}`],
  ['a.rs', (name, literal) => `static ${name}: &'static str = ${literal};`],
  ['a.rs', (name, literal) => `let ${name}: Option<&str> = Some(${literal});`],
  ['a.swift', (name, literal) => `let ${name}: String = ${literal}`],
  ['a.go', (name, literal) => `var ${name} string = ${literal}`],
  ['a.go', (name, literal) => `var ${name} []byte = []byte(${literal})`],
  ['a.vb', (name, literal) => `Dim ${name} As String = ${literal}`],
  ['a.c', (name, literal) => `static const char ${name}[] = ${literal};`],
];

const lookups: readonly CodeShape[] = [
  ...['??', '||', '??='].map((sign): CodeShape => [
    'a.ts',
    (name, literal) => `const ${name} = process.env.CONFIG ${sign} ${literal};`,
  ]),
  [
    'a.ts',
    (name, literal) =>
      `const ${name} =\n  process.env["CONFIG"] ??\n  ${literal};`,
  ],
  ['a.ts', (name, literal) => `const ${name} = isTest ? other : ${literal};`],
  [
    'a.ts',
    (name, literal) =>
      `this.${name} = options?.${name} ?? process.env.CONFIG ?? ${literal};`,
  ],
  ['a.ts', (name, literal) => `  ${name}: z.string().default(${literal}),`],
  ['a.py', (name, literal) => `${name} = os.getenv("CONFIG", ${literal})`],
  [
    'a.py',
    (name, literal) => `${name} = os.environ.get("CONFIG") or ${literal}`,
  ],
  ['a.py', (name, literal) => `${name} = given if given else ${literal}`],
  ['a.rb', (name, literal) => `${name} = ENV.fetch("CONFIG", ${literal})`],
  ['a.rb', (name, literal) => `${name} = ENV.fetch("CONFIG") { ${literal} }`],
  ['a.rb', (name, literal) => `${name} = ENV["CONFIG"] || ${literal}`],
  [
    'a.kt',
    (name, literal) => `val ${name} = System.getenv("CONFIG") ?: ${literal}`,
  ],
  [
    'a.java',
    (name, literal) =>
      `String ${name} = Optional.ofNullable(a.get("x")).orElse(${literal});`,
  ],
  [
    'a.rs',
    (name, literal) =>
      `let ${name} = env::var("CONFIG").unwrap_or_else(|_| ${literal}.into());`,
  ],
  ['a.php', (name, literal) => `$${name} = $_ENV['CONFIG'] ?? ${literal};`],
  [
    'a.go',
    (name, literal) => `${name} := cmp.Or(os.Getenv("CONFIG"), ${literal})`,
  ],
  ['a.pl', (name, literal) => `my $${name} = $ENV{CONFIG} // ${literal};`],
];

const code = [...typed, ...lookups].map(([path, write]): Shape => [
  path,
  (name, secret) => write(name.replaceAll('-', '_'), json(secret)),
]);

const pairs = [
  ['name', 'value'],
  ['key', 'value'],
  ['ParameterName', 'ParameterValue'],
].flatMap(([name = '', value = '']): Shape[] => [
  [
    'a.yaml',
    (of, secret) =>
      `- ${name}: ${of}\n  ${value}: ${json(secret)}\n- ${name}: MODE`,
  ],
  ['a.json', (of, secret) => json({ [name]: of, [value]: secret })],
  ['a.json', (of, secret) => json([{ [name]: of, [value]: secret }], null, 2)],
  [
    'a.tf',
    (of, secret) => `{ ${name} = ${json(of)}, ${value} = ${json(secret)} }`,
  ],
]);

const blocks: readonly Shape[] = [
  [
    'a.tf',
    (name, secret) => `variable ${json(name)} { default = ${json(secret)} }`,
  ],
  [
    'a.tf',
    (name, secret) =>
      `variable ${json(name)} {\n  type = string\n  default = ${json(secret)}\n}`,
  ],
  [
    'a.json',
    (name, secret) =>
      json({ [name]: { Type: 'String', Default: secret } }, null, 2),
  ],
];

const elements: readonly Shape[] = [
  ['a.xml', (name, secret) => `<${name}>${xml(secret)}</${name}>`],
  [
    'a.xml',
    (name, secret) => `<x:${name} a="b">\n  ${xml(secret)}\n</x:${name}>`,
  ],
  [
    'a.plist',
    (name, secret) => `<key>${name}</key>\n<string>${xml(secret)}</string>`,
  ],
];

const queries = [
  'IDENTIFIED BY',
  'identified with sha2 by',
  'WITH PASSWORD',
  'login password',
].map((words): Shape => [
  'a.sql',
  (_, secret) => `CREATE USER a ${words} ${doubled(secret)};`,
]);

const programs = [
  'mysql -u root -p',
  'sshpass -p ',
  'redis-cli -h h -a ',
  'docker login -u me -p ',
].flatMap((start): Shape[] => [
  [
    'a.sh',
    (_, secret) => `${start}'${secret.replaceAll("'", String.raw`'\''`)}' h`,
  ],
  ['a.sh', (_, secret) => `exec ${start}${json(secret)} h && echo done`],
]);

const tables: readonly Shape[] = [
  ...[',', ';', '\t'].map((sign): Shape => [
    'a.csv',
    (name, secret) =>
      [
        ['id', name],
        ['7', csv(secret)],
      ]
        .map((row) => row.join(sign))
        .join('\n'),
  ]),
  [
    'a.md',
    (name, secret) =>
      `| id | ${name} |\n| --- | :--- |\n| 7 | ${cell(secret)} |`,
  ],
  [
    'a.txt',
    (name, secret) => ` id | ${name} \n----+------\n 7  | ${cell(secret)}`,
  ],
];

const shapes = [
  ...[
    ...brackets,
    ...yaml,
    ...calls,
    ...defaults,
    ...code,
    ...pairs,
    ...blocks,
  ],
  ...[...elements, ...queries, ...programs, ...tables],
];

/** Each shape with each name, and a sixth of the secrets in turn. */
export function filesWithSecrets(): FileWithSecret[] {
  return shapes.flatMap(([path, write], shape) =>
    names.flatMap((name, at) =>
      secrets
        .filter((_, index) => (index + shape + at) % 6 === 0)
        .map(({ text }) => ({ secret: text, path, text: write(name, text) })),
    ),
  );
}

/** The same shapes, with names of what is no secret. */
export const harmlessFiles: readonly Omit<FileWithSecret, 'secret'>[] = shapes
  .filter((shape) => ![...queries, ...programs].includes(shape))
  .flatMap(([path, write]) =>
    ['log_level', 'collection', 'user'].map((name) => ({
      path,
      text: write(name, 'plain'),
    })),
  )
  .filter(({ text }) => !text.includes('password'));
