import assert from 'node:assert/strict';
import { readConfig } from '../../src/files/read.ts';
import { readEntries } from '../../src/mcp/format/document.ts';
import { findProblems } from '../../src/mcp/problems/findProblems.ts';
import { Program, readers } from './program.ts';
import { randomFiles } from './randomFiles.ts';
import { compareVerdicts, listDifferences } from './verdicts.ts';

const count = 2000;
const seed = 20260;

for (const reader of readers) {
  describe(`our verdict on a file, beside that of ${reader === 'program' ? 'the real program' : 'the newest reader'}`, () => {
    let program: Program;

    before(async () => {
      program = await Program.open(reader);
    });

    after(async () => {
      await program.close();
    });

    it('finds no servers where there is no file', async () => {
      assert.deepEqual(await program.reads(), { accepted: true, servers: {} });
      assert.equal(await readConfig(program.file), undefined);
    });

    it(`agrees on ${count} random files, apart from what no standard of JSON allows`, async () => {
      const comparison = await compareVerdicts(
        program,
        randomFiles(count, seed),
      );
      console.log(listDifferences(comparison));
      // Otherwise the files would show little.
      const { refused, differences } = comparison;
      assert.ok(
        refused > count * 0.3 && refused < count * 0.7,
        `${refused} of the files are refused.`,
      );
      assert.ok(
        differences.length <= count * 0.005,
        `${differences.length} files differ. They are listed above.`,
      );
      const standard = differences.filter(({ text }) => isJson(text));
      assert.deepEqual(standard, []);
    });

    it('lists the same tools that agents get, and the same ones with which a server cannot be started', async () => {
      const counts = { off: 0, ignored: 0, unstarted: 0 };
      const texts = randomFiles(3000, seed + 1).filter(isJson);
      const readings = await program.readsAll(texts);
      for (const [index, text] of texts.entries()) {
        const reading = readings[index];
        if (!reading?.accepted) continue;
        const bad = findProblems(text).filter(({ code }) => code === 'badTool');
        const servers = new Map(Object.entries(reading.servers));
        for (const { name, start, end, tools } of readEntries(text)) {
          const theirs = servers.get(name);
          if (!theirs) continue;
          const isBad = bad.some(
            (problem) => problem.start >= start && problem.start < end,
          );
          const off = [...tools.values()].filter((on) => !on).length;
          if (theirs.tools === null) {
            assert.ok(isBad, text);
            counts.unstarted++;
          } else if (!theirs.reads.startsWith('Transforming')) {
            assert.equal(off, 0, text);
            counts.ignored += tools.size;
          } else {
            assert.ok(!isBad, text);
            assert.deepEqual(Object.fromEntries(tools), theirs.tools, text);
            counts.off += off;
          }
        }
      }
      // Otherwise the files would show little.
      assert.ok(Math.min(...Object.values(counts)) > 0, JSON.stringify(counts));
    });

    it('refuses a file that is not UTF-8', async () => {
      for (const bytes of [
        Buffer.from([0x7b, 0xff, 0x7d]),
        Buffer.from('{"é": 1}', 'latin1'),
      ]) {
        assert.equal((await program.reads(bytes)).accepted, false);
        await assert.rejects(readConfig(program.file));
      }
    });
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
