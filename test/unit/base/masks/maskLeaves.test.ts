import assert from 'node:assert/strict';
import { maskText } from '../../../../src/base/masks/maskText.ts';

describe('the masking of values in brackets', () => {
  for (const [text, shown] of [
    ['passwd: (12345)', 'passwd: (••••••)'],
    ["tokens: ['can]ary', canary] x", 'tokens: [••••••, ••••••] x'],
    ["auth: (don't, canary) x", "auth: (••••••'••••••, ••••••) x"],
    // More brackets close than open.
    ['pins: {]] 12345} x', 'pins: {]] ••••••} x'],
    ['auth: {type: basic]]] canary', 'auth: {type: basic]]] ••••••'],
    // A name counts up to the next comma, or in its own brackets.
    ['auth: {user: (bob), canary}', 'auth: {user: (bob), ••••••}'],
    [
      'auth: {user: [(bob) alice], canary}',
      'auth: {user: [(bob) alice], ••••••}',
    ],
    ['auth: (user: bob, canary)', 'auth: (user: bob, ••••••)'],
    ['auth: {user: bob; canary}', 'auth: {user: bob; ••••••}'],
    ['auth: {"user": bob, "b": canary}', 'auth: {"user": bob, "b": ••••••}'],
    ['auth: [type=http, b=canary]', 'auth: [type=http, b=••••••]'],
    [
      'auth: {"type"="basic", "b" => canary}',
      'auth: {"type"="basic", "b" => ••••••}',
    ],
    ['auth: [éa=canary]', 'auth: [••••••]'],
    ['auth: {canary://x}', 'auth: {••••••}'],
    ['auth: {url: [--token canary x]}', 'auth: {url: [--token •••••• x]}'],
    // Signs between words are no values.
    ['auth: [canary || canary]', 'auth: [•••••• || ••••••]'],
    ['auth: [+++, canary]', 'auth: [+++, ••••••]'],
    ['auth: [="canary]', 'auth: [=••••••'],
    ['pins: [½]', 'pins: [••••••]'],
    ['auth: {key: ••••••, b: canary}', 'auth: {key: ••••••, b: ••••••}'],
    // Brackets that do not close end with their line.
    ['auth: {/user:', 'auth: {/user:'],
    ['auth: {a: canary user:\nbob', 'auth: {a: •••••• user:\nbob'],
    ["auth: (don't=\nx", "auth: (••••••'t=\nx"],
  ] as const) {
    it(`shows ${JSON.stringify(text)} as ${JSON.stringify(shown)}`, () => {
      assert.equal(maskText(text), shown);
    });
  }
});
