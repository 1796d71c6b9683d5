import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../host/paths.ts';
import { withTables } from '../support/documentTables.ts';

const read = (name: string) => readFile(join(root, name), 'utf8');

describe('the README', () => {
  it('lists all settings and commands (update with npm run readme)', async () => {
    const readme = await read('README.md');
    assert.match(readme, /switchboard\.services/);
    assert.match(readme, /switchboard\.mcp\.add/);
    assert.equal(readme, await withTables(readme));
  });
});

describe('SECURITY.md', () => {
  it('quotes the results of the last long runs (update with npm run readme)', async () => {
    const security = await read('SECURITY.md');
    for (const name of ['soak', 'masks', 'mutants']) assert.ok(security.includes(`<!-- ${name} -->`), name);
    assert.equal(security, await withTables(security));
    const older = security.replace('1,000 processes killed', '999 processes killed');
    assert.notEqual(older, security);
    assert.equal(await withTables(older), security);
  });
});
