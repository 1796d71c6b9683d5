/** Files with a secret in them, made by rule: each kind of file with each name, as it quotes any text. */
import { secrets } from './secrets.ts';

export interface FileWithSecret {
  readonly secret: string;
  readonly path: string;
  readonly text: string;
}

const names = ['DB_PASSWORD', 'apiKey', 'client_secret', 'github-token', 'Passphrase'];

const json = JSON.stringify;
const single = (text: string) => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
const doubled = (text: string) => `'${text.replaceAll("'", "''")}'`;
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const csv = (text: string) => `"${text.replaceAll('"', '""')}"`;
const cell = (text: string) => text.replaceAll('|', '_');

type Shape = readonly [path: string, write: (name: string, secret: string) => string];

const brackets = [
  (value: string) => `{"value": ${value}}`,
  (value: string) => `{ "user": "bob", "password": ${value} }`,
  (value: string) => `[${value}]`,
  (value: string) => `[ "admin", ${value} ]`,
  (value: string) => `(${value}, 5)`,
  (value: string) => `{"all": [{"value": ${value}}, {"value": "other"}]}`,
].flatMap((wrap): Shape[] => [
  ['a.yaml', (name, secret) => `${name}: ${wrap(json(secret))}`],
  ['a.py', (name, secret) => `${name.replaceAll('-', '_')} = ${wrap(json(secret))}`],
  ['a.sh', (name, secret) => `run --${name} ${wrap(json(secret))} --verbose`],
]);

const yaml = ['|', '>-', '|2', '>+ # the key'].flatMap((block): Shape[] => [
  ['a.yaml', (name, secret) => `${name}: ${block}\n    ${secret}\nport: 80`],
  ['a.yaml', (name, secret) => `list:\n  - ${name}: ${block}\n      ${secret}\n    port: 80`],
]);

const calls = [
  'define',
  'os.environ.setdefault',
  'System.setProperty',
  'config.set',
  'putenv',
  'os.getenv',
].map((call): Shape => ['a.py', (name, secret) => `${call}(${single(name)}, ${single(secret)})`]);

const defaults = ['??', '||', '?:', '??='].flatMap((sign): Shape[] => [
  ['a.ts', (name, secret) => `x = process.env.${name.replaceAll('-', '_')} ${sign} ${json(secret)};`],
  ['a.ts', (name, secret) => `x = env[${single(name)}] ${sign} ${single(secret)};`],
]);

const pairs = [
  ['name', 'value'],
  ['key', 'value'],
  ['ParameterName', 'ParameterValue'],
].flatMap(([name = '', value = '']): Shape[] => [
  ['a.yaml', (of, secret) => `- ${name}: ${of}\n  ${value}: ${json(secret)}\n- ${name}: MODE`],
  ['a.json', (of, secret) => json({ [name]: of, [value]: secret })],
  ['a.json', (of, secret) => json([{ [name]: of, [value]: secret }], null, 2)],
  ['a.tf', (of, secret) => `{ ${name} = ${json(of)}, ${value} = ${json(secret)} }`],
]);

const blocks: readonly Shape[] = [
  ['a.tf', (name, secret) => `variable ${json(name)} { default = ${json(secret)} }`],
  ['a.tf', (name, secret) => `variable ${json(name)} {\n  type = string\n  default = ${json(secret)}\n}`],
  ['a.json', (name, secret) => json({ [name]: { Type: 'String', Default: secret } }, null, 2)],
];

const elements: readonly Shape[] = [
  ['a.xml', (name, secret) => `<${name}>${xml(secret)}</${name}>`],
  ['a.xml', (name, secret) => `<x:${name} a="b">\n  ${xml(secret)}\n</x:${name}>`],
  ['a.plist', (name, secret) => `<key>${name}</key>\n<string>${xml(secret)}</string>`],
];

const queries = ['IDENTIFIED BY', 'identified with sha2 by', 'WITH PASSWORD', 'login password'].map(
  (words): Shape => ['a.sql', (_, secret) => `CREATE USER a ${words} ${doubled(secret)};`],
);

const programs = ['mysql -u root -p', 'sshpass -p ', 'redis-cli -h h -a ', 'docker login -u me -p '].flatMap(
  (start): Shape[] => [
    ['a.sh', (_, secret) => `${start}'${secret.replaceAll("'", String.raw`'\''`)}' h`],
    ['a.sh', (_, secret) => `exec ${start}${json(secret)} h && echo done`],
  ],
);

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
  ['a.md', (name, secret) => `| id | ${name} |\n| --- | :--- |\n| 7 | ${cell(secret)} |`],
  ['a.txt', (name, secret) => ` id | ${name} \n----+------\n 7  | ${cell(secret)}`],
];

const shapes = [
  ...[...brackets, ...yaml, ...calls, ...defaults, ...pairs, ...blocks],
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
    ['log_level', 'collection', 'user'].map((name) => ({ path, text: write(name, 'plain') })),
  )
  .filter(({ text }) => !text.includes('password'));
