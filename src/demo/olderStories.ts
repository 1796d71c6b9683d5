/** Titles and work of the generated conversations: each is a task for a part of the software. */
import { slug } from './names.ts';
import type { Dice } from './random.ts';
import { readStory, type Story } from './stories.ts';

/** Tasks for an agent, each with a file in the folder of the part, a line of it, and what the line becomes. */
const tasks = rowsOf(`
Fix the flaky retry test of {} | retry.test | await sleep(100); | await clock.advance(100);
Fix the 500 when {} gets an empty list | first | const [first] = items; | const first = items[0] ?? none;
Fix a race between two writers in {} | writer | await write(next); | await lock.hold(() => write(next));
Fix the time zone of dates in {} | dates | new Date(day) | new Date(\`\${day}T00:00:00Z\`)
Find out why {} has been slow since the last release | batch | for (const id of ids) await load(id); | await load(ids);
Find the memory leak in {} | requests | seen.push(request); | seen.add(request.id);
Add pagination to {} | find | find() | find({ limit: 100, after: cursor })
Add an audit log to {} | save | await save(change); | await save(change);\\nawait audit.note(change);
Add tests for the error paths of {} | errors | throw error; | throw new Error('Could not load', { cause: error });
Add metrics and an alert for {} | handler | await handle(request); | await timed(() => handle(request));
Move {} to the new HTTP client | client | await request(url); | await http.get(url);
Move {} from callbacks to async/await | loader | load(id, (error, item) => done(item)); | done(await load(id));
Make {} idempotent | insert | await insert(row); | await insert(row, { onConflict: "ignore" });
Make {} work behind a proxy | fetch | fetch(url) | fetch(url, { dispatcher: proxy })
Remove the feature flag around {} | start | if (isOn('next')) start(); | start();
Remove dead code from {} | main | start();\\nstartOld(); | start();
Upgrade the dependencies of {} | parser | import parse from 'parse'; | import { parse } from 'parse';
Document {} | index | export function start() { | /** Starts it once; later calls do nothing. */\\nexport function start() {
Split {} into two modules | read | export const read = () => load(path); | export { read } from './read.ts';
Speed up {} | cache | const all = await load(); | const all = (cached ??= await load());
Review the error messages of {} | messages | 'Error 17' | 'The file does not exist. Choose another one.'
Stop {} from logging personal data | log | log(request); | log(request.id);
Cache the lookups of {} | lookup | await lookUp(key); | cache.get(key) ?? (await lookUp(key));
Translate {} into French and Japanese | languages | ['en', 'de'] | ['en', 'de', 'fr', 'ja']
`);

const parts = rowsOf(`
payment webhook | CSV export | search index | session store | invoice mailer | nightly import
login form | rate limiter | currency converter | product page | image resizer | order history
permission check | release script | health check | shopping cart | stock forecast | address form
backup job | design tokens | GraphQL gateway | push notifications | tax rules | feature-flag service
`).flat();

function rowsOf(table: string): readonly string[][] {
  const rows = table.trim().split('\n');
  return rows.map((row) => row.replaceAll('\\n', '\n').split(' | '));
}

/** A few have the placeholder that a service shows before there is a title. */
export function makeTitle(dice: Dice, id: string): string {
  if (dice.below('placeholder', 11) === 0) return `Conversation ${id}`;
  const [task = ''] = dice.pick('task', tasks);
  const title = task.replace('{}', `the ${dice.pick('thing', parts)}`);
  return dice.below('issue', 6) === 0 ? `${title} (#${dice.between('issue number', 12, 4_800)})` : title;
}

export function olderStory(dice: Dice, title: string): Story {
  if (title.startsWith('Conversation ')) return lookAround;
  const [, file = '', old = '', changed = ''] = dice.pick('task', tasks);
  const part = dice.pick('thing', parts);
  const path = `src/${slug(part)}/${file}.ts`;
  return readStory(`${title}.
* Let me find the code first.
$ grep -rli "${part}" src
${path}
* This is the place.
@ ${path}
 // Part of the ${part}.

${old.replaceAll(/^/gm, '-')}
${changed.replaceAll(/^/gm, '+')}
* A line for the changelog.
@ CHANGELOG.md
 # Changelog

-## Unreleased
+## Unreleased
+
+- ${title}

 ## 2.4.0

 - Faster search
* The tests should still pass.
$ npm test
 42 passing (3s)
= Done, and the tests pass. I added a line to the changelog.`);
}

const lookAround = readStory(`Take a look at what's left in TODO.md.
* Let me read it.
$ cat TODO.md
- [x] Rename the export
- [x] Update the screenshots
= Nothing is left: everything in TODO.md is checked off, so I didn't change anything.`);
