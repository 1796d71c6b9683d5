import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { path, withTables } from '../support/readmeTables.ts';

describe('the README', () => {
  it('lists all settings and commands (update it with npm run readme)', async () => {
    const readme = await readFile(path, 'utf8');
    assert.match(readme, /switchboard\.service\.url/);
    assert.match(readme, /switchboard\.mcp\.add/);
    assert.equal(readme, await withTables(readme));
  });
});
