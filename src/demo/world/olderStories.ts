/**
 * Titles and work of the generated conversations: each is a task for a part of
 * the software in its repository.
 */
import { slug } from './names.ts';
import type { Dice } from '../wire/random.ts';
import { readStory, type Story } from './stories.ts';

/**
 * A title with its work, in which {part}, {name} and {folder} stand for a part
 * of the repository.
 */
type Task = ReturnType<typeof readTask>;

interface Project {
  readonly parts: readonly string[];
  readonly tasks: readonly Task[];
  readonly tests: string;
}

const serviceTasks = readTasks(`
Fix the 500 when {} gets an empty body
* The body is read without a check, and an empty one is undefined.
@ {folder}/request.ts
 import { refuse } from '../http.ts';
 import { parse } from './parse.ts';

 export async function {name}(request: Request): Promise<Response> {
-  const body = parse(await request.text());
+  const text = await request.text();
+  if (text === '') return refuse(400, 'The body is empty.');
+  const body = parse(text);
   return Response.json(await answer(body));
 }
= An empty body now gets a 400 that says so, instead of a 500.

Fix the flaky retry test of {}
* The test waits for real time, and a busy machine is slower than that.
@ {folder}/retry.test.ts
 test('tries three times', async () => {
   const clock = new TestClock();
   const answer = {name}(failing, { clock });
-  await sleep(100);
+  await clock.advance(100);
   await assert.rejects(answer, /gave up/);
   assert.equal(failing.calls, 3);
 });
= The test moves a clock of its own now. It passed 200 times in a row.

Find out why {} is slower since the last release
* It loads one row after the other since the last release. One query can load all of them.
@ {folder}/load.ts
 export async function loadAll(ids: readonly string[]): Promise<readonly Row[]> {
-  const rows: Row[] = [];
-  for (const id of ids) rows.push(await store.load(id));
-  return rows;
+  return await store.loadMany(ids);
 }
= The last release loaded rows one by one. With one query for all, it is as fast as before.

Find the memory leak in {}
* Each request is kept in a list that nobody empties. Only the last one is ever read.
@ {folder}/recent.ts
-const requests: Request[] = [];
+let lastRequest: Request | undefined;

 export function remember(request: Request): void {
-  requests.push(request);
+  lastRequest = request;
 }
= It kept every request in a list. Now it keeps the last one, which is all that is read.

Add metrics and an alert for {}
* The handler has one way in, so it can be timed there.
@ {folder}/handler.ts
 import { route } from '../routes.ts';
+import { timed } from '../metrics.ts';
 import { {name} } from './index.ts';

-export const handler = route({name});
+export const handler = route(timed('{part}', {name}));
* The alert goes beside the others.
@ {folder}/alert.yaml
+name: {part} is slow
+metric: request_seconds{handler="{part}"}
+above: 0.5
+for: 5m
= Requests are timed, and an alert fires when they take more than half a second for five minutes.

Stop {} from logging personal data
* One line logs the whole request, with the email address in it.
@ {folder}/log.ts
 import { log } from '../log.ts';

 export function logRequest(request: Incoming): void {
-  log.info('request', request);
+  log.info('request', { id: request.id, status: request.status });
 }
= The log has the ID and the status of a request now, and nothing about people.

Review the error messages of {}
* Users see “Error 17” and nothing that helps them.
@ {folder}/messages.ts
 export const messages = {
-  17: 'Error 17',
-  18: 'Invalid',
+  17: 'The file does not exist. Choose another one.',
+  18: 'The date is in the past. Enter one from today on.',
 };
= Both messages now say what is wrong and what to do.

Remove the feature flag around {}
* The flag has been on for everyone since spring, so the old way is never taken.
@ {folder}/index.ts
-import { isOn } from '../flags.ts';
 import { current } from './current.ts';
-import { old } from './old.ts';

-export const {name} = isOn('new-{name}') ? current : old;
+export const {name} = current;
= The flag is gone. Nothing imports \`old.ts\` anymore; I left the file for you to delete.

Validate the input of {}
* Negative amounts get as far as the database, which refuses them.
@ {folder}/schema.ts
 export const schema = z.object({
   id: z.string().uuid(),
-  amount: z.number(),
+  amount: z.number().int().positive(),
 });
= Amounts are whole and positive now, or the request is refused with a 422.

Document {}
* It has no comment, and the one surprise is that it may be called twice.
@ {folder}/start.ts
+/** Starts the {part}. Later calls do nothing. */
 export function start(): void {
   started ??= begin();
 }
= The function says what it does, and what a second call does.
`);

