import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from '../../../../src/service/model/entities.ts';
import {
  commitAt,
  contentsCommand,
  keepCommand,
  neighboursOf,
  readContents,
  reflogCommand,
  resetTo,
  stateIn,
  temporaryWorktrees,
  undoResetCommand,
  worktreeOf,
} from '../../../../src/state/conversation/worktree.ts';
import { Dice } from '../../../../src/demo/wire/random.ts';
import { commit, git, snapshot, write } from '../../../support/repositories.ts';
import { testRounds } from '../../../support/testRounds.ts';

const id = '0f64a1c2-93b7-4d0e-8a51-6f2f3f0c9d11';
const root = `/tmp/conversation-worktrees/${id.replaceAll('-', '')}`;

describe('the worktree of a conversation', () => {
  const work = (
    folder: string | undefined,
    fields: Partial<Conversation> = {},
  ) =>
    ({
      id,
      service: 'http://localhost:8000',
      folder,
      ...fields,
    }) as Conversation;
  const others = (
    folder: string | undefined,
    fields: Partial<Conversation> = {},
  ) => work(folder, { id: 'b'.repeat(32), ...fields });

  it('has the name of its conversation, also for a fork and on Windows', () => {
    assert.equal(worktreeOf(work(`${root}/shop`)), root);
    assert.equal(worktreeOf(others(`${root}/shop/packages/api`)), root);
    assert.equal(worktreeOf(work(`C:\\work\\${id}\\shop`)), `C:/work/${id}`);
    assert.equal(worktreeOf(work('/srv/shop')), undefined);
    assert.equal(worktreeOf(work(undefined)), undefined);
  });

  it('has a temporary place only below a folder that a restart may empty', () => {
    for (const [folder, lost] of [
      [`${root}/shop`, '/tmp/conversation-worktrees'],
      [
        `/private/var/folders/x/T/trees/${id}/shop`,
        '/private/var/folders/x/T/trees',
      ],
      [`/var/folders/x/T/trees/${id}/shop`, '/var/folders/x/T/trees'],
      [
        `D:\\AppData\\Local\\Temp\\trees\\${id}\\shop`,
        'D:/AppData/Local/Temp/trees',
      ],
      [`/srv/trees/${id}/shop`, undefined],
      ['/tmp/shop', undefined],
      [undefined, undefined],
    ] as const)
      assert.equal(temporaryWorktrees(work(folder)), lost);
  });

  it('includes conversations in the same folder, below it and above it', () => {
    const shares = (other: Conversation) =>
      neighboursOf(work(`${root}/shop/api`), [other]).length === 1;
    for (const folder of [
      `${root}/shop/api`,
      `${root}/shop`,
      `${root}/shop/web`,
      `${root}/`,
      '/tmp',
      '/',
    ])
      assert.ok(shares(others(folder)), folder);
    for (const folder of ['/srv', `${root}2/shop`, undefined])
      assert.ok(!shares(others(folder)), folder);
    assert.ok(!shares(work(`${root}/shop/api`)));
    assert.ok(
      !shares(others(`${root}/shop`, { service: 'http://localhost:3000' })),
    );
  });
});

/** More of them in a long run. */
const repositories = testRounds(8);
const names = ['a.txt', 'b.txt', 'd/c.txt', 'built', '.gitignore'];

