import assert from 'node:assert/strict';
import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import {
  type Desk,
  eventually,
  fold,
  hears,
  messages,
  openSideBar,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  webviewOf,
  writeInto,
} from './support.ts';

/** The record in the list of the service. */
interface Found {
  readonly id: string;
  readonly title: string;
  readonly sandbox_id: string;
  readonly sandbox_status: string;
  readonly execution_status: string | null;
}

const far = 'http://sandboxes.invalid:8000';

describe('the page of a conversation in a sandbox', () => {
  let desk: Desk;
  let page: Page;
  let service: MisbehavingDemo;
  let proxy: Server;
  /** True if the service says that sandboxes are elsewhere. */
  let isFar = false;
  /** True if the service says that running sandboxes are starting. */
  let areStarting = false;

  before(async () => {
    service = await startMisbehavingDemo({
      interface: 'v1',
      conversations: 40,
    });
    proxy = createServer((incoming, outgoing) => {
      const { url = '/', method, headers } = incoming;
      // A connection that was used before may be closed by now.
      const sent = request(
        new URL(url, service.url),
        { method, headers, agent: false },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('end', () => {
            let text = Buffer.concat(parts).toString();
            if (isFar)
              text = text.replace(
                /http:\/\/127\.0\.0\.1:\d+(?=\/exposed\/)/g,
                far,
              );
            if (areStarting)
              text = text.replace(
                /("(?:sandbox_)?status": ?)"RUNNING"/g,
                '$1"STARTING"',
              );
            const rest = { ...answer.headers };
            delete rest['content-length'];
            outgoing.writeHead(answer.statusCode ?? 500, rest);
            outgoing.end(text);
          });
        },
      );
      sent.on('error', () => outgoing.destroy());
      incoming.pipe(sent);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    desk = await setUpDesk({
      settings: {
        'switchboard.notifications': 'off',
        'switchboard.refreshInterval': 1,
        // The first ones have sandboxes that run.
        'switchboard.conversations.pageSize': 40,
      },
      env: {
        SWITCHBOARD_SERVICE_URL: address,
        SWITCHBOARD_API_KEY: service.key,
      },
      skipsTime: true,
    });
    ({ page } = await desk.open({ height: 1_100 }));
    await openSideBar(page);
    await rows(page, 'Sandboxes').first().waitFor();
    await fold(page, 'Sandboxes', 'MCP Servers');
    await rows(page, 'Conversations').first().waitFor();
  });

  after(async () => {
    await desk.clear();
    proxy.closeAllConnections();
    proxy.close();
    await service.stop();
  });

  afterEach(async () => {
    isFar = areStarting = false;
    await runCommand(page, 'View: Close All Editors');
  });

  const field = (frame: Frame) =>
    frame.getByRole('textbox', { name: 'Message to the agent' });
  const button = (frame: Frame, name: string | RegExp) =>
    frame.getByRole('button', { name });

  const headers = () => ({ 'X-Session-API-Key': service.key });

  async function listed(): Promise<readonly Found[]> {
    const asked = await fetch(
      `${service.url}/api/v1/app-conversations/search?limit=100`,
      {
        headers: headers(),
      },
    );
    return ((await asked.json()) as { readonly items: readonly Found[] }).items;
  }

  /** One whose sandbox runs, and whose agent does nothing. */
  async function find(): Promise<Found> {
    const all = await listed();
    const found = all.find(
      ({ title, sandbox_status, execution_status }) =>
        sandbox_status === 'RUNNING' &&
        execution_status === 'finished' &&
        all.filter((each) => each.title === title).length === 1,
    );
    return found ?? assert.fail('There is none.');
  }

  async function change(
    { sandbox_id }: Found,
    action: 'pause' | 'resume',
  ): Promise<void> {
    const address = `${service.url}/api/v1/sandboxes/${sandbox_id}/${action}`;
    await fetch(address, { method: 'POST', headers: headers() });
  }

  /**
   * Polls may wait for each other: no more than some of them go out in a
   * minute.
   */
  async function refresh(): Promise<void> {
    await runCommand(page, 'Switchboard: Refresh Conversations');
  }

  async function pause(found: Found): Promise<void> {
    await change(found, 'pause');
    await eventually(async () => {
      const now = (await listed()).find(({ id }) => id === found.id);
      assert.equal(now?.sandbox_status, 'PAUSED');
    });
    await refresh();
  }

  /** Opens its page. */
  async function open({ title }: Found, state: RegExp): Promise<Frame> {
    const row = rows(page, 'Conversations', title)
      .and(rows(page, 'Conversations', state))
      .first();
    await row.waitFor();
    await eventually(async () => {
      // The tooltip of another row may cover it, and rows move.
      await page.mouse.move(0, 0);
      await row.click({ timeout: 3_000 });
      await page.getByRole('tab', { name: title }).waitFor({ timeout: 3_000 });
    });
    return await webviewOf(page, title);
  }

  it('resumes a paused sandbox and sends the message', async () => {
    const found = await find();
    await pause(found);
    const frame = await open(found, /, Stopped/);
    await frame.getByText('Its sandbox is paused.').waitFor();
    await takePicture(page, 'sandbox-paused');
    await writeInto(field(frame), 'say: I am back.');
    const isResuming = frame
      .getByText('Resuming the sandbox. Your message will be sent after that.')
      .waitFor();
    const resumptions = () =>
      service.requests.filter(({ path }) => path.endsWith('/resume')).length;
    const before = resumptions();
    await button(frame, 'Resume and Send').click();
    const dialog = page
      .getByRole('dialog')
      .getByRole('button', { name: 'Resume' });
    await eventually(async () => {
      // If another one must be paused for it, the person is asked first.
      if (await dialog.isVisible()) await dialog.click();
      assert.equal(resumptions(), before + 1);
    });
    await isResuming;
    await desk.appears(
      frame.locator('.entry.by-person').filter({ hasText: 'say: I am back.' }),
    );
    assert.equal(await field(frame).inputValue(), '');
    assert.equal(
      await messages(page).count(),
      0,
      'Nothing lies over the page.',
    );
  });

  it('keeps a message while the sandbox starts and sends it afterwards', async () => {
    const found = await find();
    await pause(found);
    const frame = await open(found, /, Stopped/);
    await frame.getByText('Its sandbox is paused.').waitFor();
    areStarting = true;
    await change(found, 'resume');
    await refresh();
    await frame.getByText('Its sandbox is starting.').waitFor();
    await writeInto(field(frame), 'say: Good morning.');
    await button(frame, 'Send').click();
    await frame
      .getByText(
        'The sandbox is starting. Your message will be sent after that.',
      )
      .waitFor();
    await takePicture(page, 'sandbox-starting');
    areStarting = false;
    await refresh();
    await desk.appears(
      frame
        .locator('.entry.by-person')
        .filter({ hasText: 'say: Good morning.' }),
    );
  });

  it('shows the origin of a remote sandbox, asks before sending its key there, and can revoke that', async () => {
    isFar = true;
    const found = await find();
    await refresh();
    const frame = await open(found, /, Finished/);
    await frame
      .getByText(
        `Its sandbox is at ${far}, which is not the address of the service`,
      )
      .waitFor();
    await takePicture(page, 'sandbox-elsewhere');
    await button(frame, `Allow ${far}`).click();
    await hears(
      page,
      /^Allow; .*Send this service's sandbox keys to http:\/\/sandboxes\.invalid:8000\?/,
    );
    await takePicture(page, 'sandbox-allow');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button(frame, `Allow ${far}`).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Allow' })
      .click();
    await desk.appears(frame.getByText('Not reachable.'));
    // A question is gone when something else takes the keyboard.
    await eventually(async () => {
      await runCommand(page, 'Switchboard: Manage Services');
      await page
        .getByPlaceholder('Select a service to change or remove it')
        .waitFor({ timeout: 5_000 });
      await page.keyboard.press('Enter');
      const list = page.locator('.quick-input-list');
      await list
        .getByText('Allowed Sandbox Addresses')
        .click({ timeout: 5_000 });
      await list.getByText(far).click({ timeout: 5_000 });
    });
    await desk.appears(frame.getByText(`Its sandbox is at ${far}`));
  });

  it('opens from a click on an outdated row while the window is busy', async () => {
    const found = await find();
    await pause(found);
    const row = rows(page, 'Conversations', found.title).and(
      rows(page, 'Conversations', /, Stopped/),
    );
    const drawn = await row.elementHandle();
    // Meanwhile the extension learns that it is resumed, and draws the row
    // again.
    const clicked = drawn.evaluate(clickAfter, 4_000);
    await change(found, 'resume');
    await clicked;
    await webviewOf(page, found.title);
    await row.waitFor({ state: 'detached' });
    assert.equal(await messages(page, /command not found/).count(), 0);
  });
});

/** The part of the DOM's Element used here. */
interface Clickable {
  dispatchEvent(event: Event): boolean;
}

/**
 * Clicks at the end of so many milliseconds in which the window does nothing
 * else. Runs in the page.
 */
function clickAfter(row: Clickable, milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
  const { MouseEvent } = globalThis as unknown as {
    MouseEvent: new (type: string, init: object) => Event;
  };
  for (const type of ['mousedown', 'mouseup', 'click'])
    row.dispatchEvent(
      new MouseEvent(type, { bubbles: true, button: 0, detail: 1 }),
    );
}
