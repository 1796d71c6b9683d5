/** The newest conversations at the start: what a small company has its agents do on an afternoon. */
import { type DemoRepository, repositoriesByName as at } from './names.ts';
import { type Story, stories } from './stories.ts';
import type { ConversationTrigger, ExecutionStatus } from './wireTypes.ts';

/** What an agent does one after the other, each for so many seconds. The first has begun before the start. */
export type Opening = readonly (readonly [ExecutionStatus, seconds: number])[];

export interface WrittenConversation {
  readonly title: string;
  readonly repository: DemoRepository | undefined;
  readonly branch: string | undefined;
  readonly trigger: ConversationTrigger;
  readonly pullRequests: readonly number[];
  /** How it ended, unless it goes on. */
  readonly ended: ExecutionStatus;
  /** Of those that go on. */
  readonly opening?: Opening;
  readonly story?: Story;
}

function written(
  title: string,
  repository: DemoRepository | undefined,
  branch: string | undefined,
  trigger: ConversationTrigger = 'gui',
  pullRequests: readonly number[] = [],
  ended: ExecutionStatus = 'finished',
): WrittenConversation {
  return { title, repository, branch, trigger, pullRequests, ended };
}

const asks = 'waiting_for_confirmation';

/** Until somebody answers. */
const forever = Infinity;

/** Within the first half minute one asks; soon after, one finishes, and then one fails. */
const openings: readonly Opening[] = [
  [
    ['running', 20],
    [asks, 840],
    ['running', 240],
    ['finished', 900],
    ['idle', 1_200],
  ],
  [[asks, forever]],
  [[asks, forever]],
  [[asks, forever]],
  [
    ['running', 50],
    ['finished', 1_500],
    ['idle', 600],
  ],
  [
    ['finished', 1_000],
    ['idle', 700],
  ],
  [
    ['running', 100],
    ['error', 1_700],
    ['idle', 300],
  ],
  [['idle', 760]],
  [
    ['running', 610],
    [asks, 500],
    ['running', 380],
    ['finished', 800],
    ['idle', 1_400],
  ],
  [
    ['error', 1_350],
    ['idle', 400],
  ],
  [
    ['finished', 1_600],
    ['idle', 800],
  ],
  [['idle', 430]],
];

const titles: readonly WrittenConversation[] = [
  written(
    'Upgrade the dependencies of the GraphQL gateway',
    at.checkout,
    'fix/upgrade-dependencies-graphql-gateway',
  ),
  written('Split the backup job into two modules', at.infrastructure, 'agent/split-backup-job', 'resolver'),
  written('Move the rate limiter from callbacks to async/await', at.checkout, 'agent/async-rate-limiter'),
  written('Find out why some invoices are sent twice', at.ledger, 'agent/invoices-twice', 'resolver'),
  written('Show prices with tax in the cart', at.storefront, 'agent/prices-with-tax'),
  written('Document webhook signatures', at.checkout, 'docs/webhook-signatures', 'resolver', [231]),
  written('Fix the product page in Safari', at.storefront, 'fix/safari-grid', 'resolver'),
  written('Translate the order emails into French', at.storefront, 'agent/french-emails', 'suggested_task'),
  written('Limit the public API to 100 requests a minute (#1311)', at.checkout, 'agent/limit-public-api'),
  written('Round VAT report totals like the tax office', at.ledger, 'fix/vat-rounding'),
  written('Compare the winter forecast with last year', at.forecast, 'main', 'gui', [64]),
  written('Remove the flag “new-checkout”', at.storefront, undefined, 'suggested_task', [87]),
  written('Alert us when the nightly import is late', at.pipeline, 'agent/import-alert', 'platform_api'),
  written('Make the login form work with screen readers', at.designSystem, 'fix/login-labels', 'gui', [5]),
  written('Try PostgreSQL 17 with a copy of our data', at.infrastructure, 'develop'),
  written("Summarize last week's support tickets", undefined, undefined),
  written('Load older orders on scroll (#984)', at.mobile, 'agent/older-orders', 'platform_api', [142, 143]),
  written('Retry payments that time out', at.checkout, 'agent/retry-payments', 'gui', [214]),
  written('Cache exchange rates for an hour', at.ledger, 'agent/cache-rates', 'platform_api', [], 'paused'),
  written('Find the slow query behind the order list', at.checkout, undefined, 'gui', [], 'stuck'),
];

/** By their positions. */
export const afternoon: readonly WrittenConversation[] = titles.map((each, position) => {
  const [opening, story] = [openings[position], stories[position]];
  return { ...each, ...(opening && { opening }), ...(story && { story }) };
});

/** The positions of those on the developer's own machine, where the afternoon is divided between two services. */
const atHome: ReadonlySet<number> = new Set([2, 4, 7, 8, 11, 15, 17, 19]);

export const afternoonOfTeam = afternoon.filter((_, position) => !atHome.has(position));

export const afternoonAtHome = afternoon.filter((_, position) => atHome.has(position));
