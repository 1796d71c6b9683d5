import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import {
  choose,
  type Desk,
  eventually,
  goTo,
  fold,
  labels,
  messages,
  openSideBar,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
} from './support.ts';

/** Longer than anything takes in the demo. */
const duration = 10_000;

describe('a sandbox', () => {
  let desk: Desk;
  let page: Page;
  let service: DemoService;
  let clock: SteppedClock;

  /** Lets the demo do what it was asked for, once it has been. */
  async function finish(what: string): Promise<void> {
    await eventually(() => {
      assert.ok(service.requests.some(({ method, path }) => method === 'POST' && path.endsWith(what)));
      return Promise.resolve();
    });
    clock.advance(duration);
  }

  before(async () => {
    // The demo changes only when a test advances its clock, so every stage can be seen.
    clock = new SteppedClock(Date.now());
    service = await startDemo({ clock });
    desk = await setUpDesk({
      settings: { 'switchboard.notifications': 'off' },
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
    ({ page } = await desk.open());
    await openSideBar(page);
    await rows(page, 'Sandboxes', /, 5 conversations,/)
      .first()
      .waitFor();
    await fold(page, 'Conversations', 'MCP Servers');
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  it('shows its spec, state, conversations and age, with conversations and addresses below', async () => {
    const [, second = ''] = await labels(page, 'Sandboxes');
    assert.match(second, /^Sandbox, server:1\.9-python, Running, \d conversations, created 3 days ago$/);
    await goTo(page, 'Sandboxes', second);
    await page.keyboard.press('ArrowRight');
    const below = children(page);
    await below.first().waitFor();
    const said = await below.evaluateAll((found: readonly { getAttribute(name: string): string | null }[]) =>
      found.map((row) => row.getAttribute('aria-label') ?? ''),
    );
    assert.ok(said.some((label) => /, (Working|Idle|Waiting for you|Finished|Failed|Paused)\b/.test(label)));
    assert.ok(said.some((label) => label.startsWith('Address ')));
    await takePicture(page, 'sandbox-children');
    await page.keyboard.press('ArrowLeft');
    await below.first().waitFor({ state: 'hidden' });
  });

  it('pauses with the button of its row', async () => {
    const running = rows(page, 'Sandboxes', /^Sandbox, server:1\.9-python, Running/).first();
    await running.hover();
    await running.getByRole('button', { name: 'Pause Sandbox' }).click();
    await rows(page, 'Sandboxes', /^Sandbox, server:1\.9-python, Pausing/).waitFor();
    await takePicture(page, 'sandbox-pausing');
    await finish('/pause');
    await rows(page, 'Sandboxes', /^Sandbox, server:1\.9-python, Paused, \d conversation/).waitFor();
    await messages(page, 'Pausing').waitFor({ state: 'hidden' });
  });

  it('resumes after a warning that the oldest sandboxes may be paused', async () => {
    const paused = rows(page, 'Sandboxes', /^Sandbox, server:1\.9-python, Paused, \d conversation/);
    await paused.hover();
    await paused.getByRole('button', { name: 'Resume Sandbox' }).click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('3 other sandboxes are running. The service may pause the oldest ones.').waitFor();
    await takePicture(page, 'sandbox-resume-warning');
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await finish('/resume');
    await rows(page, 'Sandboxes', /^Sandbox, server:1\.9-python, Running/).waitFor();
    await messages(page, 'Resuming').waitFor({ state: 'hidden' });
  });

  it('starts from a spec and reports the sandbox that the service paused', async () => {
    await runCommand(page, 'Switchboard: Start Sandbox');
    await choose(page, 'Start a Sandbox', 'server:1.8-java');
    await confirm(page.locator('.monaco-dialog-box'));
    await rows(page, 'Sandboxes', /^Sandbox, server:1\.8-java, Starting, created just now$/).waitFor();
    await takePicture(page, 'sandbox-starting');
    await finish('/sandboxes');
    await rows(page, 'Sandboxes', /^Sandbox, server:1\.8-java, Running, created just now$/).waitFor();
    await messages(page, /The service paused server:\S+ \(box-\w+\) to make room\./).waitFor();
    await takePicture(page, 'sandbox-paused-by-service');
  });
});

async function confirm(dialog: Locator): Promise<void> {
  await dialog.getByText('4 other sandboxes are running. The service may pause the oldest ones.').waitFor();
  await dialog.getByRole('button', { name: 'Start' }).click();
}

/** The rows below the sandboxes. */
function children(page: Page): Locator {
  return rows(page, 'Sandboxes').and(page.locator('[aria-level="2"]'));
}
