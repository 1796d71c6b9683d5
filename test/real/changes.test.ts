/**
 * Changes by an agent of a real service in a real window: the same as Git says
 * on its machine.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import {
  answer,
  changeTheme,
  chooseInMenuOf,
  type Desk,
  eventually,
  goTo,
  messages,
  openSideBar,
  press,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  themes,
} from '../ui/support.ts';
import { aWhile, sendComment } from './agentPage.ts';
import {
  atAgentServer,
  type Begun,
  command,
  lastMessage,
} from './conversations.ts';
import { type RealService, realService } from './services.ts';

const run = promisify(execFile);

/** The work of the agent. */
const script = [
  "printf 'export const tax = 19;\\n' > src/tax.ts",
  "git add src/tax.ts && git commit -qm 'Add the tax'",
  "printf 'export const cart = [1];\\nexport const total = 1;' > src/cart.ts",
  "git mv 'src/old name.ts' 'src/new name.ts' && rm gone.txt",
  "printf '\\000\\001\\007' > logo.bin && printf 'ä' > 'Grüße \"1\".txt' && ln -s /etc/hostname link",
];

/**
 * The Agent Server in a sandbox lists no commits, so what was there before
 * counts as new: see manyNewFiles.test.ts.
 */
const kinds = [atAgentServer];

