import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import type { Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import { type Certified, selfSigned } from '../support/certificate.ts';
import { type Proxy, startProxy } from '../support/proxy.ts';
import {
  answer,
  type Desk,
  messages,
  openSideBar,
  rows,
  runCommand,
  setUpDesk,
  webviewOf,
} from './support.ts';

// Nobody but the proxy knows these.
const plain = 'agents.example';
const secure = 'secure.agents.example';
const untrusted = 'untrusted.agents.example';

const title = 'Split the backup job into two modules';

describe('a service behind the proxy of VS Code', () => {
  let desk: Desk;
  let page: Page;
  let service: DemoService;
  let proxy: Proxy;
  let servers: readonly Server[];
  let folder: string;

  before(async () => {
    service = await startDemo({ interface: 'agentServer' });
    const { port } = new URL(service.url);
    const [trusted, other] = [selfSigned(secure), selfSigned(untrusted)];
    servers = await Promise.all([trusted, other].map((own) => inTls(Number(port), own)));
    const [securePort = 0, untrustedPort = 0] = servers.map((each) => (each.address() as AddressInfo).port);
    proxy = await startProxy({ [plain]: Number(port), [secure]: securePort, [untrusted]: untrustedPort });
    folder = await mkdtemp(join(tmpdir(), 'switchboard-trusted-'));
    const file = join(folder, 'trusted.pem');
    await writeFile(file, trusted.certificate);
    desk = await setUpDesk({
      settings: {
        'http.proxy': proxy.url,
        'http.systemCertificates': true,
        'http.systemCertificatesNode': true,
        'switchboard.notifications': 'off',
        'switchboard.refreshInterval': 1,
      },
      // The editor takes what the system trusts for all that is trusted, and asks its Node for that.
      env: { SSL_CERT_FILE: file },
    });
    ({ page } = await desk.open());
    await openSideBar(page);
  });

  after(async () => {
    await desk.clear();
    await proxy.stop();
    for (const server of servers) server.close();
    await service.stop();
    await rm(folder, { recursive: true });
  });

  async function connectTo(address: string): Promise<void> {
    await runCommand(page, 'Switchboard: Connect to a Service');
    await answer(page, '(1/2)', address);
    await answer(page, '(2/2)', service.key);
  }

  /** What went through the proxy of which this is the beginning. */
  const through = (begin: string) => proxy.seen.filter((each) => each.startsWith(begin));

  /** The agents of the service at this address are listed and followed live. */
  async function isFollowed(address: string): Promise<void> {
    await messages(page, `Connected to ${address}`).waitFor();
    await rows(page, 'Conversations', new RegExp(`^${title}`))
      .first()
      .click();
    const frame = await webviewOf(page, title);
    await frame.getByText('Live', { exact: true }).waitFor();
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Switchboard: Remove Service');
    await messages(page, 'Its key is kept.').first().waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
  }

  it('answers and streams live through the proxy', async () => {
    await connectTo(`http://${plain}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await isFollowed(`http://${plain}`);
    assert.ok(through(`UPGRADE http://${plain}/sockets/`).length + through(`CONNECT ${plain}`).length > 0);
  });

  it('answers and streams live through the proxy with a certificate that this machine trusts', async () => {
    await connectTo(`https://${secure}`);
    await isFollowed(`https://${secure}`);
    assert.ok(through(`CONNECT ${secure}:443`).length > 0);
  });

  it('shows an error when its certificate is not trusted', async () => {
    await connectTo(`https://${untrusted}`);
    await messages(page, 'its certificate is not trusted here').waitFor();
  });
});

/** Passes on to this port what comes encrypted. */
async function inTls(port: number, { key, certificate }: Certified): Promise<Server> {
  const server = createServer({ key, cert: certificate }, (socket) => {
    const passed = connect(port, '127.0.0.1');
    socket.pipe(passed).pipe(socket);
    socket.on('error', () => passed.destroy());
    socket.on('close', () => passed.destroy());
    passed.on('error', () => socket.destroy());
    passed.on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
