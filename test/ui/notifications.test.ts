import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import { startRecipient } from '../support/recipient.ts';
import { AskingAgents } from './askingAgents.ts';
import {
  changeTheme,
  type Desk,
  eventually,
  isTold,
  messages,
  openPage,
  openSideBar,
  press,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  themes,
  webviewOf,
} from './support.ts';

describe('a notification about a waiting agent', () => {
  let desk: Desk;
  let service: MisbehavingDemo;
  let agents: AskingAgents;
  let recipient: Awaited<ReturnType<typeof startRecipient>>;
  /**
   * All tests use the same window, because opening one takes longer than most
   * of them.
   */
  let page: Page;
  /** The numbers of requests and actions before the test. */
  let earlier: { readonly requests: number; readonly executed: number };

  before(async () => {
    service = await startMisbehavingDemo({
      interface: 'agentServer',
      conversations: 0,
    });
    agents = new AskingAgents(service);
    recipient = await startRecipient();
    desk = await setUpDesk({
      settings: {
        'switchboard.refreshInterval': 2,
        'switchboard.onAttention': { url: recipient.origin },
      },
      env: {
        SWITCHBOARD_SERVICE_URL: service.url,
        SWITCHBOARD_API_KEY: service.key,
      },
      skipsTime: true,
    });
    ({ page } = await desk.open());
    await openSideBar(page);
  });

  after(async () => {
    await desk.clear();
    await service.stop();
    await recipient.stop();
  });

  beforeEach(() => {
    earlier = {
      requests: service.requests.length,
      executed: service.executed.length,
    };
  });

  afterEach(async () => {
    await agents.clear();
    await page.setViewportSize({ width: 1280, height: 800 });
    await runCommand(page, 'View: Close All Editors');
    await desk.appears(
      rows(page, 'Conversations', /Running|Waiting|Finished/),
      'detached',
    );
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  const requests = () => service.requests.slice(earlier.requests);
  const answered = () =>
    requests().filter((one) => one.path.endsWith('respond_to_confirmation'))
      .length;
  const executed = () =>
    service.executed
      .slice(earlier.executed)
      .filter(({ cause }) => cause.startsWith('POST '));
  /** Agents that have nothing to do, in a list where that is seen. */
  async function idleAgents(...titles: readonly string[]): Promise<string[]> {
    const ids = await Promise.all(titles.map((title) => agents.create(title)));
    await runCommand(page, 'Switchboard: Refresh Conversations');
    for (const title of titles) await row(title, 'Finished').waitFor();
    return ids;
  }

  const row = (title: string, state: string) =>
    rows(page, 'Conversations', new RegExp(`^${title}, ${state}`));

  async function told(text: string | RegExp): Promise<void> {
    await desk.appears(messages(page, text));
  }

  /** True if all of the text is drawn, and nothing of it is cut off. */
  async function isDrawnWhole(text: string): Promise<boolean> {
    const message = messages(page, text).locator(
      '.notification-list-item-message',
    );
    assert.equal((await message.innerText()).replace(/\s+/g, ' ').trim(), text);
    return await message.evaluate((element: Drawn) => {
      const inner = element.getBoundingClientRect();
      const outer = element
        .closest('.monaco-list-row')
        ?.getBoundingClientRect();
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

  it('combines two agents that start to wait within a few seconds', async () => {
    const titles = ['Fix login', 'Fix logout'];
    const ids = await idleAgents(...titles);
    // Skipping time between two looks, of which each sees one of them begin,
    // would tell of them apart.
    service.misbehave({ held: true, only: /^GET .*\/conversations\/search/ });
    await Promise.all(ids.map((id) => agents.wantTo(id, 'npm test')));
    await Promise.all(ids.map((id) => agents.waits(id)));
    service.misbehave({});
    for (const title of titles) await row(title, 'Waiting').waitFor();
    const all = messages(page, '2 conversations are waiting for you.');
    await desk.appears(all);
    assert.deepEqual(await buttonsOf(all), ['Show', 'Mute']);
    assert.equal(await messages(page).count(), 1);
  });

  for (const name of ['light', 'dark']) {
    it(`shows the whole waiting command and runs it once on Accept in the ${name} theme`, async () => {
      const [id = ''] = await idleAgents('Fix login');
      const theme = themes[name];
      assert.ok(theme);
      await changeTheme(page, theme);
      await agents.wantTo(id, 'npm test');
      const text = 'An agent wants to run `npm test` in “Fix login”.';
      await told(text);
      assert.deepEqual(await buttonsOf(messages(page, text)), [
        'Accept',
        'Reject',
        'Show',
      ]);
      assert.ok(await isDrawnWhole(text));
      await isTold(page, text);
      await takePicture(page, `notification-${name}`);
      await press(page, text, 'Accept');
      await eventually(() => {
        assert.equal(executed().length, 1);
        return Promise.resolve();
      });
      await desk.appears(row('Fix login', 'Finished'));
      assert.equal(answered(), 1);
    });
  }

  it('shows 150 characters in full, even in a narrow window', async () => {
    const ids = await idleAgents(
      'A title that is as long as titles may be, and then some more',
      'B',
    );
    const commands = [
      `echo ${'W'.repeat(145)}`,
      `echo [x] $(check) $HOME '{0}' <b>&lt;</b> # ${'il '.repeat(34)}.`,
    ];
    for (const [index, command] of commands.entries()) {
      await agents.wantTo(ids[index] ?? '', command);
      await told(command);
      const said = (
        await messages(page, command)
          .locator('.notification-list-item-message')
          .innerText()
      ).trim();
      for (const width of [1280, 480]) {
        await page.setViewportSize({ width, height: 800 });
        assert.ok(await isDrawnWhole(said), `${width} ${command}`);
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

  it('offers only Show for hidden characters, secrets or several actions', async () => {
    const commands = [
      'rm -rf ./a\u202ecod',
      'npm publish --otp --token=npm_0123456789abcdefABCDEF0123456789abcd',
    ];
    const cases = [
      ...commands.map((command) => [command]),
      ['npm ci', 'npm test'],
    ];
    const ids = await idleAgents(...cases.map((_, index) => `Case ${index}`));
    for (const [index, wanted] of cases.entries()) {
      await agents.wantTo(ids[index] ?? '', ...wanted);
      const text = `“Case ${index}” is waiting for you.`;
      await told(text);
      assert.deepEqual(await buttonsOf(messages(page, text)), ['Show']);
      await takePicture(page, `notification-show-${index}`);
    }
    await press(page, 'Case 2', 'Show');
    await webviewOf(page, 'Case 2');
  });

  it('sends nothing when it is outdated, and explains what changed', async () => {
    const [one = '', other = ''] = await idleAgents('Fix login', 'Fix logout');
    await agents.wantTo(one, 'npm test');
    const text = 'An agent wants to run `npm test` in “Fix login”.';
    await told(text);
    await agents.answer(one, false);
    await press(page, text, 'Accept');
    await told('“Fix login”: Already rejected elsewhere. Nothing was sent.');
    await agents.wantTo(other, 'npm ci');
    const second = 'An agent wants to run `npm ci` in “Fix logout”.';
    await told(second);
    await agents.answer(other, false);
    await agents.wantTo(other, 'npm publish');
    await agents.waits(other);
    await press(page, second, 'Accept');
    await told(
      'The pending action of “Fix logout” has changed. Nothing was sent.',
    );
    await takePicture(page, 'notification-changed');
    assert.deepEqual(executed(), []);
    assert.equal(answered(), 2, 'those of this test');
  });

  it('leaves the screen when its conversation is opened, and stays behind the bell', async () => {
    const [id = ''] = await idleAgents('Fix login');
    await agents.wantTo(id, 'npm test');
    const text = 'An agent wants to run `npm test` in “Fix login”.';
    await told(text);
    await openPage(page, row('Fix login', 'Waiting for you'), 'Fix login');
    await messages(page, text).waitFor({ state: 'hidden' });
    await runCommand(page, 'Notifications: Show Notifications');
    await page.locator('.notifications-center').getByText(text).waitFor();
  });

  it('does not appear for a conversation whose page is visible, but reaches the address in the settings', async () => {
    recipient.requests.length = 0;
    const [seen = '', other = ''] = await idleAgents('Fix login', 'Fix logout');
    const frame = await openPage(page, row('Fix login', ''), 'Fix login');
    await agents.wantTo(seen, 'npm test');
    await frame
      .locator('.waitingBox')
      .getByText('npm test', { exact: true })
      .waitFor();
    await desk.appears(row('Fix login', 'Waiting for you'));
    await agents.wantTo(other, 'npm run lint');
    const only = 'An agent wants to run `npm run lint` in “Fix logout”.';
    await told(only);
    assert.deepEqual(
      await messages(page)
        .locator('.notification-list-item-message')
        .allInnerTexts(),
      [only],
    );
    await eventually(() => {
      const texts = recipient.requests.map(
        ({ body }) => (JSON.parse(body) as { readonly text: string }).text,
      );
      assert.deepEqual(
        texts.filter((text) => text.includes('waiting')).sort(),
        ['“Fix login” is waiting for you.', '“Fix logout” is waiting for you.'],
      );
    });
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Notifications: Clear All Notifications');
    await agents.answer(seen, true);
    await agents.wantTo(seen, 'npm run build');
    await told('An agent wants to run `npm run build` in “Fix login”.');
  });
});

async function buttonsOf(message: Locator): Promise<string[]> {
  return await message
    .locator('.notification-list-item-buttons-container .monaco-button')
    .allInnerTexts();
}

/** The part of the DOM's Element used here. */
interface Drawn {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  getBoundingClientRect(): {
    left: number;
    right: number;
    top: number;
    bottom: number;
  };
  closest(selector: string): Drawn | null;
}
