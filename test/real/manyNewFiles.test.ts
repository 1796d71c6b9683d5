/**
 * 100 new files of an agent of a real service: how soon their diff is there,
 * whether something else waits for it, and how they are reviewed.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import type { ServiceClient } from '../../src/service/client.ts';
import type { Conversation } from '../../src/service/model/entities.ts';
import type { ConversationChanges } from '../../src/state/changes/changedFiles.ts';
import {
  answer,
  chooseInMenu,
  chooseInMenuOf,
  type Desk,
  goTo,
  messages,
  openSideBar,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
} from '../ui/support.ts';
import { aWhile, sendComment } from './agentPage.ts';
import { clientOf } from './client.ts';
import {
  type AgentFolder,
  agentKinds,
  type Begun,
  command,
  lastMessage,
} from './conversations.ts';
import { type RealService, realService } from './services.ts';
import { changesAt } from '../unit/state/changes/changesAt.ts';

const run = promisify(execFile);

const count = 100;
const title = 'Write many files';

/** The names come before those of the files that the service itself writes. */
const script = `mkdir -p +new && for i in $(seq -w 0 ${count - 1}); do echo "text $i" > +new/$i.txt; done`;

/**
 * The longest that a click may wait because of us, and until the first diff.
 */
const maxClickMs = 1_000;
const maxFirstDiffMs = 10_000;

const git = ({ folder }: AgentFolder, ...args: string[]) =>
  run('git', [
    '-C',
    folder,
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@example.com',
    ...args,
  ]);

async function commit(place: AgentFolder, subject: string): Promise<void> {
  await git(place, 'add', '.');
  await git(place, 'commit', '-qm', subject);
}

