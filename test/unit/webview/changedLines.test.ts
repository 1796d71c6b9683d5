import assert from 'node:assert/strict';
import { rowsOfChange } from '../../../src/webview/changedLines.ts';
import { cpuMsOf } from '../../support/cpuTime.ts';

const drawn = (before: string, after: string, isWhole = false) =>
  rowsOfChange(before, after, isWhole)?.map((row) =>
    'unchanged' in row
      ? `${row.unchanged} unchanged`
      : `${row.sign}${row.text}`,
  );

describe('a change of a file', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);

  it('shows added and removed lines, with three lines around them', () => {
    const before = `${lines.join('\n')}\n`;
    const after = before.replace('line 10', 'another');
    assert.deepEqual(drawn(before, after), [
      '7 unchanged',
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+another',
      ' line 11',
      ' line 12',
      ' line 13',
      '6 unchanged',
    ]);
  });

  it('shows every line when asked for the whole', () => {
    const before = lines.join('\n');
    assert.equal(
      drawn(before, before.replace('line 10', 'another'), true)?.length,
      21,
    );
  });

  it('shows changes at the start and end of a file, and of line endings', () => {
    assert.deepEqual(drawn('', 'one\ntwo\n'), ['+one', '+two']);
    assert.deepEqual(drawn('one\n', ''), ['-one']);
    assert.deepEqual(drawn('one\ntwo', 'one\ntwo\nthree'), [
      ' one',
      ' two',
      '+three',
    ]);
    assert.deepEqual(drawn('one', 'one\n'), [' one', '+']);
    assert.deepEqual(drawn('one\r\n', 'one\n'), ['-one\r', '+one']);
  });

  it('gives up after at most 5 s of processor time on too many differences', () => {
    const many = (word: string) =>
      Array.from({ length: 60_000 }, (_, index) => `${word} ${index}`).join(
        '\n',
      );
    const [before, after] = [many('a'), many('b')];
    let rows: unknown;
    const spentMs = cpuMsOf(() => (rows = rowsOfChange(before, after, false)));
    assert.equal(rows, undefined);
    assert.ok(spentMs < 5_000, `${spentMs} ms`);
  });
});
