import assert from 'node:assert/strict';
import {
  type TextStyle,
  terminalText,
} from '../../../src/webview/terminalText.ts';
import { cpuMsOf } from '../../support/cpuTime.ts';

const read = (text: string): readonly (readonly [string, object])[] =>
  terminalText(text).map(({ text, style }) => [
    text,
    Object.fromEntries(
      Object.entries(style).filter(
        ([, value]) => value !== undefined && value !== false,
      ),
    ),
  ]);

describe('terminal output', () => {
  it('keeps its colors and text styles', () => {
    assert.deepEqual(
      read(
        'a\u001b[1;31mb\u001b[22mc\u001b[39md\u001b[3;4;9me\u001b[0mf\u001b[2mg\u001b[mh',
      ),
      [
        ['a', {}],
        ['b', { bold: true, colour: 1 }],
        ['c', { colour: 1 }],
        ['d', {}],
        ['e', { italic: true, underline: true, struck: true }],
        ['f', {}],
        ['g', { faint: true }],
        ['h', {}],
      ],
    );
    assert.deepEqual(read('\u001b[92;44ma\u001b[23;24;29;49mb'), [
      ['a', { colour: 10, background: 4 }],
      ['b', { colour: 10 }],
    ]);
  });

  it('maps every color to one of the 16 theme colors', () => {
    const colour = (numbers: string) =>
      terminalText(`\u001b[38;${numbers}mx`)[0]?.style.colour;
    assert.equal(colour('5;9'), 9);
    assert.equal(colour('5;196'), 9);
    assert.equal(colour('5;22'), 2);
    assert.equal(colour('5;232'), 0);
    assert.equal(colour('5;255'), 15);
    assert.equal(colour('2;0;0;255'), 12);
    assert.equal(colour('2;128;128;128'), 7);
    assert.equal(colour('7'), undefined);
    const style: TextStyle = { background: 9, bold: true };
    assert.deepEqual(read('\u001b[48;2;255;0;0;1mx'), [['x', style]]);
  });

  it('shows inverse text without a text color, and concealed text plainly', () => {
    assert.deepEqual(read('\u001b[30;40;7mx'), [['x', { background: 0 }]]);
    assert.deepEqual(read('\u001b[7mx\u001b[27my'), [
      ['x', { background: 7 }],
      ['y', {}],
    ]);
    assert.deepEqual(read('\u001b[8mx'), [['x', {}]]);
  });

  it('leaves all other control sequences in the text', () => {
    for (const sequence of [
      '\u001b[2J',
      '\u001b]8;;http://a.example\u0007',
      '\u001b[1',
      '\u001bc',
      '\u001b[?25',
      '\u001b[?25m',
      '\u001b[25h',
    ]) {
      assert.deepEqual(read(`${sequence}x`), [[`${sequence}x`, {}]]);
    }
  });

  it('separates mode sequences from the text, and drops none of them', () => {
    const text =
      'a\u001b[1m\u001b[?2004h$ \u001b[?25;1000l\rb\u001b[?2004l\r\nc';
    assert.deepEqual(
      terminalText(text).map(({ text, style, isMode }) => [
        text,
        style.bold,
        isMode,
      ]),
      [
        ['a', undefined, undefined],
        ['\u001b[?2004h', undefined, true],
        ['$ ', true, undefined],
        ['\u001b[?25;1000l\r', undefined, true],
        ['b', true, undefined],
        ['\u001b[?2004l', undefined, true],
        ['\r\nc', true, undefined],
      ],
    );
  });

  it('parses long hostile output in 5 s of processor time', () => {
    const spentMs = cpuMsOf(() => {
      terminalText('\u001b[1;31m'.repeat(100_000));
      terminalText('\u001b['.repeat(500_000));
      terminalText('\u001b[?2004l\r'.repeat(100_000));
      terminalText(`\u001b[${'1;'.repeat(500_000)}mx`);
    });
    assert.ok(spentMs < 5_000, `${spentMs} ms`);
  });
});
