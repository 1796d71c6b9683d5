import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reason } from '../../../src/base/errors.ts';
import { preview, takeOver, undoable } from '../../../src/takeOver/takeOver.ts';
import {
  commit,
  type Content,
  git,
  patchSince,
  snapshot,
} from '../../support/repositories.ts';
import { Desk, labels } from './desk.ts';

const lines = (...all: (string | number)[]) =>
  all.map((line) => `${line}\n`).join('');
const ten = lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

describe('applying the changes of an agent', function () {
  this.timeout(180_000);
  let desk: Desk;

  afterEach(() => {
    desk.clear();
  });

  const text = (path: string) => readFileSync(join(desk.here, path), 'utf8');
  const index = () =>
    git(desk.here, 'ls-files', '--stage', '-v', '-z').toString('latin1');

  /** Takes over, and undoes it; the index stays as it is. */
  async function thereAndBack(check: () => void): Promise<void> {
    const [before, indexed] = [snapshot(desk.here), index()];
    await desk.take();
    check();
    assert.equal(index(), indexed);
    await desk.undo();
    assert.deepEqual(snapshot(desk.here), before);
    assert.equal(index(), indexed);
    assert.equal(await undoable(desk.storage, desk.here), undefined);
    assert.deepEqual(readdirSync(desk.storage), []);
  }

  it('reproduces every kind of change of the agent, and undoes it', async () => {
    desk = new Desk({
      'src/cart.ts': ten,
      'src/old name.ts': ten,
      'gone/deep/a.txt': 'gone\n',
      'logo.bin': Buffer.from([0, 1, 2, 255]),
      'run.sh': 'echo\n',
      'was link': { link: 'run.sh' },
      'crlf.txt': 'a\r\nb\r\n',
      empty: '',
    });
    desk.agentWrites({
      'src/cart.ts': ten.replace('5', 'five').slice(0, -1),
      'src/old name.ts': undefined,
      'src/new "name".ts': ten.replace('3', 'three'),
      'gone/deep/a.txt': undefined,
      gone: 'now a file',
      'logo.bin': Buffer.from([0, 9, 9, 0, 10]),
      'run.sh': { run: 'echo\n' },
      'was link': 'a file now',
      'a link': { link: 'src/cart.ts' },
      'crlf.txt': 'a\r\nb changed\r\n',
      'new/empty': '',
      'Grüße\nwith a break': 'ä',
      ' tab\t': 'x',
    });
    const latin = Buffer.concat([
      Buffer.from(`${desk.agent}/`),
      Buffer.from([0x66, 0xfc]),
    ]);
    if (process.platform === 'linux') writeFileSync(latin, 'not UTF-8\n');
    await thereAndBack(() => {
      const [mine, theirs] = [snapshot(desk.here), snapshot(desk.agent)];
      assert.deepEqual(mine, theirs);
    });
  });

  it('merges changes of the agent with uncommitted changes here, and follows moved files', async () => {
    desk = new Desk({ 'a.txt': ten, 'b.txt': ten, 'c.txt': ten });
    desk.agentWrites({
      'a.txt': ten.replace('2', 'two'),
      'b.txt': undefined,
      'moved.txt': ten.replace('2', 'two'),
    });
    desk.writesHere({
      'a.txt': ten.replace('9', 'nine'),
      'b.txt': ten.replace('9', 'nine'),
      'own.txt': 'mine',
    });
    const { files } = await preview(
      desk.git,
      patchSince(desk.agent, desk.base),
      labels,
    );
    assert.deepEqual(
      files.map(({ path, from, status, here }) => [path, from, status, here]),
      [
        ['a.txt', undefined, 'updated', 'uncommitted'],
        ['moved.txt', 'b.txt', 'moved', 'uncommitted'],
      ],
    );
    await thereAndBack(() => {
      const both = ten.replace('2', 'two').replace('9', 'nine');
      assert.equal(text('a.txt'), both);
      assert.equal(text('moved.txt'), both);
      assert.ok(!existsSync(join(desk.here, 'b.txt')));
    });
  });

  it('marks conflicts in text files, and otherwise keeps the changed file or the local binary file', async () => {
    desk = new Desk({
      'a.txt': ten,
      'deleted here': ten,
      'deleted there': ten,
      'logo.bin': Buffer.from([0, 1]),
    });
    desk.agentWrites({
      'a.txt': ten.replace('5', 'agent'),
      'deleted here': ten.replace('5', 'agent'),
      'deleted there': undefined,
      both: 'agent\n',
      'logo.bin': Buffer.from([0, 2]),
    });
    desk.writesHere({
      'a.txt': ten.replace('5', 'person'),
      'deleted here': undefined,
      'deleted there': ten.replace('5', 'person'),
      both: 'person\n',
      'logo.bin': Buffer.from([0, 3]),
    });
    const { conflicts } = await preview(
      desk.git,
      patchSince(desk.agent, desk.base),
      labels,
    );
    assert.deepEqual(
      [...conflicts].sort((a, b) => (a.path < b.path ? -1 : 1)),
      [
        { path: 'a.txt', isMarked: true },
        { path: 'both', isMarked: true },
        { path: 'deleted here', isMarked: false },
        { path: 'deleted there', isMarked: false },
        { path: 'logo.bin', isMarked: false },
      ],
    );
    await thereAndBack(() => {
      const marked =
        '<<<<<<< Here\nperson\n=======\nagent\n>>>>>>> Fix the cart\n';
      assert.equal(text('a.txt'), ten.replace('5\n', marked));
      assert.equal(text('both'), marked);
      assert.equal(text('deleted here'), ten.replace('5', 'agent'));
      assert.equal(text('deleted there'), ten.replace('5', 'person'));
      assert.deepEqual(
        readFileSync(join(desk.here, 'logo.bin')),
        Buffer.from([0, 3]),
      );
    });
  });

  it('applies only the selected files', async () => {
    desk = new Desk({ 'a.txt': ten, 'b.txt': ten });
    desk.agentWrites({
      'a.txt': 'agent\n',
      'b.txt': undefined,
      'c.txt': 'new\n',
    });
    await desk.take(['c.txt']);
    assert.deepEqual(
      [text('a.txt'), text('b.txt'), text('c.txt')],
      [ten, ten, 'new\n'],
    );
  });

  it('reports a file that is already the same here, and applies nothing', async () => {
    desk = new Desk({ 'a.txt': ten });
    desk.agentWrites({ 'a.txt': 'x\n' });
    desk.writesHere({ 'a.txt': 'x\n' });
    const { count, plan } = await desk.take();
    assert.equal(count, 0);
    assert.equal(plan.files[0]?.here, 'same');
    assert.equal(await undoable(desk.storage, desk.here), undefined);
  });

  for (const flag of ['--assume-unchanged', '--skip-worktree'])
    it(`keeps local changes that Git hides by ${flag}`, async () => {
      desk = new Desk({ 'a.txt': ten, 'b.txt': ten });
      git(desk.here, 'update-index', flag, 'a.txt');
      desk.writesHere({ 'a.txt': `mine\n${ten}` });
      desk.agentWrites({ 'a.txt': `${ten}agent\n`, 'b.txt': 'agent\n' });
      const patch = patchSince(desk.agent, desk.base);
      const { files } = await preview(desk.git, patch, labels);
      assert.deepEqual(
        files.map(({ here }) => here),
        ['uncommitted', 'unchanged'],
      );
      await thereAndBack(() => {
        assert.equal(text('a.txt'), `mine\n${ten}agent\n`);
      });
    });

  it('merges files outside a sparse checkout as unchanged ones', async () => {
    desk = new Desk({ 'in/a.txt': ten, 'out/b.txt': ten, 'out/c.txt': ten });
    git(desk.here, 'sparse-checkout', 'set', 'in');
    desk.agentWrites({
      'out/b.txt': 'agent\n',
      'out/c.txt': undefined,
      'out/d.txt': ten,
    });
    const { plan, count } = await desk.take();
    assert.deepEqual(
      plan.files.map(({ path, here }) => `${path} ${here}`),
      ['out/b.txt unchanged', 'out/d.txt unchanged'],
    );
    assert.equal(count, 2);
    assert.deepEqual(plan.conflicts, []);
    assert.deepEqual([text('out/b.txt'), text('out/d.txt')], ['agent\n', ten]);
  });

  it('keeps the line endings of this machine', async () => {
    desk = new Desk({
      'a.txt': ten,
      '.gitattributes': '*.txt text eol=crlf\n',
    });
    git(desk.here, 'checkout', '-q', '--', '.');
    desk.writesHere({ 'a.txt': ten.replaceAll('\n', '\r\n') });
    desk.agentWrites({
      'a.txt': ten.replace('5', 'five').replaceAll('\n', '\r\n'),
    });
    await thereAndBack(() => {
      assert.equal(
        text('a.txt'),
        ten.replace('5', 'five').replaceAll('\n', '\r\n'),
      );
    });
  });

  it('runs no filter of the person because of attributes that the agent brings', async () => {
    desk = new Desk({
      'a.txt': ten,
      'known.own': ten,
      'sub/.gitattributes': '*.own filter=seen\n',
    });
    const ran = join(desk.folder, 'ran');
    git(desk.here, 'config', 'filter.seen.smudge', `echo %f >> '${ran}'; cat`);
    git(desk.here, 'config', 'merge.renormalize', 'true');
    git(desk.here, 'config', 'filter.seen.clean', `echo %f >> '${ran}'; cat`);
    desk.writesHere({ 'a.txt': ten.replace('9', 'nine') });
    desk.agentWrites({
      '.gitattributes': '* filter=seen\n*.txt eol=crlf\n',
      'new/.gitattributes': '* filter=seen\n',
      'sub/.gitattributes': '* filter=seen\n',
      'sub/b.bin': 'b\n',
      'new/c.bin': 'c\n',
      'x.bin': 'x\n',
      'a.txt': ten.replace('2', 'two'),
    });
    await thereAndBack(() => {
      assert.equal(text('a.txt'), ten.replace('2', 'two').replace('9', 'nine'));
      assert.equal(text('.gitattributes'), '* filter=seen\n*.txt eol=crlf\n');
      assert.equal(text('new/.gitattributes'), '* filter=seen\n');
      assert.equal(text('sub/.gitattributes'), '* filter=seen\n');
      assert.equal(text('new/c.bin'), 'c\n');
    });
    assert.ok(
      !existsSync(ran),
      existsSync(ran) ? readFileSync(ran, 'utf8') : '',
    );
    desk.agentWrites({ 'sub/d.own': 'd\n' });
    await desk.take(['sub/d.own']);
    assert.match(readFileSync(ran, 'utf8'), /^sub\/d\.own$/m);
  });

  it('applies a patch without its base commit, if the file versions in the patch exist here', async () => {
    desk = new Desk({ 'a.txt': ten, 'b.txt': ten });
    desk.writesHere({ 'a.txt': ten.replace('9', 'nine') });
    const base = commit(desk.agent, { 'other.txt': 'only there\n' });
    desk.agentWrites({ 'a.txt': ten.replace('2', 'two') });
    const patch = patchSince(desk.agent, base);
    await takeOver(desk.git, patch, {
      storage: desk.storage,
      labels,
      title: '',
    });
    assert.equal(text('a.txt'), ten.replace('2', 'two').replace('9', 'nine'));
    assert.ok(!existsSync(join(desk.here, 'other.txt')));
    commit(desk.agent, { 'other.txt': 'again\n' });
    await assert.rejects(
      takeOver(desk.git, patchSince(desk.agent, base), {
        storage: desk.storage,
        labels,
        title: '',
      }),
      /this repository does not have commit/,
    );
  });

  it('shows a link that leads out of the folder, and writes through no link', async () => {
    desk = new Desk({ 'a.txt': ten, 'dir/x': 'x\n' });
    const outside = join(desk.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'x'), 'mine\n');
    desk.agentWrites({
      'dir/x': 'agent\n',
      out: { link: outside },
      up: { link: '../../x' },
      fine: { link: 'dir/x' },
    });
    const { files } = await preview(
      desk.git,
      patchSince(desk.agent, desk.base),
      labels,
    );
    assert.deepEqual(
      files.map(({ path, link }) => [path, link?.leadsOut]),
      [
        ['dir/x', undefined],
        ['fine', false],
        ['out', true],
        ['up', true],
      ],
    );
    desk.writesHere({ dir: { link: outside } });
    const before = snapshot(desk.here);
    await assert.rejects(
      desk.take(),
      /^UserError: Nothing was taken over: “dir” is in the way/,
    );
    assert.deepEqual(snapshot(desk.here), before);
    assert.equal(readFileSync(join(outside, 'x'), 'utf8'), 'mine\n');
    desk.writesHere({ dir: undefined, out: { link: outside } });
    desk.agentWrites({ out: undefined, 'out/x': 'agent\n' });
    await assert.rejects(desk.take(), /“out” is in the way/);
    assert.equal(readFileSync(join(outside, 'x'), 'utf8'), 'mine\n');
  });

  it('shows that a link leads out through another link, after a name, or into Git', async () => {
    desk = new Desk({ 'docs/img/a.txt': ten, here: { link: 'docs' } });
    desk.writesHere({ vendor: { link: desk.folder } });
    const leadingOut: Readonly<Record<string, string>> = {
      'notes.md': 'docs/img/up/../.aws/credentials',
      through: 'docs/img/up/a.txt',
      spelled: 'Docs/IMG/u\u200cp/a.txt',
      chain: 'docs/img/up',
      own: 'vendor/x',
      tracked: 'here/img',
      'docs/own': '../vendor/x',
      turn: 'docs/../x',
      hidden: 'docs/.GI\u200cT/config',
      dotted: '.git./config',
      stream: '.git::$INDEX_ALLOCATION/config',
      short: 'git~1/config',
    };
    const staying = {
      'docs/img/up': '../..',
      'docs/img/side': '.././../docs/img/a.txt',
      later: 'docs/new',
    };
    for (const [path, link] of Object.entries({ ...leadingOut, ...staying }))
      desk.agentWrites({ [path]: { link } });
    const { files } = await preview(
      desk.git,
      patchSince(desk.agent, desk.base),
      labels,
    );
    const linksThat = (isOut: boolean) =>
      files.flatMap(({ path, link }) =>
        link?.leadsOut === isOut ? [path] : [],
      );
    assert.deepEqual(linksThat(true), Object.keys(leadingOut).sort());
    assert.deepEqual(linksThat(false), Object.keys(staying).sort());
  });

  it('refuses to replace a folder with files, and does not overwrite an ignored file', async () => {
    desk = new Desk({ '.gitignore': 'ignored\nbuilt/\n' });
    desk.agentWrites({ built: 'file\n' });
    git(desk.agent, 'add', '-f', 'built');
    desk.writesHere({ 'built/out.js': 'mine' });
    const before = snapshot(desk.here);
    await assert.rejects(desk.take(), /“built” is in the way/);
    assert.deepEqual(snapshot(desk.here), before);
    desk.agentWrites({ built: undefined, ignored: 'agent\n' });
    git(desk.agent, 'add', '-f', 'ignored');
    desk.writesHere({ ignored: 'person\n' });
    await desk.take();
    assert.match(text('ignored'), /<<<<<<< Here\nperson\n=======\nagent/);
  });

  const evil: readonly string[] = [
    '../x',
    '/etc/x',
    '.git/hooks/x',
    '.GIT/config',
    'a/.git/x',
    'a/../../x',
    '.git./x',
    'git~1/x',
    '.g\u200cit/x',
  ];
  for (const path of evil) {
    it(`refuses a patch that writes to ${JSON.stringify(path)}, and names the path`, async () => {
      desk = new Desk({ 'a.txt': ten });
      const bytes = Buffer.from(
        `diff --git a/ok.txt b/ok.txt\nnew file mode 100644\n--- /dev/null\n+++ b/ok.txt\n@@ -0,0 +1 @@\n+x\ndiff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`,
      );
      const before = snapshot(desk.folder);
      const patch = {
        bytes,
        base: desk.base,
        head: undefined,
        branch: undefined,
      };
      await assert.rejects(
        takeOver(desk.git, patch, { storage: desk.storage, labels, title: '' }),
        (error: Error) => error.message.includes(path.replace('\u200c', ' ')),
      );
      assert.deepEqual(snapshot(desk.folder), before);
    });
  }

  it('refuses a submodule, text that is not a patch, and a patch with mismatched file names', async () => {
    desk = new Desk({ 'a.txt': ten });
    const before = snapshot(desk.folder);
    const refused = async (bytes: string, why: RegExp) => {
      const patch = {
        bytes: Buffer.from(bytes),
        base: desk.base,
        head: undefined,
        branch: undefined,
      };
      await assert.rejects(
        takeOver(desk.git, patch, { storage: desk.storage, labels, title: '' }),
        why,
      );
      assert.deepEqual(snapshot(desk.folder), before);
    };
    await refused(
      `diff --git a/sub b/sub\nnew file mode 160000\nindex 0000000..${desk.base}\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit ${desk.base}\n`,
      /“sub” is another repository/,
    );
    await refused('hello', /does not understand the patch/);
    await refused(
      'diff --git a/ok b/ok\nnew file mode 100644\n--- /dev/null\n+++ b/other\n@@ -0,0 +1 @@\n+x\n',
      /Nothing was taken over/,
    );
  });

  it('restores all files after a failure or a cancellation, and can still undo the previous changes', async () => {
    desk = new Desk({ 'a.txt': ten, 'b.txt': ten, 'deep/c.txt': ten });
    desk.agentWrites({ 'a.txt': 'first\n' });
    const start = snapshot(desk.here);
    await desk.take();
    desk.agentWrites({
      'a.txt': 'x\n',
      'b.txt': undefined,
      'deep/c.txt': undefined,
      'new/d.txt': 'x\n',
      'z/e': 'x\n',
    });
    const before = snapshot(desk.here);
    const controller = new AbortController();
    const cancelled = desk.take(undefined, {
      signal: controller.signal,
      report: (done) => {
        if (done === 3) controller.abort();
      },
    });
    await assert.rejects(cancelled);
    assert.deepEqual(snapshot(desk.here), before);
    const failing = desk.take(undefined, {
      report: (done) => {
        if (done === 4) throw new Error('no space left');
      },
    });
    await assert.rejects(failing, /all files are as they were: no space left/);
    assert.deepEqual(snapshot(desk.here), before);
    await desk.undo();
    assert.deepEqual(snapshot(desk.here), start);
  });

  it('reports files that it could not restore, and restores them with Undo when nothing is in the way', async () => {
    desk = new Desk({ 'a.txt': ten, 'deep/b.txt': ten });
    desk.agentWrites({ 'a.txt': 'x\n', 'deep/b.txt': undefined });
    const before = snapshot(desk.here);
    const failing = desk.take(undefined, {
      report: (done) => {
        if (done === 1) desk.writesHere({ deep: 'in the way\n' });
        else throw new Error('no space left');
      },
    });
    await assert.rejects(
      failing,
      /not all files could be put back: “deep” is in the way\..*Undo Take Over/,
    );
    rmSync(join(desk.here, 'deep'));
    await desk.undo();
    assert.deepEqual(snapshot(desk.here), before);
  });

  /** Resolves with the message of a failure after the user's edits. */
  async function failAfter(
    count: number,
    edits: Readonly<Record<string, Content | undefined>>,
  ): Promise<string> {
    const failing = desk.take(undefined, {
      report: (done) => {
        if (done !== count) return;
        desk.writesHere(edits);
        throw new Error('no space left');
      },
    });
    return await failing.then(
      () => assert.fail(),
      (error: unknown) => reason(error),
    );
  }

  it('keeps edits of the user to files that it had not written when it fails or is canceled', async () => {
    desk = new Desk({ 'a.txt': ten, 'b.txt': ten, 'deep/c.txt': ten });
    desk.agentWrites({
      'a.txt': 'x\n',
      'b.txt': 'x\n',
      'deep/c.txt': 'x\n',
      'new/d.txt': 'x\n',
    });
    const texts = () =>
      ['a.txt', 'b.txt', 'new/d.txt'].map((path) => text(path));
    const mine = { 'b.txt': 'mine\n', 'new/d.txt': 'mine\n' };
    assert.equal(
      await failAfter(1, { ...mine, 'deep/c.txt': undefined }),
      'Nothing was taken over, and all files are as they were: no space left',
    );
    assert.deepEqual(texts(), [ten, 'mine\n', 'mine\n']);
    assert.ok(!existsSync(join(desk.here, 'deep/c.txt')));
    assert.equal(await undoable(desk.storage, desk.here), undefined);
    const controller = new AbortController();
    const canceled = desk.take(['a.txt', 'b.txt'], {
      signal: controller.signal,
      report: () => {
        desk.writesHere({ 'b.txt': 'mine again\n' });
        controller.abort();
      },
    });
    await assert.rejects(canceled, { name: 'AbortError' });
    assert.deepEqual(texts(), [ten, 'mine again\n', 'mine\n']);
  });

  it('leaves files that the user changed since it wrote them, says so, and undoes only these', async () => {
    desk = new Desk({ 'a.txt': ten, 'b.txt': ten, 'c.txt': ten });
    desk.agentWrites({ 'a.txt': 'x\n', 'b.txt': 'x\n', 'c.txt': 'x\n' });
    const texts = () => ['a.txt', 'b.txt', 'c.txt'].map((path) => text(path));
    const left =
      'Files that you changed in the meantime were left as they are: a.txt. Undo Take Over restores what was there before.';
    assert.equal(
      await failAfter(2, { 'a.txt': 'mine\n', 'c.txt': 'mine\n' }),
      `Not all of it was taken over: no space left. ${left}`,
    );
    assert.deepEqual(texts(), ['mine\n', ten, 'mine\n']);
    desk.writesHere({ 'b.txt': 'later\n' });
    const undo = await undoable(desk.storage, desk.here);
    assert.deepEqual([undo?.paths, undo?.changed], [['a.txt'], ['a.txt']]);
    await undo?.undo();
    assert.deepEqual(texts(), [ten, 'later\n', 'mine\n']);
    git(desk.here, 'checkout', '-q', '.');
    const controller = new AbortController();
    const interrupted = (abort: () => void) =>
      desk.take(undefined, {
        signal: controller.signal,
        report: (done) => {
          if (done !== 1) return;
          desk.writesHere({ 'a.txt': 'mine\n', 'b.txt': 'mine\n' });
          abort();
        },
      });
    await assert.rejects(
      interrupted(() => undefined),
      {
        message: `Nothing was taken over: “b.txt” was changed in the meantime. Try again. ${left}`,
      },
    );
    git(desk.here, 'checkout', '-q', '.');
    await assert.rejects(
      interrupted(() => {
        controller.abort();
      }),
      { name: 'UserError', message: left },
    );
    assert.deepEqual(texts(), ['mine\n', 'mine\n', ten]);
  });

  it('leaves what the user changed in the place of a folder or a file, and what was there before for Undo', async () => {
    desk = new Desk({ 'folder/a.txt': ten, file: ten, 'z.txt': ten });
    desk.agentWrites({
      'folder/a.txt': undefined,
      folder: 'x\n',
      file: undefined,
      'file/b.txt': 'x\n',
      'z.txt': 'x\n',
    });
    const before = snapshot(desk.here);
    const message = await failAfter(5, {
      folder: 'mine\n',
      'file/b.txt': 'mine\n',
    });
    assert.match(message, /as they are: file\/b\.txt, folder\. Undo Take Over/);
    assert.deepEqual(
      [text('folder'), text('file/b.txt'), text('z.txt')],
      ['mine\n', 'mine\n', ten],
    );
    await desk.undo();
    assert.deepEqual(snapshot(desk.here), before);
  });

  it('keeps the whole record for Undo if it cannot write a shorter one', async () => {
    desk = new Desk({ 'a.txt': ten, 'b.txt': ten });
    desk.agentWrites({ 'a.txt': 'x\n', 'b.txt': 'x\n' });
    const before = snapshot(desk.here);
    const failing = desk.take(undefined, {
      report: () => {
        const [place = ''] = readdirSync(desk.storage);
        mkdirSync(join(desk.storage, place, 'undo.json.new'));
        desk.writesHere({ 'a.txt': 'mine\n' });
        throw new Error('no space left');
      },
    });
    await assert.rejects(failing, /left as they are: a\.txt/);
    assert.equal(text('a.txt'), 'mine\n');
    await desk.undo();
    assert.deepEqual(snapshot(desk.here), before);
  });

  it('counts a moved file once, and does not count files that are already here or cannot be merged', async () => {
    desk = new Desk({
      'old.txt': ten,
      'same.txt': ten,
      'logo.bin': Buffer.from([0, 1]),
    });
    desk.agentWrites({
      'old.txt': undefined,
      'new.txt': ten,
      'same.txt': 'x\n',
      'logo.bin': Buffer.from([0, 2]),
    });
    desk.writesHere({ 'same.txt': 'x\n', 'logo.bin': Buffer.from([0, 3]) });
    const { count, plan } = await desk.take();
    assert.deepEqual(
      plan.conflicts.map(({ isMarked }) => isMarked),
      [false],
    );
    assert.equal(count, 1);
  });

  it('keeps the data for Undo for 30 days', async () => {
    desk = new Desk({ 'a.txt': ten });
    desk.agentWrites({ 'a.txt': 'x\n' });
    await desk.take();
    const [kept = ''] = readdirSync(desk.storage);
    const other = join(desk.storage, 'other');
    cpSync(join(desk.storage, kept), other, { recursive: true });
    const age = (days: number) => {
      const then = Date.now() / 1_000 - days * 24 * 3_600;
      utimesSync(join(other, 'undo.json'), then, then);
    };
    age(29);
    await desk.take();
    assert.ok(existsSync(other));
    age(31);
    desk.agentWrites({ 'a.txt': 'y\n' });
    await desk.take();
    assert.ok(!existsSync(other));
  });

  it('reports files that have changed since they were applied, and still undoes them', async () => {
    desk = new Desk({ 'a.txt': ten, 'b.txt': ten });
    desk.agentWrites({ 'a.txt': 'x\n', 'b.txt': { run: 'y\n' } });
    await desk.take();
    const first = await undoable(desk.storage, desk.here);
    assert.deepEqual(
      [first?.changed, first?.paths.length, first?.title],
      [[], 2, 'Fix the cart'],
    );
    writeFileSync(join(desk.here, 'a.txt'), 'changed since\n');
    chmodSync(join(desk.here, 'b.txt'), 0o600);
    const found = await undoable(desk.storage, desk.here);
    assert.deepEqual([...(found?.changed ?? [])].sort(), ['a.txt', 'b.txt']);
    await desk.undo();
    assert.deepEqual([text('a.txt'), text('b.txt')], [ten, ten]);
  });

  it('leaves no temporary files and no Git objects', async () => {
    desk = new Desk({ 'a.txt': ten });
    const temporary = join(desk.folder, 'temporary');
    mkdirSync(temporary);
    const usual = process.env.TMPDIR;
    process.env.TMPDIR = temporary;
    desk.agentWrites({ 'a.txt': 'x\n' });
    const objects = () => git(desk.here, 'count-objects', '-v').toString();
    const had = objects();
    try {
      assert.equal(tmpdir(), temporary);
      await desk.take();
    } finally {
      if (usual === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = usual;
    }
    assert.equal(objects(), had);
    assert.deepEqual(readdirSync(temporary), []);
  });

  it('works in a worktree, and in a repository without a commit', async () => {
    desk = new Desk({ 'a.txt': ten });
    desk.agentWrites({ 'a.txt': 'x\n' });
    git(desk.here, 'worktree', 'add', '-q', join(desk.folder, 'tree'));
    const { LocalGit } = await import('../../../src/takeOver/localGit.ts');
    const patch = patchSince(desk.agent, desk.base);
    await takeOver(new LocalGit('git', join(desk.folder, 'tree')), patch, {
      storage: desk.storage,
      labels,
      title: '',
    });
    assert.equal(readFileSync(join(desk.folder, 'tree/a.txt'), 'utf8'), 'x\n');
    rmSync(join(desk.here, '.git'), { recursive: true });
    git(desk.here, 'init', '-q');
    const added: Record<string, Content> = { 'n.txt': 'n\n' };
    const agent = new Desk(added);
    try {
      git(agent.agent, 'rm', '-q', '--cached', '-r', '.');
      const bytes = git(
        agent.agent,
        'diff',
        '--binary',
        '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
        'HEAD',
      );
      const all = {
        bytes,
        base: undefined,
        head: undefined,
        branch: undefined,
      };
      await takeOver(desk.git, all, {
        storage: desk.storage,
        labels,
        title: '',
      });
      assert.equal(text('n.txt'), 'n\n');
    } finally {
      agent.clear();
    }
  });
});
