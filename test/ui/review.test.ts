import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { type MisbehavingDemo, startMisbehavingDemo } from '../../src/demo/faults/misbehavingDemo.ts';
import {
  changeTheme,
  chooseInMenu,
  type Desk,
  goTo,
  messages,
  openSideBar,
  press,
  question,
  reload,
  rows,
  runCommand,
  setUpDesk,
  statusBar,
  takePicture,
  themes,
} from './support.ts';

interface Found {
  readonly id: string;
  readonly title: string | null;
  readonly execution_status: string;
  readonly workspace: { readonly working_dir: string };
}

const file = (text: string, path = 'src/cart.ts') => ({
  path,
  before: Buffer.from('export const total = 0;\nexport const net = 0;\n'),
  after: Buffer.from(text),
});

const first = 'export const total = 1;\nexport const net = 2;\nexport const vat = 3;\n';

describe('a review of the changes of an agent', () => {
  let desk: Desk;
  let page: Page;
  let service: MisbehavingDemo;
  let found: Found;
  let title: string;

  before(async () => {
    service = await startMisbehavingDemo({
      interface: 'agentServer',
      misbehaviour: { changedFiles: [file(first), file('one\n', 'docs/notes.md')] },
    });
    found = await find((each) => ['finished', 'error', 'stuck'].includes(each.execution_status));
    title = found.title ?? '';
    desk = await setUpDesk({
      settings: { 'switchboard.notifications': 'off', 'switchboard.refreshInterval': 1 },
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
    ({ page } = await desk.open({ height: 1000 }));
    await openSideBar(page);
    await rows(page, 'Conversations').first().waitFor();
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  async function ask<T>(path: string): Promise<T> {
    const response = await fetch(service.url + path, { headers: { 'X-Session-API-Key': service.key } });
    return (await response.json()) as T;
  }

  /** In a folder that has a repository. */
  async function find(fits: (found: Found) => boolean): Promise<Found> {
    const { items } = await ask<{ items: Found[] }>('/api/conversations/search?limit=50');
    for (const each of items.filter((item) => item.title && fits(item))) {
      const path = `/api/conversations/${each.id}/file/archive?path=${each.workspace.working_dir}`;
      const { status } = await fetch(service.url + path, { headers: { 'X-Session-API-Key': service.key } });
      if (status === 200) return each;
    }
    return assert.fail('There is none.');
  }

  /** What the person has said in it, the last first. */
  async function said({ id }: Found): Promise<readonly string[]> {
    const path = `/api/conversations/${id}/events/search?limit=50&sort_order=TIMESTAMP_DESC&source=user`;
    const { items } = await ask<{ items: { llm_message?: { content: { text: string }[] } }[] }>(path);
    return items.flatMap(({ llm_message }) => llm_message?.content.map(({ text }) => text) ?? []);
  }

  async function showChanges(of = title): Promise<void> {
    await runCommand(page, 'Switchboard: Show Changes');
    await page.getByPlaceholder('Select the conversation whose changes to show').waitFor();
    await page.keyboard.type(of);
    await page.keyboard.press('Enter');
    await line('net = 2').waitFor();
  }

  const line = (text: string): Locator =>
    page.locator('.multiDiffEntry .editor.modified .view-line').filter({ hasText: text }).first();

  const boxes = (): Locator => page.locator('.review-widget');

  async function writeAt(place: Locator, text: string): Promise<void> {
    await place.click();
    await runCommand(page, 'Switchboard: Comment to the Agent');
    const field = boxes().locator('.comment-form .monaco-editor.focused');
    await field.waitFor();
    await page.keyboard.type(text);
    await field.getByText(text.split(' ').at(-1) ?? '').waitFor();
  }

  async function pressInBox(name: string): Promise<void> {
    await boxes().getByRole('button', { name }).first().click();
  }

  it('explains how to begin when there are no comments', async () => {
    await runCommand(page, 'Switchboard: Send Review');
    await messages(page, 'There are no comments to send. Open what an agent has changed with').waitFor();
    await runCommand(page, 'Switchboard: Comment to the Agent');
    await messages(page, 'select the lines, and choose Comment to the Agent again.').waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('collects comments written beside the lines of the diff', async () => {
    await showChanges();
    await writeAt(line('net = 2'), 'Round this.');
    await takePicture(page, 'review-writing');
    await page.keyboard.press('Control+Enter');
    await boxes().getByText('Not sent yet').waitFor();
    await statusBar(page).getByText('Send Review (1)').waitFor();
    await rows(page, 'Conversations', new RegExp(`^${escaped(title)}, .*1 comment not sent`)).waitFor();
    const original = page
      .locator('.multiDiffEntry .editor.original .view-line')
      .filter({ hasText: 'total = 0' });
    await writeAt(original.first(), 'Why not keep this?');
    await pressInBox('Add to Review');
    await statusBar(page).getByText('Send Review (2)').waitFor();
    for (const theme of ['light', 'dark']) {
      await changeTheme(page, themes[theme] ?? assert.fail());
      await takePicture(page, `review-collected-${theme}`);
    }
  });

  it('edits a comment, and restores a discarded one on Undo', async () => {
    const box = boxes().filter({ hasText: 'Round this.' });
    await box.hover();
    await box.getByRole('button', { name: 'Edit Comment' }).click();
    await box.locator('.monaco-editor.focused').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Round this to cents.');
    await box.getByRole('button', { name: 'Save' }).click();
    const changed = boxes().filter({ hasText: 'Round this to cents.' });
    await changed.getByText('Not sent yet').waitFor();
    await changed.hover();
    await changed.getByRole('button', { name: 'Discard Comment' }).click();
    await statusBar(page).getByText('Send Review (1)').waitFor();
    await press(page, 'The comment was discarded.', 'Undo');
    await statusBar(page).getByText('Send Review (2)').waitFor();
  });

  it('survives a window reload', async () => {
    await reload(page);
    await statusBar(page).getByText('Send Review (2)').waitFor();
    await boxes().filter({ hasText: 'Round this to cents.' }).getByText('Not sent yet').waitFor();
  });

  it('moves a comment with its line and says when the file has changed', async () => {
    service.misbehave({ changedFiles: [file(`// New\n${first}`), file('one\n', 'docs/notes.md')] });
    await showAgain('// New');
    const box = boxes().filter({ hasText: 'Round this to cents.' });
    await box.getByText('src/cart.ts, line 3').waitFor();
    service.misbehave({ changedFiles: [file('// Else\n'), file('one\n', 'docs/notes.md')] });
    await showAgain('// Else');
    await box.getByText('The file has changed since you wrote this').waitFor();
    await box.getByText('export const net = 2;').waitFor();
    await takePicture(page, 'review-outdated');
  });

  async function showAgain(text: string): Promise<void> {
    await runCommand(page, 'Switchboard: Show Changes');
    await page.getByPlaceholder('Select the conversation whose changes to show').waitFor();
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
    await line(text).waitFor();
  }

  it('sends the comments as one message with files, lines and quotes, then removes them', async () => {
    await goTo(page, 'Conversations', new RegExp(`^${escaped(title)}`));
    await page.keyboard.press('Shift+F10');
    await chooseInMenu(page, 'Send Review');
    await page.locator('.quick-input-title').getByText('Send Review (2)').waitFor();
    await page.locator('.quick-input-list').getByText('src/cart.ts, line 3 · outdated').waitFor();
    await takePicture(page, 'review-sending');
    assert.match(
      (await question(page).getAttribute('placeholder')) ?? '',
      /Enter sends the checked comments/,
    );
    await page.keyboard.press('Enter');
    await messages(page, 'The message was sent to').waitFor();
    await statusBar(page).getByText('Send Review').waitFor({ state: 'hidden' });
    assert.equal(await boxes().count(), 0);
    const [last = ''] = await said(found);
    assert.match(
      last,
      /^My comments on your changes:\n\n1\. `src\/cart\.ts`, line 3:\n\n```ts\nexport const net = 2;\n```/,
    );
    assert.match(
      last,
      /It has changed since\.\)\n\nRound this to cents\.\n\n2\. .+line 1, as it was before your change:/,
    );
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('never runs a waiting action: asks before sending and queues the comments on request', async () => {
    const waiting = await find((each) => each.execution_status === 'waiting_for_confirmation');
    service.misbehave({ changedFiles: [file(first)] });
    await showChanges(waiting.title ?? '');
    await writeAt(line('net = 2'), 'Not this way.');
    await pressInBox('Send Now');
    const dialog = page.getByRole('dialog').filter({ hasText: 'A message would run what it asks for.' });
    await dialog.waitFor();
    await takePicture(page, 'review-waits');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await statusBar(page).getByText('Send Review (1)').waitFor();
    assert.ok(!(await said(waiting)).some((text) => text.includes('Not this way.')));
    await runCommand(page, 'Switchboard: Send Review');
    await page.locator('.quick-input-title').getByText('Send Review (1)').waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Leave the Message' }).click();
    await statusBar(page).getByText('Send Review').waitFor({ state: 'hidden' });
    assert.match((await said(waiting))[0] ?? '', /Not this way\.$/);
    assert.deepEqual(
      service.executed.filter(({ cause }) => cause.startsWith('POST ')),
      [],
    );
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
