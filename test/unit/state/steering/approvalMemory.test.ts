import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../../../src/base/errors.ts';
import { ApprovalMemory } from '../../../../src/state/conversation/approvalMemory.ts';

describe('the memory of approval choices', () => {
  let folder: string;
  let path: string;
  const always = { policy: 'always', created: 'never' } as const;

  async function readMemory(): Promise<ApprovalMemory> {
    const memory = new ApprovalMemory(path);
    await memory.read();
    return memory;
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'approvals-'));
    path = join(folder, 'approvals.json');
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('shares choices with other windows, by names that tell neither address nor id', async () => {
    const [memory, other] = [await readMemory(), await readMemory()];
    await memory.keep('http://a 1', always);
    await memory.keep('http://a 2', { policy: 'risky' });
    assert.deepEqual(memory.choice('http://a 1'), always);
    assert.equal(other.choice('http://a 1'), undefined);
    await other.read();
    assert.deepEqual(other.choice('http://a 1'), always);
    assert.deepEqual(other.choice('http://a 2'), { policy: 'risky' });
    const names = (JSON.parse(await readFile(path, 'utf8')) as [string][]).map(
      ([name]) => name,
    );
    assert.equal(new Set(names).size, 2);
    for (const name of names) assert.match(name, /^[\w-]{16}$/);
  });

  it('replaces one choice, forgets it, and leaves those of other windows', async () => {
    const [memory, other] = [await readMemory(), await readMemory()];
    await memory.keep('a 1', always);
    await other.keep('a 2', always);
    await memory.keep('a 1', { policy: 'never' });
    assert.deepEqual((await readMemory()).choice('a 1'), { policy: 'never' });
    await memory.keep('a 1', undefined);
    assert.equal(memory.choice('a 1'), undefined);
    const later = await readMemory();
    assert.deepEqual(
      [later.choice('a 1'), later.choice('a 2')],
      [undefined, always],
    );
  });

  it('forgets what another window has deleted', async () => {
    const [memory, other] = [await readMemory(), await readMemory()];
    await memory.keep('a 1', always);
    await other.keep('a 1', undefined);
    await memory.read();
    assert.equal(memory.choice('a 1'), undefined);
  });

  it('holds the last choices while the file cannot be read', async () => {
    await (await readMemory()).keep('a 1', always);
    const memory = await readMemory();
    await rm(path);
    await memory.read();
    assert.deepEqual(memory.choice('a 1'), always);
  });

  it('ignores a file that others have written, and replaces it', async () => {
    for (const text of [
      '{',
      '{}',
      'null',
      '[1, null, ["a"], ["a", null], ["a", {}], [1, {"policy": "always"}]]',
    ]) {
      await writeFile(path, text);
      const memory = await readMemory();
      assert.equal(memory.choice('a'), undefined);
      await memory.keep('a 1', always);
      assert.equal(
        (JSON.parse(await readFile(path, 'utf8')) as unknown[]).length,
        1,
        text,
      );
    }
  });

  it('keeps the newest 5,000 choices', async () => {
    const stored = Array.from({ length: 5_000 }, (_, index) => [
      `name ${index}`,
      always,
    ]);
    await writeFile(path, JSON.stringify(stored));
    await (await readMemory()).keep('a 1', always);
    const names = (JSON.parse(await readFile(path, 'utf8')) as [string][]).map(
      ([name]) => name,
    );
    assert.deepEqual(
      [names.length, names[0], names[4_998]],
      [5_000, 'name 1', 'name 4999'],
    );
  });

  it('says that other windows will not know a choice that it cannot save', async () => {
    path = join(path, 'below a file');
    await writeFile(join(folder, 'approvals.json'), '');
    const memory = await readMemory();
    await assert.rejects(
      memory.keep('a 1', always),
      (error) =>
        error instanceof UserError &&
        error.cause instanceof Error &&
        error.message ===
          'Could not save the approval setting on this machine.',
    );
    await memory.read();
    assert.deepEqual(memory.choice('a 1'), always);
  });

  it('keeps choices for its window without a file', async () => {
    const memory = new ApprovalMemory();
    await memory.read();
    await memory.keep('a 1', always);
    assert.deepEqual(memory.choice('a 1'), always);
    await memory.keep('a 1', undefined);
    assert.equal(memory.choice('a 1'), undefined);
  });
});