for (const kind of kinds) {
  describe(`the diff of what an agent ${kind.where} changes, in a window`, function () {
    this.timeout(400_000);
    let desk: Desk;
    let page: Page;
    let service: RealService;
    let folder: string;
    let begun: Begun;

    const git = async (...args: string[]) =>
      (
        await run(
          'git',
          [
            '-C',
            folder,
            '-c',
            'user.name=A',
            '-c',
            'user.email=a@example.com',
            ...args,
          ],
          {
            encoding: 'buffer',
          },
        )
      ).stdout;

    before(async () => {
      const opening = setUpDesk({
        settings: { 'switchboard.refreshInterval': 2 },
      });
      service = await realService(kind.service);
      const place = await kind.place(service, 'shop');
      ({ folder } = place);
      await mkdir(join(folder, 'src'), { recursive: true });
      await git('init', '-q', '-b', 'main');
      await git('config', 'user.name', 'A');
      await git('config', 'user.email', 'a@example.com');
      await writeFile(
        join(folder, 'src/cart.ts'),
        'export const cart = [];\nexport const total = 0;\n',
      );
      await writeFile(
        join(folder, 'src/old name.ts'),
        'export function moved() {\n  return 1;\n}\n',
      );
      await writeFile(join(folder, 'gone.txt'), 'gone\n');
      await writeFile(
        join(folder, 'logo.bin'),
        Buffer.from([0, 1, 2, 3, 0, 255]),
      );
      await git('add', 'src', 'gone.txt', 'logo.bin');
      await git('commit', '-qm', 'first');
      const text = [
        ...script.map((line) => `call: ${command(line)}`),
        'say: Done.',
      ].join('\n');
      begun = await kind.begin(
        service,
        'Fix the cart',
        place,
        'NeverConfirm',
        text,
      );
      desk = await opening;
      ({ page } = await desk.open());
      await openSideBar(page);
      await runCommand(page, 'Switchboard: Connect to a Service');
      await answer(page, 'Address of the service', service.url);
      await answer(page, /^Key of /, service.key);
      await messages(page, `Connected to ${service.url}`).waitFor();
      await runCommand(page, 'Notifications: Clear All Notifications');
      await row(/^Fix the cart, Finished/).waitFor({ timeout: aWhile });
    });

    after(async () => {
      await desk.clear();
    });

    const row = (label: RegExp) => rows(page, 'Conversations', label);

    interface Line {
      readonly style: { readonly top: string };
      readonly textContent: string;
    }

    interface Shown {
      readonly before: string;
      readonly after: string;
    }

    /** The content of the multi-file diff, by the path of each file. */
    async function shown(): Promise<ReadonlyMap<string, Shown>> {
      const entries = await page.locator('.multiDiffEntry').all();
      const linesOf = async (entry: Locator, side: string) => {
        const lines = entry.locator(`.editor.${side} .view-line`);
        const found: readonly string[] = await lines.evaluateAll(
          (all: unknown) =>
            [...(all as readonly Line[])]
              .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
              .map(({ textContent }) => textContent),
        );
        return found.join('\n').replaceAll('\u00a0', ' ');
      };
      const all = entries.map(async (entry) => {
        const title = await entry.locator('.title.modified').innerText();
        const [name = '', folder = ''] = title.split(/\/(.*)/s);
        const path = folder === '' ? name : `${folder}/${name}`;
        return [
          path,
          {
            before: await linesOf(entry, 'original'),
            after: await linesOf(entry, 'modified'),
          },
        ] as const;
      });
      return new Map(await Promise.all(all));
    }

    const lines = (text: Uint8Array) => Buffer.from(text).toString('utf8');

    it('shows the files that Git names, as they were before and after', async () => {
      await chooseInMenuOf(row(/^Fix the cart/), 'Show Changes (Diff)');
      await page
        .locator('.multiDiffEntry')
        .first()
        .waitFor({ timeout: aWhile });
      const changed = lines(
        await git('diff', '-M', '--name-only', '-z', 'HEAD~1'),
      ).split('\0');
      const untracked = lines(
        await git('ls-files', '-z', '--others', '--exclude-standard'),
      ).split('\0');
      const expected = [...changed, ...untracked]
        .filter((path) => path !== '')
        .sort();
      await eventually(async () => {
        assert.deepEqual([...(await shown()).keys()].sort(), expected);
      });
      assert.ok(expected.length >= 7, expected.join());
      await row(
        new RegExp(`^Fix the cart, .*${expected.length} files changed`),
      ).waitFor();
      const before = async (path: string) =>
        lines(await git('show', `HEAD~1:${path}`));
      const after = (path: string) => readFile(join(folder, path), 'utf8');
      await eventually(async () => {
        const all = await shown();
        assert.deepEqual(all.get('src/cart.ts'), {
          before: await before('src/cart.ts'),
          after: await after('src/cart.ts'),
        });
        assert.deepEqual(all.get('src/new name.ts'), {
          before: await before('src/old name.ts'),
          after: await after('src/new name.ts'),
        });
        assert.equal(all.get('src/tax.ts')?.after, await after('src/tax.ts'));
        assert.equal(all.get('gone.txt')?.before, await before('gone.txt'));
        assert.equal(all.get('Grüße "1".txt')?.after, 'ä');
        assert.equal(all.get('link')?.after, 'Link to /etc/hostname');
        assert.match(
          all.get('logo.bin')?.after ?? '',
          /^Binary file of 3 bytes, SHA-256 /,
        );
      });
      for (const theme of ['light', 'dark']) {
        await changeTheme(page, themes[theme] ?? assert.fail());
        await takePicture(page, `real-changes-${kind.service}-${theme}`);
      }
    });

    it('opens from the offer when the agent has changed more, and each file opens alone from the list under the row', async () => {
      await writeFile(join(folder, 'later.txt'), 'later\n');
      await kind.rename(service, begun, 'Fix the cart now');
      const offer = '1 more file changed in “Fix the cart now”.';
      await messages(page, offer).waitFor({ timeout: aWhile });
      await press(page, offer, 'Show');
      await eventually(async () => {
        const later =
          (await shown()).get('later.txt') ??
          assert.fail('Your input is hidden.');
        assert.equal(later.after, 'later\n');
      });
      await runCommand(page, 'View: Close All Editors');
      await goTo(page, 'Conversations', /^Fix the cart now/);
      await page.keyboard.press('ArrowRight');
      await rows(page, 'Conversations', /^later\.txt, added/).waitFor();
      await takePicture(page, `real-changes-list-${kind.service}`);
      await rows(page, 'Conversations', /^src\/cart\.ts, changed/).click();
      await page
        .locator('.monaco-diff-editor .view-line')
        .filter({ hasText: 'total = 1;' })
        .first()
        .waitFor();
    });

    it('takes comments, which the agent gets as one message with the file, the lines and their text', async () => {
      const lines = page.locator(
        '.monaco-diff-editor .editor.modified .view-line',
      );
      await sendComment(
        page,
        lines.filter({ hasText: 'total = 1;' }).first(),
        'Count the items.',
      );
      assert.equal(
        await lastMessage(begun),
        'A comment on your changes, `src/cart.ts`, line 2:\n\n```ts\nexport const total = 1;\n```\n\nCount the items.',
      );
    });
  });
}
