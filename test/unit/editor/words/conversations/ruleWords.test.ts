import assert from 'node:assert/strict';
import {
  offeredRules,
  triedWords,
  whereRuleHolds,
  whyAsked,
} from '../../../../../src/editor/words/conversations/ruleWords.ts';
import { keyOf } from '../../../../../src/service/model/entities.ts';
import { conversation } from '../../../state/support.ts';
import { waitingAction } from '../../../../support/waitingAction.ts';

const ask = [{ sentence: 'Pushes with Git', pattern: 'git push' }];
const accept = [
  { command: 'npm test *', folder: '/work', service: 'http://a/' },
  { command: 'make', folder: '/work', service: 'http://a/' },
];

describe('the text about approval rules', () => {
  it('says for a tried command whether it would be asked for, and why', () => {
    const tried = (line: string) => triedWords(line, { ask, accept });
    assert.equal(
      tried('cd x && git  push'),
      'Would ask: yes, because of “Pushes with Git”.',
    );
    assert.equal(
      tried('npm test && make'),
      'Would ask: no. Accepted where these rules hold: “npm test *”, “make”.',
    );
    for (const line of ['ls', 'npm test && ls', 'make > x'])
      assert.match(tried(line), /nothing on it fits\. No rule accepts it\.$/);
  });

  it('says why an action is asked for where the service rates by the list', () => {
    const action = waitingAction({ command: 'git push' });
    const analyzer = { kind: 'X', rules: ask };
    assert.equal(
      whyAsked(action, { policy: 'listed', analyzer }),
      'On the list of what to ask for: Pushes with Git',
    );
    assert.ok(whyAsked(action, { policy: 'risky', analyzer }));
    for (const approval of [
      { policy: 'always', analyzer },
      { policy: 'listed', analyzer: { kind: 'X' } },
      { policy: 'listed', analyzer: null },
      undefined,
    ])
      assert.equal(whyAsked(action, approval), undefined);
    const other = waitingAction({ command: 'git status' });
    assert.equal(whyAsked(other, { policy: 'listed', analyzer }), undefined);
    const ofPython = { sentence: 'Builds', pattern: '(?s)make' };
    assert.equal(
      whyAsked(action, {
        policy: 'listed',
        analyzer: { kind: 'X', rules: [ofPython, ...ask] },
      }),
      'On the list of what to ask for: Pushes with Git',
    );
  });

  it('offers up to three rules that a question shows whole, and none with a likely secret', () => {
    const offered = (command: string) =>
      offeredRules([waitingAction({ command })], { ask, accept: [] });
    assert.deepEqual(offered('npm test'), ['npm test *']);
    assert.equal(offered('ls; pwd; date')?.length, 3);
    assert.equal(offered('ls; pwd; date; id'), undefined);
    assert.ok(offered(`echo ${'x'.repeat(200)}; make`));
    // The question would be cut off before the second rule.
    assert.equal(offered(`echo ${'x'.repeat(1_000)}; make`), undefined);
    assert.equal(
      offered('deploy --token ghp_0123456789abcdefghijklmnopqrstuvwxyz'),
      undefined,
    );
  });

  it('says where a rule holds', () => {
    const row = conversation({ id: 'c', title: 'Fix login' });
    const key = keyOf(row);
    const switchboard = {
      conversation: (id: string) => (id === key ? row : undefined),
    };
    const where = (rule: object) =>
      whereRuleHolds({ command: 'make', ...rule }, switchboard);
    assert.equal(where({ folder: '/work' }), '/work');
    assert.equal(where({ conversation: key }), 'only in “Fix login”');
    assert.equal(
      where({ conversation: keyOf({ ...row, id: 'x' }) }),
      'only in one conversation, which is not listed',
    );
  });
});
