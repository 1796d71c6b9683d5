import assert from 'node:assert/strict';
import { requireIntegrity } from '../../host/fetchPackage.ts';

describe('a downloaded package', () => {
  const bytes = new TextEncoder().encode('a package');
  const integrity =
    'sha512-lI2d9nx0gRaX9NBCiZTClpHmOErJBcRt2N7X5LscwHYyVz7154wN7JsM+kCuEtAT/npvZX0s5104l3pIJMHYgg==';

  it('passes the check if its hash is known', () => {
    assert.doesNotThrow(() => {
      requireIntegrity(bytes, integrity, 'left-pad 1.0.0');
    });
  });

  it('fails the check if a single byte differs', () => {
    const other = bytes.with(0, 0x41);
    assert.throws(() => {
      requireIntegrity(other, integrity, 'left-pad 1.0.0');
    }, /^StepError: left-pad 1\.0\.0 is not the package that this project knows: its hash is sha512-/);
  });
});
