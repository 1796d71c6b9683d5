import assert from 'node:assert/strict';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import { AskingAgents } from './askingAgents.ts';
import {
  activityIcon,
  type Desk,
  eventually,
  messages,
  openSideBar,
  press,
  runCommand,
  setUpDesk,
  takePicture,
} from './support.ts';

describe('a notification with several windows open', () => {
  let desk: Desk;
  let service: MisbehavingDemo;
  let agents: AskingAgents;

  before(async () => {
    service = await startMisbehavingDemo({
      interface: 'agentServer',
      conversations: 0,
    });
    agents = new AskingAgents(service);
    desk = await setUpDesk({
      settings: { 'switchboard.refreshInterval': 1 },
      env: {
        SWITCHBOARD_SERVICE_URL: service.url,
        SWITCHBOARD_API_KEY: service.key,
      },
      skipsTime: true,
    });
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  it('appears in another window with a closed side bar after the connection of the first one breaks', async () => {
    const id = await agents.create('Fix login');
    const first = await desk.open();
    await openSideBar(first.page);
    await eventually(() => {
      assert.ok(service.requests.some(({ path }) => path.endsWith('/search')));
    });
    const { page } = await desk.open();
    await activityIcon(page).waitFor();
    const sideBar = page.locator('.part.sidebar');
    if (await sideBar.isVisible())
      await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await sideBar.waitFor({ state: 'hidden' });
    // The extension host of the first window outlives it, with a visible view.
    await first.close();
    await agents.wantTo(id, 'npm ci');
    const text = 'An agent wants to run `npm ci` in “Fix login”.';
    await desk.appears(messages(page, text));
    await takePicture(page, 'notification-side-bar-closed');
    await press(page, text, 'Accept');
    await eventually(() => {
      assert.equal(
        service.executed.filter(({ cause }) => cause.startsWith('POST '))
          .length,
        1,
      );
    });
  });
});
