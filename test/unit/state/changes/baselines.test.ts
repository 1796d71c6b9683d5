import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { type Machine, thisMachine } from '../../../../src/files/machine.ts';
import type {
  ChangedFile,
  ChangedFiles,
  FileSide,
} from '../../../../src/service/abilities/fileChanges.ts';
import {
  type Baseline,
  baselineOf,
  BaselineStore,
  contentsOf,
  hashOf,
  sideOf,
  versionOf,
} from '../../../../src/state/changes/baselines.ts';
import { scratchFolder } from '../../../support/files/scratch.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';

const file: ChangedFile = {
  path: 'a.ts',
  status: 'updated',
  from: undefined,
  version: 'v1',
  modes: { before: '100644', after: '100644' },
  binary: false,
};

function listWith(base: string | undefined): ChangedFiles {
  const patch = {
    bytes: new Uint8Array(),
    base,
    head: undefined,
    branch: undefined,
  };
  return { since: 'start', files: [file], root: '/work', patch };
}

const list = listWith('c0ffee');
const bytes = (text: string, exact = true): FileSide => ({
  kind: 'bytes',
  bytes: Buffer.from(text),
  exact,
});
const sides = { before: bytes('a\n'), after: bytes('A\n') };

describe('the version of a changed file', () => {
  it('differs with the base, the status, the former path and the version of the list', () => {
    const versions = [
      versionOf(list, file),
      versionOf(listWith('decaf'), file),
      versionOf(list, { ...file, status: 'deleted' }),
      versionOf(list, { ...file, from: 'b.ts' }),
      versionOf(list, { ...file, version: 'v2' }),
    ];
    assert.equal(new Set(versions).size, 5);
    assert.ok(!versions.includes(undefined));
    assert.equal(versionOf(list, { ...file, path: 'b.ts' }), versions[0]);
  });

  it('stays unknown where the list has none, and without a base for all but an added file', () => {
    const added = { ...file, status: 'added' as const };
    assert.equal(versionOf(list, { ...file, version: undefined }), undefined);
    for (const unknown of [
      listWith(undefined),
      { ...list, patch: undefined },
    ]) {
      assert.equal(versionOf(unknown, file), undefined);
      assert.notEqual(versionOf(unknown, added), undefined);
      assert.equal(
        versionOf(unknown, { ...added, version: undefined }),
        undefined,
      );
    }
  });
});

describe('the contents of a changed file', () => {
  const contents = (
    before: FileSide,
    after: FileSide,
    change: Partial<ChangedFile> = {},
  ) => contentsOf({ ...file, ...change }, { before, after });

  it('gives other hashes for each side, its kind, the status, the former path and the modes', () => {
    const { before, after } = sides;
    const all = [
      contents(before, after),
      contents(after, before),
      contents(bytes('b\n'), after),
      contents(before, bytes('B\n')),
      contents({ kind: 'none' }, after),
      contents(before, { kind: 'none' }),
      contents(before, { kind: 'link', target: 'A\n' }),
      contents(before, { kind: 'link', target: 'B\n' }),
      contents(before, { kind: 'repository', commit: 'c0ffee' }),
      contents(before, after, { status: 'added' }),
      contents(before, after, { from: 'b.ts' }),
      contents(before, after, { modes: { before: '100644', after: '100755' } }),
      contents(before, after, { modes: { before: '100755', after: '100644' } }),
    ];
    assert.equal(new Set(all).size, all.length);
    assert.ok(!all.includes(undefined));
    assert.equal(
      contents(bytes('a\n'), bytes('A\n'), { path: 'b.ts', version: 'v2' }),
      all[0],
    );
  });

  it('gives the same hash for the same bytes, whether they are exact or not', () => {
    const unlisted = { version: undefined };
    const hash = contents(bytes('a\n', false), bytes('A\n', false), unlisted);
    assert.equal(hash, contents(sides.before, sides.after, unlisted));
  });

  it('stays unknown if either side is, or is too large', () => {
    for (const kind of ['unknown', 'tooLarge'] as const) {
      assert.equal(contents({ kind }, sides.after), undefined);
      assert.equal(contents(sides.before, { kind }), undefined);
    }
  });

  it('stays unknown if either side is not proven to be that of a known version', () => {
    const [before, after] = [bytes('a\n', false), bytes('A\n', false)];
    assert.equal(contents(before, sides.after), undefined);
    assert.equal(contents(sides.before, after), undefined);
    assert.notEqual(contents(before, after, { version: undefined }), undefined);
  });
});

