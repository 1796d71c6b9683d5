import assert from 'node:assert/strict';
import axe, { type AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import type { DrawnEntry } from '../../src/protocol/drawn.ts';
import { launchBrowser } from '../host/browser.ts';
import {
  type BarePage,
  does,
  entries,
  head,
  input,
  openBarePage,
  says,
  start,
  type Theme,
} from './barePage.ts';
import { type PageState, pageStates } from './pageStates.ts';
import { eventually } from './support.ts';

describe('a conversation page outside VS Code', () => {
  let browser: Browser;
  let bare: BarePage;

  before(async () => {
    browser = await launchBrowser();
  });

  after(() => browser.close());

  beforeEach(async () => {
    bare = await openBarePage(undefined, { browser });
    await eventually(() => {
      assert.equal(bare.told[0]?.type, 'ready');
      return Promise.resolve();
    });
    await bare.tell(start(), head(), input());
  });

  afterEach(async () => {
    assert.deepEqual(bare.asked, [], 'It has asked for something.');
    await bare.close();
  });

  const many = (count: number, prefix = 'e'): DrawnEntry[] =>
    Array.from({ length: count }, (_, index) =>
      index % 5 === 0
        ? says(
            `${prefix}${index}`,
            `Message ${prefix}${index}\n\nwith a paragraph.`,
          )
        : does(
            `${prefix}${index}`,
            `command ${prefix}${index}`,
            `step ${Math.floor(index / 5)}`,
          ),
    );

  const distances = () =>
    bare.page.locator('.scroller').evaluate((scroller: Scroller) => ({
      top: scroller.scrollTop,
      bottom:
        scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight,
    }));
  /** The place of an entry on the screen. */
  const placeOf = async (text: string) =>
    (await bare.page.getByText(text, { exact: true }).boundingBox())?.y ?? NaN;
  const told = (type: string) =>
    bare.told.filter((message) => message.type === type);
  const until = (check: () => void) =>
    eventually(() => Promise.resolve().then(check));

  it('keeps a waiting action and its buttons visible in a very low window', async () => {
    await bare.page.setViewportSize({ width: 480, height: 340 });
    const blocks = [
      { kind: 'code', label: 'Command', text: 'npm test\n'.repeat(20) },
    ] as const;
    const actions = ['Run a command', 'Run another one'].map((line) => ({
      line: [line],
      blocks,
    }));
    const heading =
      'The agent wants to do 2 things. Approve or reject all of them:';
    await bare.tell({
      type: 'waiting',
      waiting: { shown: 1, heading, actions },
    });
    const whole = await bare.page.locator('.whole').boundingBox();
    const buttons = await bare.page
      .locator('.waitingBox .buttons')
      .boundingBox();
    const footer = await bare.page.locator('footer').boundingBox();
    assert.ok(whole && buttons && footer);
    assert.ok(whole.height >= 60, String(whole.height));
    assert.ok(
      buttons.y >= whole.y + whole.height &&
        buttons.y + buttons.height <= footer.y,
    );
  });

  for (const size of [
    { width: 320, height: 560 },
    { width: 1200, height: 640 },
  ]) {
    it(`cuts off nothing and labels every button in each state, ${size.width} pixels wide`, async () => {
      await bare.page.setViewportSize(size);
      for (const state of pageStates) {
        await bare.show(state);
        const wrong: unknown = await bare.page.evaluate(whatIsWrong);
        assert.deepEqual(wrong, [], state.name);
      }
    });
  }

  it('starts at the newest entry and follows new ones while you stay there', async () => {
    await bare.tell(entries({ isReset: true, added: many(200) }));
    await eventually(async () => {
      assert.ok((await distances()).bottom < 40);
    });
    await bare.tell(entries({ added: many(30, 'n') }));
    await eventually(async () => {
      assert.ok((await distances()).bottom < 40);
    });
    assert.equal(await bare.page.locator('.newest').isVisible(), false);
  });

  it('keeps the scroll position further up and offers a button to the newest entry', async () => {
    await bare.tell(entries({ isReset: true, added: many(200) }));
    await bare.page.locator('.scroller').hover();
    await bare.page.mouse.wheel(0, -2_000);
    await bare.page.locator('.newest').waitFor();
    await eventually(async () => {
      const before = (await distances()).top;
      await bare.page.waitForFunction(
        'new Promise((done) => requestAnimationFrame(() => done(true)))',
      );
      assert.equal((await distances()).top, before);
    });
    const { top } = await distances();
    await bare.tell(entries({ added: many(50, 'n') }));
    assert.ok(Math.abs((await distances()).top - top) < 2);
    await bare.page.locator('.newest').click();
    await eventually(async () => {
      assert.ok((await distances()).bottom < 40);
    });
  });

  it('requests older entries at the top and keeps the scroll position when they arrive', async () => {
    await bare.tell(
      entries({ isReset: true, added: many(100), hasOlder: true }),
    );
    await bare.page.locator('.scroller').hover();
    await eventually(async () => {
      await bare.page.mouse.wheel(0, -3_000);
      assert.equal(told('older').length, 1);
    });
    const text = 'command e3';
    await eventually(async () => {
      await bare.page.mouse.wheel(0, -3_000);
      assert.equal((await distances()).top, 0);
    });
    const before = await placeOf(text);
    await bare.tell(entries({ before: many(100, 'o'), hasOlder: false }));
    await eventually(async () => {
      assert.ok(
        Math.abs((await placeOf(text)) - before) < 40,
        `${before} ${await placeOf(text)}`,
      );
    });
  });

  it('adds one element per new event to 10,000 within a frame', async () => {
    const all = many(10_000);
    for (let at = 0; at < all.length; at += 500) {
      await bare.tell(
        entries({ isReset: at === 0, added: all.slice(at, at + 500) }),
      );
    }
    assert.equal(await bare.page.locator('.entry').count(), 10_000);
    await bare.page.evaluate(`(() => {
      window.made = 0;
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) if (node.matches?.('.entry')) window.made++;
      }).observe(document.querySelector('.entries'), { childList: true, subtree: true });
    })()`);
    const took: number[] = [];
    for (let turn = 0; turn < 9; turn++) {
      const message = entries({ added: [does(`one ${turn}`, 'one more')] });
      took.push(
        await bare.page.evaluate<number, unknown>((given) => {
          const begin = performance.now();
          (globalThis as unknown as { take(message: unknown): void }).take(
            given,
          );
          return performance.now() - begin;
        }, message as unknown),
      );
    }
    assert.equal(await bare.page.evaluate('window.made'), 9);
    const median = took.sort((a, b) => a - b)[4] ?? NaN;
    assert.ok(median < 16, `${took.join(' ms, ')} ms`);
  });

  it('has one tab stop for its entries, where arrows move and Enter opens details', async () => {
    await bare.tell(entries({ isReset: true, added: many(20) }));
    assert.equal(
      await bare.page.getByRole('feed', { name: 'Conversation' }).count(),
      1,
    );
    assert.equal(await bare.page.locator('.entries [tabindex="0"]').count(), 1);
    await bare.page.locator('.entries [tabindex="0"]').focus();
    await bare.page.keyboard.press('ArrowUp');
    await bare.page.keyboard.press('ArrowUp');
    const focused = bare.page.locator('.line:focus');
    assert.match(await focused.innerText(), /command e17/);
    await bare.page.keyboard.press('Enter');
    await until(() => {
      assert.deepEqual(told('open'), [{ type: 'open', id: 'e17' }]);
    });
    assert.equal(await focused.getAttribute('aria-expanded'), 'true');
    await bare.tell({
      type: 'details',
      id: 'e17',
      blocks: [{ kind: 'output', label: 'Output', text: 'all of it' }],
    });
    await bare.page.getByText('all of it').waitFor();
    await bare.page.keyboard.press('ArrowLeft');
    assert.equal(await focused.getAttribute('aria-expanded'), 'false');
    assert.equal(await bare.page.getByText('all of it').count(), 0);
    await bare.page.keyboard.press('Home');
    assert.match(
      await bare.page.locator('.entry:focus').innerText(),
      /Message e0/,
    );
    assert.equal(
      await bare.page
        .locator('.entries :is(article, .line)[tabindex="0"]')
        .count(),
      1,
    );
  });

  it('leaves Tab out of links, tables and code in all entries but one, also after they change', async () => {
    const text =
      '[a](https://a.invalid)\n\n| a |\n| - |\n| b |\n\n```\ncode\n```';
    await bare.tell(
      entries({
        isReset: true,
        added: [says('a', text), says('b', text), does('c', 'ls')],
      }),
    );
    await bare.tell(entries({ changed: [says('a', `${text}\n\nmore`)] }));
    const stops = bare.page.locator(
      '.entries :is(a, button, pre, table, article):not([tabindex="-1"])',
    );
    assert.equal(await stops.count(), 1);
  });

  it('announces only new messages of the agent', async () => {
    await bare.tell(entries({ isReset: true, added: many(20) }));
    await bare.tell(
      entries({
        added: [
          says('a', 'I have found it.'),
          does('b', 'ls'),
          says('c', 'Mine', 'person'),
        ],
      }),
    );
    assert.deepEqual(await bare.page.locator('[role=log] p').allInnerTexts(), [
      'Agent: I have found it.',
    ]);
  });

  it('groups the actions of one step, even after one of them changes', async () => {
    await bare.tell(
      entries({
        isReset: true,
        added: [
          does('a', 'one', 's'),
          does('b', 'two', 's'),
          does('c', 'three', 't'),
        ],
      }),
    );
    const joined = () => bare.page.locator('.entry.continues').allInnerTexts();
    assert.equal((await joined()).length, 1);
    await bare.tell(entries({ changed: [does('b', 'two again', 's')] }));
    assert.match((await joined()).join(), /two again/);
  });

  it('asks for the details of an open entry again when the entry changes', async () => {
    await bare.tell(entries({ isReset: true, added: [does('a', 'one')] }));
    await bare.page.locator('.entry .line').click();
    await bare.tell(entries({ changed: [does('a', 'two')] }));
    await until(() => {
      assert.equal(told('open').length, 2);
    });
    await bare.page.locator('.entry .line').click();
    await bare.tell(entries({ changed: [does('a', 'three')] }));
    await bare.page.getByText('three').waitFor();
    assert.equal(told('open').length, 2);
  });

  it('updates a streaming message in place', async () => {
    const streaming = (text: string): DrawnEntry =>
      ({ ...says('s', text), isStreaming: true }) as DrawnEntry;
    await bare.tell(entries({ isReset: true, added: [streaming('One')] }));
    const entry = bare.page.locator('.entry');
    await entry.evaluate(
      (element: { marked?: boolean }) => (element.marked = true),
    );
    await bare.tell(entries({ changed: [streaming('One **two')] }));
    await bare.tell(entries({ changed: [streaming('One **two** three')] }));
    assert.match(await entry.innerText(), /One two three/);
    assert.equal(
      await entry.evaluate((element: { marked?: boolean }) => element.marked),
      true,
    );
  });

  it('recalls earlier messages with the arrow keys, but keeps text you have typed', async () => {
    await bare.tell(
      entries({
        isReset: true,
        added: [says('a', 'First', 'person'), says('b', 'Second', 'person')],
      }),
    );
    const field = bare.page.getByRole('textbox', {
      name: 'Message to the agent',
    });
    await field.focus();
    await bare.page.keyboard.press('ArrowUp');
    assert.equal(await field.inputValue(), 'Second');
    await bare.page.keyboard.press('ArrowUp');
    await bare.page.keyboard.press('ArrowUp');
    assert.equal(await field.inputValue(), 'First');
    await bare.page.keyboard.press('ArrowDown');
    await bare.page.keyboard.press('ArrowDown');
    assert.equal(await field.inputValue(), '');
    await field.fill('Mine');
    await bare.page.keyboard.press('ArrowUp');
    assert.equal(await field.inputValue(), 'Mine');
  });

  it('sends with Enter, breaks the line with Shift+Enter, and frees the field at once', async () => {
    const field = bare.page.getByRole('textbox', {
      name: 'Message to the agent',
    });
    await field.focus();
    await bare.page.keyboard.type('One');
    await bare.page.keyboard.press('Shift+Enter');
    await bare.page.keyboard.type('two');
    await bare.page.keyboard.press('Enter');
    await until(() => {
      assert.deepEqual(told('send'), [
        { type: 'send', how: 'send', text: 'One\ntwo', shown: undefined },
      ]);
    });
    assert.equal(await field.inputValue(), '');
    assert.deepEqual(told('draft').at(-1), { type: 'draft', text: '' });
    await bare.page.keyboard.press('Enter');
    assert.equal(told('send').length, 1);
  });

  it('puts a message that was not sent before what was typed since, and keeps the cursor', async () => {
    const field = bare.page.getByRole('textbox', {
      name: 'Message to the agent',
    });
    await field.fill('One');
    await bare.page.keyboard.press('Enter');
    await bare.page.keyboard.type('Two');
    await bare.tell({ type: 'putBack', text: 'One' });
    assert.equal(await field.inputValue(), 'One\n\nTwo');
    await bare.page.keyboard.type('!');
    assert.equal(await field.inputValue(), 'One\n\nTwo!');
    await until(() => {
      assert.deepEqual(told('draft').at(-1), {
        type: 'draft',
        text: 'One\n\nTwo!',
      });
    });
  });

  it('sends an attachment only once however often Enter is pressed', async () => {
    await bare.tell({
      type: 'attachments',
      attachments: [{ id: 1, name: 'a.txt' }],
    });
    await bare.page
      .getByRole('textbox', { name: 'Message to the agent' })
      .focus();
    await bare.page.keyboard.press('Enter');
    await bare.page.keyboard.press('Enter');
    await until(() => {
      assert.equal(told('draft').length, 1);
    });
    assert.equal(told('send').length, 1);
  });

  it('shows a message on its way after the entries, at the end of the view', async () => {
    await bare.tell(entries({ isReset: true, added: many(200) }));
    await bare.page.locator('.scroller').hover();
    await bare.page.mouse.wheel(0, -2_000);
    await bare.page.locator('.newest').waitFor();
    const pending = {
      ...says('outgoing-1', 'Go on', 'person'),
      time: 'Sending…',
    } as DrawnEntry;
    await bare.tell({ type: 'pending', entries: [pending] });
    await eventually(async () => {
      assert.ok((await distances()).bottom < 2);
    });
    const shown = bare.page.locator('.scroller .entry').last();
    assert.match(await shown.innerText(), /You\s+Sending…\s+Go on/);
    await bare.tell(entries({ added: [says('m', 'Go on', 'person')] }), {
      type: 'pending',
      entries: [],
    });
    assert.equal(await bare.page.getByText('Go on').count(), 1);
  });

  it('has buttons to edit and to remove a queued message', async () => {
    const queued = {
      ...says('queued-7', 'Then push it', 'person'),
      queued: 7,
    } as DrawnEntry;
    await bare.tell({ type: 'pending', entries: [queued] });
    await bare.page
      .getByRole('button', { name: 'Edit Queued Message' })
      .click();
    await bare.page
      .getByRole('button', { name: 'Remove Queued Message' })
      .press('Enter');
    await eventually(() => {
      assert.deepEqual(
        [told('editQueued'), told('removeQueued')],
        [[{ type: 'editQueued', id: 7 }], [{ type: 'removeQueued', id: 7 }]],
      );
    });
  });

  it('keeps Stop in the head while there is something to stop', async () => {
    const stop = bare.page
      .locator('header')
      .getByRole('button', { name: 'Stop', exact: true });
    assert.equal(await stop.isVisible(), false);
    await bare.tell(input({ ways: [], stop: 'Stop', busy: 'Stopping…' }));
    assert.equal(await stop.getAttribute('title'), 'Stop (Ctrl+Escape)');
    await stop.click();
    await until(() => {
      assert.equal(told('stop').length, 1);
    });
    await bare.tell(input());
    assert.equal(await stop.isVisible(), false);
    // The keyboard is not lost with the button.
    assert.equal(await bare.page.locator(':focus').innerText(), 'Details');
  });

  it('forks from the message with the keyboard, only where the agent can be reached', async () => {
    await bare.tell(
      head({ menu: [{ run: 'fork', label: 'Fork' }] }),
      entries({
        isReset: true,
        added: [says('p', 'Fix it.', 'person'), says('a', 'Done.')],
      }),
    );
    const fork = bare.page.getByRole('button', { name: 'Fork From Here' });
    const edit = bare.page.getByRole('button', { name: 'Edit and Resend…' });
    assert.deepEqual([await fork.count(), await edit.count()], [0, 0]);
    await bare.page.getByText('Done.').click();
    await bare.page.mouse.move(1, 1);
    await bare.page.keyboard.press('Tab');
    await bare.page.keyboard.press('Enter');
    await bare.page.keyboard.press('Escape');
    await bare.page.keyboard.press('ArrowUp');
    await bare.page.keyboard.press('Tab');
    await bare.page.keyboard.press('Enter');
    await until(() => {
      assert.deepEqual(told('fork'), [
        { type: 'fork', id: 'a', isBefore: false },
        { type: 'fork', id: 'p', isBefore: true },
      ]);
    });
    assert.deepEqual([await fork.count(), await edit.count()], [1, 1]);
    await bare.tell(head({ menu: [] }));
    assert.deepEqual([await fork.count(), await edit.count()], [0, 0]);
  });

  it('asks aside with the text of the field, and shows the whole answer below its question', async () => {
    await bare.tell(
      input({
        ways: [
          { how: 'send', label: 'Send' },
          { how: 'aside', label: 'Side Question' },
        ],
      }),
      { type: 'attachments', attachments: [{ id: 1, name: 'a.txt' }] },
    );
    await bare.page.keyboard.type('Why?');
    await bare.page.getByRole('button', { name: 'Side Question' }).click();
    await until(() => {
      assert.deepEqual(told('send'), [
        { type: 'send', how: 'aside', text: 'Why?', shown: undefined },
      ]);
    });
    assert.ok(await bare.page.getByText('a.txt').isVisible());
    const aside = { id: 1, question: 'Why?' };
    await bare.tell({
      type: 'asides',
      asides: [{ ...aside, answer: undefined }],
    });
    await bare.page.getByRole('button', { name: 'Cancel' }).click();
    const answer = 'Because **it** is.\n\nMore of it.';
    await bare.tell({ type: 'asides', asides: [{ ...aside, answer }] });
    const more = bare.page.getByText('More of it.');
    await more.waitFor();
    await bare.page.getByText('Why?').click();
    await more.waitFor({ state: 'hidden' });
    await bare.page.getByText('Why?').click();
    await more.waitFor();
    const next = { id: 2, question: 'And then?', answer: undefined };
    await bare.tell({ type: 'asides', asides: [{ ...aside, answer }, next] });
    assert.ok(await more.isVisible());
    await bare.page.getByRole('button', { name: 'Copy', exact: true }).click();
    await bare.page.getByRole('button', { name: 'Close', exact: true }).click();
    await until(() => {
      assert.deepEqual(
        bare.told.filter(({ type }) => type.endsWith('Aside')),
        [
          { type: 'removeAside', id: 1 },
          { type: 'copyAside', id: 1 },
          { type: 'removeAside', id: 1 },
        ],
      );
    });
  });

  it('shows the context, the model and the tasks in the head, which stay unfolded while they change', async () => {
    const tasks = (done: number) => ({
      summary: `Tasks: ${done} of 2 done`,
      items: ['Look', 'Write'].map((title, index) => ({
        title,
        state: index < done ? 'done' : 'to do',
        isDone: index < done,
      })),
    });
    const meters = [
      {
        text: 'Context: 50 of 100 tokens (50%)',
        button: { run: 'compact', label: 'Compact' },
      },
      {
        text: 'Model: a',
        button: { run: 'switchModel', label: 'Switch Model…' },
      },
    ] as const;
    await bare.tell(head({ meters, tasks: tasks(0) }));
    await bare.page.getByText('Tasks: 0 of 2 done').click();
    await bare.tell(head({ meters, tasks: tasks(1) }));
    assert.deepEqual(await bare.page.locator('.tasks li').allInnerTexts(), [
      'Look done',
      'Write to do',
    ]);
    await bare.page.getByRole('button', { name: 'Compact' }).click();
    await bare.page.getByRole('button', { name: 'Switch Model…' }).click();
    await until(() => {
      assert.deepEqual(told('run'), [
        { type: 'run', action: 'compact' },
        { type: 'run', action: 'switchModel' },
      ]);
    });
  });

  it('announces once that the service asks less, however often the head changes', async () => {
    const lowered = { text: 'Lowered.', label: 'Ask Again', policy: 'always' };
    await bare.tell(head({ lowered }));
    const alert = bare.page.getByRole('alert').filter({ hasText: 'Lowered.' });
    await alert.evaluate((element: { id: string }) => (element.id = 'first'));
    await bare.tell(head({ lowered, title: 'Another title' }));
    assert.equal(await alert.getAttribute('id'), 'first');
    await bare.tell(head({ lowered: { ...lowered, text: 'Lowered. Again' } }));
    assert.equal(await alert.getAttribute('id'), null);
    await bare.tell(head());
    assert.equal(await alert.count(), 0);
  });

  it('counts the time that the agent works, and names what it does', async () => {
    await bare.page.clock.install({ time: 1_000_000 });
    const line = ['Running ', { code: 'npm test' }];
    await bare.tell(
      head({
        state: {
          text: 'Working',
          tone: 'busy',
          work: { since: 986_000, line },
        },
      }),
    );
    const state = bare.page.locator('.state');
    assert.equal(
      await state.innerText(),
      'Working for 0:14 · Running npm test',
    );
    const height = async () =>
      (await bare.page.locator('header').boundingBox())?.height;
    const heightBefore = await height();
    const longLine = ['Running ', { code: 'npm test '.repeat(40) }];
    await bare.tell(
      head({
        state: {
          text: 'Working',
          tone: 'busy',
          work: { since: 986_000, line: longLine },
        },
      }),
    );
    assert.equal(await height(), heightBefore);
    await bare.tell(
      head({
        state: {
          text: 'Working',
          tone: 'busy',
          work: { since: 986_000, line },
        },
      }),
    );
    await bare.page.clock.runFor(61_000);
    assert.equal(
      await state.innerText(),
      'Working for 1:15 · Running npm test',
    );
    await bare.tell(head({ state: { text: 'Finished', tone: 'plain' } }));
    await bare.page.clock.runFor(2_000);
    assert.equal(await state.innerText(), 'Finished');
  });

  it('runs what is in the head and its menu, where the arrows move and Escape returns', async () => {
    await bare.page.getByRole('button', { name: 'Show Changes (3)' }).click();
    const more = bare.page.getByRole('button', { name: 'More Actions…' });
    await more.focus();
    await bare.page.keyboard.press('Enter');
    const focused = () =>
      bare.page.locator('[role=menuitem]:focus').innerText();
    assert.equal(await focused(), 'Copy ID');
    await bare.page.keyboard.press('ArrowUp');
    assert.equal(await focused(), 'Delete');
    await bare.page.keyboard.press('Home');
    await bare.page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Rename');
    // The same again does not close it.
    await bare.tell(head({ state: { text: 'Finished', tone: 'plain' } }));
    assert.equal(await focused(), 'Rename');
    await bare.page.keyboard.press('Escape');
    assert.equal(
      await more.and(bare.page.locator(':focus')).getAttribute('aria-expanded'),
      'false',
    );
    await bare.page.keyboard.press('ArrowDown');
    await bare.page.keyboard.press('End');
    await bare.page.keyboard.press('Enter');
    assert.equal(await bare.page.getByRole('menu').isVisible(), false);
    await more.click();
    await bare.page.locator('.scroller').click();
    assert.equal(await bare.page.getByRole('menu').isVisible(), false);
    await until(() => {
      assert.deepEqual(told('run'), [
        { type: 'run', action: 'showChanges' },
        { type: 'run', action: 'delete' },
      ]);
    });
  });

  it('keeps the head within a third of a narrow page, with its menu inside', async () => {
    await bare.page.setViewportSize({ width: 300, height: 560 });
    await bare.tell(
      head({ title: 'Fix the address form of the checkout '.repeat(3) }),
      input({ stop: 'Stop' }),
    );
    const box = await bare.page.locator('header').boundingBox();
    assert.ok(box && box.height < 190, String(box?.height));
    await bare.page.getByRole('button', { name: 'More Actions…' }).click();
    const menu = await bare.page.getByRole('menu').boundingBox();
    const isInside =
      menu &&
      menu.x >= 0 &&
      menu.x + menu.width <= 300 &&
      menu.y + menu.height <= 560;
    assert.ok(isInside, JSON.stringify(menu));
  });

  it('shows the whole hint and the whole text when the window becomes narrow', async () => {
    const field = bare.page.getByRole('textbox', {
      name: 'Message to the agent',
    });
    const isWhole = () =>
      bare.page.evaluate(
        '((box) => box.scrollHeight <= box.clientHeight)(document.querySelector("textarea"))',
      );
    for (const text of [
      '',
      'Fix the address form of the checkout, and tell me what you have changed.',
    ]) {
      await bare.page.setViewportSize({ width: 900, height: 560 });
      await bare.tell(
        input({
          mustChoose: true,
          ways: [{ how: 'rejectAndSend', label: 'Reject and Send' }],
        }),
      );
      await field.fill(text);
      await bare.page.setViewportSize({ width: 300, height: 560 });
      await eventually(async () => {
        assert.ok(await isWhole(), text);
      });
    }
  });

  it('lets text be copied, but not changed or sent, once its conversation was deleted', async () => {
    const field = bare.page.getByRole('textbox', {
      name: 'Message to the agent',
    });
    await field.fill('Keep this');
    await bare.tell(
      input({
        ways: [],
        obstacle: 'The service no longer has this conversation.',
      }),
    );
    await field.focus();
    await bare.page.keyboard.press('Control+a');
    assert.equal(
      await bare.page.evaluate('getSelection().toString()'),
      'Keep this',
    );
    await bare.page.keyboard.type('x');
    await bare.page.keyboard.press('Enter');
    assert.equal(await field.inputValue(), 'Keep this');
    assert.deepEqual(told('send'), []);
  });

  it('focuses the choices instead of sending when you must choose how to send', async () => {
    await bare.tell(
      input({
        ways: [
          { how: 'rejectAndSend', label: 'Reject and Send' },
          { how: 'queue', label: 'Queue Message' },
        ],
        mustChoose: true,
      }),
    );
    const field = bare.page.getByRole('textbox', {
      name: 'Message to the agent',
    });
    assert.match(
      (await field.getAttribute('placeholder')) ?? '',
      /Press Enter twice for Reject and Send\.$/,
    );
    await field.fill('Stop that');
    await bare.page.keyboard.press('Enter');
    assert.equal(
      await bare.page.locator('button:focus').innerText(),
      'Reject and Send',
    );
    assert.deepEqual(told('send'), []);
  });

  describe('of a new conversation', () => {
    const choices = (branch: string) => [
      { name: 'repository', label: 'Repository: octo/shop' } as const,
      { name: 'branch', label: `Branch: ${branch}` } as const,
    ];
    const ways = [{ how: 'create', label: 'Create' }] as const;
    const field = () =>
      bare.page.getByRole('textbox', { name: 'Message to the agent' });

    beforeEach(() => bare.tell(input({ ways, choices: choices('main') })));

    it('creates with the key that sends, and keeps the text until it is on its way', async () => {
      assert.match(
        (await field().getAttribute('placeholder')) ?? '',
        /\? Enter creates/,
      );
      await field().focus();
      await bare.page.keyboard.press('Control+Enter');
      await bare.page.keyboard.type('One');
      await bare.page.keyboard.press('Shift+Enter');
      await bare.page.keyboard.type('two');
      await bare.page.keyboard.press('Enter');
      await until(() => {
        assert.deepEqual(told('create'), [
          { type: 'create', text: 'One\ntwo' },
        ]);
      });
      assert.equal(await field().inputValue(), 'One\ntwo');
      await bare.tell(input({ ways: [] }));
      assert.equal(await field().inputValue(), '');
    });

    it('asks for a file at an @ that begins a word, and replaces the @ by that file', async () => {
      await field().focus();
      await bare.page.keyboard.type('me@home, see @');
      await until(() => {
        assert.deepEqual(told('attach'), [{ type: 'attach', what: 'mention' }]);
      });
      await bare.tell({
        type: 'attachments',
        attachments: [{ id: 1, name: 'a.md' }],
      });
      assert.equal(await field().inputValue(), 'me@home, see ');
      await bare.page.keyboard.type('@types');
      await bare.tell({ type: 'attachments', attachments: [] });
      assert.equal(await field().inputValue(), 'me@home, see @types');
      await bare.tell({
        type: 'attachments',
        attachments: [{ id: 2, name: 'b.md' }],
      });
      assert.equal(await field().inputValue(), 'me@home, see @types');
    });

    it('keeps what was typed since it was created', async () => {
      await field().fill('One');
      await bare.page.keyboard.press('Control+Enter');
      await bare.page.keyboard.type(' more');
      await bare.tell(input({ ways: [] }));
      assert.equal(await field().inputValue(), 'One more');
    });

    it('leads to each choice by keyboard, and keeps the focus there when the value changes', async () => {
      await field().focus();
      await bare.page.keyboard.type('One');
      // The field, two buttons to attach, Create, and the first choice.
      for (let tab = 0; tab < 5; tab++) await bare.page.keyboard.press('Tab');
      await bare.page.keyboard.press('Enter');
      await until(() => {
        assert.deepEqual(told('choose'), [{ type: 'choose', name: 'branch' }]);
      });
      await bare.tell(input({ ways, choices: choices('release/2.5') }));
      assert.equal(
        await bare.page.locator('button:focus').innerText(),
        'Branch: release/2.5',
      );
      await bare.tell(input({ ways, choices: choices('main').slice(0, 1) }));
      const shown = bare.page.locator('.choices button:visible');
      assert.deepEqual(await shown.allInnerTexts(), ['Repository: octo/shop']);
    });

    it('shows an attachment as text below its name, until it is taken off', async () => {
      const attachments = [{ id: 7, name: 'a.md' }];
      await bare.tell({ type: 'attachments', attachments });
      const look = bare.page.getByRole('button', { name: 'a.md', exact: true });
      await look.click();
      await until(() => {
        assert.deepEqual(told('lookAt'), [{ type: 'lookAt', id: 7 }]);
      });
      const text = '<img src=x onerror=alert(1)> **bold** \u202e';
      await bare.tell({
        type: 'attached',
        id: 7,
        content: { kind: 'code', label: '', text },
      });
      const content = bare.page.getByRole('region', { name: 'a.md' });
      assert.equal(
        await content.innerText(),
        '<img src=x onerror=alert(1)> **bold** \\u202e',
      );
      assert.equal(await look.getAttribute('aria-expanded'), 'true');
      await look.click();
      assert.deepEqual(
        [await content.isVisible(), await look.getAttribute('aria-expanded')],
        [false, 'false'],
      );
      await bare.tell({
        type: 'attached',
        id: 7,
        content: { kind: 'code', label: '', text },
      });
      await bare.tell({ type: 'attachments', attachments: [] });
      assert.equal(await bare.page.locator('.content').isVisible(), false);
    });
  });

  it('attaches a pasted picture', async () => {
    await bare.page
      .getByRole('textbox', { name: 'Message to the agent' })
      .focus();
    await bare.page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from([137, 80, 78, 71])], 'shot.png', { type: 'image/png' }));
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    })()`);
    await until(() => {
      assert.deepEqual(told('attachPicture'), [
        {
          type: 'attachPicture',
          name: 'shot.png',
          mediaType: 'image/png',
          base64: 'iVBORw==',
        },
      ]);
    });
  });

  describe('a waiting action', () => {
    const wanted = (shown: number, text: string) =>
      ({
        type: 'waiting',
        waiting: {
          shown,
          heading: 'The agent wants to do this:',
          actions: [
            {
              line: ['Run a command'],
              risk: { text: 'High risk', isHigh: true },
              blocks: [{ kind: 'code', label: 'Command', text }],
            },
          ],
        },
      }) as const;
    const accept = () => bare.page.getByRole('button', { name: 'Accept' });
    const answers = () => told('answer');

    it('announces itself and accepts exactly the version that is shown', async () => {
      await bare.tell(wanted(7, 'npm test'));
      assert.match(
        await bare.page.getByRole('alert').innerText(),
        /waiting for your answer/,
      );
      await eventually(async () => {
        await accept().click();
        assert.deepEqual(answers()[0], {
          type: 'answer',
          shown: 7,
          accept: true,
        });
      });
    });

    it('offers a rule for the action, once its end was on screen', async () => {
      const { type, waiting } = wanted(7, `npm test\n${'x\n'.repeat(200)}`);
      await bare.tell({ type, waiting: { ...waiting, rules: ['npm test *'] } });
      const offer = bare.page.getByRole('button', {
        name: "Accept, and Don't Ask Again for “npm test *”…",
      });
      await offer.click();
      await bare.page.locator('.waitingBox .end').scrollIntoViewIfNeeded();
      await eventually(async () => {
        await offer.click();
        assert.deepEqual(told('acceptByRule')[0], {
          type: 'acceptByRule',
          shown: 7,
        });
      });
      assert.deepEqual(answers(), []);
    });

    it('sends one answer for several clicks, and another one after a failure', async () => {
      const being = (obstacle: string) => {
        const { type, waiting } = wanted(7, 'npm test');
        return { type, waiting: { ...waiting, obstacle } };
      };
      await bare.tell(wanted(7, 'npm test'));
      await eventually(async () => {
        await accept().click();
        assert.equal(answers().length, 1);
      });
      await accept().click({ clickCount: 3 });
      await bare.page
        .getByRole('button', { name: 'Reject', exact: true })
        .click();
      assert.equal(answers().length, 1);
      await bare.tell(
        being('Your answer is being sent…'),
        wanted(7, 'npm test'),
      );
      await eventually(async () => {
        await accept().click();
        assert.equal(answers().length, 2);
      });
    });

    it('follows what the agent does after an answer', async () => {
      await bare.tell(
        entries({ isReset: true, added: many(60) }),
        wanted(7, 'npm test'),
      );
      await bare.page.locator('.scroller').hover();
      await bare.page.mouse.wheel(0, -120);
      await bare.page.locator('.newest').waitFor();
      await eventually(async () => {
        await accept().click();
        assert.equal(answers().length, 1);
      });
      await bare.tell(
        { type: 'waiting', waiting: undefined },
        entries({ added: many(5, 'n') }),
      );
      await eventually(async () => {
        assert.ok((await distances()).bottom < 2);
      });
      assert.equal(await bare.page.locator('.newest').isVisible(), false);
    });

    it('clears an older success message but keeps a warning that came with it', async () => {
      const texts = ['Accepted.', 'Nothing was sent.'] as const;
      await bare.tell(wanted(7, 'npm test'), {
        type: 'told',
        text: texts[0],
        tone: 'good',
      });
      await bare.page.getByText(texts[0]).waitFor();
      await bare.tell(wanted(8, 'npm publish'));
      await bare.page.getByText(texts[0]).waitFor({ state: 'detached' });
      await bare.tell(
        { type: 'told', text: texts[1], tone: 'attention' },
        wanted(9, 'rm -rf .'),
      );
      await bare.page.getByText('rm -rf .').waitFor();
      assert.equal(await bare.page.getByText(texts[1]).isVisible(), true);
    });

    it('ignores a click meant for the previous action', async () => {
      await bare.tell(wanted(1, 'npm test'));
      await bare.page.evaluate(
        (next: unknown) => {
          (globalThis as unknown as { take(message: unknown): void }).take(
            next,
          );
          (globalThis as unknown as Clickable).document
            .querySelector('.waitingBox .primary')
            ?.click();
        },
        wanted(2, 'rm -rf /') as unknown,
      );
      assert.deepEqual(answers(), []);
    });

    it('draws piled combining marks over no other part of it', async () => {
      const shows = async (shown: number, last: string) => {
        const blocks = [
          { kind: 'code', label: '', text: 'rm -rf ~/work' },
          { kind: 'prose', label: '', text: last },
        ] as const;
        const actions = [{ line: ['Run a command'], summary: last, blocks }];
        await bare.tell({
          type: 'waiting',
          waiting: { shown, heading: 'The agent wants:', actions },
        });
        const pictures: string[] = [];
        for (const above of ['.wanted h3', '.wanted pre.code']) {
          const box = await bare.page.locator(above).boundingBox();
          assert.ok(box);
          // The last row of pixels is shared with what is below.
          const clip = {
            ...box,
            y: Math.ceil(box.y),
            height: Math.floor(box.height) - 1,
          };
          pictures.push(
            (await bare.page.screenshot({ clip })).toString('base64'),
          );
        }
        return pictures;
      };
      const plain = await shows(1, 'o\u0301\u0301'.repeat(30));
      const piled = await shows(2, `o${'\u0301'.repeat(60)}`.repeat(30));
      assert.deepEqual(
        piled.map((picture, index) => picture === plain[index]),
        [true, true],
      );
    });

    it('requires scrolling to the end before Accept', async () => {
      await bare.tell(
        wanted(
          1,
          Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n'),
        ),
      );
      await bare.page
        .getByText('Scroll to the end before accepting.')
        .waitFor();
      assert.equal(await accept().getAttribute('aria-disabled'), 'true');
      await accept().press('Enter');
      assert.match(
        (await bare.page.locator(':focus').getAttribute('aria-label')) ?? '',
        /wants to do this/,
      );
      await bare.page.keyboard.press('End');
      await bare.page
        .getByText('Scroll to the end before accepting.')
        .waitFor({ state: 'detached' });
      await eventually(async () => {
        await accept().click();
        assert.equal(answers().length, 1);
      });
    });

    it('stays read while the same actions are shown again, and no longer', async () => {
      const lines = Array.from({ length: 200 }, (_, line) => `line ${line}`);
      const long = wanted(1, lines.join('\n'));
      const unread = bare.page.getByText('Scroll to the end before accepting.');
      await bare.tell(long);
      await unread.waitFor();
      await bare.page.locator('.waitingBox .whole').press('End');
      await unread.waitFor({ state: 'detached' });
      const obstacle = 'Your answer is being sent…';
      await bare.tell({ ...long, waiting: { ...long.waiting, obstacle } });
      await bare.page.getByText(obstacle).waitFor();
      await bare.tell(long);
      assert.equal(await accept().getAttribute('aria-disabled'), null);
      assert.equal(await unread.count(), 0);
      await bare.tell(wanted(2, lines.join('\n')));
      assert.equal(await accept().getAttribute('aria-disabled'), 'true');
    });

    it('shows all of a short action while the head is open, so it can be accepted', async () => {
      const facts = Array.from(
        { length: 14 },
        (_, index) => [`Fact ${index}`, 'a value'] as const,
      );
      for (const [width, height] of [
        [800, 600],
        [320, 560],
      ] as const) {
        await bare.page.setViewportSize({ width, height });
        await bare.show({
          name: 'open head',
          told: [start(), head({ facts, isOpenAtFirst: true }), input()],
        });
        await bare.tell(wanted(1, 'npm test\nnpm run lint'));
        await bare.page
          .getByText('Scroll to the end before accepting.')
          .waitFor({ state: 'detached' });
        assert.equal(await accept().getAttribute('aria-disabled'), null);
      }
    });

    it('shows a million characters on one line in full', async () => {
      const text = `echo ${'x'.repeat(1_000_000)} && rm -rf /`;
      await bare.tell(wanted(1, text));
      assert.equal(
        (await bare.page.locator('.waitingBox pre').textContent())?.length,
        text.length,
      );
    });

    it('keeps the focus when it is sent again, and moves it off the buttons when it changes', async () => {
      await bare.tell(wanted(1, 'npm test'));
      await accept().focus();
      await bare.tell(wanted(1, 'npm test'));
      assert.equal(await bare.page.locator(':focus').innerText(), 'Accept');
      await bare.tell(wanted(2, 'npm publish'));
      assert.notEqual(
        await bare.page
          .locator(':focus')
          .evaluate((element: { tagName: string }) => element.tagName),
        'BUTTON',
      );
    });
  });

  it('takes no keyboard from a question of the editor when it draws again what had it', async () => {
    const added = [does('a', 'npm test'), does('b', 'npm publish')];
    await bare.tell(
      entries({ isReset: true, added }),
      input({ ways: [], stop: 'Stop' }),
    );
    const redraws = [
      ['.line >> nth=0', entries({ changed: [does('a', 'npm run test')] })],
      ['.line >> nth=1', entries({ removed: ['b'] })],
      ['header .stop', input()],
    ] as const;
    for (const [hadKeyboard, redraw] of redraws) {
      await bare.page.locator(hadKeyboard).focus();
      await bare.page.evaluate('document.hasFocus = () => false');
      await bare.tell(redraw);
      assert.equal(
        await bare.page.evaluate('document.activeElement.tagName'),
        'BODY',
        hadKeyboard,
      );
      await bare.page.evaluate('delete document.hasFocus');
    }
  });

  describe('untrusted text', () => {
    const texts = [
      '<img src="http://a.invalid/x.png" onerror="alert(1)">',
      '<script src="http://a.invalid/x.js"></script>',
      '<style>@import "http://a.invalid/x.css"; .box { display: none }</style>',
      '<iframe src="http://a.invalid"></iframe><svg onload=alert(1)>',
      '![x](http://a.invalid/x.png "title")',
      '![x][1]\n\n[1]: http://a.invalid/x.png',
      '[x](command:workbench.action.quit) [y](javascript:alert%281%29) [z](vscode://file/etc/passwd) [d](data:text/html,x)',
      '<http://a.invalid/auto> <javascript:alert(1)> &#x202e; &lt;b&gt;',
      '"><img src=x onerror=alert(1)>',
      `${'['.repeat(5_000)}x`,
      `${'> '.repeat(2_000)}deep`,
      '*a **b '.repeat(5_000),
      'a'.repeat(100_000),
      '\u001b[31mred\u001b[0m\u001b]8;;http://a.invalid\u0007link\u001b]8;;\u0007\u001b[2J',
      'name\nwith\r\nbreaks\u2028.txt',
    ];

    it('shows all terminal output, with smaller text for codes that only switch modes', async () => {
      await bare.tell(entries({ isReset: true, added: [does('a', 'ls')] }));
      await bare.page.locator('.entry.is-action button').click();
      const text = '\u001b[?2004l\rone\n\u001b[2K\u001b[?2004h$ ';
      await bare.tell({
        type: 'details',
        id: 'a',
        blocks: [{ kind: 'output', label: 'Output', text }],
      });
      const output = bare.page.locator('pre.output');
      const spelt = '\\u001b[?2004l\\u000done\n\\u001b[2K\\u001b[?2004h$ ';
      assert.equal(await output.textContent(), spelt);
      assert.deepEqual(await output.locator('.mode').allTextContents(), [
        '\\u001b[?2004l\\u000d',
        '\\u001b[?2004h',
      ]);
      const size =
        'parseFloat(getComputedStyle(document.querySelector("pre.output .mode")).fontSize)';
      assert.ok((await bare.page.evaluate<number>(size)) < 12);
    });

    it('offers another model once for errors in a row', async () => {
      const error = (id: string): DrawnEntry => ({
        id,
        kind: 'error',
        line: [{ text: `Error ${id}` }],
        hasDetails: false,
        canChooseModel: true,
      });
      await bare.tell(
        entries({ isReset: true, added: [error('a'), error('b')] }),
      );
      const button = bare.page.getByRole('button', { name: 'Choose a Model…' });
      await button.waitFor();
      assert.equal(await button.count(), 1);
    });

    it('never becomes an unsafe element, attribute or link anywhere on the page', async () => {
      const everywhere = texts.flatMap((text, index): DrawnEntry[] => [
        says(`m${index}`, text),
        does(`a${index}`, text),
        { id: `e${index}`, kind: 'error', line: [{ text }], hasDetails: false },
        {
          id: `o${index}`,
          kind: 'other',
          line: ['Something else: ', { code: text }],
          hasDetails: true,
        },
      ]);
      await bare.tell(
        entries({ isReset: true, added: everywhere }),
        head({
          title: texts[0] ?? '',
          facts: texts.map((text) => ['Folder', text]),
        }),
        { type: 'told', text: texts[0] ?? '', tone: 'bad' },
        { type: 'attachments', attachments: [{ id: 1, name: texts[0] ?? '' }] },
      );
      for (const [index, text] of texts.entries()) {
        await bare.page
          .locator('.entry.is-action button')
          .nth(index)
          .evaluate((line: { click(): void }) => {
            line.click();
          });
        await bare.tell({
          type: 'details',
          id: `a${index}`,
          blocks: [
            { kind: 'code', label: text, text },
            { kind: 'output', label: 'Output', text },
            { kind: 'prose', label: '', text },
            { kind: 'change', label: text, before: text, after: `${text}!` },
            {
              kind: 'picture',
              label: '',
              picture: { address: 'http://a.invalid/x.png' },
            },
            {
              kind: 'picture',
              label: '',
              picture: { mediaType: 'image/svg+xml', base64: 'PHN2Zz4=' },
            },
            {
              kind: 'picture',
              label: '',
              picture: { mediaType: 'image/png', base64: '"><img src=x>' },
            },
          ],
        });
      }
      const found = await bare.page.evaluate<
        string[]
      >(`[...document.querySelectorAll('body *')].flatMap((element) => [
        ...(/^(script|style|iframe|img|link|object|embed|form|base|meta)$/i.test(element.tagName) ? [element.tagName] : []),
        ...element.getAttributeNames().filter((name) => /^on|^style$|^srcset$/.test(name) && element.tagName !== 'TEXTAREA'),
        ...(element.href && !/^https?:/.test(element.href) ? [String(element.href)] : []),
      ])`);
      assert.deepEqual(found, []);
      assert.doesNotMatch(
        await bare.page.evaluate<string>('document.body.textContent'),
        /[\u001b\u202e\u2028\u0007]/,
      );
      assert.equal(
        await bare.page.locator('.output .colour-1').first().innerText(),
        'red',
      );
      assert.equal(
        await bare.page.evaluate(
          'document.documentElement.scrollWidth <= innerWidth',
        ),
        true,
      );
    });

    it('shows embedded pictures, and remote ones only as addresses', async () => {
      const pixel = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
      await bare.tell(
        entries({
          isReset: true,
          added: [
            {
              ...says('m', 'Look'),
              pictures: [
                { mediaType: 'image/gif', base64: pixel },
                { address: 'http://a.invalid/x.png' },
              ],
            } as DrawnEntry,
          ],
        }),
      );
      await bare.page
        .getByRole('img', { name: 'Picture' })
        .scrollIntoViewIfNeeded();
      await eventually(async () => {
        assert.equal(
          await bare.page.evaluate('document.images[0].naturalWidth'),
          1,
        );
      });
      await bare.page.getByText('http://a.invalid/x.png').waitFor();
    });

    it('shows where a link leads when its text names another address', async () => {
      const text =
        '![far](https://pictures.invalid/one.png) [https://good.example.com](https://evil.example.com/x) \u202e';
      await bare.tell(entries({ isReset: true, added: [says('m', text)] }));
      const said = bare.page.locator('.entry');
      const addresses = await said
        .locator('a')
        .evaluateAll((links: readonly { readonly href: string }[]) =>
          links.map(({ href }) => href),
        );
      assert.deepEqual(addresses, [
        'https://pictures.invalid/one.png',
        'https://evil.example.com/x',
      ]);
      assert.match(await said.innerText(), /\(evil\.example\.com\).*\\u202e/);
    });

    it('shows the host of a link whose text looks like another address, in any script', async () => {
      const real = 'https://xn--80ak6aa92e.com/';
      const links = [
        `<${real}>`,
        real,
        '[https://аррӏе.com/](https://a.invalid/)',
        '[аррӏе。рф](https://a.invalid/)',
        '[аррӏе.рф](https://a.invalid/)',
        '[例え／テスト](https://a.invalid/)',
        '[the page](https://a.invalid/)',
      ];
      await bare.tell(
        entries({ isReset: true, added: [says('m', links.join('\n\n'))] }),
      );
      await bare.page
        .locator('.entry p')
        .nth(links.length - 1)
        .waitFor();
      assert.deepEqual(await bare.page.locator('.entry p').allTextContents(), [
        real,
        real,
        'https://аррӏе.com/ (a.invalid)',
        'аррӏе。рф (a.invalid)',
        'аррӏе.рф (a.invalid)',
        '例え／テスト (a.invalid)',
        'the page',
      ]);
    });

    it('asks the editor to open a clicked link and opens no page itself', async () => {
      await bare.tell(
        entries({
          isReset: true,
          added: [says('m', '[a](https://a.invalid/b) <https://c.invalid>')],
        }),
      );
      await bare.page.getByRole('link', { name: 'a', exact: true }).click();
      await bare.page
        .getByRole('link', { name: 'https://c.invalid' })
        .click({ button: 'middle' });
      await bare.page
        .getByRole('link', { name: 'https://c.invalid' })
        .click({ modifiers: ['Control'] });
      await until(() => {
        assert.deepEqual(told('openLink'), [
          { type: 'openLink', address: 'https://a.invalid/b' },
          { type: 'openLink', address: 'https://c.invalid/' },
        ]);
      });
      assert.equal(bare.page.context().pages().length, 1);
    });

    it('draws emphasis within emphasis 8,000 levels deep, and all of its words', async () => {
      const text = '*a '.repeat(8_000) + 'b* '.repeat(8_000);
      await bare.tell(entries({ isReset: true, added: [says('m', text)] }));
      const words = await bare.page.locator('.prose').textContent();
      assert.equal(words?.trim(), text.replaceAll('*', '').trim());
    });

    it('shows a message of 5 MB within 15 s', async () => {
      const begin = performance.now();
      await bare.tell(
        entries({
          isReset: true,
          added: [says('m', 'word '.repeat(1_000_000))],
        }),
      );
      await bare.page.locator('.entry').waitFor();
      assert.ok(performance.now() - begin < 15_000);
    });
  });

  /** The findings of axe in these states, or only those of one rule. */
  async function seriousFindings(
    theme: Theme,
    states: readonly PageState[],
    rule?: string,
  ) {
    const options = rule === undefined ? '' : `, runOnly: ['${rule}']`;
    const found: string[] = [];
    for (const state of states) {
      await bare.show(state, theme);
      await bare.page.evaluate(axe.source);
      const { violations } = await bare.page.evaluate<AxeResults>(
        // A program chooses the colours of its output, and the tab has the
        // title.
        `axe.run({ exclude: '.output' }, { rules: { 'document-title': { enabled: false } }${options} })`,
      );
      const serious = violations.filter(
        ({ impact }) => impact === 'serious' || impact === 'critical',
      );
      for (const { id, nodes } of serious)
        for (const { html, failureSummary } of nodes)
          found.push(`${state.name}: ${id}: ${html}\n${failureSummary ?? ''}`);
    }
    return found;
  }

  it('has nothing that axe calls serious, in any state', async () => {
    assert.deepEqual(await seriousFindings('dark', pageStates), []);
  });

  for (const theme of ['light', 'hc', 'hcLight'] as const) {
    it(`has enough contrast in the theme ${theme}`, async () => {
      const coloured = [
        ...[
          'Markdown',
          'errors and thin lines',
          'an open action',
          'waits with several',
        ],
        ...[
          'a message on its way, with Stop',
          'the menu',
          'deleted, with a draft',
        ],
        ...['new, with an open attachment', 'new, not created'],
      ];
      const states = pageStates.filter(({ name }) => coloured.includes(name));
      assert.equal(states.length, coloured.length);
      assert.deepEqual(
        await seriousFindings(theme, states, 'color-contrast'),
        [],
      );
    });
  }

  it('decodes HTML entities in messages and leaves unknown ones as written', async () => {
    const named =
      '&copy;|&hellip;|&nvlt;|&fjlig;|a&Tab;b|&quot;|&#169;|[a](https://x.example/?a&amp;b)';
    const others =
      '&nosuch;|&notit;|&ltx;|&copy|`&copy;`|&lt;img src=x onerror=alert(1)&gt;';
    await bare.tell(
      entries({ isReset: true, added: [says('m', `${named}\n\n${others}`)] }),
    );
    const shown = bare.page.locator('.entry p');
    await shown.nth(1).waitFor();
    assert.deepEqual(await shown.allTextContents(), [
      '©|…|<\u20d2|fj|a\tb|"|©|a',
      '&nosuch;|&notit;|&ltx;|&copy|&copy;|<img src=x onerror=alert(1)>',
    ]);
    assert.equal(
      await bare.page.locator('.entry a').getAttribute('href'),
      'https://x.example/?a&b',
    );
  });

  it('finds text, moves between matches, and opens details that contain one', async () => {
    await bare.tell(entries({ isReset: true, added: many(200) }));
    await bare.page.keyboard.press('Control+f');
    const field = bare.page.getByRole('textbox', {
      name: 'Find in loaded entries',
    });
    await field.fill('needle');
    await until(() => {
      assert.deepEqual(told('find').at(-1), { type: 'find', query: 'needle' });
    });
    await bare.tell({
      type: 'found',
      query: 'needle',
      ids: ['e5', 'e42'],
      inDetails: ['e42'],
    });
    await bare.page.getByText('2 of 2').waitFor();
    await until(() => {
      assert.deepEqual(told('open'), [{ type: 'open', id: 'e42' }]);
    });
    await bare.page.keyboard.press('Enter');
    await bare.page.getByText('1 of 2').waitFor();
    await bare.page.getByText('Message e5', { exact: true }).waitFor();
    await bare.page.keyboard.press('Escape');
    assert.equal(await field.isVisible(), false);
  });
});

interface Clickable {
  readonly document: {
    querySelector(selector: string): { click(): void } | null;
  };
}

/**
 * Run by the page: what leaves it at a side, or the edge of the box above the
 * field, and buttons that say nothing.
 */
const whatIsWrong = `(() => {
  const wrong = [];
  const { clientWidth, clientHeight } = document.documentElement;
  for (const found of document.querySelectorAll('body *')) {
    const { left, right, width, height, bottom } = found.getBoundingClientRect();
    if (width === 0 || height === 0) continue;
    const name = found.tagName + '.' + found.className + ' ' + found.textContent.slice(0, 40);
    if (left < -1 || right > clientWidth + 1) wrong.push('leaves the page: ' + name);
    // Attachments scroll.
    if (found.closest('.waitingBox .buttons') || found.matches('footer, footer :not(.attached *)')) {
      const above = found.closest('footer') ? clientHeight : document.querySelector('footer').getBoundingClientRect().top;
      if (bottom > above + 1) wrong.push('is cut: ' + name);
    }
    if (found.matches('button') && !(found.textContent.trim() || found.getAttribute('aria-label')))
      wrong.push('says nothing: ' + name);
  }
  return wrong;
})()`;

interface Scroller {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}
