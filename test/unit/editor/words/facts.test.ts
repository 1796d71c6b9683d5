import assert from 'node:assert/strict';
import { factLines } from '../../../../src/editor/words/facts.ts';

describe('the facts in a tooltip', () => {
  it('are lines, of which those that continue a fact are below its value', () => {
    assert.equal(
      factLines([
        ['Command', 'npx'],
        ['Arguments', '-y'],
        ['', 'files'],
      ]),
      'Command: npx\nArguments: -y\n    files',
    );
  });
});
