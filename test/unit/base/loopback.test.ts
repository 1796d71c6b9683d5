import assert from 'node:assert/strict';
import { isThisMachine } from '../../../src/base/loopback.ts';

describe('the check for hosts on this machine', () => {
  it('accepts localhost, loopback addresses, 0.0.0.0 and the Docker host', () => {
    for (const url of [
      'http://localhost',
      'http://LOCALHOST:3000',
      'http://app.localhost',
      'http://127.0.0.1',
      'http://127.1.2.3',
      'http://0.0.0.0:8080',
      'http://[::1]',
      'http://host.docker.internal',
    ]) {
      assert.equal(isThisMachine(new URL(url).hostname), true, url);
    }
  });

  it('rejects other hosts, even private or similar ones', () => {
    for (const url of [
      'http://example.com',
      'http://notlocalhost',
      'http://localhost.example.com',
      'http://127.0.0.1.example.com',
      'http://10.0.0.1',
      'http://192.168.0.1',
      'http://[::2]',
    ]) {
      assert.equal(isThisMachine(new URL(url).hostname), false, url);
    }
  });
});