const pageTasks = readTasks(`
Make {} usable with the keyboard
* It listens for clicks on a plain element. A button can be reached with Tab.
@ {folder}/Trigger.tsx
 export const Trigger = ({ onOpen }: Props) => (
-  <div className="trigger" onClick={onOpen}>Open</div>
+  <button type="button" className="trigger" onClick={onOpen}>Open</button>
 );
= It opens with Tab and Enter now.

Fix {} in dark mode
* Two colors are fixed, so they stay dark on dark.
@ {folder}/colors.css
 .{name} {
-  color: #222;
-  background: white;
+  color: var(--text);
+  background: var(--surface);
 }
= It takes its colors from the theme, so the text can be read in dark mode.

Fix {} on small screens
* The width is fixed. It should not be wider than the screen.
@ {folder}/layout.css
 .{name} {
   display: grid;
-  width: 480px;
+  width: min(480px, 100%);
 }
= It fits a screen of 320 pixels without scrolling sideways.

Find the memory leak in {}
* A listener is added each time it appears, and never removed.
@ {folder}/useResize.ts
 export function useResize(onResize: () => void): void {
   useEffect(() => {
     addEventListener('resize', onResize);
+    return () => removeEventListener('resize', onResize);
   }, [onResize]);
 }
= The listener is removed when it disappears. Memory stays flat when I open it 500 times.

Stop {} from rendering twice
* It gets a new object each time, so React takes it for a change.
@ {folder}/useOptions.ts
 export function useOptions(size: number) {
-  return { size, isOpen: false };
+  return useMemo(() => ({ size, isOpen: false }), [size]);
 }
= It renders once now, and again only if the size changes.

Fix the flaky test of {}
* The test looks before the animation ends.
@ {folder}/{name}.test.tsx
 test('opens', async () => {
   render(<Example />);
   await user.click(screen.getByRole('button'));
-  expect(screen.getByText('Details')).toBeVisible();
+  expect(await screen.findByText('Details')).toBeVisible();
 });
= The test waits until the text is there. It passed 200 times in a row.

Translate {} into French and Japanese
* The German texts are complete, so I'll follow them.
@ {folder}/texts.json
 {
   "en": { "close": "Close", "more": "Show more" },
-  "de": { "close": "Schließen", "more": "Mehr anzeigen" }
+  "de": { "close": "Schließen", "more": "Mehr anzeigen" },
+  "fr": { "close": "Fermer", "more": "Afficher plus" },
+  "ja": { "close": "閉じる", "more": "もっと見る" }
 }
= French and Japanese are in. Please have a native speaker check them.

Make {} work from right to left
* Left and right are fixed in the styles. Start and end follow the language.
@ {folder}/spacing.css
 .{name} {
-  margin-left: 8px;
-  text-align: left;
+  margin-inline-start: 8px;
+  text-align: start;
 }
= It is mirrored in Arabic and Hebrew, and unchanged in English.

Show a skeleton while {} loads
* Nothing is there until the data comes, and then the page jumps.
@ {folder}/Loading.tsx
 export const Loading = ({ isLoading, children }: Props) => (
-  <>{isLoading ? null : children}</>
+  <>{isLoading ? <Skeleton lines={4} /> : children}</>
 );
= A skeleton of four lines keeps the place, so the page does not jump.

Respect reduced motion in {}
* The animation runs for everyone.
@ {folder}/motion.css
-.{name} {
-  transition: transform 300ms;
+@media (prefers-reduced-motion: no-preference) {
+  .{name} {
+    transition: transform 300ms;
+  }
 }
= People who have turned motion off see no animation.
`);

