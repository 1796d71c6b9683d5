import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { watchConfig } from '../../../src/files/watch.ts';
import { until } from '../../support/eventually.ts';
import { scratchFolder } from '../../support/files/scratch.ts';

describe('watching the configuration', () => {
  const folder = scratchFolder();

  it('reports every change of the file and its folder until it is stopped', async () => {
    const file = folder.path('inner', 'mcp.json');
    let told = 0;
    const stop = watchConfig(file, () => told++);
    const tells = async (action: () => Promise<unknown>) => {
      const before = told;
      await action();
      await until(() => told > before);
    };
    // The first look, which the others are compared with, finds no file.
    await until(() => told === 1);
    await mkdir(folder.path('inner'));
    await tells(() => writeFile(file, '1'));
    await tells(() => writeFile(file, '12'));
    await writeFile(folder.path('inner', 'new'), '123');
    await tells(() => rename(folder.path('inner', 'new'), file));
    await tells(() => rm(folder.path('inner'), { recursive: true }));
    await tells(async () => {
      await mkdir(folder.path('inner'));
      await writeFile(file, '1');
    });
    let toldOther = 0;
    const stopOther = watchConfig(file, () => toldOther++);
    stop();
    const before = told;
    await writeFile(file, '123');
    await until(() => toldOther > 0);
    stopOther();
    assert.equal(told, before);
  });

  it('does not keep the process alive', () => {
    const stop = watchConfig(folder.path('mcp.json'), () => undefined);
    assert.ok(!process.getActiveResourcesInfo().includes('StatWatcher'));
    stop();
  });
});
