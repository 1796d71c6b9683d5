import assert from 'node:assert/strict';
import {
  hasReference,
  isBelowHome,
  leftoversIn,
  referencesIn,
} from '../../../../src/mcp/format/variables.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const replaced = (text: string) =>
  referencesIn(text).map(({ name, hasDefault, start, end }) => [
    name,
    hasDefault,
    text.slice(start, end),
  ]);
const left = (text: string) =>
  leftoversIn(text).map(({ start, end, instead }) => [
    text.slice(start, end),
    instead,
  ]);

describe('the search for variable references', () => {
  it('finds every reference, with or without a default', () => {
    assert.deepEqual(replaced('a ${A}${_b1:-}/${C:-x {y} z'), [
      ['A', false, '${A}'],
      ['_b1', true, '${_b1:-}'],
      ['C', true, '${C:-x {y}'],
    ]);
    assert.deepEqual(left('a ${A}${_b1:-}/${C:-x y}'), []);
  });

  it('finds references of shells and other programs, with the replacement if there is one', () => {
    for (const [text, instead] of [
      ['$HOME', '${HOME}'],
      ['${env:HOME}', '${HOME}'],
      ['${env:HOME:-/root}', '${HOME:-/root}'],
      ['${input:api-key}', '${API_KEY}'],
      ['${input:1}', undefined],
      ['${userHome}', '${HOME}'],
      ['${workspaceFolder}', undefined],
      ['${fileBasenameNoExtension}', undefined],
      ['${command:x.y}', undefined],
      ['${A-b}', undefined],
      ['${}', undefined],
    ] as const) {
      assert.deepEqual(left(`x=${text}/y`), [[text, instead]], text);
      assert.deepEqual(replaced(`x=${text}/y`), [], text);
      assert(hasReference(text) === text.startsWith('${'), text);
    }
    assert.deepEqual(left('$A_1 ${env:B}'), [
      ['$A_1', '${A_1}'],
      ['${env:B}', '${B}'],
    ]);
  });

  it('finds no reference without a name, or in the middle of a word', () => {
    for (const text of [
      '$',
      '$$',
      '$5',
      '$a',
      '$A',
      'pa$WORD',
      '$(A)',
      '$AB(',
      '${',
      '}',
      'A}',
      '${A',
      '$ {A}',
    ])
      assert.deepEqual([left(text), replaced(text)], [[], []], text);
  });

  it('takes less than 5 s of processor time, however repetitive the text is', () => {
    for (const part of [
      '${A:-',
      '${',
      '$A',
      '${A:-${',
      '${env:',
      '$AB',
      '}${A:-',
    ]) {
      const text = part.repeat(50_000);
      const spentMs = cpuMsOf(() => [replaced(text), left(text)]);
      assert(spentMs < 5_000, part);
    }
  });
});

describe('a path below the home folder', () => {
  it('begins with a "~" and a slash or backslash', () => {
    for (const path of ['~/x', '~\\x', '~/']) assert(isBelowHome(path), path);
    for (const path of ['~', '~x', 'x~/', '/~/x', ''])
      assert(!isBelowHome(path), path);
  });
});
