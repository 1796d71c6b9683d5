import type { Dice } from './random.ts';
import type { ConversationTrigger, ProviderType } from './wireTypes.ts';

export interface DemoRepository {
  readonly name: string;
  /** Undefined where a caller did not say. */
  readonly provider: ProviderType | undefined;
}

const checkout: DemoRepository = { name: 'northwind/checkout-api', provider: 'code_host_a' };
const storefront: DemoRepository = { name: 'northwind/storefront', provider: 'code_host_a' };
const infrastructure: DemoRepository = { name: 'northwind/infrastructure', provider: 'code_host_a' };
const ledger: DemoRepository = { name: 'tidewater/ledger', provider: 'code_host_b' };
const mobile: DemoRepository = { name: 'tidewater/apps/mobile', provider: 'code_host_b' };
const forecast: DemoRepository = { name: 'meridian/forecast', provider: 'code_host_c' };
const pipeline: DemoRepository = { name: 'meridian/data-pipeline', provider: 'code_host_c' };
const designSystem: DemoRepository = { name: 'platform/design-system', provider: 'enterprise_sso' };

export const repositoriesByName = {
  checkout,
  storefront,
  infrastructure,
  ledger,
  mobile,
  forecast,
  pipeline,
  designSystem,
} as const;

/** The repositories of conversations, repeated by how often they occur. One of them is not a repository. */
export const repositories: readonly (DemoRepository | undefined)[] = [
  ...[checkout, checkout, checkout, storefront, storefront, ledger, ledger],
  ...[infrastructure, mobile, forecast, pipeline, designSystem],
  undefined,
];

/** The triggers of conversations, repeated by how often they occur. */
export const triggersByFrequency: readonly (ConversationTrigger | undefined)[] = [
  ...(['gui', 'gui', 'gui', 'gui', 'gui', 'gui', 'gui', 'gui'] as const),
  ...(['resolver', 'resolver', 'resolver', 'suggested_task', 'suggested_task'] as const),
  ...(['platform_api', 'platform_api', 'chat_tool_a', 'chat_tool_a'] as const),
  ...(['issue_tracker_a', 'issue_tracker_a', 'issue_tracker_a_dc', 'issue_tracker_b'] as const),
  'microagent_management',
  undefined,
];

const tasks = [
  'Fix the flaky retry test of {}',
  'Fix the 500 when {} gets an empty list',
  'Fix a race between two writers in {}',
  'Fix the time zone of dates in {}',
  'Find out why {} is slow after the last release',
  'Find the memory leak in {}',
  'Add pagination to {}',
  'Add an audit log to {}',
  'Add tests for the error paths of {}',
  'Add metrics and an alert for {}',
  'Move {} to the new HTTP client',
  'Move {} from callbacks to async/await',
  'Make {} idempotent',
  'Make {} work behind a proxy',
  'Remove the feature flag around {}',
  'Remove dead code from {}',
  'Upgrade the dependencies of {}',
  'Document {}',
  'Split {} into two modules',
  'Speed up {}',
  'Review the error messages of {}',
  'Stop {} from logging personal data',
  'Cache the lookups of {}',
  'Translate {} into French and Japanese',
] as const;

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

/** What an engineer would ask for; for a few, the placeholder that a service shows before there is a title. */
export function makeTitle(dice: Dice, id: string): string {
  if (dice.below('placeholder', 11) === 0) return `Conversation ${id}`;
  const title = dice.pick('task', tasks).replace('{}', dice.pick('thing', things));
  return dice.below('issue', 6) === 0 ? `${title} (#${dice.between('issue number', 12, 4_800)})` : title;
}

export function branchOf(dice: Dice, title: string): string | undefined {
  const name = title.startsWith('Conversation ') ? dice.hex('branch', 8) : slug(title);
  return dice.pick('branch', [undefined, 'main', 'develop', `agent/${name}`, `agent/${name}`, `fix/${name}`]);
}

export const models = [
  'vendor-a/large-4',
  'vendor-a/small-4',
  'vendor-b/reasoning-2',
  'local/coder-32b',
] as const;

export type Tags = Readonly<Record<string, string>>;

export function tagsOf(dice: Dice): Tags {
  return dice.pick<Tags>('tags', [
    {},
    {},
    {},
    { team: 'web' },
    { team: 'payments', area: 'checkout' },
    { automation: 'nightly' },
  ]);
}

function slug(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ');
  return words
    .filter((word) => !['the', 'a', 'of', 'to', 'in'].includes(word))
    .slice(0, 4)
    .join('-');
}