const dataTasks = readTasks(`
Fix the time zone of {}
* Days are read without a zone, so an evening in New York belongs to the wrong day.
@ {folder}/days.py
 import pandas as pd


 def days(frame):
-    return pd.to_datetime(frame["day"])
+    return pd.to_datetime(frame["day"], utc=True).dt.tz_convert("Europe/Berlin")
= Days are those of Berlin now, whatever zone the machine is in.

Find out why {} takes twice as long since May
* It goes through the rows one by one since May.
@ {folder}/totals.py
 def add_totals(frame):
-    for index, row in frame.iterrows():
-        frame.loc[index, "total"] = row["price"] * row["count"]
+    frame["total"] = frame["price"] * frame["count"]
     return frame
= A loop over all rows came in May. Without it, it takes 40 s instead of 9 minutes.

Fix the crash of {} on missing values
* Some rows have no price since the new cash register.
@ {folder}/prices.py
 def mean_price(frame):
-    return frame["price"].astype(float).mean()
+    return frame["price"].dropna().astype(float).mean()
= Rows without a price are left out of the mean. There were 312 of them last week.

Use less memory in {}
* All columns are loaded, and three are used.
@ {folder}/read.py
 import pandas as pd


 def read(path):
-    return pd.read_csv(path)
+    return pd.read_csv(path, usecols=["day", "product", "count"], dtype={"product": "category"})
= It needs 0.6 GB instead of 4.1 GB.

Log how many rows {} drops
* Rows are dropped in one place, and nobody sees how many.
@ {folder}/clean.py
+import logging
+
+
 def clean(frame):
-    return frame.drop_duplicates()
+    rows = frame.drop_duplicates()
+    logging.info("%s: dropped %d rows", "{part}", len(frame) - len(rows))
+    return rows
= Each run logs how many rows it drops: 41 in the last one.

Make {} reproducible
* The sample differs in each run.
@ {folder}/sample.py
 def sample(frame):
-    return frame.sample(frac=0.1)
+    return frame.sample(frac=0.1, random_state=7)
= The same input gives the same result now.

Add tests for {}
* Two cases matter: a day without rows, and a day that is there twice.
@ {folder}/test_days.py
+from .days import by_day
+
+
+def test_empty_day():
+    assert by_day([]) == {}
+
+
+def test_day_that_is_there_twice():
+    assert by_day([("2025-05-03", 1), ("2025-05-03", 2)]) == {"2025-05-03": 3}
= Both cases are tested. Neither found a mistake.

Document {}
* The columns have no description.
@ {folder}/__init__.py
-"""The {part}."""
+"""The {part}.
+
+day: the day of the sale, in Berlin
+count: pieces, negative for returns
+"""
= The columns and their units are documented.
`);

const jobTasks = readTasks(`
Retry {} when the network fails
* One lost connection ends the whole run.
@ {folder}/connect.ts
 export async function connect(address: string): Promise<Connection> {
-  return await open(address);
+  return await retry(5, () => open(address));
 }
= It tries five times before it gives up.

Stop {} from logging secrets
* The environment is logged at the start, tokens included.
@ {folder}/log.ts
 export function logStart(environment: Environment): void {
-  log.info('starting', environment);
+  log.info('starting', { names: Object.keys(environment) });
 }
= Only the names of the variables are logged now. The old logs still have the token: please revoke it.

Make {} safe to run twice
* A second run in the same hour writes everything again.
@ {folder}/run.ts
 export async function run(hour: string): Promise<void> {
+  if (await isDone(hour)) return;
   await work(hour);
   await markDone(hour);
 }
= A second run in the same hour does nothing.

Add a dry run to {}
* Everything that is written goes through one function, so a dry run is one check.
@ {folder}/write.ts
-export async function write(change: Change): Promise<void> {
+export async function write(change: Change, isDryRun = false): Promise<void> {
+  if (isDryRun) return log.info('would write', change.name);
   await target.put(change);
 }
= With \`--dry-run\`, it says what it would write.

Fix the exit code of {}
* Errors are logged, and then it ends with 0.
@ {folder}/main.ts
 try {
   await run(process.argv.slice(2));
 } catch (error) {
   log.error(error);
+  process.exitCode = 1;
 }
= It ends with 1 if something fails, so the scheduler notices.

Run {} with fewer permissions
* It may write everywhere, and writes to one bucket.
@ {folder}/role.yaml
 role: {name}
 allow:
-  - storage.*
+  - storage.read
+  - storage.write on {name}
= It may read all buckets and write to its own.

Add metrics and an alert for {}
* It knows when it ends, so the alert can use that.
@ {folder}/alert.yaml
+name: {part} is late
+metric: seconds_since_success{job="{name}"}
+above: 90000
+notify: "#oncall"
= You get an alert in #oncall when it has not succeeded for 25 hours.

Document {}
* What to do if it fails is only in people's heads.
@ {folder}/README.md
+# If the {part} fails
+
+1. Read the last 50 lines of its log.
+2. Run it again with \`--dry-run\`.
+3. Run it again.
= The steps after a failure are written down.
`);

const noteTasks = readTasks(`
Proofread {}
* Let me read it.
$ wc -w {folder}.md
  1284 {folder}.md
= I found six typos and one sentence without a verb, and changed nothing yet: tell me if I may.

Summarize {} in five sentences
* Let me read it first.
$ wc -w {folder}.md
  1284 {folder}.md
= Five things matter to somebody new: who decides, by when, who helps, what is written down already, and what is still open. The last one takes up half of the text.

Turn {} into a checklist
* The order in the text is the order of the work.
@ {folder}-checklist.md
+- [ ] Read the whole page once
+- [ ] Ask who decides
+- [ ] Write down the date
= The checklist has three items, in the order of the text.

Find contradictions in {}
* Dates and numbers first.
$ grep -nE "[0-9]" {folder}.md | wc -l
17
= Two dates contradict each other: the start is May 3 at the top and May 5 at the end.
`);

