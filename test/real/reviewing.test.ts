/** Reviews changes in a folder of a real service, whatever Git does there. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceClient } from '../../src/service/client.ts';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import type { ChangedFile } from '../../src/service/abilities/fileChanges.ts';
import { BaselineStore } from '../../src/state/changes/baselines.ts';
import { asListed, isLeft } from '../../src/state/changes/fileReviews.ts';
import { ReviewProgress } from '../../src/state/changes/reviewProgress.ts';
import { AgentLocations } from '../../src/state/conversation/agentLocations.ts';
import { Dice } from '../../src/demo/wire/random.ts';
import { changesAt } from '../unit/state/changes/changesAt.ts';
import { MemoryStore } from '../unit/state/support.ts';
import { clientOf } from './client.ts';
import { agentKinds } from './conversations.ts';
import { realService } from './services.ts';

const isOurs = ({ path }: ChangedFile) => path.startsWith('+');

const sequences = 50;
const steps = 6;
/** Names that sort before the files that the service itself writes. */
const names = ['+a.txt', '+b.txt', '+c.bin', '+d.txt'];
const texts = [
  'one\n',
  'one\ntwo\n',
  'last line without an end',
  'bin\u0000\u0001',
  'line\n'.repeat(40),
];

for (const kind of agentKinds) {
  describe(`the list of files left to review of an agent ${kind.where}`, function () {
    this.timeout(400_000);
    const { signal } = new AbortController();
    let client: ServiceClient;
    let folder: string;
    let conversation: Conversation;

    const git = (...args: string[]) =>
      execFileSync(
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
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );

    before(async () => {
      const service = await realService(kind.service);
      client = clientOf(service, { requestsPerSecond: Infinity });
      const place = await kind.place(service, 'reviewed');
      ({ folder } = place);
      if (!existsSync(join(folder, '.git'))) git('init', '-q', '-b', 'main');
      writeFileSync(join(folder, '+a.txt'), 'one\n');
      writeFileSync(join(folder, '+b.txt'), 'line\n'.repeat(30));
      writeFileSync(join(folder, '+always.txt'), 'always\n');
      git('add', '-A', ':(glob)+*');
      git('commit', '-qm', 'first');
      const begun = await kind.begin(
        service,
        'Review',
        place,
        'NeverConfirm',
        'say: Done.',
      );
      const { conversations } = await client.recognise({ signal });
      conversation =
        (await conversations.find(begun.id, { signal })) ?? assert.fail();
    });

    /** Contents of a side, as Git has them. */
    function textAt(
      base: string | undefined,
      path: string,
    ): string | undefined {
      try {
        return base === undefined
          ? undefined
          : git('show', `${base}:${path}`).toString('latin1');
      } catch {
        return undefined;
      }
    }

    function change(dice: Dice, step: number): void {
      const path = dice.pick(`path ${step}`, names);
      const there = join(folder, path);
      const to = dice.pick(`to ${step}`, names);
      switch (
        dice.pick(`what ${step}`, [
          'edit',
          'edit',
          'edit',
          'delete',
          'move',
          'commit',
          'amend',
          'restore',
        ])
      ) {
        case 'edit':
          writeFileSync(there, dice.pick(`text ${step}`, texts));
          break;
        case 'delete':
          rmSync(there, { force: true });
          break;
        case 'move':
          if (existsSync(there) && !existsSync(join(folder, to)))
            renameSync(there, join(folder, to));
          break;
        case 'commit':
          git('add', '-A', ':(glob)+*');
          git('commit', '-q', '--allow-empty', '-m', `step ${step}`);
          break;
        case 'amend':
          git(
            'commit',
            '-q',
            '--amend',
            '--allow-empty',
            '-m',
            `rewritten ${step}`,
            '--date',
            `2026-01-0${step + 1}T00:00:00`,
          );
          break;
        case 'restore':
          if (textAt('HEAD', path) === undefined)
            rmSync(there, { force: true });
          else git('checkout', '-q', 'HEAD', '--', path);
      }
    }

    it(`lists exactly those files in ${sequences} random sequences of changes, marks and restarts`, async () => {
      let shownAgain = 0;
      for (let seed = 0; seed < sequences; seed++) {
        const dice = new Dice(35, seed);
        const store = await mkdtemp(join(tmpdir(), 'switchboard-reviewed-'));
        const changes = changesAt(() => client);
        const locations = new AgentLocations(client);
        const open = () =>
          new ReviewProgress(
            changes,
            new BaselineStore(store),
            () => locations,
            new MemoryStore(),
          );
        let window = open();
        const marks = new Map<string, string>();
        const fingerprint = ({ path, from, status }: ChangedFile) => {
          const base = changes.known(keyOf(conversation))?.patch?.base;
          const now = existsSync(join(folder, path))
            ? readFileSync(join(folder, path), 'latin1')
            : undefined;
          return JSON.stringify([
            status,
            from,
            textAt(base, from ?? path),
            now,
          ]);
        };
        for (let step = 0; step < steps; step++) {
          change(dice, step);
          if (dice.below(`restart ${step}`, 3) === 0) window = open();
          await window.readReviews(conversation, { signal });
          const listed = (
            changes.known(keyOf(conversation))?.files ?? assert.fail()
          ).filter(isOurs);
          const seen = new Set(
            listed.flatMap(({ path, from = path }) => [path, from]),
          );
          const expected = [
            ...listed
              .filter((file) => marks.get(file.path) !== fingerprint(file))
              .map(({ path }) => path),
            ...[...marks.keys()].filter((path) => !seen.has(path)),
          ];
          const left = () =>
            (window.snapshot(keyOf(conversation))?.reviewed ?? []).filter(
              (review) => isLeft(review) && isOurs(review.file),
            );
          const where = `${seed}.${step}`;
          const first = left().map(({ file }) => file.path);
          for (const path of expected)
            assert.ok(
              first.includes(path),
              `${where}: ${path} counts as reviewed`,
            );
          for (const { file, state, baseline } of left()) {
            const sides = await window.readSides(
              conversation,
              'reviewed',
              file.path,
              { signal },
            );
            if (state !== 'changedAgain' || baseline.path !== file.path)
              continue;
            const [, , , was] = JSON.parse(marks.get(file.path) ?? '[]') as (
              string | undefined
            )[];
            const before =
              sides?.before.kind === 'bytes'
                ? Buffer.from(sides.before.bytes).toString('latin1')
                : undefined;
            assert.equal(
              before,
              was ?? undefined,
              `${where}: ${file.path} is not compared with what was reviewed`,
            );
            shownAgain++;
          }
          assert.deepEqual(
            left()
              .map(({ file }) => file.path)
              .sort(),
            expected.sort(),
            where,
          );
          const chosen = left()
            .filter((_, at) => dice.below(`mark ${step} ${at}`, 2) === 0)
            .map(({ file }) => file);
          assert.deepEqual(
            await window.mark(conversation, chosen.map(asListed), { signal }),
            [],
            where,
          );
          for (const file of chosen) {
            if (file.status === 'changedBack') marks.delete(file.path);
            else marks.set(file.path, fingerprint(file));
          }
        }
      }
      assert.ok(
        shownAgain >= 20,
        `${shownAgain} files were shown since their mark.`,
      );
    });
  });
}
