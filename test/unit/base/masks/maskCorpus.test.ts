import assert from 'node:assert/strict';
import { harmless } from '../../../support/maskCorpus/harmless.ts';
import {
  filesWithSecrets,
  harmlessFiles,
} from '../../../support/maskCorpus/files.ts';
import {
  entriesWithSecrets,
  fileLeakRate,
  leakRate,
  maskRate,
} from '../../../support/maskCorpus/rates.ts';
import { secrets } from '../../../support/maskCorpus/secrets.ts';

import { withoutSecrets } from '../../../../src/state/newConversation/withoutSecrets.ts';

describe('the mask corpus', () => {
  const entries = entriesWithSecrets();

  it('covers every secret with at least 600 generated commands', () => {
    assert.ok(entries.length >= 600);
    const used = new Set(entries.map(({ secret }) => secret));
    assert.deepEqual(
      secrets.filter(({ text }) => !used.has(text)),
      [],
    );
    for (const { secret, server } of entries.slice(0, 100)) {
      const [part = ''] = /\p{L}{4,}/u.exec(secret) ?? [];
      assert.ok(JSON.stringify(server).includes(part));
    }
  });

  it('leaks at most 3 % of its secrets', () => {
    assert.ok(leakRate(entries) <= 3, `${leakRate(entries).toFixed(2)} %`);
  });

  it('leaks at most 3 % of the secrets in its files', () => {
    const files = filesWithSecrets();
    assert.ok(files.length >= 600);
    assert.ok(fileLeakRate(files) <= 3, `${fileLeakRate(files).toFixed(2)} %`);
  });

  it('shows the values of its files that no name calls a secret', () => {
    const masked = harmlessFiles.filter(
      ({ path, text }) => !withoutSecrets(text, path).text.includes('plain'),
    );
    assert.deepEqual(masked, []);
  });

  it('masks at most 8 % of its harmless texts', () => {
    assert.ok(harmless.length >= 100);
    assert.ok(maskRate(harmless) <= 8, `${maskRate(harmless).toFixed(2)} %`);
  });
});
