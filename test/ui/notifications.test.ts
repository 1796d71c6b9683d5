import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import {
  activityIcon,
  changeTheme,
  type Desk,
  eventually,
  isTold,
  messages,
  openSideBar,
  press,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  themes,
  webviewOf,
} from './support.ts';

const path = '/api/conversations';
/** As long as an agent may take until a window that nobody looks at tells of it: it looks every 30 seconds. */
const calm = 60_000;

describe('notifications', () => {
  let desk: Desk;
  let service: DemoService;

  beforeEach(async () => {
    service = await startDemo({ interface: 'agentServer', conversations: 1 });
    desk = await setUpDesk({
      settings: { 'switchboard.refreshInterval': 1 },
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
  });

  afterEach(async () => {
    await desk.clear();
    await service.stop();
  });

  async function ask(method: string, what: string, body: unknown): Promise<unknown> {
    const response = await fetch(`${service.url}${path}${what}`, {
      method,
      headers: { 'X-Session-API-Key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${method} ${what}: ${response.status}`);
    return await response.json();
  }

  /** A conversation of an agent that has answered. */
  async function create(title: string): Promise<string> {
    const text = { type: 'text', text: 'say: Good morning.' };
    const { id } = (await ask('POST', '', {
      workspace: { working_dir: '/srv/agent/ledger' },
      agent_settings: {},
      initial_message: { role: 'user', content: [text], run: true },
      confirmation_policy: { kind: 'AlwaysConfirm' },
    })) as { id: string };
    await ask('PATCH', `/${id}`, { title });
    return id;
  }

  /** Its agent wants to do these things, and asks. */
  async function wantTo(id: string, ...commands: readonly string[]): Promise<void> {
    const calls = commands.map((command) => `terminal ${JSON.stringify({ command })}`);
    const text = `call: ${calls.join(' ;; ')}\nsay: Done.`;
    await ask('POST', `/${id}/events`, { role: 'user', content: [{ type: 'text', text }], run: true });
  }

  async function waits(id: string): Promise<void> {
    await eventually(async () => {
      const response = await fetch(`${service.url}${path}/${id}`, {
        headers: { 'X-Session-API-Key': service.key },
      });
      const { execution_status } = (await response.json()) as { execution_status: string };
      assert.equal(execution_status, 'waiting_for_confirmation');
    });
  }

  const answer = async (id: string, accept: boolean) => {
    await waits(id);
    return await ask('POST', `/${id}/events/respond_to_confirmation`, { accept });
  };
  const answered = () =>
    service.requests.filter((one) => one.path.endsWith('respond_to_confirmation')).length;
  const executed = () => service.executed.filter(({ cause }) => cause.startsWith('POST '));
  const buttons = (page: Page, text: string | RegExp) =>
    messages(page, text).locator('.notification-list-item-buttons-container .monaco-button').allInnerTexts();

  async function look(): Promise<Page> {
    const { page } = await desk.open();
    await openSideBar(page);
    await rows(page, 'Conversations', /Finished/)
      .first()
      .waitFor();
    return page;
  }

  async function told(page: Page, text: string | RegExp, timeout = 30_000): Promise<void> {
    await messages(page, text).first().waitFor({ timeout });
  }

  /** Whether all of the text is drawn, and nothing of it is cut off. */
  async function isDrawnWhole(page: Page, text: string): Promise<boolean> {
    const message = messages(page, text).locator('.notification-list-item-message');
    assert.equal((await message.innerText()).replace(/\s+/g, ' ').trim(), text);
    return await message.evaluate((element: Drawn) => {
      const inner = element.getBoundingClientRect();
      const outer = element.closest('.monaco-list-row')?.getBoundingClientRect();
      return (
        element.scrollWidth <= element.clientWidth &&
        element.scrollHeight <= element.clientHeight + 1 &&
        outer !== undefined &&
        inner.left >= outer.left &&
        inner.right <= outer.right &&
        inner.top >= outer.top - 1 &&
        inner.bottom <= outer.bottom + 1
      );
    });
  }

  for (const name of ['dark', 'light']) {
    it(`show the command that waits whole, and accept exactly that (${name})`, async () => {
      const id = await create('Fix login');
      const page = await look();
      const theme = themes[name];
      assert.ok(theme);
      await changeTheme(page, theme);
      await wantTo(id, 'npm test');
      const text = 'An agent wants to run `npm test` in “Fix login”.';
      await told(page, text);
      assert.deepEqual(await buttons(page, text), ['Accept', 'Reject', 'Show']);
      assert.ok(await isDrawnWhole(page, text));
      await isTold(page, text);
      await takePicture(page, `notification-${name}`);
      await press(page, text, 'Accept');
      await eventually(() => {
        assert.equal(executed().length, 1);
        return Promise.resolve();
      });
      await rows(page, 'Conversations', /^Fix login, Finished/).waitFor();
      assert.equal(answered(), 1);
    });
  }

  it('draw 150 characters whole, whichever they are, in a narrow window too', async () => {
    const ids = [
      await create('A title that is as long as titles may be, and then some more'),
      await create('B'),
    ];
    const page = await look();
    const commands = [
      `echo ${'W'.repeat(145)}`,
      `echo [x] $(check) $HOME '{0}' <b>&lt;</b> # ${'il '.repeat(34)}.`,
    ];
    for (const [index, command] of commands.entries()) {
      await wantTo(ids[index] ?? '', command);
      await told(page, command);
      const said = (
        await messages(page, command).locator('.notification-list-item-message').innerText()
      ).trim();
      for (const width of [1280, 480]) {
        await page.setViewportSize({ width, height: 800 });
        assert.ok(await isDrawnWhole(page, said), `${width} ${command}`);
        await takePicture(page, `notification-long-${index}-${width}`);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      await press(page, command, 'Reject');
      await eventually(() => {
        assert.equal(answered(), index + 1);
        return Promise.resolve();
      });
    }
    assert.deepEqual(executed(), []);
  });

  it('offer nothing but to show what is hidden, secret or more than one thing', async () => {
    const commands = [
      'rm -rf ./a\u202ecod',
      'npm publish --otp --token=npm_0123456789abcdefABCDEF0123456789abcd',
    ];
    for (const [index, command] of [...commands, 'two'].entries()) {
      const title = `Case ${index}`;
      const id = await create(title);
      const page = await look();
      await wantTo(id, ...(command === 'two' ? ['npm ci', 'npm test'] : [command]));
      const text = `“${title}” is waiting for you.`;
      await told(page, text);
      assert.deepEqual(await buttons(page, text), ['Show']);
      await takePicture(page, `notification-show-${index}`);
      if (command === 'two') {
        await press(page, text, 'Show');
        await webviewOf(page, title);
      }
      await page.close();
    }
  });

  it('do nothing when they are no longer true, and say what has become of it', async () => {
    const [one, other] = [await create('Fix login'), await create('Fix logout')];
    const page = await look();
    await wantTo(one, 'npm test');
    const text = 'An agent wants to run `npm test` in “Fix login”.';
    await told(page, text);
    await answer(one, false);
    await press(page, text, 'Accept');
    await told(page, '“Fix login” was rejected elsewhere. Nothing was sent.');
    await wantTo(other, 'npm ci');
    const second = 'An agent wants to run `npm ci` in “Fix logout”.';
    await told(page, second);
    await answer(other, false);
    await wantTo(other, 'npm publish');
    await waits(other);
    await press(page, second, 'Accept');
    await told(page, 'What “Fix logout” waits for has changed. Nothing was sent.');
    await takePicture(page, 'notification-changed');
    assert.deepEqual(executed(), []);
    assert.equal(answered(), 2, 'those of this test');
  });

  it('are one for all that happens within a few seconds', async () => {
    const ids = [await create('Fix login'), await create('Fix logout')];
    const page = await look();
    for (const id of ids) await wantTo(id, 'npm test');
    await told(page, '2 conversations are waiting for you.');
    assert.deepEqual(await buttons(page, 'waiting for you'), ['Show', 'Mute']);
    assert.equal(await messages(page).count(), 1);
  });

  it('come while the side bar is closed, in one of several windows, and go on when that one is gone', async function () {
    this.timeout(4 * calm);
    const id = await create('Fix login');
    const begin = performance.now();
    const windows = [await desk.open(), await desk.open(), await desk.open()];
    const pages = windows.map(({ page }) => page);
    for (const page of pages) {
      await activityIcon(page).waitFor();
      const sideBar = page.locator('.part.sidebar');
      if (await sideBar.isVisible()) await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
      await sideBar.waitFor({ state: 'hidden' });
    }
    // The first look, in which nothing is news.
    await eventually(() => {
      assert.ok(service.requests.some((one) => one.path.endsWith('/search')));
      return Promise.resolve();
    }, calm);
    await wantTo(id, 'npm test');
    const text = 'An agent wants to run `npm test` in “Fix login”.';
    const first = await Promise.any(
      pages.map(async (page) => {
        await told(page, text, calm);
        return page;
      }),
    );
    await takePicture(first, 'notification-side-bar-closed');
    await press(first, text, 'Accept');
    await eventually(() => {
      assert.equal(executed().length, 1);
      return Promise.resolve();
    });
    for (const page of pages) if (page !== first) assert.equal(await messages(page).count(), 0);
    const others = windows.filter(({ page }) => page !== first);
    await windows.find(({ page }) => page === first)?.close();
    const { requestCount } = service;
    const closed = performance.now();
    await eventually(() => {
      assert.ok(service.requestCount > requestCount);
      return Promise.resolve();
    }, calm);
    assert.ok(performance.now() - closed < 60_000);
    await wantTo(id, 'npm ci');
    await Promise.any(others.map(({ page }) => told(page, 'An agent wants to run `npm ci`', calm)));
    const counts = await Promise.all(others.map(({ page }) => messages(page).count()));
    assert.deepEqual(counts.toSorted(), [0, 1]);
    const minutes = (performance.now() - begin) / 60_000;
    assert.ok(service.requestCount < 60 * minutes, `${service.requestCount} in ${minutes} minutes`);
  });
});

/** The part of the DOM's Element used here. */
interface Drawn {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  getBoundingClientRect(): { left: number; right: number; top: number; bottom: number };
  closest(selector: string): Drawn | null;
}
