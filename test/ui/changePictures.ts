/**
 * Pictures of what an agent has changed, and of a problem that is given to one.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startMisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import type { RepositoryFile } from '../support/demo/patches.ts';
import { Camera, dismissMessages, size, widenSideBar } from './camera.ts';
import { installChecker } from './checkerExtension.ts';
import {
  chooseInMenu,
  eventually,
  fold,
  goTo,
  openSideBar,
  pressBox,
  question,
  rows,
  runCommand,
  setUpDesk,
  statusBar,
  themes,
} from './support.ts';

const settings = {
  'switchboard.notifications': 'off',
  'breadcrumbs.enabled': false,
  'editor.minimap.enabled': false,
};

const title = 'Move the rate limiter from callbacks to async/await';
const changed = new RegExp(`^${title}, `);

/**
 * The diff of what an agent has changed, beside the list; then the diff of what
 * is left after a review.
 */
export async function takeChangesPictures(name: string): Promise<void> {
  const theme = themes[name];
  if (!theme) throw new Error(`There is no theme ${name}.`);
  const service = await startMisbehavingDemo({ interface: 'agentServer' });
  const desk = await setUpDesk({
    settings: { ...settings, 'workbench.colorTheme': theme.label },
    env: {
      SWITCHBOARD_SERVICE_URL: service.url,
      SWITCHBOARD_API_KEY: service.key,
    },
  });
  try {
    const { page } = await desk.open(size);
    await page.locator(`.monaco-workbench.${theme.kind}`).waitFor();
    await openSideBar(page);
    await fold(page, 'MCP Servers');
    await rows(page, 'Conversations', changed).waitFor();
    await showChanges(page);
    await goTo(page, 'Conversations', changed);
    await page.keyboard.press('ArrowRight');
    await rows(page, 'Conversations', /^src\/.*, (changed|added)/)
      .first()
      .waitFor();
    await goTo(page, 'Conversations', /^src\/.*, (changed|added)/);
    await pressBox(page);
    await rows(page, 'Conversations', /^src\/.*, reviewed/).waitFor();
    await dismissMessages(page);
    const camera = new Camera(page, name);
    const { y } = await camera.frame(page.locator('.part.statusbar'));
    const above = { x: 0, y: 0, ...size, height: y };
    await camera.take('pictures/changes', above);
    const diff = await camera.frame(
      page.locator('.multiDiffEntry').filter({ hasText: 'limiter.ts' }),
    );
    await camera.take('walkthrough/changes', { ...diff, width: 520 });

    await runCommand(page, 'View: Close All Editors');
    service.misbehave({ changedFiles: [limiter(callbacks), tests] });
    await showChanges(page);
    await markAll(page);
    service.misbehave({
      changedFiles: [
        limiter(`${callbacks}\nexport const defaultLimit = 100;\n`),
        tests,
      ],
    });
    await showChanges(page);
    await page.locator('.multiDiffEntry').getByText('defaultLimit').waitFor();
    await rows(
      page,
      'Conversations',
      /^src\/limiter\.ts, changed, changed since/,
    ).waitFor();
    await dismissMessages(page);
    await widenSideBar(page, 430);
    await camera.take('pictures/review', { ...above, height: 420 });
  } finally {
    await desk.clear();
    await service.stop();
  }
}

async function showChanges(page: Page): Promise<void> {
  await goTo(page, 'Conversations', changed);
  await runCommand(page, 'Switchboard: Show Changes');
  await page.keyboard.type(title);
  await page.keyboard.press('Enter');
  await page
    .locator('.multiDiffEntry .editor.modified .view-line')
    .first()
    .waitFor();
}

async function markAll(page: Page): Promise<void> {
  await goTo(page, 'Conversations', changed);
  await page.keyboard.press('Shift+F10');
  await chooseInMenu(page, 'Mark All as Reviewed');
  await rows(page, 'Conversations', /, reviewed/)
    .first()
    .waitFor();
  await runCommand(page, 'View: Close All Editors');
}

const callbacks = `export async function limit(key: string): Promise<boolean> {
  const count = await increment(key);
  return count <= max;
}
`;

const limiter = (after: string): RepositoryFile => ({
  path: 'src/limiter.ts',
  before: Buffer.from(
    'export function limit(key, done) {\n  increment(key, (count) => done(count <= max));\n}\n',
  ),
  after: Buffer.from(after),
});

const tests: RepositoryFile = {
  path: 'test/limiter.test.ts',
  before: undefined,
  after: Buffer.from(
    "it('refuses more than the limit', async () => {\n  assert.equal(await limit('a'), false);\n});\n",
  ),
};

/** The quick fix at a problem. */
export async function takeFixPicture(name: string): Promise<void> {
  const theme = themes[name];
  if (!theme) throw new Error(`There is no theme ${name}.`);
  const service = await startMisbehavingDemo();
  const desk = await setUpDesk({
    installMore: installChecker,
    settings: {
      ...settings,
      'workbench.colorTheme': theme.label,
      'workbench.editor.showTabs': 'none',
      'switchboard.services': [{ url: service.url }],
    },
    env: {
      SWITCHBOARD_SERVICE_URL: service.url,
      SWITCHBOARD_API_KEY: service.key,
    },
  });
  try {
    const folder = join(desk.home, 'storefront');
    await mkdir(join(folder, 'src'), { recursive: true });
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
    await writeFile(join(folder, 'src', 'cart.ts'), cart);
    const { page } = await desk.open({ ...size, folder });
    await page.locator(`.monaco-workbench.${theme.kind}`).waitFor();
    await page.keyboard.press('Control+p');
    await question(page).fill('cart.ts');
    await page
      .locator('.quick-input-list .monaco-list-row.focused')
      .filter({ hasText: 'cart.ts' })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.monaco-editor.focused').waitFor();
    await eventually(async () => {
      await page.keyboard.press('Control+g');
      await question(page).fill(':4:25', { timeout: 3_000 });
      await page.keyboard.press('Enter');
      await statusBar(page).getByText('Ln 4, Col').waitFor({ timeout: 3_000 });
    });
    await page.locator('.squiggly-error').waitFor();
    const fix = page
      .locator('.action-widget .monaco-list-row')
      .filter({ hasText: 'Let an agent fix this' });
    await eventually(async () => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+.');
      await fix.waitFor({ timeout: 3_000 });
    });
    const camera = new Camera(page, name);
    await camera.take(
      'pictures/fix',
      await camera.frame(page.locator('.part.editor'), 260),
    );
  } finally {
    await desk.clear();
    await service.stop();
  }
}

const cart = `import { prices } from './prices.ts';

export function total(names: readonly string[]): number {
  const vat: number = '19%';
  return names.reduce((sum, name) => sum + prices[name] * vat, 0);
}
`;
