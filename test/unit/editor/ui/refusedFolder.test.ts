import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyRefused } from '../../../../src/editor/ui/refusedFolder.ts';
import {
  type Answering,
  saying,
  startAnswering,
} from '../../service/answering.ts';
import { Lines, serviceOf } from '../../service/support.ts';

describe('a folder for agents', () => {
  let server: Answering;
  let folder: string;

  beforeEach(async () => {
    server = await startAnswering();
    folder = await mkdtemp(join(tmpdir(), 'switchboard-folder-'));
  });

  afterEach(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const has = (...paths: readonly string[]) => {
    server.give(({ url = '' }) => {
      const path = new URL(url, server.url).searchParams.get('path') ?? '';
      return paths.includes(path)
        ? saying({ items: [], next_page_id: null })
        : saying({ detail: 'Directory not found' }, 404);
    });
  };

  async function why(path: string, isHere = true) {
    const log = new Lines();
    const { creation } = serviceOf(server, 'agentServer', { log });
    assert.ok(creation.folders);
    return await whyRefused(creation.folders, isHere, path);
  }

  it('counts if the service has it, without a look at this machine', async () => {
    has('/projects/shop');
    assert.equal(await why('/projects/shop'), undefined);
    assert.equal(server.asked.length, 1);
  });

  it('counts only if the service has it, even if it is on this machine', async () => {
    has('/');
    assert.match((await why(folder)) ?? '', /^The service does not find/);
  });

  it('counts on this machine if the service lists no folders', async () => {
    has();
    assert.equal(await why(folder), undefined);
  });

  it('needs to exist, and a full path', async () => {
    has('/');
    assert.match((await why(join(folder, 'x'))) ?? '', /^There is no such/);
    assert.match((await why('shop')) ?? '', /^Enter the full path/);
  });

  it('counts unseen on another machine', async () => {
    assert.equal(await why('/projects/shop', false), undefined);
    assert.deepEqual(server.asked, []);
  });
});