for (const kind of agentKinds) {
  describe(`the diff of ${count} new files of an agent ${kind.where}`, function () {
    this.timeout(400_000);
    let service: RealService;
    let begun: Begun;
    /**
     * Two windows: what one of them asks for counts toward the pace of its own
     * requests only.
     */
    let clients: readonly ServiceClient[];

    before(async () => {
      service = await realService(kind.service);
      clients = [clientOf(service), clientOf(service)];
      for (const client of clients) await client.recognise();
      const place = await kind.place(service, 'many');
      if (kind.service === 'agentServer') {
        await git(place, 'init', '-q', '-b', 'main');
        await writeFile(join(place.folder, 'README.md'), 'Many files\n');
        await commit(place, 'first');
      }
      const text = [`call: ${command(script)}`, 'say: Done.'].join('\n');
      begun = await kind.begin(service, title, place, 'NeverConfirm', text);
    });

    describe('read by our client', () => {
      const { signal } = new AbortController();
      let conversation: Conversation;

      before(async () => {
        const [client = assert.fail()] = clients;
        const { conversations } = await client.recognise({ signal });
        conversation =
          (await conversations.find(begun.id, { signal })) ?? assert.fail();
      });

      function read(client: ServiceClient | undefined): ConversationChanges {
        return changesAt(() => client);
      }

      it('has the text of every file, byte for byte', async () => {
        const changes = read(clients[0]);
        const { files } = await changes.load(conversation, 'start', { signal });
        const added = files.filter(({ path }) => path.startsWith('+new/'));
        assert.equal(added.length, count);
        for (const { path, status, modes } of added) {
          const sides = await changes.readSides(conversation, 'start', path, {
            signal,
          });
          const bytes = Buffer.from(`text ${/\d+/.exec(path)?.[0] ?? ''}\n`);
          assert.deepEqual(sides, {
            before: { kind: 'none' },
            after: { kind: 'bytes', bytes, exact: true },
          });
          assert.deepEqual([status, modes.after], ['added', '100644']);
        }
      });

      it(`lets a click wait for less than ${maxClickMs} ms while it loads`, async () => {
        const [, client = assert.fail()] = clients;
        const { conversations } = await client.recognise({ signal });
        const changes = read(client);
        const { fetch } = globalThis;
        let sentAt = 0;
        globalThis.fetch = (input, init) => {
          if (new URL(input).pathname.endsWith('/search'))
            sentAt = performance.now();
          return fetch(input, init);
        };
        /**
         * The milliseconds until a request of a click goes out: how long the
         * service takes is not ours.
         */
        const click = async () => {
          const begin = performance.now();
          await conversations.list({}, { size: 1, signal }).next();
          return sentAt - begin;
        };
        try {
          const listing = changes.load(conversation, 'start', { signal });
          const whileListing = await click();
          const { files } = await listing;
          const reading = files.map(({ path }) =>
            changes.readSides(conversation, 'start', path, { signal }),
          );
          const whileReading = await click();
          await Promise.all(reading);
          const longest = Math.max(whileListing, whileReading);
          console.log(
            `      Longest wait of a click: ${Math.round(longest)} ms`,
          );
          assert.ok(longest >= 0 && longest < maxClickMs, `${longest} ms`);
        } finally {
          globalThis.fetch = fetch;
        }
      });
    });

    describe('in a window', () => {
      let desk: Desk;
      let page: Page;

      before(async () => {
        desk = await setUpDesk({
          settings: { 'switchboard.refreshInterval': 2 },
        });
        ({ page } = await desk.open());
        await openSideBar(page);
        await runCommand(page, 'Switchboard: Connect to a Service');
        await answer(page, 'Address of the service', service.url);
        await answer(page, /^Key of /, service.key);
        await messages(page, `Connected to ${service.url}`).waitFor();
        await runCommand(page, 'Notifications: Clear All Notifications');
      });

      after(async () => {
        await desk.clear();
      });

      it(`shows the first text within ${maxFirstDiffMs} ms`, async () => {
        const row = rows(
          page,
          'Conversations',
          new RegExp(`^${title}, Finished`),
        );
        await row.waitFor({ timeout: aWhile });
        await chooseInMenuOf(row, 'Show Changes (Diff)');
        const begin = performance.now();
        const line = page.locator(
          '.multiDiffEntry .editor.modified .view-line',
        );
        await line
          .filter({ hasText: 'text 00' })
          .first()
          .waitFor({ timeout: aWhile });
        const took = performance.now() - begin;
        console.log(`      First text: ${Math.round(took)} ms`);
        assert.ok(took < maxFirstDiffMs, `${took} ms`);
        assert.equal(
          await line.filter({ hasText: 'does not report' }).count(),
          0,
        );
      });

      const row = (label: string) =>
        rows(page, 'Conversations', new RegExp(`^${title}, ${label}`));
      const file = (label: string) =>
        rows(
          page,
          'Conversations',
          new RegExp(`^\\+${label}`.replaceAll('.', '\\.')),
        );
      const shown = (text: string | RegExp, side = 'modified') =>
        page
          .locator(`.multiDiffEntry .editor.${side} .view-line`)
          .filter({ hasText: text });
      const picture = (name: string) =>
        takePicture(page, `real-${name}-${kind.service}`);
      const add = (name: string, text: string) =>
        writeFile(join(begun.folder, name), text);

      async function chooseFor(item: string): Promise<void> {
        await runCommand(page, 'View: Close All Editors');
        await goTo(page, 'Conversations', new RegExp(`^${title}, `));
        await page.keyboard.press('Shift+F10');
        await chooseInMenu(page, item);
      }

      it('shows only what is new once all was marked as reviewed', async () => {
        await chooseFor('Mark All as Reviewed');
        await row('.*, reviewed').waitFor({ timeout: aWhile });
        for (const name of ['+a.txt', '+b.txt', '+c.txt'])
          await add(name, 'later\n');
        await chooseFor('Show Changes (Diff)');
        // The service writes its logs into the folder of a sandbox, too.
        const left = kind.service === 'agentServer' ? 3 : '\\d+';
        await row(`.*, ${left} of \\d+ to review`).waitFor({ timeout: aWhile });
        await page
          .locator('.tab')
          .getByText(`To review in “${title}” (`)
          .waitFor();
        await shown('later').nth(2).waitFor();
        assert.equal(await shown(/^text.\d\d$/).count(), 0);
        await picture('to-review');
      });

      it('takes marks from the box of a file and from the title of its diff, until it changes again', async () => {
        await goTo(page, 'Conversations', new RegExp(`^${title}, `));
        await page.keyboard.press('ArrowRight');
        await file('a.txt, added, to review').getByRole('checkbox').click();
        await file('a.txt, added, reviewed').waitFor({ timeout: aWhile });
        await file('b.txt, added, to review').click();
        const diff = page.locator('.tab').filter({ hasText: '+b.txt' });
        await diff.waitFor();
        await page
          .locator('.part.editor .editor-actions')
          .getByRole('button', { name: 'Mark as Reviewed' })
          .click();
        await file('b.txt, added, reviewed').waitFor({ timeout: aWhile });
        await picture('marked');
        await add('+b.txt', 'later\nand more\n');
        await chooseFor('Show Changes (Diff)');
        await file('b.txt, added, changed since you reviewed it').waitFor({
          timeout: aWhile,
        });
        await shown('and more').waitFor();
        await shown('later', 'original').waitFor();
        // That file, and the one that was never marked.
        assert.equal(await shown(/^later$/).count(), 2);
      });

      it('takes a comment on what is left, which the agent gets with its line', async () => {
        await sendComment(page, shown('and more'), 'How much more?');
        assert.equal(
          await lastMessage(begun),
          'A comment on your changes, `+b.txt`, line 2:\n\n```txt\nand more\n```\n\nHow much more?',
        );
        await row('Finished').waitFor({ timeout: aWhile });
      });

      it('shows what changed since the last message, and since a commit', async () => {
        if (kind.service === 'agentServer') await commit(begun, 'Add more');
        await add('+d.txt', 'last words\n');
        const choose = async (...items: readonly string[]) => {
          await chooseFor('Show Changes Since…');
          for (const item of items) {
            await page
              .locator('.quick-input-list .monaco-list-row')
              .filter({ hasText: item })
              .first()
              .waitFor();
            if (item === items[0]) await picture('scopes');
            await page.keyboard.type(item);
            await page.keyboard.press('Enter');
          }
        };
        await choose('Since My Last Message');
        await page
          .locator('.tab')
          .getByText(`Changes in “${title}” since your last message (`)
          .waitFor();
        await shown('last words').waitFor();
        assert.equal(await shown('later').count(), 0);
        await picture('since-message');
        // The Agent Server in a sandbox lists no commits.
        if (kind.service !== 'agentServer') return;
        await choose('Since a Commit…', 'Add more');
        await page
          .locator('.tab')
          .getByText(`Changes in “${title}” since commit `)
          .waitFor();
        await shown('last words').waitFor();
        assert.equal(await shown('later').count(), 0);
      });
    });
  });
}
