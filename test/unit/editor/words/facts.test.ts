import assert from 'node:assert/strict';
import { factLines } from '../../../../src/editor/words/facts.ts';

describe('the facts in a tooltip', () => {
  it('puts each fact on a line, with its further values indented below', () => {
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