describe('a baseline', () => {
  it('has what it takes to notice a change, and the side after it', () => {
    const baseline = baselineOf(list, file, sides);
    const { kept, ...rest } = baseline ?? assert.fail();
    assert.deepEqual(rest, {
      path: 'a.ts',
      status: 'updated',
      version: versionOf(list, file),
      contents: contentsOf(file, sides),
    });
    assert.deepEqual(kept, {
      kind: 'bytes',
      packed: deflateRawSync('A\n').toString('base64'),
    });
    assert.deepEqual(baseline && sideOf(baseline), bytes('A\n'));
  });

  it('needs contents of its version, or a way to notice a later change', () => {
    assert.equal(
      baselineOf(list, file, { ...sides, after: bytes('B\n', false) }),
      undefined,
    );
    assert.equal(
      baselineOf(list, file, { ...sides, after: { kind: 'unknown' } }),
      undefined,
    );
    const unknown = { ...file, version: undefined };
    assert.equal(baselineOf(list, unknown, undefined), undefined);
    assert.equal(
      baselineOf(list, unknown, { ...sides, after: { kind: 'tooLarge' } }),
      undefined,
    );
    assert.equal(baselineOf(list, unknown, sides)?.version, undefined);
    assert.deepEqual(baselineOf(list, file, undefined), {
      ...{ path: 'a.ts', status: 'updated' },
      ...{
        version: versionOf(list, file),
        contents: undefined,
        kept: undefined,
      },
    });
  });

  it('keeps links, repositories and missing files, but no text above 1 MB', () => {
    const keptOf = (after: FileSide) =>
      baselineOf(list, file, { ...sides, after })?.kept;
    for (const side of [
      { kind: 'none' },
      { kind: 'link', target: 'b' },
      { kind: 'repository', commit: 'c0ffee' },
    ] as const) {
      assert.deepEqual(keptOf(side), side);
      assert.deepEqual(sideOf({ kept: side } as Baseline), side);
    }
    assert.equal(keptOf({ kind: 'tooLarge' }), undefined);
    assert.notEqual(keptOf(bytes('x'.repeat(1_000_000))), undefined);
    assert.equal(keptOf(bytes('x'.repeat(1_000_001))), undefined);
  });

  it('has no side that is damaged, or larger than it may be', () => {
    const packed = (content: string) =>
      sideOf({
        kept: {
          kind: 'bytes',
          packed: deflateRawSync(content).toString('base64'),
        },
      } as Baseline);
    assert.equal(
      sideOf({ kept: { kind: 'bytes', packed: 'odd' } } as Baseline),
      undefined,
    );
    assert.equal(packed('x'.repeat(1_000_000))?.kind, 'bytes');
    assert.equal(packed('x'.repeat(1_000_001)), undefined);
    assert.equal(sideOf({ kept: undefined } as Baseline), undefined);
  });
});

