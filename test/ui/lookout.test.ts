import assert from 'node:assert/strict';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import { AskingAgents } from './askingAgents.ts';
import {
  activityIcon,
  type Desk,
  eventually,
  messages,
  press,
  runCommand,
  setUpDesk,
  takePicture,
} from './support.ts';

/** As long as an agent may take until a window that nobody looks at tells of it: it looks every 30 seconds. */
const calm = 60_000;

describe('a notification with several windows open', () => {
  let desk: Desk;
  let service: DemoService;
  let agents: AskingAgents;

  before(async () => {
    service = await startDemo({ interface: 'agentServer', conversations: 0 });
    agents = new AskingAgents(service);
    desk = await setUpDesk({
      settings: { 'switchboard.refreshInterval': 1 },
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  it('appears in one of three windows with closed side bars, and in another after that one closes', async function () {
    this.timeout(4 * calm);
    const id = await agents.create('Fix login');
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
    await agents.wantTo(id, 'npm test');
    const text = 'An agent wants to run `npm test` in “Fix login”.';
    const first = await Promise.any(
      pages.map(async (page) => {
        await messages(page, text).waitFor({ timeout: calm });
        return page;
      }),
    );
    await takePicture(first, 'notification-side-bar-closed');
    await press(first, text, 'Accept');
    await eventually(() => {
      assert.equal(service.executed.filter(({ cause }) => cause.startsWith('POST ')).length, 1);
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
    await agents.wantTo(id, 'npm ci');
    await Promise.any(
      others.map(({ page }) => messages(page, 'An agent wants to run `npm ci`').waitFor({ timeout: calm })),
    );
    const counts = await Promise.all(others.map(({ page }) => messages(page).count()));
    assert.deepEqual(counts.toSorted(), [0, 1]);
    const minutes = (performance.now() - begin) / 60_000;
    assert.ok(service.requestCount < 60 * minutes, `${service.requestCount} in ${minutes} minutes`);
  });
});
