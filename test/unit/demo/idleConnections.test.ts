import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { closeIdleConnections } from '../../support/demo/idleConnections.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import { until } from '../../support/eventually.ts';

describe('an idle connection of the demo service', () => {
  const clock = new SteppedClock();
  let server: Server;
  let agent: Agent;

  beforeEach(async () => {
    server = createServer((_, response) => response.end());
    closeIdleConnections(server, clock);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });

  afterEach(() => {
    agent.destroy();
    server.close();
  });

  /**
   * Resolves when the answer has arrived and the service waits for the next
   * request.
   */
  async function ask(): Promise<Socket> {
    const { port } = server.address() as AddressInfo;
    const call = request({ host: '127.0.0.1', port, agent });
    call.end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    assert.equal(response.headers['keep-alive'], undefined);
    const { socket } = response;
    response.resume();
    await once(response, 'end');
    await until(() => clock.pending === 1);
    return socket;
  }

  it('closes 5 s after its last request', async () => {
    const socket = await ask();
    clock.advance(4_999);
    assert.equal(await ask(), socket);
    clock.advance(4_999);
    assert.equal(await ask(), socket);
    assert.equal(clock.pending, 1);
    clock.advance(5_000);
    await once(socket, 'close');
  });
});
