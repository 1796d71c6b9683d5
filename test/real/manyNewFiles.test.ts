/** 100 new files of an agent of a real service: how soon their diff is there, and whether something else waits for it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import type { ServiceClient } from '../../src/service/client.ts';
import type { Conversation } from '../../src/service/entities.ts';
import type { ConversationChanges } from '../../src/state/changes/changedFiles.ts';
import {
  answer,
  chooseInMenu,
  type Desk,
  messages,
  openSideBar,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
} from '../ui/support.ts';
import { aWhile } from './agentPage.ts';
import { clientOf } from './client.ts';
import { agentKinds, type Begun, command } from './conversations.ts';
import { type RealService, realService } from './services.ts';
import { changesAt } from '../unit/state/changes/changesAt.ts';

const run = promisify(execFile);

const count = 100;
const title = 'Write many files';

/** The names come before those of the files that the service itself writes. */
const script = `mkdir -p +new && for i in $(seq -w 0 ${count - 1}); do echo "text $i" > +new/$i.txt; done`;

/** The longest that a click may wait because of us, and until the first diff. */
const maxClickMs = 1_000;
const maxFirstDiffMs = 10_000;

for (const kind of agentKinds) {
  describe(`the diff of ${count} new files of an agent ${kind.where}`, function () {
    this.timeout(400_000);
    let service: RealService;
    let begun: Begun;
    /** Two windows: what one of them asks for counts toward the pace of its own requests only. */
    let clients: readonly ServiceClient[];

    before(async () => {
      service = await realService(kind.service);
      clients = [clientOf(service), clientOf(service)];
      for (const client of clients) await client.recognise();
      const place = await kind.place(service, 'many');
      if (kind.service === 'agentServer') {
        const git = (...args: string[]) =>
          run('git', ['-C', place.folder, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args]);
        await git('init', '-q', '-b', 'main');
        await writeFile(join(place.folder, 'README.md'), 'Many files\n');
        await git('add', '.');
        await git('commit', '-qm', 'first');
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
        conversation = (await conversations.find(begun.id, { signal })) ?? assert.fail();
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
          const sides = await changes.sides(conversation, 'start', path, { signal });
          const bytes = Buffer.from(`text ${/\d+/.exec(path)?.[0] ?? ''}\n`);
          assert.deepEqual(sides, { before: { kind: 'none' }, after: { kind: 'bytes', bytes, exact: true } });
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
          if (new URL(input).pathname.endsWith('/search')) sentAt = performance.now();
          return fetch(input, init);
        };
        /** The milliseconds until a request of a click goes out: how long the service takes is not ours. */
        const click = async () => {
          const begin = performance.now();
          await conversations.list({}, { size: 1, signal }).next();
          return sentAt - begin;
        };
        try {
          const listing = changes.load(conversation, 'start', { signal });
          const whileListing = await click();
          const { files } = await listing;
          const reading = files.map(({ path }) => changes.sides(conversation, 'start', path, { signal }));
          const whileReading = await click();
          await Promise.all(reading);
          const longest = Math.max(whileListing, whileReading);
          console.log(`      Longest wait of a click: ${Math.round(longest)} ms`);
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
        desk = await setUpDesk({ settings: { 'switchboard.refreshInterval': 2 } });
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
        const row = rows(page, 'Conversations', new RegExp(`^${title}, Finished`));
        await row.waitFor({ timeout: aWhile });
        await row.click({ button: 'right' });
        await chooseInMenu(page, 'Show Changes');
        const begin = performance.now();
        const line = page.locator('.multiDiffEntry .editor.modified .view-line');
        await line.filter({ hasText: 'text 00' }).first().waitFor({ timeout: aWhile });
        const took = performance.now() - begin;
        console.log(`      First text: ${Math.round(took)} ms`);
        assert.ok(took < maxFirstDiffMs, `${took} ms`);
        assert.equal(await line.filter({ hasText: 'does not tell' }).count(), 0);
      });

      it('shows only what is new once all was marked as reviewed', async () => {
        const row = (label: string) => rows(page, 'Conversations', new RegExp(`^${title}, ${label}`));
        await row('Finished').click({ button: 'right' });
        await chooseInMenu(page, 'Mark All as Reviewed');
        await row('.*, reviewed').waitFor({ timeout: aWhile });
        for (const name of ['a', 'b', 'c']) {
          await writeFile(join(begun.folder, '+new', `${name}.txt`), 'later\n');
        }
        await row('Finished').click({ button: 'right' });
        await chooseInMenu(page, 'Show Changes');
        // The service writes its log into the folder of a sandbox, too.
        await row('.*, [34] of \\d+ to review').waitFor({ timeout: aWhile });
        await page.locator('.tab').getByText(`To review in “${title}” (`).waitFor();
        const shown = page.locator('.multiDiffEntry .editor.modified .view-line');
        await shown.filter({ hasText: 'later' }).nth(2).waitFor();
        assert.equal(await shown.filter({ hasText: /^text.\d\d$/ }).count(), 0);
        await takePicture(page, `real-to-review-${kind.service}`);
      });
    });
  });
}
