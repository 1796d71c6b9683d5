import assert from 'node:assert/strict';
import { maskText } from '../../../../src/base/masks/maskText.ts';
import {
  maxMaskedLength,
  maskUrl,
} from '../../../../src/base/masks/maskUrl.ts';
import { redact } from '../../../../src/base/masks/redact.ts';

/** Beginnings of matches, alone and next to another one. */
const signs = [
  ...'a-./\\"\'`=: ;,{<@?&'.split(''),
  ...[
    '\n',
    'A1',
    '${',
    '$(',
    'a://',
    'u:p@',
    'token=',
    '--token ',
    '--env=A_URL=',
    '-u ',
    "'token', ",
    'Bearer ',
    ';pw=',
    'auth: {',
    'auth=["',
    'x)]}',
    'mysql -p',
    "IDENTIFIED BY '",
    '<password>',
    'token: |\n  ',
    'a,token\n',
    '|token|\n|--|\n',
    '"token" {',
    'name: token ',
    'set("token", ',
    'token="a"+',
  ],
];
const hostile = [
  ...signs,
  ...signs.flatMap((sign) => signs.map((other) => sign + other)),
];

function timeOf(run: () => unknown): number {
  const begin = performance.now();
  run();
  return performance.now() - begin;
}

/** The time of the fastest of some runs: the others were held up. */
function leastTimeOf(run: () => unknown): number {
  return Math.min(...Array.from({ length: 5 }, () => timeOf(run)));
}

describe('the masking of a long text', () => {
  for (const [name, maskIt] of [
    ['text', maskText],
    ['URL', maskUrl],
    ['message', redact],
  ] as const) {
    it(`takes time proportional to the length of a hostile ${name}`, () => {
      const runOf = (sign: string, length: number) => {
        // The first signs tell that it is not a single word.
        const text = `{ ${sign.repeat(Math.ceil(length / sign.length))}`.slice(
          0,
          length,
        );
        return () => maskIt(text);
      };
      for (const sign of hostile) runOf(sign, 100)();
      const isSlow = (sign: string) => {
        const long = runOf(sign, maxMaskedLength);
        if (timeOf(long) < 2) return false;
        // One that is eight times as long takes 64 times as long where the time
        // grows with the square. Other programs make a measurement worse, but
        // never better, so the best of some counts.
        const short = runOf(sign, maxMaskedLength / 8);
        return !Array.from({ length: 20 }).some(
          () => leastTimeOf(long) < 30 * leastTimeOf(short),
        );
      };
      assert.equal(hostile.find(isSlow), undefined);
    });
  }
});
