import assert from 'node:assert/strict';
import { requireIntegrity } from '../../host/fetchPackage.ts';

describe('a downloaded package', () => {
  const bytes = new TextEncoder().encode('a package');
  const integrity =
    'sha512-lI2d9nx0gRaX9NBCiZTClpHmOErJBcRt2N7X5LscwHYyVz7154wN7JsM+kCuEtAT/npvZX0s5104l3pIJMHYgg==';

  it('is used when its hash is the one that the project knows', () => {
    assert.doesNotThrow(() => {
      requireIntegrity(bytes, integrity, 'left-pad 1.0.0');
    });
  });

  it('is refused when a single byte of it differs, with both hashes and what to do', () => {
    const other = bytes.with(0, 0x41);
    assert.throws(() => {
      requireIntegrity(other, integrity, 'left-pad 1.0.0');
    }, /^StepError: left-pad 1\.0\.0 is not the package that this project knows: its hash is sha512-/);
  });
});
