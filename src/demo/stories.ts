/** What the agents of the first conversations do, in their own words. Paths begin at the folder of the work. */
export interface Story {
  /** What a person wrote first. */
  readonly message: string;
  readonly looks: Told;
  readonly tries: Told & { readonly exitCode?: number };
  readonly thinks: string;
  readonly changes: {
    readonly says: string;
    readonly path: string;
    readonly lines: readonly [string, string];
  };
  readonly wants: Told;
  readonly done: string;
}

/** A command, why it is run, and what it prints. */
interface Told {
  readonly says: string;
  readonly command: string;
  readonly output: string;
}

function told(says: string, command: string, output = ''): Told {
  return { says, command, output };
}

/** By the positions of the conversations. */
export const stories: readonly Story[] = [
  {
    message:
      'Upgrade the dependencies of the GraphQL gateway. Apollo is two major versions behind; leave the rest alone if it breaks anything.',
    looks: told(
      'I look which packages are behind.',
      'npm outdated --workspace gateway',
      'Package         Current  Wanted  Latest\n@apollo/server   3.13.0  3.13.0   5.0.0\ngraphql          16.8.1  16.11.0  16.11.0\ndataloader        2.2.2   2.2.3   2.2.3',
    ),
    tries: told(
      'Before I change anything, the tests have to pass.',
      'npm test --workspace gateway',
      ' 18 passing (2s)',
    ),
    thinks:
      'Version 5 has no default export any more and starts with startStandaloneServer. Only src/server.ts uses it.',
    changes: {
      says: 'One file has to change for version 5.',
      path: 'gateway/src/server.ts',
      lines: [
        "import ApolloServer from 'apollo-server';",
        "import { ApolloServer } from '@apollo/server';\nimport { startStandaloneServer } from '@apollo/server/standalone';",
      ],
    },
    wants: told(
      'Now I install the new versions. This runs the install scripts of 31 packages.',
      'npm install @apollo/server@5 graphql@16 dataloader@2 --workspace gateway',
      'added 12 packages, removed 47 packages, changed 31 packages in 9s',
    ),
    done: 'The gateway runs on Apollo Server 5. 18 tests pass. `graphql` and `dataloader` are up to date too; nothing else was touched.',
  },
  {
    message:
      'Split the backup job into two modules: one that takes the snapshot, one that uploads it. The upload should be testable without a database.',
    looks: told('I read the job first.', 'wc -l jobs/backup/*.ts', '  412 jobs/backup/backup.ts'),
    tries: told('Are there tests that would notice a mistake?', 'ls jobs/backup/test', 'backup.test.ts'),
    thinks:
      'takeSnapshot() touches the database only, and upload() the bucket only. They share nothing but the path of the file.',
    changes: {
      says: 'I move the upload into a module of its own.',
      path: 'jobs/backup/backup.ts',
      lines: [
        'await upload(await takeSnapshot(database), bucket);',
        "const file = await takeSnapshot(database);\nawait upload(file, bucket); // from './upload.ts'",
      ],
    },
    wants: told(
      'I run the tests. They write to the staging bucket, so I ask first.',
      'npm test',
      ' 27 passing (6s)',
    ),
    done: 'The job is in `snapshot.ts` and `upload.ts` now, and `backup.ts` only calls them. Three new tests upload without a database.',
  },
  {
    message: 'Move the rate limiter from callbacks to async/await, and write down how the limits work.',
    looks: told(
      'I look where callbacks are left.',
      'grep -n "callback" src/limits/*.ts',
      'src/limits/limiter.ts:41:  take(key: string, callback: (error: Error | null, left: number) => void) {\nsrc/limits/limiter.ts:58:    this.store.increment(key, (error, count) => {',
    ),
    tries: told('The tests pass before I begin.', 'npx vitest run src/limits', ' Tests  14 passed (14)'),
    thinks: 'The store has promises already. take() can simply await it, and every caller does so too.',
    changes: {
      says: 'I make `take` async.',
      path: 'src/limits/limiter.ts',
      lines: [
        'this.store.increment(key, (error, count) => {\n  callback(error, this.limit - count);\n});',
        'const count = await this.store.increment(key);\nreturn this.limit - count;',
      ],
    },
    wants: told(
      'I commit the explanation with the change.',
      'git add docs/limits.md src/limits && git commit -m "Await the store of the rate limiter"',
      '[agent/async-rate-limiter 7c20d1e] Await the store of the rate limiter\n 4 files changed, 61 insertions(+), 88 deletions(-)',
    ),
    done: 'The limiter is async throughout, 27 lines shorter, and explained in `docs/limits.md`. All 14 tests pass.',
  },
  {
    message:
      'Some customers got their invoice twice on Monday (#196). Find out why. Do not mail anything while you look.',
    looks: told(
      'I look at what the mailer logged on Monday.',
      'grep -c "invoice sent" logs/mailer-monday.log',
      '1284',
    ),
    tries: told(
      'How many of them are the same invoice?',
      "grep -o 'INV-[0-9]*' logs/mailer-monday.log | sort | uniq -d | wc -l",
      '37',
    ),
    thinks:
      'All 37 were sent within two seconds of a deployment. Both the old and the new process took them.',
    changes: {
      says: 'An invoice must be claimed before it is mailed.',
      path: 'src/mailer/queue.ts',
      lines: ['const next = await queue.first();', 'const next = await queue.claim({ for: minutes(5) });'],
    },
    wants: told('I clean up what I unpacked.', 'rm -rf ./old-logs'),
    done: 'During a deployment two mailers ran at once. Invoices are claimed now, and a test deploys in the middle of a run.',
  },
  {
    message:
      'Show prices with tax in the cart. Shops in Germany and Austria have to; the rate is 19 % unless the product says otherwise.',
    looks: told(
      'I look for everything that formats a price.',
      'grep -rln "format(" src',
      'src/cart.ts\nsrc/format.ts',
    ),
    tries: {
      ...told(
        'What does an empty basket cost today?',
        'npx vitest run test/cart',
        ' FAIL  test/cart.test.ts > an empty basket\n TypeError: Reduce of empty array with no initial value',
      ),
      exitCode: 1,
    },
    thinks: 'The sum needs an initial value, or an empty basket throws. I fix that in the same place.',
    changes: {
      says: 'The total gets the tax, and an empty basket costs nothing.',
      path: 'src/cart.ts',
      lines: [
        'return format(prices.reduce((a, b) => a + b));',
        'const net = prices.reduce((a, b) => a + b, 0);\nreturn format(net * (1 + tax));',
      ],
    },
    wants: told(
      'The design system must be rebuilt for the new line.',
      'npm run build -- --force',
      'built in 4.1s',
    ),
    done: 'The cart shows prices with tax. An empty basket costs nothing instead of throwing, and has a test.',
  },
  {
    message: 'Document how our webhooks are signed, with an example that one can paste.',
    looks: told(
      'I read how the signature is made.',
      'sed -n 1,20p src/webhooks/sign.ts',
      'export function sign(body: string, secret: string, at: number): string {\n  return hmac(`${at}.${body}`, secret);\n}',
    ),
    tries: told(
      'I check that my example gives the same signature.',
      'node docs/examples/verify.mjs',
      'signature ok',
    ),
    thinks: 'Readers trip over the time stamp: it is part of what is signed. That must be said first.',
    changes: {
      says: 'I write the page.',
      path: 'docs/webhooks.md',
      lines: [
        'Webhooks are signed.',
        'Webhooks are signed: `HMAC-SHA256(timestamp + "." + body)`, sent as `X-Signature`.',
      ],
    },
    wants: told(
      'I push it for review.',
      'git push origin docs/webhook-signatures',
      '   3fd20a1..b81c7e4  docs/webhook-signatures -> docs/webhook-signatures',
    ),
    done: 'The page is in pull request #231, with an example in Node and one in Python. Both were run.',
  },
  {
    message: 'The product page is broken in Safari 17: pictures overlap the description. Chrome is fine.',
    looks: told(
      'I look at the layout of the page.',
      'grep -n "grid" src/pages/product.css',
      '12:  display: grid;\n13:  grid-template-rows: masonry;',
    ),
    tries: told(
      'I take a picture of it in WebKit.',
      'npx playwright test product --project=webkit',
      '1 failed',
    ),
    thinks: 'masonry is not in Safari 17. It needs a fallback with fixed rows.',
    changes: {
      says: 'I add a fallback.',
      path: 'src/pages/product.css',
      lines: [
        'grid-template-rows: masonry;',
        'grid-template-rows: auto 1fr;\n@supports (grid-template-rows: masonry) { grid-template-rows: masonry; }',
      ],
    },
    wants: told('Trying it needs a newer WebKit.', 'npx playwright install webkit', 'WebKit 17.4 downloaded'),
    done: 'Pictures no longer overlap in Safari 17. Chrome and Firefox look as before.',
  },
  {
    message: 'Translate the order mails into French. Use the words of the glossary in docs/words.md.',
    looks: told('I count what there is to translate.', 'jq length mails/en.json', '46'),
    tries: told(
      'Does every placeholder exist in both?',
      'npm run check:mails',
      '46 of 46 mails have the same placeholders',
    ),
    thinks: '“Your order is on its way” is formal in French: “Votre commande est en route.”',
    changes: {
      says: 'I translate the first ones.',
      path: 'mails/fr.json',
      lines: ['{}', '{ "order.sent": "Votre commande est en route." }'],
    },
    wants: told(
      'I send one mail to the test address.',
      'npm run mails:preview -- --to test@northwind.example',
      '1 mail sent',
    ),
    done: 'All 46 mails are there in French. Four of them need a look by somebody who speaks it; they are marked.',
  },
  {
    message:
      'Limit the public API to 100 requests a minute for each key (#1311), and answer with 429 and Retry-After.',
    looks: told('I look where requests arrive.', 'ls src/public', 'router.ts\nkeys.ts\nerrors.ts'),
    tries: told('The tests are green before I begin.', 'npm test -- public', ' 33 passing (3s)'),
    thinks: 'The limiter is there already. It only needs the key instead of the address.',
    changes: {
      says: 'Every request takes one from its key.',
      path: 'src/public/router.ts',
      lines: ['router.use(authenticate);', 'router.use(authenticate);\nrouter.use(limitTo(100, perMinute));'],
    },
    wants: told(
      'I measure it against staging: 6,000 requests in a minute.',
      'npx autocannon -c 20 -d 60 https://staging.northwind.example/v1/orders',
      '100 2xx responses, 5903 non 2xx responses',
    ),
    done: 'The 101st request in a minute gets 429 with `Retry-After`. Staging was measured: 100 answers, the rest refused.',
  },
  {
    message: 'The VAT report differs by a cent from what the tax office computes. Round as they do.',
    looks: told(
      'I look how it is rounded now.',
      'grep -n "round" src/vat/report.ts',
      '88:  total += round(line.tax);',
    ),
    tries: told(
      'I compare with the example of the tax office.',
      'npm run vat:compare',
      'expected 1,204.37, got 1,204.38',
    ),
    thinks: 'They round the total, and we round each line. That explains one cent in most reports.',
    changes: {
      says: 'I round once, at the end.',
      path: 'src/vat/report.ts',
      lines: ['total += round(line.tax);', 'total += line.tax;'],
    },
    wants: told('I compute last year again.', 'npm run vat:report -- --year 2025', '12 reports'),
    done: 'The report agrees with the example of the tax office, and with all of last year.',
  },
  {
    message: 'How good was our winter forecast? Compare it with last year, by product group, and draw it.',
    looks: told(
      'I look at the data.',
      'wc -l data/winter-*.csv',
      '  8214 data/winter-forecast.csv\n  8214 data/winter-sold.csv',
    ),
    tries: told('I compare both.', 'python compare.py --by group', 'mean error 7.9 % (last year 11.2 %)'),
    thinks: 'Only coats are far off: the warm week in December is missing in the weather data.',
    changes: {
      says: 'I write it down with the chart.',
      path: 'reports/winter.md',
      lines: ['# Winter', '# Winter\n\nThe mean error was 7.9 %, after 11.2 % last year.'],
    },
    wants: told('I fetch the missing week.', 'python weather.py --from 2025-12-08 --days 7', '7 days'),
    done: 'The forecast was off by 7.9 % (last year 11.2 %). Coats are the outlier. The chart is in `reports/winter.png`, and in pull request #64.',
  },
  {
    message:
      'Everybody has the new checkout since May. Remove the flag “new-checkout”, and what is dead by that.',
    looks: told('I look who asks for the flag.', "grep -rn 'new-checkout' src | wc -l", '23'),
    tries: told('Nobody is without it?', 'npm run flags -- new-checkout', 'on for 100 % since 12 May'),
    thinks: 'Nine files ask for it. The old checkout is reached from nowhere else.',
    changes: {
      says: 'I begin with the router.',
      path: 'src/router.ts',
      lines: ["isOn('new-checkout') ? newCheckout : oldCheckout", 'checkout'],
    },
    wants: told(
      'Nobody imports the old pages any more.',
      'git rm -r src/checkout-old',
      "rm 'src/checkout-old/index.tsx' and 16 more",
    ),
    done: 'The flag and 1,940 lines are gone. The remaining checkout is simply called `checkout`. See pull request #87.',
  },
];
