import assert from 'node:assert/strict';
import type { DrawnEntry } from '../../src/protocol/drawn.ts';
import { type BarePage, does, entries, head, input, openBarePage, says, start } from './barePage.ts';
import { eventually } from './support.ts';

describe('the page of a conversation by itself', () => {
  let bare: BarePage;

  beforeEach(async () => {
    bare = await openBarePage();
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
        ? says(`${prefix}${index}`, `Message ${prefix}${index}\n\nwith a paragraph.`)
        : does(`${prefix}${index}`, `command ${prefix}${index}`, `step ${Math.floor(index / 5)}`),
    );

  const distances = () =>
    bare.page.locator('.scroller').evaluate((scroller: Scroller) => ({
      top: scroller.scrollTop,
      bottom: scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight,
    }));
  /** Where on the screen an entry is. */
  const placeOf = async (text: string) =>
    (await bare.page.getByText(text, { exact: true }).boundingBox())?.y ?? NaN;
  const told = (type: string) => bare.told.filter((message) => message.type === type);
  const until = (check: () => void) => eventually(() => Promise.resolve().then(check));

  it('begins at the newest, and follows what comes as long as one stays there', async () => {
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

  it('keeps the place of who reads further up, and leads to the newest', async () => {
    await bare.tell(entries({ isReset: true, added: many(200) }));
    await bare.page.locator('.scroller').hover();
    await bare.page.mouse.wheel(0, -2_000);
    await bare.page.locator('.newest').waitFor();
    await eventually(async () => {
      const before = (await distances()).top;
      await bare.page.waitForFunction('new Promise((done) => requestAnimationFrame(() => done(true)))');
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

  it('asks for older ones at the top, and what one reads stays where it is when they come', async () => {
    await bare.tell(entries({ isReset: true, added: many(100), hasOlder: true }));
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
      assert.ok(Math.abs((await placeOf(text)) - before) < 40, `${before} ${await placeOf(text)}`);
    });
  });

  it('makes one element for one more event among 10,000, within a frame', async () => {
    const all = many(10_000);
    for (let at = 0; at < all.length; at += 500) {
      await bare.tell(entries({ isReset: at === 0, added: all.slice(at, at + 500) }));
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
          (globalThis as unknown as { take(message: unknown): void }).take(given);
          return performance.now() - begin;
        }, message as unknown),
      );
    }
    assert.equal(await bare.page.evaluate('window.made'), 9);
    const median = took.sort((a, b) => a - b)[4] ?? NaN;
    assert.ok(median < 16, `${took.join(' ms, ')} ms`);
  });

  it('is one tab stop, in which arrows move and Enter opens', async () => {
    await bare.tell(entries({ isReset: true, added: many(20) }));
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
    assert.match(await bare.page.locator('.entry:focus').innerText(), /Message e0/);
    assert.equal(await bare.page.locator('.entries :is(article, .line)[tabindex="0"]').count(), 1);
  });

  it('announces what the agent says, and not what was there before or what it does', async () => {
    await bare.tell(entries({ isReset: true, added: many(20) }));
    await bare.tell(
      entries({ added: [says('a', 'I have found it.'), does('b', 'ls'), says('c', 'Mine', 'person')] }),
    );
    assert.deepEqual(await bare.page.locator('[role=log] p').allInnerTexts(), ['Agent: I have found it.']);
  });

  it('lets a message grow in place', async () => {
    const streaming = (text: string): DrawnEntry => ({ ...says('s', text), isStreaming: true }) as DrawnEntry;
    await bare.tell(entries({ isReset: true, added: [streaming('One')] }));
    const entry = bare.page.locator('.entry');
    await entry.evaluate((element: { marked?: boolean }) => (element.marked = true));
    await bare.tell(entries({ changed: [streaming('One **two')] }));
    await bare.tell(entries({ changed: [streaming('One **two** three')] }));
    assert.match(await entry.innerText(), /One two three/);
    assert.equal(await entry.evaluate((element: { marked?: boolean }) => element.marked), true);
  });

  it('leafs with the arrows through what was written, as long as nothing else is', async () => {
    await bare.tell(
      entries({ isReset: true, added: [says('a', 'First', 'person'), says('b', 'Second', 'person')] }),
    );
    const field = bare.page.getByRole('textbox', { name: 'Message to the agent' });
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

  it('sends with Enter, breaks with Shift+Enter, and keeps the text until it is sent', async () => {
    const field = bare.page.getByRole('textbox', { name: 'Message to the agent' });
    await field.focus();
    await bare.page.keyboard.type('One');
    await bare.page.keyboard.press('Shift+Enter');
    await bare.page.keyboard.type('two');
    await bare.page.keyboard.press('Enter');
    await until(() => {
      assert.deepEqual(told('send'), [{ type: 'send', how: 'send', text: 'One\ntwo', shown: undefined }]);
    });
    assert.equal(await field.inputValue(), 'One\ntwo');
    await bare.tell({ type: 'sent', text: 'One\ntwo' });
    assert.equal(await field.inputValue(), '');
  });

  it('keeps what was written while the message was on its way', async () => {
    const field = bare.page.getByRole('textbox', { name: 'Message to the agent' });
    await field.fill('One');
    await bare.page.keyboard.press('Enter');
    await field.fill('One, and more');
    await bare.tell({ type: 'sent', text: 'One' });
    assert.equal(await field.inputValue(), 'One, and more');
  });

  it('sends nothing by a key where one has to choose how', async () => {
    await bare.tell(
      input({
        ways: [
          { how: 'rejectAndSend', label: 'Reject and Send' },
          { how: 'leave', label: 'Leave the Message' },
        ],
        mustChoose: true,
      }),
    );
    await bare.page.getByRole('textbox', { name: 'Message to the agent' }).fill('Stop that');
    await bare.page.keyboard.press('Enter');
    assert.equal(await bare.page.locator('button:focus').innerText(), 'Reject and Send');
    assert.deepEqual(told('send'), []);
  });

  it('attaches a picture that is pasted', async () => {
    await bare.page.getByRole('textbox', { name: 'Message to the agent' }).focus();
    await bare.page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from([137, 80, 78, 71])], 'shot.png', { type: 'image/png' }));
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    })()`);
    await until(() => {
      assert.deepEqual(told('attachPicture'), [
        { type: 'attachPicture', name: 'shot.png', mediaType: 'image/png', base64: 'iVBORw==' },
      ]);
    });
  });

  it('finds, goes from one to the next, and opens what has it inside', async () => {
    await bare.tell(entries({ isReset: true, added: many(200) }));
    await bare.page.keyboard.press('Control+f');
    const field = bare.page.getByRole('textbox', { name: 'Find in what is loaded' });
    await field.fill('needle');
    await until(() => {
      assert.deepEqual(told('find').at(-1), { type: 'find', query: 'needle' });
    });
    await bare.tell({ type: 'found', query: 'needle', ids: ['e5', 'e42'], inDetails: ['e42'] });
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

interface Scroller {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}
