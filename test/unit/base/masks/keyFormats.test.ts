import assert from 'node:assert/strict';
import { maskText } from '../../../../src/base/masks/maskText.ts';
import {
  isKeyShown,
  keysOfRules,
  rulesLeftOut,
} from '../../../support/maskCorpus/keyFormats.ts';

describe('the masking of the key formats of gitleaks and secretlint', () => {
  const keys = keysOfRules();

  it('masks every key: alone, after their names, and in addresses', () => {
    const rules = keys
      .filter((made) => isKeyShown(made, maskText(made.text)))
      .map(({ rule }) => rule);
    assert.deepEqual([...new Set(rules)], []);
  });

  it('masks 999 of 1,000 random keys', () => {
    const many = keysOfRules(20);
    const rules = many
      .filter((made) => isKeyShown(made, maskText(made.text)))
      .map(({ rule }) => rule);
    assert.ok(rules.length <= many.length / 1_000, rules.join());
  });

  it('covers 200 rules, and names those that are left out', () => {
    const rules = new Set(keys.map(({ rule }) => rule));
    assert.ok(rules.size >= 200);
    assert.deepEqual(
      rulesLeftOut.filter((rule) => rules.has(rule)),
      [],
    );
  });

  it('keeps words that begin in a similar way', () => {
    for (const text of [
      'live_reload test_pub_sub key-value pubkey-file pat.txt pk.name API-Gateway',
      'sha256~ tk-us-east ops_team pul-request glc_x fm2_ sq_a ico-small tfp_',
      'hooks.slack.com webhook.office.com api_org_name rubygems.org sgp_x',
    ])
      assert.equal(maskText(text), text);
  });
});
