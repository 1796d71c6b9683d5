import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  mkdirSync,
  renameSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoPatch, wholeSide } from '../../../../src/service/git/backwards.ts';
import {
  changedFileOf,
  filesOfPatch,
  readPatch,
} from '../../../../src/service/git/patch.ts';

describe('a Git patch', () => {
  let folder: string;
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      [
        '-C',
        folder,
        '-c',
        'user.name=A',
        '-c',
        'user.email=a@example.com',
        ...args,
      ],
      {
        maxBuffer: 1e9,
      },
    );
  const write = (path: string, contents: string | Uint8Array) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), contents);
  };
  const patch = (...options: string[]) => {
    git('add', '-A');
    return git('diff', '--binary', '--cached', ...options, 'HEAD');
  };
  const before = (path: string) => git('show', `HEAD:${path}`);
  const noise = (length: number, seed: number) =>
    Uint8Array.from(
      { length },
      (_, index) => (index * index * 31 + seed * (index >> 3)) & 255,
    );

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'patch-'));
    git('init', '-q');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('restores both sides of every file, byte for byte, whatever its name', () => {
    const names = [
      'plain.txt',
      'with space.txt',
      '-dash.txt',
      'ä ö/"quoted".txt',
      'line\nbreak',
      'tab\t',
      'b/b/x',
      'back\\slash',
    ];
    const text = Array.from({ length: 60 }, (_, line) => `line ${line}\n`).join(
      '',
    );
    for (const name of names) write(name, text);
    write('binary.dat', noise(5_000, 3));
    write('large.txt', text.repeat(5_000));
    write('latin.txt', Buffer.from('gr\xfcn\nrot\n', 'latin1'));
    write('gone.dat', noise(300, 5));
    write('moved.txt', text);
    write('windows.txt', 'a\r\nb\r\nno end');
    git('add', '-A');
    git('commit', '-qm', 'first');
    for (const name of names)
      write(
        name,
        text.replace('line 7\n', '').replace('line 30', 'other') + 'no end',
      );
    write(
      'binary.dat',
      Buffer.concat([noise(4_000, 3), Buffer.from('more\0')]),
    );
    write('large.txt', `first\n${text.repeat(5_000)}last\n`);
    write('latin.txt', Buffer.from('gr\xfcn\nblau\n', 'latin1'));
    write('windows.txt', 'a\r\nb\r\nwith end\r\n');
    write('added.txt', 'one\ntwo');
    write('added.dat', noise(70_000, 9));
    write('empty.txt', '');
    rmSync(join(folder, 'gone.dat'));
    renameSync(join(folder, 'moved.txt'), join(folder, 'elsewhere.txt'));
    for (const options of [
      [],
      ['--no-prefix'],
      ['--src-prefix=c/', '--dst-prefix=i/'],
    ]) {
      const files = readPatch(patch(...options));
      assert.equal(files.length, names.length + 9);
      for (const file of files) {
        const { path } = changedFileOf(file);
        const now = file.after && readFileSync(join(folder, file.after.path));
        const was = file.before && before(file.before.path);
        if (now && was)
          assert.deepEqual(Buffer.from(undoPatch(file, now) ?? []), was, path);
        else
          assert.deepEqual(
            Buffer.from(wholeSide(file) ?? []),
            now ?? was,
            path,
          );
      }
    }
  });

  it('lists added, changed, deleted and moved files, and a link as a link', () => {
    write('a.txt', 'a\nb\nc\nd\n');
    write('b.txt', 'b');
    write('run.sh', 'x');
    git('add', '-A');
    git('commit', '-qm', 'first');
    renameSync(join(folder, 'a.txt'), join(folder, 'z.txt'));
    write('run.sh', 'y');
    rmSync(join(folder, 'b.txt'));
    symlinkSync('/etc/passwd', join(folder, 'link'));
    git('add', '-A');
    git('update-index', '--chmod=+x', 'run.sh');
    const bytes = git('diff', '--binary', '--cached', 'HEAD');
    const found = filesOfPatch(
      bytes,
      new Headers({ 'x-archive-repo-root': '%2Fsrv%2Fa%20b' }),
      '/srv',
    );
    assert.equal(found?.root, '/srv/a b');
    assert.deepEqual(
      found.files.map(({ path, status, from, modes }) => [
        path,
        status,
        from,
        modes.after,
      ]),
      [
        ['b.txt', 'deleted', undefined, undefined],
        ['link', 'added', undefined, '120000'],
        ['run.sh', 'updated', undefined, '100755'],
        ['z.txt', 'moved', 'a.txt', undefined],
      ],
    );
  });

  it('has no branch on a detached head', () => {
    for (const [name, branch] of [
      ['DETACHED', undefined],
      ['fix%2Fcart', 'fix/cart'],
    ] as const) {
      const headers = new Headers({ 'x-archive-branch': name });
      const changes = filesOfPatch(Buffer.from(''), headers, '/srv');
      assert.equal(changes?.patch?.branch, branch);
    }
  });

  it('lists a copy as an added file, which is another one for another original', () => {
    write('a.txt', 'a\nb\nc\nd\n');
    write('b.txt', 'a\nb\nc\nd\n');
    git('add', '-A');
    git('commit', '-qm', 'first');
    const copyOf = (path: string) => {
      git('reset', '-q', '--hard');
      write('z.txt', before(path));
      write(path, 'changed');
      const [, file] =
        filesOfPatch(patch('-C'), new Headers(), '/srv')?.files ?? [];
      return file;
    };
    const copy = copyOf('a.txt') ?? assert.fail();
    assert.deepEqual(
      [copy.path, copy.status, copy.from, copy.modes.before, copy.lines],
      ['z.txt', 'added', undefined, undefined, undefined],
    );
    assert.notEqual(copy.version, copyOf('b.txt')?.version);
  });

  it('counts the lines added and removed as Git does, in any file that is not binary', () => {
    const text = Array.from(
      { length: 60 },
      (_, index) => `line ${index}\n`,
    ).join('');
    write('changed.txt', text);
    write('moved.txt', text);
    write('binary.dat', noise(300, 5));
    git('add', '-A');
    git('commit', '-qm', 'first');
    write(
      'changed.txt',
      `-- a\n++ b\n${text.replace('line 7\n', '').replace('line 50', 'other')}no end`,
    );
    renameSync(join(folder, 'moved.txt'), join(folder, 'elsewhere.txt'));
    write('binary.dat', noise(400, 6));
    write('added.txt', 'one\ntwo');
    const files = filesOfPatch(patch(), new Headers(), '/srv')?.files ?? [];
    const counts = files.map(({ path, lines }) =>
      [lines?.added ?? '-', lines?.removed ?? '-', path].join(' '),
    );
    git('add', '-A');
    const stat = git('diff', '--cached', '--numstat', '-M', 'HEAD')
      .toString()
      .trim()
      .split('\n');
    const expected = stat.map((line) =>
      line.replaceAll('\t', ' ').replace('moved.txt => ', ''),
    );
    assert.deepEqual(counts.toSorted(), expected.toSorted());
    assert.equal(counts.length, 4);
  });

  it('lists a file that became a link once, and a link that became a file', () => {
    write('guide.md', 'text');
    symlinkSync('guide.md', join(folder, 'link.md'));
    git('add', '-A');
    git('commit', '-qm', 'first');
    rmSync(join(folder, 'guide.md'));
    symlinkSync('other.md', join(folder, 'guide.md'));
    rmSync(join(folder, 'link.md'));
    write('link.md', 'text now');
    const files = filesOfPatch(patch(), new Headers(), '/srv')?.files;
    assert.deepEqual(
      files?.map(({ path, status, modes }) => [
        path,
        status,
        modes.before,
        modes.after,
      ]),
      [
        ['guide.md', 'typeChanged', '100644', '120000'],
        ['link.md', 'typeChanged', '120000', '100644'],
      ],
    );
  });

  it('refuses to undo changes in a file that has changed since', () => {
    write('a.txt', 'a\nb\nc\n');
    git('add', '-A');
    git('commit', '-qm', 'first');
    write('a.txt', 'a\nB\nc\n');
    const [file] = readPatch(patch());
    assert.ok(file);
    assert.equal(undoPatch(file, Buffer.from('a\nB\nc\nd\n')), undefined);
    assert.equal(undoPatch(file, Buffer.from('')), undefined);
  });

  for (const [what, text] of [
    ['an HTML page', '<html></html>'],
    [
      'an incomplete patch',
      'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n',
    ],
    [
      'a patch with ambiguous file names',
      'diff --git a/x c\nold mode 1\nnew mode 2\n',
    ],
  ] as const)
    it(`rejects ${what} as a whole`, () => {
      assert.equal(
        filesOfPatch(Buffer.from(text), new Headers(), '/x'),
        undefined,
      );
    });

  it('can contain 500 changed files', () => {
    const one = (index: number) =>
      `diff --git a/src/${index}.ts b/src/${index}.ts\nindex 4cb29ea..f384549 100644\n--- a/src/${index}.ts\n+++ b/src/${index}.ts\n@@ -1,3 +1,4 @@\n one\n two\n three\n+four\n`;
    const bytes = Buffer.from(
      Array.from({ length: 500 }, (_, index) => one(index)).join(''),
    );
    assert.equal(filesOfPatch(bytes, new Headers(), '/x')?.files.length, 500);
  });
});
