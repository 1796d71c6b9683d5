import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { readWhole } from '../../../src/files/readWhole.ts';
import { scratchFolder } from '../../support/files/scratch.ts';

describe('reading the configuration beside a program that writes it', () => {
  const folder = scratchFolder();
  const file = () => folder.path('mcp.json');

  it('brings the whole of it, where at first there is half', async () => {
    for (const half of ['', '{"mcpServers":{"a"']) {
      await writeFile(file(), half);
      const reading = readWhole(file());
      await writeFile(file(), '{"mcpServers":{}}');
      assert.equal((await reading)?.text, '{"mcpServers":{}}');
    }
  });

  it('brings what is there, where it stays like that', async () => {
    for (const text of ['', '{"mcpServers":{"a"', '{"mcpServers":5}', '{}']) {
      await writeFile(file(), text);
      assert.equal((await readWhole(file()))?.text, text);
    }
    assert.equal(await readWhole(folder.path('none')), undefined);
  });
});
