/** The page of a conversation in a window, as a person uses it. */
import assert from 'node:assert/strict';
import type { Frame, Locator, Page } from 'playwright-core';
import {
  eventually,
  messages,
  openPage,
  rows,
  runCommand,
  statusBar,
  webviewOf,
  writeInto,
} from '../ui/support.ts';

/**
 * Milliseconds in which a real service asks a model for each step, on a machine
 * that may be busy.
 */
export const aWhile = 90_000;

export class AgentPage {
  readonly frame: Frame;

  private constructor(frame: Frame) {
    this.frame = frame;
  }

  /** Finds the open page with this title. */
  static async of(page: Page, title: string): Promise<AgentPage> {
    return new AgentPage(await webviewOf(page, headingOf(title)));
  }

  /** Opens it with a click on its row. */
  static async open(page: Page, title: string): Promise<AgentPage> {
    const row = rows(page, 'Conversations', new RegExp(`^${escaped(title)}, `));
    await row.first().waitFor({ timeout: aWhile });
    return new AgentPage(await openPage(page, row.first(), headingOf(title)));
  }

  static async closeAll(page: Page): Promise<void> {
    await runCommand(page, 'View: Close All Editors');
    await page
      .locator('.editor-group-container .tab')
      .first()
      .waitFor({ state: 'detached' });
  }

  get waitingBox(): Locator {
    return this.frame.locator('.waitingBox');
  }

  get field(): Locator {
    return this.frame.getByRole('textbox', { name: 'Message to the agent' });
  }

  entry(text: string | RegExp): Locator {
    return this.frame.locator('.entry').filter({ hasText: text }).last();
  }

  async shows(text: string | RegExp): Promise<void> {
    await this.entry(text).waitFor({ timeout: aWhile });
  }

  async hears(text: string): Promise<void> {
    await this.frame
      .locator('.entry.by-agent')
      .filter({ hasText: text })
      .last()
      .waitFor({ timeout: aWhile });
  }

  async state(text: string): Promise<void> {
    await this.frame
      .locator('.stateLine')
      .getByText(text, { exact: true })
      .waitFor({ timeout: aWhile });
  }

  /** Writes to the agent and presses Enter. */
  async write(...lines: readonly string[]): Promise<void> {
    await writeInto(this.field, lines.join('\n'));
    await this.field.press('Enter');
  }

  async says(text: string | RegExp): Promise<void> {
    await this.frame
      .locator('.told')
      .filter({ hasText: text })
      .waitFor({ timeout: aWhile });
  }

  /** Waits until the agent wants to do all of this. */
  async wants(...texts: readonly string[]): Promise<void> {
    await eventually(async () => {
      const shown = await this.waitingBox.innerText({ timeout: 1_000 });
      for (const text of texts)
        assert.ok(shown.includes(text), `${text}: ${shown}`);
    }, aWhile);
  }

  /**
   * Presses a button at what waits, until the page says what became of it: a
   * click that comes at once is not taken. What waits next is left alone, and
   * may already stand where the page said so.
   */
  async answer(
    button: 'Accept' | 'Reject',
    then: string | RegExp,
  ): Promise<void> {
    const shown =
      (await this.waitingBox.locator('.wanted').first().textContent()) ?? '';
    const box = this.waitingBox.filter({ hasText: shown });
    // Only what was read to its end can be accepted.
    await box
      .locator('.whole')
      .evaluate((whole: { scrollTop: number }) => (whole.scrollTop = 1e6));
    const made = box.getByRole('button', { name: button, exact: true });
    const told = this.frame.locator('.told').filter({ hasText: then });
    const next = this.frame
      .locator('.waitingBox:visible')
      .filter({ has: this.frame.locator('.wanted'), hasNotText: shown });
    await eventually(async () => {
      if ((await made.count()) > 0) await made.click({ timeout: 1_000 });
      await told.or(next).first().waitFor({ timeout: 1_000 });
    }, aWhile);
  }

  async accept(): Promise<void> {
    await this.answer('Accept', /^Accepted\.$/);
  }

  async reject(): Promise<void> {
    await this.answer('Reject', /^Rejected\. The agent has stopped\.$/);
  }

  /** Chooses something in the menu of the head. */
  async choose(item: string): Promise<void> {
    await this.frame.getByRole('button', { name: 'More Actions…' }).click();
    await this.frame.getByRole('menuitem', { name: item, exact: true }).click();
  }
}

/** Comments on a line of a diff, and sends that to the agent as a review. */
export async function sendComment(
  page: Page,
  line: Locator,
  text: string,
): Promise<void> {
  await line.click();
  await runCommand(page, 'Switchboard: Comment to the Agent');
  const field = page.locator(
    '.review-widget .comment-form .monaco-editor.focused',
  );
  await field.waitFor();
  await page.keyboard.type(text);
  await field.getByText(text.split(' ').at(-1) ?? '').waitFor();
  await page.keyboard.press('Control+Enter');
  await statusBar(page).getByText('Send Review (1)').waitFor();
  await runCommand(page, 'Switchboard: Send Review');
  await page
    .locator('.quick-input-title')
    .getByText('Send Review (1)')
    .waitFor();
  await page.keyboard.press('Enter');
  await messages(page, 'The message was sent to').waitFor({ timeout: aWhile });
}

/** Matches the heading of its page, and no other. */
function headingOf(title: string): RegExp {
  return new RegExp(`^${escaped(title)}$`);
}

function escaped(text: string): string {
  return text.replaceAll(/[()]/g, '\\$&');
}
