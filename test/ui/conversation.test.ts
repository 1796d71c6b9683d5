import assert from 'node:assert/strict';
import type { Frame, Locator, Page } from 'playwright-core';
import { type MisbehavingDemo, startMisbehavingDemo } from '../../src/demo/faults/misbehavingDemo.ts';
import {
  changeTheme,
  type Desk,
  eventually,
  hears,
  messages,
  openPage,
  openSideBar,
  reload,
  rows,
  runCommand,
  setUpDesk,
  sortByCreation,
  takePicture,
  themes,
  webviewOf,
  writeInto,
} from './support.ts';

describe('a conversation page', () => {
  let desk: Desk;
  let page: Page;
  let service: MisbehavingDemo;
  const dialogs: string[] = [];

  before(async () => {
    service = await startMisbehavingDemo({ interface: 'agentServer' });
    desk = await setUpDesk({
      settings: { 'switchboard.notifications': 'off', 'switchboard.refreshInterval': 1 },
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
    ({ page } = await desk.open());
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await openSideBar(page);
    await rows(page, 'Conversations', /Waiting for you/)
      .first()
      .waitFor();
    await sortByCreation(page);
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  afterEach(() => {
    assert.deepEqual(dialogs, []);
  });

  const asked = () => service.executed.filter(({ cause }) => cause.startsWith('POST '));
  const field = (frame: Frame) => frame.getByRole('textbox', { name: 'Message to the agent' });
  const entry = (frame: Frame, text: string | RegExp) => frame.locator('.entry').filter({ hasText: text });
  const waitingBox = (frame: Frame) => frame.locator('.waitingBox');

  async function titleAt(row: Locator): Promise<string> {
    return ((await row.getAttribute('aria-label')) ?? '').split(', ')[0] ?? '';
  }

  /** Opens the page of the first such row. */
  async function open(label: string | RegExp): Promise<{ frame: Frame; title: string }> {
    const title = await titleAt(rows(page, 'Conversations', label).first());
    const named = new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}, `);
    const frame = await openPage(page, rows(page, 'Conversations', named).first(), title);
    await frame.locator('.entry').first().waitFor();
    return { frame, title };
  }

  /** A list that was asked for before an answer may arrive after it: then another one is opened. */
  async function openWaiting(): Promise<{ frame: Frame; title: string }> {
    let opened: { frame: Frame; title: string } | undefined;
    await eventually(async () => {
      opened = await open(/Waiting for you/);
      await waitingBox(opened.frame).getByText('The agent wants to do').waitFor({ timeout: 5_000 });
    });
    return opened ?? assert.fail();
  }

  /** Lets the agent of this page do what is written there. */
  async function write(frame: Frame, text: string): Promise<void> {
    // The page may know a moment later than the row that nothing waits any more. Until then, Enter leads to a choice.
    await frame.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await writeInto(field(frame), text);
    await field(frame).press('Enter');
    await eventually(async () => {
      assert.equal(await field(frame).inputValue(), '');
    });
  }

  for (const [name, theme] of Object.entries(themes)) {
    it(`shows events and a waiting action in the ${name} theme`, async () => {
      await changeTheme(page, theme);
      const { frame } = await openWaiting();
      await entry(frame, 'Wants to run').first().waitFor();
      await takePicture(page, `conversation-${name}`);
      await runCommand(page, 'View: Close All Editors');
    });
  }

  it('shows that it is live and unfolds its details', async () => {
    const { frame } = await openWaiting();
    await frame.getByText('Live', { exact: true }).waitFor();
    await frame.getByRole('button', { name: 'Details' }).click();
    await frame.locator('dt').getByText('Model', { exact: true }).waitFor();
    await takePicture(page, 'conversation-details');
    await frame.getByRole('button', { name: 'Details' }).click();
  });

  it('runs an accepted action once despite several clicks, and reports it', async () => {
    const { frame, title } = await openWaiting();
    const before = asked().length;
    const accept = waitingBox(frame).getByRole('button', { name: 'Accept' });
    await waitingBox(frame).waitFor();
    await eventually(async () => {
      // A click that comes at once is not taken.
      if ((await accept.count()) > 0) await accept.click({ clickCount: 3, timeout: 1_000 });
      await frame.locator('.told').getByText('Accepted.').waitFor({ timeout: 1_000 });
    });
    assert.equal(asked().length, before + 1);
    await eventually(async () => {
      assert.equal((await entry(frame, /Ran npm test|Ran git|Created|Ran cd/).count()) > 0, true, title);
    });
    await takePicture(page, 'conversation-accepted');
    await runCommand(page, 'View: Close All Editors');
  });

  it('rejects with a reason that reaches the agent', async () => {
    const { frame } = await openWaiting();
    const before = asked().length;
    await waitingBox(frame).getByRole('button', { name: 'Reject with a Reason' }).click();
    await writeInto(frame.getByRole('textbox', { name: 'What the agent should know' }), 'Not on a Friday');
    await eventually(async () => {
      const reject = waitingBox(frame).getByRole('button', { name: 'Reject', exact: true });
      if ((await reject.count()) > 0) await reject.click({ timeout: 1_000 });
      await frame.locator('.told').getByText('Rejected.').waitFor({ timeout: 1_000 });
    });
    await entry(frame, 'rejected: Not on a Friday').first().waitFor();
    assert.equal(asked().length, before);
    await takePicture(page, 'conversation-rejected');
  });

  it('sends a message with Enter and shows the actions and reply of the agent', async () => {
    const { frame } = await open(/Idle/);
    await write(
      frame,
      'call: terminal {"command": "echo hello"}\ncall: file_editor {"command": "str_replace", "path": "/srv/a.ts", "old_str": "one", "new_str": "two"}\nsay: I am **done** with `it`.',
    );
    await entry(frame, 'Ran echo hello, exit code 0').waitFor();
    await entry(frame, 'Edited /srv/a.ts').waitFor();
    const said = entry(frame, 'I am done with it.').last();
    await said.locator('strong').getByText('done', { exact: true }).waitFor();
    await entry(frame, 'Edited /srv/a.ts').last().getByRole('button').click();
    await frame.locator('.change .removed').getByText('one').waitFor();
    await frame.locator('.change .added').getByText('two').waitFor();
    await takePicture(page, 'conversation-written');
  });

  it('shows hostile agent messages as plain text', async () => {
    const { frame } = await open(/Finished|Idle/);
    const hostile = [
      '<img src=x onerror=alert(1)><script>alert(2)</script>',
      '[run](command:workbench.action.quit) [js](javascript:alert(3)) [data](data:text/html,x)',
      '![far](https://pictures.invalid/one.png) https://good.example.com/',
      '[https://good.example.com](https://evil.example.com/x)',
      'turned \u202e around \u202c and \u200bunseen',
    ].join(' ');
    await write(frame, `say: ${hostile}`);
    const said = entry(frame, 'turned').last();
    await said.waitFor();
    assert.equal(await said.locator('img, script, iframe, style, [onerror]').count(), 0);
    const addresses = await said
      .locator('a')
      .evaluateAll((links: readonly { readonly href: string }[]) => links.map(({ href }) => href));
    assert.deepEqual(addresses, [
      'https://pictures.invalid/one.png',
      'https://good.example.com/',
      'https://evil.example.com/x',
    ]);
    assert.match(await said.innerText(), /<img src=x onerror=alert\(1\)><script>/);
    assert.match(await said.innerText(), /\(evil\.example\.com\)/);
    assert.match(await said.innerText(), /\\u202e around \\u202c and \\u200bunseen/);
    assert.doesNotMatch(await said.innerText(), /[\u202e\u200b]/);
    await takePicture(page, 'conversation-hostile');
  });

  it('asks before it opens a link', async () => {
    const { frame } = await open(/Finished|Idle/);
    await write(frame, 'say: See [the page](https://links.example.com/a).');
    await frame.getByRole('link', { name: 'the page' }).last().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('https://links.example.com/a').waitFor();
    await page.keyboard.press('Escape');
  });

  it('rejects the waiting action before sending when you choose Reject and Send', async () => {
    const { frame } = await openWaiting();
    const before = asked().length;
    await writeInto(field(frame), 'say: I do something else.');
    await field(frame).press('Enter');
    await frame.getByRole('button', { name: 'Reject and Send' }).and(frame.locator(':focus')).waitFor();
    await takePicture(page, 'conversation-choose');
    await page.keyboard.press('Enter');
    await entry(frame, 'I do something else.').last().waitFor();
    assert.equal(asked().length, before);
  });

  it('stops the agent', async () => {
    const { frame } = await open(/Finished|Idle/);
    await write(frame, 'call: terminal {"command": "sleep 60"}');
    await entry(frame, 'Is running sleep 60').waitFor();
    await takePicture(page, 'conversation-working');
    await frame.getByRole('button', { name: 'Stop' }).click();
    await frame
      .locator('.told')
      .getByText(/^Stopped\./)
      .waitFor();
    await entry(frame, 'Interrupted').last().waitFor();
  });

  it('says that stopping may take a while when the service cannot interrupt the agent', async () => {
    service.misbehave({ noInterrupt: '404' });
    const { frame } = await open(/Finished|Idle/);
    await write(frame, 'call: terminal {"command": "sleep 20"}');
    await entry(frame, 'Is running sleep 20').waitFor();
    await frame.getByRole('button', { name: 'Stop' }).click();
    await frame.getByText('It stops after that, which may take half a minute.').waitFor();
    await takePicture(page, 'conversation-stopping');
    await frame
      .locator('.told')
      .getByText(/^Stopped\./)
      .waitFor();
    await entry(frame, 'Paused').last().waitFor();
    service.misbehave({});
  });

  it('finds text inside collapsed entries with its own find bar', async () => {
    const { frame } = await open(/Paused|Finished|Idle/);
    await write(frame, 'call: terminal {"command": "echo a needle in the hay"}\nsay: Done.');
    await entry(frame, 'Done.').last().waitFor();
    await field(frame).press('Control+f');
    const bar = frame.getByRole('textbox', { name: 'Find in what is loaded' });
    await bar.fill('needle in the hay');
    await frame.getByText(/^\d+ of \d+$/).waitFor();
    await takePicture(page, 'conversation-find');
    await bar.press('Escape');
  });

  it('keeps an unsent message when the window reloads', async () => {
    const { title, frame } = await open(/Finished|Idle/);
    await writeInto(field(frame), 'Not sent yet');
    await field(frame).blur();
    await eventually(async () => {
      await reload(page);
      const restored = await webviewOf(page, title);
      await restored.locator('.entry').first().waitFor();
      assert.equal(await field(restored).inputValue(), 'Not sent yet');
    });
    await writeInto(field(await webviewOf(page, title)), '');
    await field(await webviewOf(page, title)).blur();
    assert.deepEqual(await messages(page).allInnerTexts(), []);
  });

  it('attaches the editor selection and sends it with the message', async () => {
    const { frame, title } = await open(/Finished|Idle/);
    await runCommand(page, 'File: New Untitled Text File');
    await page.keyboard.type('const answer = 42;');
    await page.keyboard.press('Control+a');
    await rows(page, 'Conversations', new RegExp(`^${title.replace(/[^\w ]/g, '.')}`))
      .first()
      .click();
    const shown = await webviewOf(page, title);
    await shown.getByRole('button', { name: 'Attach the selection of the editor' }).click();
    await shown
      .locator('.attachments')
      .getByText(/^Untitled-\d:1$/)
      .waitFor();
    await takePicture(page, 'conversation-attached');
    await write(shown, 'say: I have seen it.');
    await entry(shown, 'const answer = 42;').last().waitFor();
    assert.equal(await shown.locator('.attachments li').count(), 0);
    assert.ok(frame);
    await runCommand(page, 'View: Close All Editors');
    const save = page.getByRole('dialog').getByRole('button', { name: "Don't Save" });
    if (await save.isVisible()) await save.click();
  });

  it('opens again from its row right after it was closed', async () => {
    const { title } = await open(/Finished|Idle/);
    const row = rows(page, 'Conversations', title).first();
    for (let count = 0; count < 5; count++) {
      await runCommand(page, 'View: Close All Editors');
      await row.click();
      await webviewOf(page, title);
      assert.equal(await page.getByRole('tab', { name: title }).count(), 1);
    }
  });

  it('changes when the agent asks for approval, and confirms before turning that off', async () => {
    const { frame } = await open(/Finished|Idle/);
    const asks = frame.getByLabel('Asks before it acts:');
    await asks.selectOption('always');
    await eventually(async () => {
      assert.equal(await asks.inputValue(), 'always');
      assert.ok(service.requests.some(({ path }) => path.endsWith('/confirmation_policy')));
    });
    const count = () => service.requests.filter(({ path }) => path.endsWith('/confirmation_policy')).length;
    const before = count();
    await asks.selectOption('never');
    await hears(page, /^Keep Asking; .*does everything without asking you/);
    await takePicture(page, 'conversation-never-ask');
    await page.keyboard.press('Escape');
    await eventually(async () => {
      assert.equal(await asks.inputValue(), 'always');
    });
    assert.equal(count(), before);
  });

  it('follows its conversation only while visible', async () => {
    const { title } = await openWaiting();
    const sockets = () => service.requests.filter(({ path }) => path.startsWith('/sockets/'));
    const [id] = sockets()
      .slice(-1)
      .map(({ path }) => path);
    const ofThis = () => sockets().filter(({ path }) => path === id).length;
    const before = ofThis();
    const { title: other } = await open(/Finished|Idle/);
    assert.notEqual(other, title);
    await page.locator('.tab').getByText(title).click();
    const again = await webviewOf(page, title);
    await again.getByText('Live', { exact: true }).waitFor();
    assert.equal(ofThis(), before + 1);
  });

  it('has one tab stop for its entries and labels them for a screen reader', async () => {
    const { frame } = await openWaiting();
    await frame
      .getByRole('alert')
      .getByText('The agent waits for your answer')
      .waitFor({ state: 'attached' });
    await frame.locator('.entries [tabindex="0"]').first().focus();
    await hears(page, /Wants to/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    assert.equal(await frame.getByRole('feed', { name: 'What happened' }).count(), 1);
    assert.equal(await frame.locator('.entries :is(article, .line)[tabindex="0"]').count(), 1);
  });

  it('reports an unreachable service and keeps its entries', async () => {
    const { frame } = await openWaiting();
    await service.stop();
    await frame.getByText('Not reachable.').waitFor();
    await frame.getByRole('button', { name: 'Try Again' }).waitFor();
    assert.ok((await frame.locator('.entry').count()) > 0);
    await takePicture(page, 'conversation-unreachable');
  });
});
