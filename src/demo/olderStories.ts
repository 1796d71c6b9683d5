/** Titles and work of all conversations that nobody wrote by hand: each is a task for a part of the software. */
import { slug } from './names.ts';
import type { Dice } from './random.ts';
import { editStep, runStep, type Story } from './stories.ts';

type Task = readonly [title: string, file: string, old: string, changed: string];

/** Tasks for an agent, each with the line that it changes, and the file with that line in the folder of the thing. */
const tasks: readonly [Task, ...Task[]] = [
  ['Fix the flaky retry test of {}', 'retry.test', 'await sleep(100);', 'await clock.advance(100);'],
  [
    'Fix the 500 when {} gets an empty list',
    'first',
    'const [first] = items;',
    'const first = items[0] ?? none;',
  ],
  [
    'Fix a race between two writers in {}',
    'writer',
    'await write(next);',
    'await lock.hold(() => write(next));',
  ],
  ['Fix the time zone of dates in {}', 'dates', 'new Date(day)', 'new Date(`${day}T00:00:00Z`)'],
  [
    'Find out why {} has been slow since the last release',
    'batch',
    'for (const id of ids) await load(id);',
    'await load(ids);',
  ],
  ['Find the memory leak in {}', 'requests', 'seen.push(request);', 'seen.add(request.id);'],
  ['Add pagination to {}', 'find', 'find()', 'find({ limit: 100, after: cursor })'],
  ['Add an audit log to {}', 'save', 'await save(change);', 'await save(change);\nawait audit.note(change);'],
  [
    'Add tests for the error paths of {}',
    'errors',
    'throw error;',
    "throw new Error('Could not load', { cause: error });",
  ],
  [
    'Add metrics and an alert for {}',
    'handler',
    'await handle(request);',
    'await timed(() => handle(request));',
  ],
  ['Move {} to the new HTTP client', 'client', 'await request(url);', 'await http.get(url);'],
  [
    'Move {} from callbacks to async/await',
    'loader',
    'load(id, (error, item) => done(item));',
    'done(await load(id));',
  ],
  ['Make {} idempotent', 'insert', 'await insert(row);', 'await insert(row, { onConflict: "ignore" });'],
  ['Make {} work behind a proxy', 'fetch', 'fetch(url)', 'fetch(url, { dispatcher: proxy })'],
  ['Remove the feature flag around {}', 'start', "if (isOn('next')) start();", 'start();'],
  ['Remove dead code from {}', 'main', 'start();\nstartOld();', 'start();'],
  [
    'Upgrade the dependencies of {}',
    'parser',
    "import parse from 'parse';",
    "import { parse } from 'parse';",
  ],
  [
    'Document {}',
    'index',
    'export function start() {',
    '/** Starts it once; later calls do nothing. */\nexport function start() {',
  ],
  [
    'Split {} into two modules',
    'read',
    'export const read = () => load(path);',
    "export { read } from '../files/read.ts';",
  ],
  ['Speed up {}', 'cache', 'const all = await load();', 'const all = (cached ??= await load());'],
  [
    'Review the error messages of {}',
    'messages',
    "'Error 17'",
    "'The file does not exist. Choose another one.'",
  ],
  ['Stop {} from logging personal data', 'log', 'log(request);', 'log(request.id);'],
  ['Cache the lookups of {}', 'lookup', 'await lookUp(key);', 'cache.get(key) ?? (await lookUp(key));'],
  ['Translate {} into French and Japanese', 'languages', "['en', 'de']", "['en', 'de', 'fr', 'ja']"],
];

const things = [
  'the payment webhook',
  'the CSV export',
  'the search index',
  'the session store',
  'the invoice mailer',
  'the nightly import',
  'the login form',
  'the rate limiter',
  'the currency converter',
  'the product page',
  'the image resizer',
  'the order history',
  'the permission check',
  'the release script',
  'the health check',
  'the shopping cart',
  'the stock forecast',
  'the address form',
  'the backup job',
  'the design tokens',
  'the GraphQL gateway',
  'the push notifications',
  'the tax rules',
  'the feature-flag service',
] as const;

/** For a few, the placeholder that a service shows before there is a title. */
export function makeTitle(dice: Dice, id: string): string {
  if (dice.below('placeholder', 11) === 0) return `Conversation ${id}`;
  const title = dice.pick('task', tasks)[0].replace('{}', dice.pick('thing', things));
  return dice.below('issue', 6) === 0 ? `${title} (#${dice.between('issue number', 12, 4_800)})` : title;
}

export function olderStory(dice: Dice, title: string): Story {
  if (title.startsWith('Conversation ')) return lookAround;
  const [, file, old, changed] = dice.pick('task', tasks);
  const thing = dice.pick('thing', things);
  const path = `src/${slug(thing)}/${file}.ts`;
  const tests = runStep('The tests should still pass.', 'npm test', ' 42 passing (3s)');
  return {
    message: `${title}.`,
    steps: [
      runStep('Let me find the code first.', `grep -rli "${thing.slice(4)}" src`, path),
      editStep('This is the place.', path, [old, changed], [`// Part of ${thing}.\n\n`, '\n']),
      editStep(
        'A line for the changelog.',
        'CHANGELOG.md',
        ['## Unreleased\n', `## Unreleased\n\n- ${title}\n`],
        ['# Changelog\n\n', '\n## 2.4.0\n\n- Faster search\n'],
      ),
      tests,
    ],
    wants: [],
    done: 'Done, and the tests pass. I added a line to the changelog.',
  };
}

const lookAround: Story = {
  message: "Take a look at what's left in TODO.md.",
  steps: [runStep('Let me read it.', 'cat TODO.md', '- [x] Rename the export\n- [x] Update the screenshots')],
  wants: [],
  done: "Nothing is left: everything in TODO.md is checked off, so I didn't change anything.",
};
