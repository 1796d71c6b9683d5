import type { Dice } from '../wire/random.ts';
import type { ConversationTrigger, ProviderType } from '../wire/wireTypes.ts';

export interface DemoRepository {
  readonly name: string;
  /** `undefined` if the caller did not say. */
  readonly provider: ProviderType | undefined;
}

/**
 * The repositories of conversations, repeated by how often they occur. One of
 * them is not a repository.
 */
export const repositories: readonly (DemoRepository | undefined)[] = [
  ...times(3, { name: 'northwind/checkout-api', provider: 'github' }),
  ...times(2, { name: 'northwind/storefront', provider: 'github' }),
  ...times(2, { name: 'tidewater/ledger', provider: 'gitlab' }),
  { name: 'northwind/infrastructure', provider: 'github' },
  { name: 'tidewater/apps/mobile', provider: 'gitlab' },
  { name: 'meridian/forecast', provider: 'bitbucket' },
  { name: 'meridian/data-pipeline', provider: 'bitbucket' },
  { name: 'platform/design-system', provider: 'gitlab' },
  undefined,
];

/** The triggers of conversations, repeated by how often they occur. */
export const triggersByFrequency: readonly (ConversationTrigger | undefined)[] =
  [
    'gui',
    'gui',
    'gui',
    'gui',
    'gui',
    'gui',
    'gui',
    'gui',
    'resolver',
    'resolver',
    'resolver',
    'suggested_task',
    'suggested_task',
    'platform_api',
    'platform_api',
    'chat_tool_a',
    'chat_tool_a',
    'issue_tracker_a',
    'issue_tracker_a',
    'issue_tracker_a_dc',
    'issue_tracker_b',
    'microagent_management',
    undefined,
  ];

function times(
  count: number,
  repository: DemoRepository,
): readonly DemoRepository[] {
  return Array.from({ length: count }, () => repository);
}

export function branchOf(dice: Dice, title: string): string | undefined {
  const name = title.startsWith('Conversation ')
    ? dice.hex('branch', 8)
    : slug(title);
  return dice.pick('branch', [
    undefined,
    'main',
    'develop',
    `agent/${name}`,
    `agent/${name}`,
    `fix/${name}`,
  ]);
}

export const models = [
  'anthropic/claude-sonnet-4-5',
  'anthropic/claude-haiku-4-5',
  'openai/gpt-5.1',
  'ollama/qwen3-coder:30b',
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

export function slug(text: string): string {
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
