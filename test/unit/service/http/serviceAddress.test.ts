import assert from 'node:assert/strict';
import {
  isExposed,
  requestAddress,
  serviceAddress,
  showAddress,
} from '../../../../src/service/http/serviceAddress.ts';

describe('the address of a service', () => {
  it('takes the same form, however it is typed', () => {
    for (const [typed, kept] of [
      ['https://agents.example.com', 'https://agents.example.com'],
      [' https://Agents.Example.com/ ', 'https://agents.example.com'],
      ['https://agents.example.com/base//', 'https://agents.example.com/base'],
      ['https://agents.example.com:443/?a=b#c', 'https://agents.example.com'],
      [
        'agents.example.com/?next=https://example.org',
        'https://agents.example.com',
      ],
      ['agents.example.com', 'https://agents.example.com'],
      ['agents.example.com:8443/base', 'https://agents.example.com:8443/base'],
      ['localhost:3000', 'http://localhost:3000'],
      ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
      ['[::1]:3000', 'http://[::1]:3000'],
    ] as const) {
      assert.equal(showAddress(serviceAddress(typed)), kept);
    }
    const { href } = serviceAddress('https://agents.example.com/base/?a=b#c');
    assert.equal(href, 'https://agents.example.com/base');
  });

  it('means 127.0.0.1 only for localhost without TLS', () => {
    for (const [address, sent] of [
      ['http://localhost:3000/base', 'http://127.0.0.1:3000/base'],
      ['https://localhost:3000/base', 'https://localhost:3000/base'],
      ['http://agents.example.com/', 'http://agents.example.com/'],
    ] as const) {
      assert.equal(requestAddress(new URL(address)).href, sent);
    }
  });

  it('rejects an invalid address or one with a password, and says why', () => {
    assert.throws(
      () => serviceAddress(''),
      /is not an address\. An address looks like https:\/\//,
    );
    for (const address of [
      'two words',
      'ht!tp://bad address',
      'ht!tp://bad',
      'https://a b.example.com',
      'a"b',
    ])
      assert.throws(
        () => serviceAddress(address),
        /is not an address/,
        address,
      );
    assert.throws(
      () => serviceAddress('ftp://example.com'),
      /"ftp:\/\/" is not supported/,
    );
    for (const address of [
      'https://me:hunter2@example.com',
      'https://hunter2@example.com',
      'https://:hunter2@example.com',
      ':hunter2@localhost:3000',
    ]) {
      assert.throws(
        () => serviceAddress(address),
        (error: Error) => {
          assert.match(error.message, /Remove them/, address);
          assert.doesNotMatch(error.message, /hunter2/);
          return true;
        },
      );
    }
  });

  it('shows no password, query or fragment', () => {
    const url = new URL(
      'https://me:hunter2@agents.example.com/base?key=hunter2#hunter2',
    );
    assert.equal(showAddress(url), 'https://agents.example.com/base');
  });

  it('counts as exposed if a key would go over plain HTTP to another machine', () => {
    assert.equal(isExposed(serviceAddress('http://agents.example.com')), true);
    assert.equal(
      isExposed(serviceAddress('https://agents.example.com')),
      false,
    );
    for (const own of [
      'http://localhost:1',
      'http://127.0.0.1:1',
      'http://[::1]:1',
    ]) {
      assert.equal(isExposed(serviceAddress(own)), false);
    }
  });
});
