import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  findServices,
  ownerOfListener,
} from '../../../../src/service/findServices.ts';
import { Lines, transportTo } from '../support.ts';

describe('a service at localhost', () => {
  let service: Server;
  let other: Server;
  let port: number;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    const answering = (name: string) =>
      createServer((request, response) => {
        asked.push(`${name} ${String(request.headers['x-session-api-key'])}`);
        response.end(JSON.stringify({ uptime: 1, title: name }));
      });
    [service, other] = [answering('service'), answering('other')];
    await listen(service, 0, '127.0.0.1');
    ({ port } = service.address() as AddressInfo);
  });

  afterEach(async () => {
    for (const server of [service, other]) {
      server.closeAllConnections();
      if (server.listening)
        await new Promise((resolve) => server.close(resolve));
    }
  });

  const listen = (server: Server, at: number, host: string) =>
    new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(at, host, resolve),
    );
  const send = () =>
    transportTo({ url: `http://localhost:${port}` }, { log: new Lines() }).send(
      { operation: 'test', couldNot: 'Could not test', path: ['server_info'] },
      {},
    );

  it('gets the key at 127.0.0.1, and another listener on [::1] gets nothing', async () => {
    await listen(other, port, '::1');
    await send();
    assert.deepEqual(asked, ['service canary-account-key']);
    const transport = transportTo(
      { url: `http://localhost:${port}` },
      { log: new Lines() },
    );
    assert.equal(
      transport.socketAddress({ couldNot: '', path: ['x'] }).href,
      `ws://127.0.0.1:${port}/x`,
    );
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
    await assert.rejects(
      send(),
      new RegExp(`http://127\\.0\\.0\\.1:${port}.*connection refused`),
    );
    assert.equal(asked.length, 1);
  });

  it('keeps its name with TLS, which proves who it is', () => {
    const transport = transportTo(
      { url: 'https://localhost:1' },
      { log: new Lines() },
    );
    assert.equal(
      transport.socketAddress({ couldNot: '', path: ['x'] }).href,
      'wss://localhost:1/x',
    );
  });

  it('appears in Find Services at 127.0.0.1, with the owner of its socket', async () => {
    await listen(other, port, '::1');
    const [found, ...more] = await findServices(new AbortController().signal, [
      port,
    ]);
    assert.deepEqual(more, []);
    assert.equal(found?.url.href, `http://127.0.0.1:${port}/`);
    assert.equal(found.title, 'service');
    assert.equal(
      found.owner,
      process.platform === 'linux' ? 'self' : 'unknown',
    );
    assert.deepEqual(asked, ['service undefined']);
  });
});

describe('the owner of a listening socket', () => {
  const heading =
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
  const line = (address: string, uid: number, state = '0A') =>
    `   0: ${address} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000 ${uid}        0 22 1`;
  const owner = (...lines: readonly string[]) =>
    ownerOfListener(8000, 1000, [heading, ...lines].join('\n'));

  it('counts as this user only if every listener that can answer belongs to it or to root', () => {
    const everywhere = '00000000000000000000000000000000:1F40';
    const mapped = '0000000000000000FFFF00000100007F:1F40';
    assert.equal(owner(line('0100007F:1F40', 1000)), 'self');
    assert.equal(owner(line('0100007F:1F40', 0)), 'self');
    for (const address of [
      '0100007F:1F40',
      '00000000:1F40',
      everywhere,
      mapped,
    ]) {
      assert.equal(owner(line(address, 1001)), 'other', address);
      assert.equal(
        owner(line('0100007F:1F40', 1000), line(address, 1001)),
        'other',
        address,
      );
    }
  });

  it('stays unknown without a listener at this address and port', () => {
    const six = '00000000000000000000000001000000:1F40';
    assert.equal(
      owner(
        line('0100007F:1F41', 1000),
        line('0100007F:1F40', 1000, '01'),
        line(six, 1001),
      ),
      'unknown',
    );
    assert.equal(owner(), 'unknown');
    assert.equal(ownerOfListener(8000, 1000, ''), 'unknown');
  });
});