describe('a command in a worktree', () => {
  let home: string;
  let repository: string;
  let worktree: string;
  let first: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'switchboard-worktree-'));
    repository = join(home, 'shop');
    worktree = join(home, id, 'shop');
    git(home, 'init', '-q', '-b', 'main', repository);
    first = commit(
      repository,
      { 'a.txt': 'a\n', '.gitignore': 'built\n' },
      'First',
    );
    git(repository, 'worktree', 'add', '-q', '-b', 'openhands/x', worktree);
  });

  afterEach(() => {
    rmSync(home, { recursive: true });
  });

  /** Runs it like the service, without a name in the configuration of Git. */
  const run = (command: string, folder = worktree): string =>
    execFileSync('sh', ['-c', command], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    }).toString();
  const tip = (ref: string) =>
    git(worktree, 'rev-parse', ref).toString().trim();
  /** The branch, the commit, the staged contents and the files. */
  const everything = () => [
    run('git symbolic-ref -q HEAD || echo none'),
    tip('HEAD'),
    git(worktree, 'ls-files', '--stage').toString(),
    git(worktree, 'status', '--porcelain', '--ignored').toString(),
    snapshot(worktree),
  ];
  const contents = (folder = worktree) =>
    readContents(run(contentsCommand, folder));

  const reset = (now = 0) =>
    resetTo(
      { sha: first, subject: 'First', author: undefined, at: undefined },
      now,
    );

  it('resets to the commit at which the worktree was, never to a merged one', () => {
    // A minute later, a colleague commits to main; the agent merges that at the
    // end.
    const dated = (folder: string, seconds: number, ...args: string[]) =>
      run(
        `GIT_COMMITTER_DATE=@${seconds} GIT_AUTHOR_DATE=@${seconds} git -c user.name=A -c user.email=a@b ${args.join(' ')}`,
        folder,
      );
    // Making the worktree may write several entries, perhaps in different
    // seconds.
    const times = [...run(reflogCommand).matchAll(/\{(\d+)\}/g)].map(
      ([, seconds]) => Number(seconds),
    );
    const start = Math.max(...times);
    const oldest = Math.min(...times);
    dated(worktree, start + 60, 'commit', '--allow-empty', '-qm', 'Agent');
    const agent = tip('HEAD');
    dated(
      repository,
      start + 120,
      'commit',
      '--allow-empty',
      '-qm',
      'Colleague',
    );
    dated(worktree, start + 300, 'merge', '-q', 'main');
    const reflog = run(reflogCommand);
    assert.equal(commitAt(reflog, (start + 200) * 1_000)?.sha, agent);
    assert.equal(commitAt(reflog, (start + 59) * 1_000)?.sha, first);
    assert.equal(commitAt(reflog, (start + 301) * 1_000)?.sha, tip('HEAD'));
    assert.equal(commitAt(reflog, (oldest - 1) * 1_000), undefined);
    assert.equal(commitAt(reflog, undefined), undefined);
    assert.equal(commitAt('', start), undefined);
  });

  it('keeps later commits, staged and other changes on a branch, and leaves no stash', () => {
    const before = snapshot(worktree);
    const later = commit(worktree, { 'a.txt': 'b\n', 'b.txt': 'b\n' });
    write(worktree, { 'a.txt': 'staged\n' });
    git(worktree, 'add', '-A');
    write(worktree, { 'a.txt': 'c\n', 'new/c.txt': 'c\n', built: 'built\n' });
    const last = snapshot(worktree);
    run(reset().command);
    assert.deepEqual(snapshot(worktree), { ...before, built: last.built });
    assert.equal(tip('openhands/x'), first);
    assert.equal(git(repository, 'stash', 'list').toString(), '');
    const branch = 'before-fork-1970-01-01T00-00-00';
    assert.equal(tip(`${branch}~2`), later);
    assert.equal(
      git(worktree, 'show', `${branch}~1:a.txt`).toString(),
      'staged\n',
    );
    git(worktree, 'reset', '-q', '--hard', branch);
    assert.deepEqual(snapshot(worktree), last);
  });

  it('undoes a reset in every detail, and leaves no branch behind', () => {
    for (let seed = 0; seed < repositories; seed++) {
      const dice = new Dice(1, seed);
      let rolls = 0;
      const roll = (sides: number) => dice.below(String(rolls++), sides);
      const files = () =>
        Object.fromEntries(
          names
            .filter(() => roll(2) === 0)
            .map((name) => [name, roll(5) > 0 ? `${roll(4)}\n` : undefined]),
        );
      if (roll(3) === 0) git(worktree, 'checkout', '-q', '--detach');
      for (let commits = roll(3); commits > 0; commits--)
        commit(worktree, files());
      write(worktree, files());
      if (roll(2) === 0) git(worktree, 'add', '-A');
      write(worktree, files());
      const before = everything();
      const { branch, command } = reset(seed * 1_000);
      const state = stateIn(run(command)) ?? assert.fail();
      assert.equal(tip('HEAD'), first);
      assert.equal(stateIn(run(undoResetCommand({ branch }, state))), state);
      assert.deepEqual(everything(), before, `seed ${seed}`);
      assert.equal(git(worktree, 'branch', '--list', branch).toString(), '');
    }
  });

  it('undoes no reset once anything has changed, and says so', () => {
    write(worktree, { 'b.txt': 'b\n' });
    const { branch, command } = reset();
    const state = stateIn(run(command)) ?? assert.fail();
    const changes: Readonly<Record<string, () => unknown>> = {
      'a changed file': () => {
        write(worktree, { 'a.txt': 'changed\n' });
      },
      'a new file': () => {
        write(worktree, { 'a.txt': 'a\n', 'new.txt': 'new\n' });
      },
      'a commit': () => commit(worktree, {}),
      'another branch': () => {
        git(worktree, 'checkout', '-q', '-b', 'another', first);
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      change();
      const before = everything();
      assert.notEqual(
        stateIn(run(undoResetCommand({ branch }, state))),
        state,
        name,
      );
      assert.deepEqual(everything(), before, name);
      assert.equal(tip(`${branch}~2`), first);
    }
  });

  it('undoes no reset over an ignored file that is new', () => {
    commit(worktree, { '.gitignore': undefined, built: 'agent\n' });
    const { branch, command } = reset();
    const state = stateIn(run(command)) ?? assert.fail();
    write(worktree, { built: 'new\n' });
    const before = everything();
    assert.throws(() => run(undoResetCommand({ branch }, state)), /built/);
    assert.deepEqual(everything(), before);
    write(worktree, { built: undefined });
    run(undoResetCommand({ branch }, state));
    assert.equal(readFileSync(join(worktree, 'built'), 'utf8'), 'agent\n');
  });

  it('keeps an ignored file that a reset overwrites', () => {
    write(worktree, { 'd/built': 'old\n' });
    git(worktree, 'add', '--force', 'd/built');
    const tracked = commit(worktree, { 'c.txt': 'c\n' });
    git(worktree, 'rm', '-q', '--cached', 'd/built');
    commit(worktree, { 'c.txt': undefined });
    write(worktree, { 'd/built': 'secret\n', built: 'other\n' });
    const before = everything();
    const { branch, command } = resetTo(
      { sha: tracked, subject: '', author: undefined, at: undefined },
      0,
    );
    const state = stateIn(run(command)) ?? assert.fail();
    const built = () => readFileSync(join(worktree, 'd/built'), 'utf8');
    assert.equal(built(), 'old\n');
    assert.equal(
      git(worktree, 'show', `${branch}:d/built`).toString(),
      'secret\n',
    );
    run(undoResetCommand({ branch }, state));
    assert.deepEqual(everything(), before);
  });

  it('resets in the middle of a merge, and keeps its conflicts', () => {
    commit(worktree, { 'a.txt': 'agent\n' });
    commit(repository, { 'a.txt': 'colleague\n' });
    assert.throws(() => git(worktree, 'merge', '--quiet', 'main'));
    assert.match(git(worktree, 'status', '--porcelain').toString(), /^UU /);
    const before = snapshot(worktree);
    const { branch, command } = reset();
    const state = stateIn(run(command)) ?? assert.fail();
    assert.equal(tip('HEAD'), first);
    assert.equal(run('git status --porcelain'), '');
    run(undoResetCommand({ branch }, state));
    assert.deepEqual(snapshot(worktree), before);
  });

  it('resets nothing when the changes cannot be kept', () => {
    write(worktree, { 'a.txt': 'c\n' });
    git(worktree, 'branch', 'before-fork-1970-01-01T00-00-00');
    const last = snapshot(worktree);
    assert.throws(() => run(reset().command));
    assert.deepEqual(snapshot(worktree), last);
  });

  it('counts and names what is lost with the worktree', () => {
    assert.deepEqual(contents(), {
      isWorktree: true,
      files: { count: 0, names: [] },
      repositories: { count: 0, names: [] },
      commits: { count: 0, names: [] },
    });
    commit(worktree, { 'b.txt': 'b\n' });
    git(worktree, 'checkout', '-q', '--detach');
    commit(worktree, { 'c.txt': 'c\n' }, 'On no branch');
    write(worktree, {
      'a.txt': 'changed\n',
      'd/ü 1.txt': 'd\n',
      'd/commits': 'd\n',
    });
    for (let file = 0; file < 4; file++)
      write(worktree, { [`n${file}`]: 'n\n' });
    const lost = contents();
    assert.deepEqual(lost?.files, {
      count: 7,
      names: ['a.txt', 'd/commits', '"d/ü 1.txt"', 'n0', 'n1'],
    });
    assert.equal(lost.commits.count, 1);
    assert.match(lost.commits.names[0] ?? '', /^[0-9a-f]+ On no branch$/);
  });

  it('tells a worktree from a clone, and fails where Git does', () => {
    assert.equal(contents(repository)?.isWorktree, false);
    assert.throws(() => contents(home));
    for (const output of [
      '',
      'a\nb\nfiles',
      'a\nb\nfiles\ncommits',
      'a\nb\nfiles\n?? x\nrepositories\ncommits',
      'a\nb\nfiles\n?? x\n2\nrepositories\ncommits',
    ])
      assert.equal(readContents(output), undefined);
  });

  for (const isDetached of [false, true]) {
    it(`keeps everything on ${isDetached ? 'a new branch when it is on none' : 'its own branch'}`, () => {
      if (isDetached) git(worktree, 'checkout', '-q', '--detach');
      const branch = isDetached ? 'kept-1970-01-01T00-00-00' : 'openhands/x';
      commit(worktree, { 'b.txt': 'b\n' });
      write(worktree, { 'a.txt': 'changed\n', 'c.txt': 'c\n' });
      assert.equal(run(keepCommand(0)), `${branch}\n`);
      const kept = contents();
      assert.deepEqual([kept?.files.count, kept?.commits.count], [0, 0]);
      rmSync(worktree, { recursive: true });
      git(repository, 'worktree', 'prune');
      const names = git(
        repository,
        'ls-tree',
        '-r',
        '--name-only',
        branch,
      ).toString();
      assert.equal(names, '.gitignore\na.txt\nb.txt\nc.txt\n');
      assert.equal(
        git(repository, 'show', `${branch}:a.txt`).toString(),
        'changed\n',
      );
    });
  }

  it('lists repositories that it cannot keep, and then keeps nothing', () => {
    const library = join(home, 'library');
    git(home, 'init', '-q', '-b', 'main', library);
    commit(library, { 'l.txt': 'l\n' });
    for (const name of ['clean', 'd/changed', 'ahead'])
      git(
        worktree,
        ...['-c', 'protocol.file.allow=always'],
        ...['submodule', '--quiet', 'add', library, name],
      );
    git(home, 'clone', '-q', library, join(worktree, 'new one'));
    commit(worktree, {});
    git(home, 'clone', '-q', library, join(worktree, 'untracked ü'));
    assert.deepEqual(contents()?.repositories, {
      count: 1,
      names: ['"untracked ü/"'],
    });
    write(join(worktree, 'd/changed'), { 'l.txt': 'changed\n' });
    commit(join(worktree, 'ahead'), { 'm.txt': 'm\n' });
    git(worktree, 'add', 'ahead');
    const before = everything();
    assert.deepEqual(contents()?.repositories, {
      count: 3,
      names: ['"untracked ü/"', 'ahead', 'd/changed'],
    });
    assert.throws(() => run(keepCommand(0)));
    assert.deepEqual(everything(), before);
    rmSync(join(worktree, 'untracked ü'), { recursive: true });
    git(worktree, 'submodule', '--quiet', 'update', '--force', 'd/changed');
    git(join(worktree, 'd/changed'), 'checkout', '-q', '--', '.');
    git(join(worktree, 'ahead'), 'push', '-q', 'origin', 'HEAD:refs/heads/x');
    assert.equal(contents()?.repositories.count, 0);
    write(worktree, { 'a.txt': 'changed\n' });
    assert.equal(run(keepCommand(0)), 'openhands/x\n');
  });

  it('keeps commits of no branch without an empty commit when no file is left', () => {
    git(worktree, 'checkout', '-q', '--detach');
    const last = commit(worktree, { 'b.txt': 'b\n' });
    assert.equal(run(keepCommand(0)), 'kept-1970-01-01T00-00-00\n');
    assert.equal(tip('kept-1970-01-01T00-00-00'), last);
  });
});
