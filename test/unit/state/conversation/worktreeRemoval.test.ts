import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Dice } from '../../../../src/demo/wire/random.ts';
import type { Conversation } from '../../../../src/service/model/entities.ts';
import {
  type AgentWorktree,
  cleanUpProtectionOf,
  keepAndRemove,
  ownersOf,
  protectionOf,
  readRemoval,
  readWorktrees,
  readWorktreesCommand,
  type ReadWorktree,
  removeCommand,
  restoreCommand,
  restoredFiles,
} from '../../../../src/state/conversation/worktreeRemoval.ts';
import {
  commit,
  type Content,
  git,
  snapshot,
  write,
} from '../../../support/repositories.ts';
import { testRounds } from '../../../support/testRounds.ts';

const id = '0f64a1c2-93b7-4d0e-8a51-6f2f3f0c9d11';

/** More of them in a long run. */
const repositories = testRounds(10);

describe('a worktree of an agent', () => {
  let home: string;
  let root: string;
  let repository: string;
  let worktree: string;

  const begin = (name = "it's a $(shop)") => {
    home = mkdtempSync(join(tmpdir(), 'switchboard-removal-'));
    repository = join(home, name);
    root = join(home, "the agent's");
    worktree = join(root, id, name);
    git(home, 'init', '-q', '-b', 'main', repository);
    commit(
      repository,
      { 'a.txt': 'a\n', 'd/b.txt': 'b\n', '.gitignore': 'built\nout/\n' },
      'First',
    );
    git(repository, 'worktree', 'add', '-q', '-b', 'openhands/x', worktree);
  };
  const end = () => {
    rmSync(home, { recursive: true });
  };

  beforeEach(() => {
    begin();
  });
  afterEach(end);

  /** Runs it like the service, without a name in the configuration of Git. */
  const run = (command: string, shell = 'sh'): string =>
    execFileSync(shell, ['-c', command], {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    }).toString();
  const readAll = (shell = 'sh') =>
    readWorktrees(run(readWorktreesCommand({ roots: [root] }), shell));
  const read = (): ReadWorktree => {
    const [only] = readWorktrees(
      run(readWorktreesCommand({ folders: [dirname(worktree)] })),
    );
    assert.ok(only?.state);
    assert.equal(only.folder, worktree);
    return { ...only, state: only.state };
  };
  const text = (folder: string, ...args: string[]) =>
    git(folder, ...args).toString();
  const tip = (ref: string) => text(repository, 'rev-parse', ref).trim();
  const everything = () => [
    run(
      `git -C '${worktree.replaceAll("'", "'\\''")}' symbolic-ref -q HEAD || echo none`,
    ),
    text(worktree, 'rev-parse', 'HEAD'),
    text(worktree, 'ls-files', '--stage'),
    text(worktree, 'status', '--porcelain', '-uall'),
  ];
  /** Every file, without folders. */
  const filesOf = (folder: string) =>
    new Map(
      Object.entries(snapshot(folder)).filter(
        ([, content]) => !content.startsWith('folder '),
      ),
    );
  const isIgnored = (path: string) =>
    path === 'built' || path.startsWith('out/');
  const keptFiles = () =>
    [...filesOf(worktree)].filter(([path]) => !isIgnored(path));
  const reachable = (...refs: string[]) =>
    text(repository, 'rev-list', ...refs)
      .split('\n')
      .sort();
  const unquote = (name: string) =>
    name.startsWith('"') ? String(JSON.parse(name)) : name;

  /** Changes it at random, as an agent may leave it. */
  const disturb = (seed: number) => {
    const dice = new Dice(2, seed);
    let rolls = 0;
    const roll = (sides: number) => dice.below(String(rolls++), sides);
    const contents = (): Content | undefined => {
      const content = [
        undefined,
        `${roll(4)}\n`,
        { run: '#!/bin/sh\n' },
        { link: `to ${roll(2)}` },
      ][roll(4)];
      return content;
    };
    const names = ['a.txt', 'd/b.txt', 'q"x\n', 'new/u 1'];
    const files = () =>
      Object.fromEntries(
        names.filter(() => roll(2) === 0).map((name) => [name, contents()]),
      );
    if (roll(3) === 0) git(worktree, 'checkout', '-q', '--detach');
    for (let commits = roll(3); commits > 0; commits--) {
      commit(worktree, files());
      if (roll(3) === 0) git(worktree, 'branch', '-f', 'other', 'HEAD');
      if (roll(3) === 0)
        git(
          repository,
          'merge',
          '-q',
          '--ff-only',
          text(worktree, 'rev-parse', 'HEAD').trim(),
        );
    }
    write(worktree, files());
    if (roll(2) === 0) git(worktree, 'add', '-A');
    write(worktree, files());
    for (const name of ['built', 'out/1', 'out/2'])
      if (roll(2) === 0) write(worktree, { [name]: 'ignored\n' });
  };

  it('loses with archiving exactly the ignored files, and gives everything else back', () => {
    for (let seed = 0; seed < repositories; seed++) {
      disturb(seed);
      const before = everything();
      const files = keptFiles();
      const ignored = [...filesOf(worktree).keys()].filter(isIgnored);
      const question = read();
      const { state } = question;
      const named = state.ignored.names;
      assert.equal(
        ignored.filter(
          (path) =>
            !named.some(
              (name) =>
                name === path || (name.endsWith('/') && path.startsWith(name)),
            ),
        ).length,
        0,
        `seed ${seed}`,
      );
      assert.equal(
        state.ignored.count,
        new Set(ignored.map((path) => path.split('/')[0])).size,
      );
      const { command, removed } = keepAndRemove(question, seed * 1_000);
      assert.equal(readRemoval(run(command)), 'removed', `seed ${seed}`);
      assert.ok(!existsSync(dirname(worktree)));
      assert.equal(removed.hasFiles, state.files.count > 0);
      git(
        repository,
        'worktree',
        'add',
        '-q',
        '--detach',
        join(home, 'look'),
        removed.branch,
      );
      assert.deepEqual([...filesOf(join(home, 'look'))], files, `seed ${seed}`);
      git(repository, 'worktree', 'remove', join(home, 'look'));
      const isUndone = restoredFiles(run(restoreCommand(removed)));
      assert.equal(isUndone, state.files.count > 0, `seed ${seed}`);
      assert.deepEqual(everything(), before, `seed ${seed}`);
      assert.deepEqual([...filesOf(worktree)], files, `seed ${seed}`);
      end();
      begin();
    }
  });

  it('loses with a clean-up exactly what the question names', () => {
    let removals = 0;
    for (let seed = 0; seed < repositories; seed++) {
      disturb(seed);
      const question = read();
      const { state } = question;
      const { files, ignored, commits, isMerged, branch } = state;
      const onDisk = filesOf(worktree);
      const staged = text(
        worktree,
        'diff',
        '--cached',
        '--name-only',
        '-z',
        '--no-renames',
      );
      git(
        repository,
        'worktree',
        'add',
        '-q',
        '--detach',
        join(home, 'look'),
        text(worktree, 'rev-parse', 'HEAD').trim(),
      );
      const committed = filesOf(join(home, 'look'));
      git(repository, 'worktree', 'remove', join(home, 'look'));
      const gone = new Set(staged.split('\0').filter((name) => name !== ''));
      for (const path of new Set([...onDisk.keys(), ...committed.keys()]))
        if (onDisk.get(path) !== committed.get(path)) gone.add(path);
      const named = [...files.names, ...ignored.names].map(unquote);
      assert.deepEqual(
        [
          ...new Set(
            [...gone].map((path) => (path.startsWith('out/') ? 'out/' : path)),
          ),
        ].sort(),
        named.sort(),
        `seed ${seed}`,
      );
      assert.equal(files.count + ignored.count, named.length);
      const before = reachable(
        '--all',
        text(worktree, 'rev-parse', 'HEAD').trim(),
      );
      const elsewhere = reachable(
        '--all',
        ...(branch === undefined
          ? []
          : [`--not`, `refs/heads/${branch}`, '--not']),
      );
      const protection = cleanUpProtectionOf(question, []);
      assert.equal(protection, commits.count > 0 ? 'unmerged' : undefined);
      const branches = text(repository, 'branch', '--format=%(refname:short)');
      assert.equal(
        readRemoval(run(removeCommand(question, true))),
        isMerged ? 'removedWithBranch' : 'removed',
        `seed ${seed}`,
      );
      assert.ok(!existsSync(worktree));
      const after = reachable('--all');
      if (commits.count === 0) assert.deepEqual(after, before, `seed ${seed}`);
      else if (branch === undefined)
        assert.equal(before.length - after.length, commits.count);
      else assert.ok(elsewhere.length <= after.length);
      const left = text(repository, 'branch', '--format=%(refname:short)');
      assert.equal(
        left,
        isMerged ? branches.replace(`${branch ?? ''}\n`, '') : branches,
      );
      removals++;
      end();
      begin();
    }
    assert.equal(removals, repositories);
  });

  it('stays when anything that would be lost has changed since it was shown', () => {
    const changes: Readonly<Record<string, () => unknown>> = {
      'a changed file': () => {
        write(worktree, { 'a.txt': 'changed\n' });
      },
      'an ignored file': () => {
        write(worktree, { built: 'built\n' });
      },
      'a commit': () => commit(worktree, {}),
      'another branch': () => {
        git(worktree, 'checkout', '-q', '-b', 'another');
      },
      'a lock': () => {
        git(repository, 'worktree', 'lock', worktree);
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      const question = read();
      change();
      const before = [...everything(), snapshot(worktree)];
      for (const command of [
        removeCommand(question, true),
        keepAndRemove(question, 0).command,
      ])
        assert.equal(readRemoval(run(command)), 'changed', name);
      assert.deepEqual([...everything(), snapshot(worktree)], before, name);
    }
  });

  const hindrances: Readonly<Record<string, readonly [string, () => unknown]>> =
    {
      'a lock': ['locked', () => git(repository, 'worktree', 'lock', worktree)],
      'a merge under way': [
        'operation',
        () => {
          git(worktree, 'checkout', '-q', '-b', 'theirs');
          commit(worktree, { 'a.txt': 'theirs\n' });
          git(worktree, 'checkout', '-q', 'openhands/x');
          commit(worktree, { 'a.txt': 'ours\n' });
          assert.throws(() => git(worktree, 'merge', '-q', 'theirs'));
        },
      ],
      'a repository in it': [
        'nested',
        () => git(worktree, 'init', '-q', join(worktree, 'näs "ted')),
      ],
      'a committed repository in it': [
        'nested',
        () => {
          const nested = join(worktree, 'nested');
          git(worktree, 'init', '-q', nested);
          commit(nested, { 'n.txt': 'n\n' });
          commit(worktree, {});
        },
      ],
      'a file whose changes Git hides': [
        'hidden',
        () => git(worktree, 'update-index', '--assume-unchanged', 'a.txt'),
      ],
      'a file that Git skips': [
        'hidden',
        () => git(worktree, 'update-index', '--skip-worktree', 'd/b.txt'),
      ],
    };
  for (const [name, [obstacle, hinder]] of Object.entries(hindrances)) {
    it(`protects itself with ${name}`, () => {
      hinder();
      assert.equal(read().state.obstacle, obstacle);
      assert.equal(protectionOf(read(), []), obstacle);
    });
  }

  it('keeps and restores a submodule that was never fetched', () => {
    git(
      worktree,
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${tip('HEAD')},lib`,
    );
    git(worktree, 'commit', '-qm', 'Submodule');
    write(worktree, { 'a.txt': 'changed\n', lib: undefined });
    execFileSync('mkdir', [join(worktree, 'lib')]);
    const before = everything();
    const { command, removed } = keepAndRemove(read(), 0);
    assert.equal(readRemoval(run(command)), 'removed');
    assert.ok(restoredFiles(run(restoreCommand(removed))));
    assert.deepEqual(everything(), before);
  });

  it('runs no hook and needs no more than a plain shell', () => {
    const hook = { run: '#!/bin/sh\necho ran >> "$HOME/hooks"\n' };
    const hooks = join(repository, '.git/hooks');
    for (const name of [
      'post-checkout',
      'pre-commit',
      'reference-transaction',
      'post-index-change',
    ])
      write(hooks, { [name]: hook });
    write(worktree, { 'a.txt': 'changed\n' });
    rmSync(join(home, 'hooks'), { force: true });
    for (const shell of ['dash', 'bash'])
      assert.deepEqual(readAll(shell), readAll());
    const { command, removed } = keepAndRemove(read(), 0);
    run(command, 'bash');
    run(restoreCommand(removed), 'bash');
    run(removeCommand(read(), true), 'dash');
    assert.ok(!existsSync(join(home, 'hooks')));
    assert.ok(!existsSync(worktree));
  });

  it('stays as it was when its files cannot be committed', () => {
    write(worktree, { 'a.txt': 'staged\n' });
    git(worktree, 'add', 'a.txt');
    write(worktree, { 'a.txt': 'changed\n', 'q.txt': 'q\n' });
    git(repository, 'config', 'filter.broken.clean', 'false');
    git(repository, 'config', 'filter.broken.required', 'true');
    write(worktree, { '.gitattributes': 'q.txt filter=broken\n' });
    const before = [...everything(), snapshot(worktree)];
    const { command } = keepAndRemove(read(), 0);
    assert.throws(() => run(command), /clean filter 'broken' failed/);
    assert.deepEqual([...everything(), snapshot(worktree)], before);
    assert.equal(tip('openhands/x'), tip('main'));
  });

  it('keeps its files in the branch when Git could not delete all of them', () => {
    // Stands in for a folder that cannot be deleted: root can delete all.
    const real = run('command -v git').trim();
    const isRemoval = `case "$*" in *'worktree remove'*)`;
    const leave = `${real} "$@"; for dir; do :; done; mkdir -p "$dir/data"; exit 255`;
    const script = `#!/bin/sh\n${isRemoval} ${leave};; esac\nexec ${real} "$@"\n`;
    write(home, { 'bin/git': { run: script } });
    const runHere = (lines: string) =>
      run(`PATH='${home}/bin':$PATH\n${lines}`);
    write(worktree, { 'new.txt': 'new\n' });
    const { command: remove, removed } = keepAndRemove(read(), 0);
    assert.equal(readRemoval(runHere(remove)), 'removedPartly');
    assert.equal(text(repository, 'show', 'openhands/x:new.txt'), 'new\n');
    assert.throws(() => run(restoreCommand(removed)), /already exists/);
    rmSync(worktree, { recursive: true });
    // Git may have left only an empty folder.
    assert.ok(restoredFiles(run(restoreCommand(removed))));
    assert.equal(
      readRemoval(runHere(removeCommand(read(), true))),
      'removedPartly',
    );
    assert.equal(tip('openhands/x'), tip('main'));
  });

  it('returns with its commit when the branch has gone on', () => {
    write(worktree, { 'a.txt': 'changed\n' });
    const { command, removed } = keepAndRemove(read(), 0);
    run(command);
    const other = join(home, 'other');
    git(repository, 'worktree', 'add', '-q', other, 'openhands/x');
    const last = commit(other, { 'new.txt': 'new\n' });
    assert.throws(
      () => run(restoreCommand(removed)),
      /already (?:used|checked out)/,
    );
    assert.ok(!existsSync(worktree));
    git(repository, 'worktree', 'remove', other);
    assert.ok(!restoredFiles(run(restoreCommand(removed))));
    assert.equal(text(worktree, 'rev-parse', 'HEAD').trim(), last);
    assert.equal(text(worktree, 'status', '--porcelain'), '');
  });

  it('returns as it was when an answer to its removal or its return was lost', () => {
    write(worktree, { 'new.txt': 'new\n' });
    const before = everything();
    const { command, removed } = keepAndRemove(read(), 0);
    assert.ok(restoredFiles(run(restoreCommand(removed))));
    run(command);
    for (let times = 0; times < 2; times++)
      assert.ok(restoredFiles(run(restoreCommand(removed))));
    assert.deepEqual(everything(), before);
  });

  it('returns over the empty repository of a service, and over nothing else', () => {
    const { command, removed } = keepAndRemove(read(), 0);
    run(command);
    git(home, 'init', '-q', worktree);
    write(worktree, { 'new.txt': 'new\n' });
    assert.throws(() => run(restoreCommand(removed)), /already exists/);
    write(worktree, { 'new.txt': undefined });
    git(worktree, 'commit', '-q', '--allow-empty', '-m', 'Work');
    assert.throws(() => run(restoreCommand(removed)), /already exists/);
    rmSync(worktree, { recursive: true });
    git(home, 'init', '-q', worktree);
    for (let times = 0; times < 2; times++) run(restoreCommand(removed));
    assert.equal(
      text(worktree, 'rev-parse', '--abbrev-ref', 'HEAD').trim(),
      'openhands/x',
    );
    git(repository, 'worktree', 'remove', worktree);
    git(repository, 'branch', '-D', 'openhands/x');
    assert.throws(() => run(restoreCommand(removed)), /invalid reference/);
    assert.ok(!existsSync(worktree));
  });

  it('appears with its size, age and merged branch, and others beside it do not', () => {
    git(
      repository,
      'worktree',
      'add',
      '-q',
      '-b',
      'mine',
      join(root, 'mine', 'shop'),
    );
    write(join(root, id.replace('0', '1'), 'shop'), { 'x.txt': 'x\n' });
    write(worktree, { 'out/large': 'x'.repeat(500_000) });
    const broken = join(root, 'a'.repeat(32), 'shop');
    write(broken, { '.git': `gitdir: ${home}/gone\n` });
    const all = readAll();
    assert.deepEqual(
      all.map(({ folder }) => folder).sort(),
      [worktree, broken].sort(),
    );
    const { state } =
      all.find(({ folder }) => folder === worktree) ?? assert.fail();
    assert.ok((state?.kilobytes ?? 0) > 480, String(state?.kilobytes));
    assert.ok(Math.abs((state?.changedAt ?? 0) - Date.now()) < 60_000);
    assert.equal(state?.isMerged, true);
    assert.equal(state.branch, 'openhands/x');
    assert.deepEqual(state.ignored, { count: 1, names: ['out/'] });
    const lost = all.find(({ folder }) => folder === broken);
    assert.equal(cleanUpProtectionOf(lost ?? assert.fail(), []), 'unreadable');
    assert.deepEqual(
      readWorktrees(run(readWorktreesCommand({ roots: [join(home, 'no')] }))),
      [],
    );
  });

  it('appears once for several roots, each on a line that is shown in full', () => {
    const command = readWorktreesCommand({
      roots: [join(home, 'none'), root, join(home, 'x'.repeat(200))],
    });
    assert.equal(readWorktrees(run(command)).length, 1);
    for (const line of command.split('\n')) assert.ok(line.length < 900, line);
  });

  it('keeps a branch that another upstream does not have yet', () => {
    commit(worktree, { 'n.txt': 'n\n' });
    git(repository, 'merge', '-q', '--ff-only', 'openhands/x');
    assert.equal(read().state.isMerged, true);
    git(repository, 'branch', 'up', 'main~1');
    git(worktree, 'branch', '-q', '-u', 'up');
    assert.equal(read().state.isMerged, false);
  });
});

describe('the output about worktrees', () => {
  const folder = `/tmp/conversation-worktrees/${id}/shop`;
  const lines = [
    `worktree ${folder}`,
    '/srv/shop/.git',
    'refs/heads/openhands/x',
    'a'.repeat(40),
    'HEAD@{1700000000}',
    '120',
    'merged',
    '',
    'files',
    '- a.txt',
    '1',
    'ignored',
    '- out/',
    '1',
    'commits',
    'abc Subject',
    '1',
    'end',
  ];

  it('gives every fact', () => {
    assert.deepEqual(readWorktrees(`${lines.join('\n')}\n`), [
      {
        folder,
        state: {
          repository: '/srv/shop/.git',
          branch: 'openhands/x',
          state: 'a'.repeat(40),
          changedAt: 1_700_000_000_000,
          kilobytes: 120,
          obstacle: undefined,
          isMerged: true,
          files: { count: 1, names: ['a.txt'] },
          ignored: { count: 1, names: ['out/'] },
          commits: { count: 1, names: ['abc Subject'] },
        },
      },
    ]);
  });

  it('gives no state when any line but the age is missing or wrong', () => {
    for (let line = 1; line < lines.length; line++) {
      for (const wrong of [[], ['?'.repeat(3)]]) {
        const output = lines.toSpliced(line, 1, ...wrong).join('\n');
        const [worktree] = readWorktrees(output);
        const { state } = worktree ?? assert.fail();
        if (wrong.length > 0 && [4, 9, 12, 15].includes(line)) continue;
        if (wrong.length > 0 && line === 7)
          assert.equal(state?.obstacle, 'hidden');
        else assert.equal(state, undefined, output);
      }
    }
    assert.deepEqual(readWorktrees(''), []);
    assert.deepEqual(readWorktrees('sh: git: not found\n'), []);
  });

  it('tells a removal from a change and from nothing', () => {
    assert.equal(readRemoval('removed\n'), 'removed');
    assert.equal(readRemoval('removed\nbranch\n'), 'removedWithBranch');
    assert.equal(readRemoval('changed\n'), 'changed');
    assert.equal(readRemoval(''), undefined);
  });
});

describe('the protection of a worktree', () => {
  const folder = `/tmp/conversation-worktrees/${id}/shop`;
  const nothing = { count: 0, names: [] };
  const state = {
    repository: '/srv/shop/.git',
    branch: 'x',
    state: 'a'.repeat(40),
    changedAt: undefined,
    kilobytes: 1,
    obstacle: undefined,
    isMerged: true,
    files: nothing,
    ignored: nothing,
    commits: nothing,
  };
  const clean: AgentWorktree = { folder, state };
  const user = (fields: Partial<Conversation>) =>
    ({ id, folder, execution: 'finished', ...fields }) as Conversation;

  it('depends on all conversations in it, also on those above it', () => {
    for (const [fields, protection] of [
      [{}, undefined],
      [{ execution: 'paused' }, undefined],
      [{ execution: 'running' }, 'working'],
      [{ execution: 'running', folder: '/tmp' }, 'working'],
      [{ execution: 'running', folder: `${folder}/packages/api` }, 'working'],
      [{ execution: 'running', folder: '/tmp/other' }, undefined],
      [{ execution: 'waitingForConfirmation' }, 'waiting'],
      [{ execution: undefined }, 'unknown'],
      [{ execution: 'deleting' }, 'unknown'],
      [{ execution: 'new' }, 'unknown'],
      [{ isPinned: true }, 'pinned'],
      [{ isPinned: true, folder: '/tmp' }, undefined],
    ] as const)
      assert.equal(
        cleanUpProtectionOf(clean, [user({}), user({ ...fields, id: 'b' })]),
        protection,
        JSON.stringify(fields),
      );
  });

  it('includes commits that are nowhere else, but not when they stay on the branch', () => {
    const unmerged = {
      folder,
      state: { ...state, commits: { count: 1, names: ['abc'] } },
    };
    assert.equal(cleanUpProtectionOf(unmerged, []), 'unmerged');
    assert.equal(protectionOf(unmerged, []), undefined);
    assert.equal(
      cleanUpProtectionOf({ folder, state: undefined }, []),
      'unreadable',
    );
  });

  it('returns the conversations of a worktree, and none above it', () => {
    const own = user({});
    const fork = user({ id: 'b', folder: `${folder}/api` });
    assert.deepEqual(ownersOf(clean, [own, fork, user({ folder: '/tmp' })]), [
      own,
      fork,
    ]);
  });
});
