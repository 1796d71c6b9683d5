import assert from 'node:assert/strict';
import type { FileChanges } from '../../../src/service/abilities/fileChanges.ts';
import { filesOfPatch } from '../../../src/service/git/patch.ts';
import {
  type AgentServerStub,
  startAgentServerStub,
} from './agentServerStub.ts';
import { Lines, serviceOf } from './support.ts';

const folder = '/srv/agent/shop';

describe('changed files at an older Agent Server', () => {
  let stub: AgentServerStub;
  let changes: FileChanges;
  let id: string;

  beforeEach(async () => {
    stub = await startAgentServerStub(1);
    const [record] = stub.records;
    ({ id } = record ?? assert.fail());
    // It has these requests without the conversation, and no patch.
    stub.answer = (_, path) => {
      if (path === `/api/conversations/${id}`) return [200, record];
      if (path === '/api/git/changes')
        return [200, [{ status: 'UPDATED', path: 'cart.ts' }]];
      if (path === '/api/git/diff')
        return [200, { original: 'before', modified: 'after' }];
      return undefined;
    };
    const { agents } = serviceOf(stub, 'agentServer', { log: new Lines() });
    const where = await agents.locateAgent(id);
    changes = where.status === 'ready' ? where.changes : assert.fail();
  });

  afterEach(async () => {
    await stub.stop();
  });

  const texts = async () => {
    const files = await changes.list(id, 'start');
    const [file] = files.files;
    const sides = await changes.contents(id, files, file ?? assert.fail());
    return [sides.before, sides.after].map((side) =>
      side.kind === 'bytes'
        ? [Buffer.from(side.bytes).toString(), side.exact]
        : side.kind,
    );
  };

  it('reads both sides of a file that became a link from the patch', async () => {
    const patch = [
      'diff --git a/a.md b/a.md',
      'deleted file mode 100644',
      'index 7898192..0000000',
      '--- a/a.md',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-a',
      'diff --git a/a.md b/a.md',
      'new file mode 120000',
      'index 0000000..63d8dbd',
      '--- /dev/null',
      '+++ b/a.md',
      '@@ -0,0 +1 @@',
      '+b.md',
      '\\ No newline at end of file',
      '',
    ];
    const list =
      filesOfPatch(Buffer.from(patch.join('\n')), new Headers(), folder) ??
      assert.fail();
    const [file, ...otherFiles] = list.files;
    assert.deepEqual(otherFiles, []);
    const sides = await changes.contents(
      id,
      { ...list, since: 'start' },
      file ?? assert.fail(),
    );
    assert.deepEqual(sides, {
      before: { kind: 'bytes', bytes: Buffer.from('a\n'), exact: true },
      after: { kind: 'link', target: 'b.md' },
    });
  });

  for (const { name, folderOfWork, paths, reads } of [
    {
      name: 'above the folder, and remembers it',
      folderOfWork: '/srv/shop/packages/api',
      paths: ['packages/api/a', 'packages/api/b'],
      reads: [
        '/srv/shop/packages/api/packages/api/a',
        '/srv/shop/packages/api/a',
        '/srv/shop/packages/api/b',
      ],
    },
    {
      name: 'in the folder, also with a folder of the same name',
      folderOfWork: '/srv/shop',
      paths: ['shop/a', 'shop/b'],
      reads: ['/srv/shop/shop/a', '/srv/shop/shop/b'],
    },
  ])
    it(`finds files from the root of a repository ${name}`, async () => {
      const patch = paths
        .map(
          (path) =>
            `diff --git a/${path} b/${path}\nold mode 100644\nnew mode 100755\n`,
        )
        .join('');
      const list =
        filesOfPatch(Buffer.from(patch), new Headers(), folderOfWork) ??
        assert.fail();
      const asked: string[] = [];
      stub.answer = ({ url = '' }, path) => {
        if (path !== '/api/file/download') return undefined;
        const file = new URL(url, stub.url).searchParams.get('path') ?? '';
        asked.push(file);
        return reads.at(-1) === file || reads.at(-2) === file
          ? [200, 'text']
          : [404, { detail: 'File not found' }];
      };
      for (const file of list.files) {
        const { after } = await changes.contents(
          id,
          { ...list, since: 'start' },
          file,
        );
        assert.equal(after.kind, 'bytes');
      }
      assert.deepEqual(asked, reads);
    });

  it('shows a copy as a new file', async () => {
    const patch =
      'diff --git a/a.md b/b.md\nsimilarity index 100%\ncopy from a.md\ncopy to b.md\n';
    const list =
      filesOfPatch(Buffer.from(patch), new Headers(), folder) ?? assert.fail();
    const { answer } = stub;
    stub.answer = (method, path, ...more) =>
      path === '/api/file/download'
        ? [200, 'copied']
        : answer(method, path, ...more);
    const [file = assert.fail()] = list.files;
    const sides = await changes.contents(id, { ...list, since: 'start' }, file);
    assert.equal(sides.before.kind, 'none');
    assert.ok(sides.after.kind === 'bytes' && sides.after.exact);
  });

  it('reads the texts without the conversation, which an older service does not take', async () => {
    assert.deepEqual(await texts(), [
      ['before', false],
      ['after', false],
    ]);
    const held = () =>
      stub.asked.filter((line) => line.includes(`${id}/`)).length;
    const before = held();
    await texts();
    assert.equal(held(), before);
    assert.ok(
      stub.asked.includes(
        `GET /api/git/diff?path=${encodeURIComponent(`${folder}/cart.ts`)}`,
      ),
    );
  });
});
