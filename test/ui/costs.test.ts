import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import { writeSpentDays } from '../support/spentDays.ts';
import {
  changeTheme,
  type Desk,
  eventually,
  openSideBar,
  question,
  rows,
  runCommand,
  setUpDesk,
  statusBar,
  takePicture,
  themes,
  webviewOf,
} from './support.ts';

describe('the page of costs', () => {
  let desk: Desk;
  let page: Page;
  let service: MisbehavingDemo;
  let frame: Frame;

  before(async () => {
    service = await startMisbehavingDemo({ interface: 'v1' });
    desk = await setUpDesk({
      settings: {
        'switchboard.services': [{ url: service.url, name: 'At home' }],
        'switchboard.notifications': 'off',
        'switchboard.refreshInterval': 0,
      },
      env: {
        SWITCHBOARD_SERVICE_URL: service.url,
        SWITCHBOARD_API_KEY: service.key,
      },
    });
    await writeSpentDays(desk.home);
    ({ page } = await desk.open({ height: 1_000 }));
    await page
      .context()
      .grantPermissions(['clipboard-read', 'clipboard-write']);
    await openSideBar(page);
    await rows(page, 'Conversations', /cost/).first().waitFor();
    // The last of the requests that the views begin with.
    await eventually(() => {
      assert.ok(
        service.requests.some(({ path }) => path.endsWith('/settings')),
      );
      return Promise.resolve();
    });
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  it('draws days, services, repositories, models and conversations without a request', async () => {
    const count = service.requestCount;
    await runCommand(page, 'Switchboard: Show Costs');
    frame = await webviewOf(page, 'Costs');
    await frame.getByRole('img', { name: /last 30 days.*\$4\.80/ }).waitFor();
    for (const name of [
      'Day',
      'Service',
      'Repository',
      'Model',
      'Conversation',
    ])
      await frame.getByRole('table', { name: `By ${name}` }).waitFor();
    await frame.getByText(/^Costs by day are known since /).waitFor();
    await frame.getByRole('cell', { name: 'At home', exact: true }).waitFor();
    assert.equal(service.requestCount, count);
  });

  for (const [name, theme] of Object.entries(themes)) {
    it(`fits and stays readable in the ${name} theme, wide and narrow`, async () => {
      await changeTheme(page, theme);
      frame = await webviewOf(page, 'Costs');
      await takePicture(page, `costs-${name}`);
      await frame
        .getByRole('heading', { name: 'By Conversation' })
        .scrollIntoViewIfNeeded();
      await takePicture(page, `costs-${name}-below`);
      const width = await frame.evaluate<number>('innerWidth');
      const before = page.viewportSize() ?? { width: 1_280, height: 1_000 };
      await page.setViewportSize({
        ...before,
        width: before.width - width + 300,
      });
      await eventually(async () => {
        assert.ok((await frame.evaluate<number>('innerWidth')) <= 310);
      });
      assert.equal(
        await frame.evaluate<boolean>(
          'document.documentElement.scrollWidth > innerWidth',
        ),
        false,
      );
      await takePicture(page, `costs-${name}-narrow-below`);
      await frame
        .getByRole('heading', { name: 'Costs' })
        .scrollIntoViewIfNeeded();
      await takePicture(page, `costs-${name}-narrow`);
      await page.setViewportSize(before);
    });
  }

  it('copies all tables as CSV, and saves them', async () => {
    await frame.getByRole('link', { name: 'Copy as CSV' }).click();
    await statusBar(page).getByText('Copied.').waitFor();
    const text = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(
      text,
      /^Table,Name,Conversations,Cost Unknown,Cost \(USD\)\r?\n/,
    );
    assert.match(text, /^By Day,\d{4}-\d\d-\d\d,,,4\.800000\r?$/m);
    assert.match(text, /^By Service,At home,\d+,\d+,\d+\.\d{6}\r?$/m);
    await frame.getByRole('link', { name: 'Save as CSV…' }).click();
    const path = join(desk.home, 'spent.csv');
    // The dialog fills in where it begins, and perhaps later than this.
    await eventually(async () => {
      assert.match(await question(page).inputValue(), /costs\.csv$/);
    });
    await question(page).fill(path);
    await page.keyboard.press('Enter');
    await eventually(async () => {
      assert.equal(
        (await readFile(path, 'utf8')).replaceAll('\r\n', '\n'),
        text.replaceAll('\r\n', '\n'),
      );
    });
  });
});
