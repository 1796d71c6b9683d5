import assert from 'node:assert/strict';
import {
  approvalFields,
  readApproval,
} from '../../../../src/service/agentServer/approval.ts';

const rules = [{ sentence: 'Pushes', pattern: 'git push' }];
const kind = 'EnsembleSecurityAnalyzer';

describe('the approval in a record', () => {
  const read = (security_analyzer: unknown) =>
    readApproval({
      confirmation_policy: { kind: 'ConfirmRisky' },
      security_analyzer,
    });

  it('shows the listed actions that were sent', () => {
    assert.deepEqual(readApproval(approvalFields('listed', rules)), {
      policy: 'listed',
      analyzer: { kind, rules, isOnlyRules: true },
    });
    assert.deepEqual(readApproval(approvalFields('listed')), {
      policy: 'listed',
      analyzer: { kind, rules: [], isOnlyRules: true },
    });
  });

  it('shows risky actions with the list that was sent', () => {
    assert.deepEqual(readApproval(approvalFields('risky', rules)), {
      policy: 'risky',
      analyzer: { kind, rules },
    });
  });

  it('shows an analyzer of another program by its kind alone', () => {
    const own = {
      kind: 'PatternSecurityAnalyzer',
      high_patterns: [['git push', 'Pushes', 'switchboard.0']],
    };
    const builtIn = {
      kind: 'PatternSecurityAnalyzer',
      high_patterns: [['rm', 'Removes', 'exec.destruct.rm_rf']],
    };
    const foreign = {
      kind: 'PatternSecurityAnalyzer',
      high_patterns: [['rm', 'Removes', 'mine']],
    };
    for (const analyzers of [
      [builtIn],
      [foreign],
      [own, foreign],
      [builtIn, own],
      [own, { kind: 'GraySwanAnalyzer' }],
      [own, null],
      [],
      'none',
    ])
      assert.deepEqual(
        read({ kind, analyzers }),
        { policy: 'risky', analyzer: { kind } },
        JSON.stringify(analyzers),
      );
    assert.deepEqual(read({ kind: 'LLMSecurityAnalyzer' })?.analyzer, {
      kind: 'LLMSecurityAnalyzer',
    });
    assert.equal(read(null)?.analyzer, null);
    assert.equal(read(undefined)?.analyzer, undefined);
  });

  it('keeps what it can read of malformed patterns', () => {
    const high_patterns = [
      [1, 'Pushes', 'switchboard.0'],
      ['rm', null, 'switchboard.1'],
    ];
    const part = { kind: 'PatternSecurityAnalyzer', high_patterns };
    assert.deepEqual(read({ kind, analyzers: [part] })?.analyzer?.rules, [
      { sentence: '', pattern: 'rm' },
    ]);
  });
});