describe('the store of baselines', () => {
  const scratch = scratchFolder();
  const stored = () => scratch.path('reviewed');
  const baseline: Baseline = {
    ...{ path: 'a.ts', status: 'updated', version: 'v1' },
    ...{ contents: undefined, kept: { kind: 'bytes', packed: 'x' } },
  };
  const pathOf = (path: string) =>
    join(stored(), hashOf('service key'), hashOf(path));
  const pathsIn = async (store: BaselineStore) =>
    [...(await store.read('service key')).reviewed.keys()].sort();

  it('leaves out damaged marks and files with other names', async () => {
    const store = new BaselineStore(stored());
    await store.add('service key', [
      baseline,
      { ...baseline, path: 'b.ts' },
      { ...baseline, path: 'c.ts' },
    ]);
    await writeFile(pathOf('b.ts'), '{');
    await writeFile(pathOf('c.ts'), '{"path": 1}');
    await writeFile(pathOf('d.ts'), 'null');
    for (const name of [`${hashOf('e.ts')}x`, `x${hashOf('e.ts')}`])
      await writeFile(
        join(stored(), hashOf('service key'), name),
        JSON.stringify({ ...baseline, path: 'e.ts' }),
      );
    assert.deepEqual(await pathsIn(store), ['a.ts']);
    assert.deepEqual(await store.read('service other'), {
      reviewed: new Map(),
      message: undefined,
    });
  });

  it('keeps its folder for the user alone', async () => {
    await new BaselineStore(stored()).add('service key', [baseline]);
    if (process.platform !== 'win32')
      assert.equal(
        (await stat(join(stored(), hashOf('service key')))).mode & 0o777,
        0o700,
      );
    assert.deepEqual(await readdir(join(stored(), hashOf('service key'))), [
      hashOf('a.ts'),
    ]);
  });

  it('keeps the message with at most 10 MB of contents', async () => {
    const store = new BaselineStore(stored());
    const files = Array.from({ length: 11 }, (_, index) => ({
      ...baseline,
      path: `${index}`,
      kept: { kind: 'bytes', packed: 'x'.repeat(1_000_000) } as const,
    }));
    const link: Baseline = {
      ...baseline,
      path: 'link',
      kept: { kind: 'link', target: 'b' },
    };
    await store.setMessage('service key', {
      id: 'm1',
      files: [link, ...files],
    });
    const { message, reviewed } = await store.read('service key');
    assert.equal(message?.id, 'm1');
    assert.deepEqual(
      message.files
        .filter(({ kept }) => !kept)
        .map(({ path, version }) => [path, version]),
      [['10', 'v1']],
    );
    assert.equal(reviewed.size, 0);
  });

  it('removes marks that are gone already without a word', async () => {
    const store = new BaselineStore(stored());
    await store.add('service key', [baseline, { ...baseline, path: 'b.ts' }]);
    await store.remove('service key', ['a.ts', 'none.ts']);
    assert.deepEqual(await pathsIn(store), ['b.ts']);
    await store.forget('service key');
    await store.forget('service key');
    assert.equal(existsSync(join(stored(), hashOf('service key'))), false);
  });

  it('removes marks after 30 days, and temporary files after a minute, with the first read of a window', async () => {
    await new BaselineStore(stored()).add('service key', [
      baseline,
      { ...baseline, path: 'b.ts' },
    ]);
    const temporary = `${pathOf('c.ts')}.1.tmp`;
    const age = async (path: string, seconds: number) => {
      const at = Date.now() / 1_000 - seconds;
      await utimes(path, at, at);
    };
    await writeFile(temporary, '');
    await age(temporary, 50);
    await age(pathOf('a.ts'), 29.9 * 24 * 3_600);
    await age(pathOf('b.ts'), 30.1 * 24 * 3_600);
    const store = new BaselineStore(stored());
    assert.deepEqual(await pathsIn(store), ['a.ts']);
    assert.ok(existsSync(temporary));
    await age(temporary, 70);
    await store.read('service key');
    assert.ok(existsSync(temporary));
    await new BaselineStore(stored()).read('service key');
    assert.equal(existsSync(temporary), false);
    await store.setMessage('service key', { id: 'm1', files: [] });
    await age(join(stored(), hashOf('service key'), 'message'), 3_600);
    assert.equal(
      (await new BaselineStore(stored()).read('service key')).message?.id,
      'm1',
    );
  });

  describe('after a while', () => {
    const now = Date.UTC(2026, 0, 15);
    const machine = { ...thisMachine, clock: new SteppedClock(now) };
    const touch = (path: string, ageMs: number) =>
      utimes(path, (now - ageMs) / 1_000, (now - ageMs) / 1_000);
    const open = () => new BaselineStore(stored(), machine);

    it('keeps marks for exactly 30 days, temporary files for exactly a minute, and none longer', async () => {
      await open().add('service key', [
        baseline,
        { ...baseline, path: 'b.ts' },
      ]);
      const [young, old] = [
        `${pathOf('c.ts')}.1.tmp`,
        `${pathOf('c.ts')}.2.tmp`,
      ];
      for (const path of [young, old]) await writeFile(path, '');
      const month = 30 * 24 * 3_600_000;
      await touch(pathOf('a.ts'), month);
      await touch(pathOf('b.ts'), month + 1);
      await touch(young, 60_000);
      await touch(old, 60_001);
      assert.deepEqual(await pathsIn(open()), ['a.ts']);
      assert.deepEqual([existsSync(young), existsSync(old)], [true, false]);
    });

    it('still reads a conversation whose folder is older than its marks', async () => {
      await open().add('service key', [baseline]);
      await touch(pathOf('a.ts'), 0);
      await touch(join(stored(), hashOf('service key')), 31 * 24 * 3_600_000);
      assert.deepEqual(await pathsIn(open()), ['a.ts']);
    });

    it('keeps the newest 50 MB of all conversations', async () => {
      const files = Array.from({ length: 6 }, (_, index) => `${index}.ts`);
      await open().add(
        'service key',
        files.map((path) => ({ ...baseline, path })),
      );
      // The order by age differs from that of the names.
      const byAge = files.toSorted((a, b) =>
        hashOf(`of ${a}`) < hashOf(`of ${b}`) ? 1 : -1,
      );
      for (const [index, path] of byAge.entries()) {
        await truncate(pathOf(path), 10_000_000);
        await touch(pathOf(path), index * 60_000);
      }
      await open().read('service key');
      const [oldest = assert.fail(), ...rest] = byAge.toReversed();
      assert.deepEqual(
        rest.filter((path) => !existsSync(pathOf(path))),
        [],
      );
      assert.equal(existsSync(pathOf(oldest)), false);
      await open().add('service other', [baseline]);
      assert.deepEqual(
        rest.filter((path) => !existsSync(pathOf(path))),
        [rest[0]],
      );
    });
  });

  describe('on Windows, while another window reads', () => {
    let failures: number;
    let code: string;
    let tries: number;
    const windows = (platform: NodeJS.Platform): Machine => ({
      ...thisMachine,
      platform,
      clock: new HurriedClock(25),
      disk: {
        ...thisMachine.disk,
        renameSync: (from, to) => {
          if (++tries <= failures)
            throw Object.assign(new Error('Not now'), {
              code,
              syscall: 'rename',
            });
          thisMachine.disk.renameSync(from, to);
        },
      },
    });
    const add = (platform: NodeJS.Platform = 'win32') =>
      new BaselineStore(stored(), windows(platform)).add('service key', [
        baseline,
      ]);

    beforeEach(() => {
      failures = 20;
      code = 'EBUSY';
      tries = 0;
    });

    it('keeps a mark once that window is done', async () => {
      await add();
      assert.deepEqual(await pathsIn(new BaselineStore(stored())), ['a.ts']);
    });

    it('fails if that takes too long, or the failure is another one', async () => {
      failures = 30;
      await assert.rejects(add(), { code });
      assert.equal(tries, 21);
      await assert.rejects(add('linux'), { code });
      code = 'ENOSPC';
      await assert.rejects(add(), { code });
      assert.equal(tries, 23);
      assert.deepEqual(await pathsIn(new BaselineStore(stored())), []);
    });
  });
});