const projects: Readonly<Record<string, Project>> = {
  'northwind/checkout-api': service(
    'order history',
    'session store',
    'currency converter',
    'address validation',
    'discount engine',
    'gift card check',
    'payment webhook',
  ),
  'tidewater/ledger': service(
    'invoice mailer',
    'CSV export',
    'tax calculation',
    'reminder scheduler',
    'bank import',
    'credit note printer',
  ),
  'northwind/storefront': page(
    'search box',
    'image gallery',
    'address form',
    'wish list',
    'newsletter form',
    'price filter',
  ),
  'tidewater/apps/mobile': page(
    'login screen',
    'scanner screen',
    'settings screen',
    'help screen',
    'profile screen',
  ),
  'platform/design-system': page(
    'date picker',
    'dialog',
    'dropdown',
    'tooltip',
    'side sheet',
  ),
  'meridian/forecast': data(
    'stock forecast',
    'weather loader',
    'holiday calendar',
    'price model',
    'store comparison',
  ),
  'meridian/data-pipeline': data(
    'customer export',
    'currency table',
    'product feed',
    'returns report',
    'nightly import',
  ),
  'northwind/infrastructure': {
    parts: [
      'backup job',
      'release script',
      'log shipper',
      'certificate renewal',
      'database restore',
    ],
    tasks: jobTasks,
    tests: '$ npm test\n {} passing (6s)',
  },
};

/** Work without a repository. */
const notes: Project = {
  parts: [
    'onboarding guide',
    'incident report',
    'interview notes',
    'travel policy',
    'launch plan',
  ],
  tasks: noteTasks,
  tests: '',
};

function service(...parts: readonly string[]): Project {
  return { parts, tasks: serviceTasks, tests: '$ npm test\n {} passing (4s)' };
}

function page(...parts: readonly string[]): Project {
  return { parts, tasks: pageTasks, tests: '$ npm test\n {} passed (11s)' };
}

function data(...parts: readonly string[]): Project {
  return {
    parts,
    tasks: dataTasks,
    tests: '$ python -m pytest -q\n{} passed in 8.31s',
  };
}

function readTasks(text: string): readonly Task[] {
  return text
    .trim()
    .split(/\n\n(?=[A-Z])/)
    .map(readTask);
}

function readTask(text: string) {
  const [title = '', ...work] = text.split('\n');
  return { title, work: work.join('\n') };
}

/** Returns a title, or rarely the placeholder of an untitled conversation. */
export function makeTitle(
  dice: Dice,
  id: string,
  repository: string | undefined,
): string {
  if (dice.below('placeholder', 11) === 0) return `Conversation ${id}`;
  const { task, part } = assignment(dice, repository);
  const title = task.title.replace('{}', `the ${part}`);
  const hasIssue = repository !== undefined && dice.below('issue', 6) === 0;
  return hasIssue
    ? `${title} (#${dice.between('issue number', 12, 4_800)})`
    : title;
}

export function olderStory(
  dice: Dice,
  title: string,
  repository: string | undefined,
): Story {
  if (title.startsWith('Conversation ')) return lookAround;
  const { task, part, tests } = assignment(dice, repository);
  const folder = repository === undefined ? slug(part) : `src/${slug(part)}`;
  const name = part
    .toLowerCase()
    .replace(/ (.)/g, (_, letter: string) => letter.toUpperCase());
  const work = task.work
    .replaceAll('{part}', part)
    .replaceAll('{name}', name)
    .replaceAll('{folder}', folder);
  const [steps = '', done = ''] = work.split('\n= ');
  const [, path = folder] = /^@ (.+)$/m.exec(work) ?? [];
  const search = `* Let me find the code first.\n$ git ls-files ${folder} | head -1\n${path}`;
  const testing = `* Running the tests.\n${tests.replace('{}', String(dice.between('tests', 40, 400)))}`;
  const around = tests === '' ? [steps] : [search, steps, testing];
  return readStory([`${title}.`, ...around, `= ${done}`].join('\n'));
}

function assignment(dice: Dice, repository: string | undefined) {
  const { parts, tasks, tests } = projects[repository ?? ''] ?? notes;
  return {
    task: dice.pick('task', tasks),
    part: dice.pick('thing', parts),
    tests,
  };
}

const lookAround = readStory(`Take a look at what's left in TODO.md.
* Let me read it.
$ cat TODO.md
- [x] Rename the export
- [x] Update the screenshots
= Nothing is left: everything in TODO.md is checked off, so I didn't change anything.`);
