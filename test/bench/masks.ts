import { harmless } from '../support/maskCorpus/harmless.ts';
import { filesWithSecrets } from '../support/maskCorpus/files.ts';
import { isKeyShown, keysOfRules } from '../support/maskCorpus/keyFormats.ts';
import {
  entriesWithSecrets,
  fileLeakRate,
  leakRate,
  maskRate,
} from '../support/maskCorpus/rates.ts';
import { maskText } from '../../src/base/masks/maskText.ts';
import { step } from '../host/steps.ts';
import type { Row } from './table.ts';

/**
 * Measures secrets that are shown and harmless texts that are masked, in
 * commands made by rule.
 */
export async function masks(): Promise<Row[]> {
  return await step('Masking the secrets of many commands', () => {
    const entries = entriesWithSecrets();
    const files = filesWithSecrets();
    const keys = keysOfRules(20);
    const keysShown = keys.filter((made) =>
      isKeyShown(made, maskText(made.text)),
    );
    const keyRate = (100 * keysShown.length) / keys.length;
    return Promise.resolve([
      row(
        `secrets shown, in ${entries.length} commands`,
        leakRate(entries),
        'at most 3 %',
      ),
      row(
        `secrets shown, in ${files.length} files`,
        fileLeakRate(files),
        'at most 3 %',
      ),
      row(
        `keys of gitleaks and secretlint shown, of ${keys.length}`,
        keyRate,
        'at most 0.1 %',
      ),
      row(
        `harmless texts masked, of ${harmless.length}`,
        maskRate(harmless),
        'at most 8 %',
      ),
    ]);
  });
}

function row(what: string, rate: number, goal: string): Row {
  return { what, ours: `${rate.toFixed(2)} %`, reference: '', ratio: '', goal };
}
