import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import { AskingAgents } from './askingAgents.ts';
import {
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

describe('notifications', () => {
  let desk: Desk;
  let service: DemoService;
  let agents: AskingAgents;

  beforeEach(async () => {
    service = await startDemo({ interface: 'agentServer', conversations: 0 });
    agents = new AskingAgents(service);
    desk = await setUpDesk({
      settings: { 'switchboard.refreshInterval': 1 },
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
  });

  afterEach(async () => {
    await desk.clear();
    await service.stop();
  });

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

  /** What a service is asked has a pace, so that the third that begins to wait is told of later than the first. */
  async function told(page: Page, text: string | RegExp): Promise<void> {
    await messages(page, text).first().waitFor({ timeout: 60_000 });
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
      const id = await agents.create('Fix login');
      const page = await look();
      const theme = themes[name];
      assert.ok(theme);
      await changeTheme(page, theme);
      await agents.wantTo(id, 'npm test');
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
      await agents.create('A title that is as long as titles may be, and then some more'),
      await agents.create('B'),
    ];
    const page = await look();
    const commands = [
      `echo ${'W'.repeat(145)}`,
      `echo [x] $(check) $HOME '{0}' <b>&lt;</b> # ${'il '.repeat(34)}.`,
    ];
    for (const [index, command] of commands.entries()) {
      await agents.wantTo(ids[index] ?? '', command);
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
    const cases = [...commands.map((command) => [command]), ['npm ci', 'npm test']];
    const ids = [];
    for (const index of cases.keys()) ids.push(await agents.create(`Case ${index}`));
    const page = await look();
    for (const [index, wanted] of cases.entries()) {
      await agents.wantTo(ids[index] ?? '', ...wanted);
      const text = `“Case ${index}” is waiting for you.`;
      await told(page, text);
      assert.deepEqual(await buttons(page, text), ['Show']);
      await takePicture(page, `notification-show-${index}`);
    }
    await press(page, 'Case 2', 'Show');
    await webviewOf(page, 'Case 2');
  }).timeout(240_000);

  it('do nothing when they are no longer true, and say what has become of it', async () => {
    const [one, other] = [await agents.create('Fix login'), await agents.create('Fix logout')];
    const page = await look();
    await agents.wantTo(one, 'npm test');
    const text = 'An agent wants to run `npm test` in “Fix login”.';
    await told(page, text);
    await agents.answer(one, false);
    await press(page, text, 'Accept');
    await told(page, '“Fix login” was rejected elsewhere. Nothing was sent.');
    await agents.wantTo(other, 'npm ci');
    const second = 'An agent wants to run `npm ci` in “Fix logout”.';
    await told(page, second);
    await agents.answer(other, false);
    await agents.wantTo(other, 'npm publish');
    await agents.waits(other);
    await press(page, second, 'Accept');
    await told(page, 'What “Fix logout” waits for has changed. Nothing was sent.');
    await takePicture(page, 'notification-changed');
    assert.deepEqual(executed(), []);
    assert.equal(answered(), 2, 'those of this test');
  });

  it('tell of an agent that begins to wait before the events of twelve others that wait are all read', async () => {
    const id = await agents.create('Fix login');
    const others = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const other = await agents.create(`Other ${index}`);
        await agents.wantTo(other, 'npm ci');
        await agents.waits(other);
        return other;
      }),
    );
    const read = () =>
      others.filter((other) => service.requests.some(({ path }) => path.endsWith(`/${other}/events/search`)))
        .length;
    const { page } = await desk.open();
    await openSideBar(page);
    await rows(page, 'Conversations', /^Other \d+, Waiting for you/)
      .first()
      .waitFor();
    assert.ok(read() > 0);
    await agents.wantTo(id, 'npm test');
    // Five are asked about in 20 seconds.
    await told(page, 'An agent wants to run `npm test` in “Fix login”.');
    assert.ok(read() < others.length, `${read()} were read`);
    assert.equal(await messages(page).count(), 1);
  });

  it('are one for all that happens within a few seconds', async () => {
    const ids = [await agents.create('Fix login'), await agents.create('Fix logout')];
    const page = await look();
    for (const id of ids) await agents.wantTo(id, 'npm test');
    await told(page, '2 conversations are waiting for you.');
    assert.deepEqual(await buttons(page, 'waiting for you'), ['Show', 'Mute']);
    assert.equal(await messages(page).count(), 1);
  });

  it('say nothing of a conversation whose page one has before oneself', async () => {
    const [seen, other] = [await agents.create('Fix login'), await agents.create('Fix logout')];
    const page = await look();
    await rows(page, 'Conversations', /^Fix login/).click();
    const frame = await webviewOf(page, 'Fix login');
    await agents.wantTo(seen, 'npm test');
    await frame.locator('.waitingBox').getByText('npm test').waitFor();
    await rows(page, 'Conversations', /^Fix login, Waiting for you/).waitFor();
    await agents.wantTo(other, 'npm run lint');
    await told(page, 'An agent wants to run `npm run lint` in “Fix logout”.');
    assert.equal(await messages(page).count(), 1);
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Notifications: Clear All Notifications');
    await agents.answer(seen, true);
    await agents.wantTo(seen, 'npm run build');
    await told(page, 'An agent wants to run `npm run build` in “Fix login”.');
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
