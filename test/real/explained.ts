/**
 * Differences between the answers of the demo and a real service, and their
 * reasons. A star stands for anything.
 */
import type { ServiceName } from './services.ts';

/** `optional` where the client reads it if it is there, and does without it. */
type Explanation = readonly [difference: string, why: string, use?: 'optional'];

const events = 'GET /api/conversations/ID/events/search';

const listed: Explanation = [
  'GET /api/v1/app-conversations: 200 by the demo, 422 by the real one',
  'The contract says that this path lists. The fault idsRequired answers as the real one.',
];

const statusDetails: readonly Explanation[] = ['', '?page_id=x'].map(
  (query) => [
    `GET /api/v1/sandboxes/search${query}: items[].status_detail: only the demo has it, and not always`,
    'Other versions say why a sandbox is in its state. The client shows it where it is there.',
  ],
);

/** The settings of the demo have MCP servers only. */
const otherSettings: Explanation = [
  '* /api/settings*: *: only the real one has it*',
  'Settings of models and agents, which we do not read.',
];

const settingsV1: readonly Explanation[] = [
  [
    'GET /api/v1/settings: *: only the real one has it*',
    'Settings of people, models and agents, which we do not read.',
  ],
  [
    'POST /api/v1/settings: 404 by the demo, 200 by the real one',
    'Gives the real one MCP servers, which the demo has from the start. Our client does not change them.',
  ],
];

const ofAgents: readonly Explanation[] = [
  [
    'GET /api/conversations/search*: items[].confirmation_policy.*: only the demo has it*',
    'Its agents ask before what is risky, unless they are told otherwise. The real ones were told otherwise.',
  ],
  [
    '* /api/conversations*: *: only the real one has it*',
    'Limits, tools and statistics of the agent, and what a terminal notes about itself. Nobody is shown it.',
  ],
];

const models: readonly Explanation[] = [
  [
    'GET /api/profiles: profiles[].*: only the real one has it*',
    'Connections that models share, which we read with one model.',
  ],
  [
    'GET /api/profiles/mine: config.*: only the real one has it*',
    'Further settings of a model, which a change keeps and we do not read.',
  ],
  [
    'GET /api/agent-profiles/default: profile.*: only the real one has it*',
    'Further settings of an agent, which a change keeps and we do not read.',
  ],
  [
    'POST /api/*: *: only the real one has it*',
    'What a profile gives beyond what we show.',
  ],
  [
    'GET /api/llm/models/verified: models.*: only the real one has it',
    'More providers.',
  ],
];

/** The demo is what an Agent Server of today is. */
const ofOlder: readonly Explanation[] = [
  [
    'GET /server_info: *: only the demo has it*',
    'Older ones say less about themselves.',
  ],
  [
    'GET /api/conversations*: *agent.*',
    'Older agents have other settings. We read only the name of the model.',
  ],
  [
    'GET /api/conversations*: *launched_agent_profile.*',
    'Older ones remember less of the profile.',
  ],
  [
    'GET /api/conversations*: *_conversation_id*: only the demo has it*',
    'They have no sub-conversations.',
    'optional',
  ],
  [
    `${events}*: *.parent_id: only the demo has it*`,
    'Their events are a list and not a tree.',
  ],
  [
    '* /api/conversations/11111111-*: 404 by the demo, * by the real one',
    'They do not look for it first.',
  ],
];

const machine: Explanation = [
  'GET /server_info: resources: only the real one has it',
  'The load of the machine, which we do not read.',
];

const providers: readonly Explanation[] = [
  [
    'GET /api/v1/git/suggested-tasks/search: 200 by the demo, 403 by the real one',
    'The real one has no Git provider. Our client is asked at it what comes of that.',
  ],
  [
    'GET /api/v1/settings: provider_tokens_set.*: only the demo has it*',
    'The real one has no Git provider.',
    'optional',
  ],
];

export const explained: Readonly<Record<ServiceName, readonly Explanation[]>> =
  {
    agentServer: [...ofAgents, ...models, otherSettings],
    olderAgentServer: [...ofAgents, ...ofOlder],
    appServer: [
      listed,
      machine,
      ...providers,
      ...statusDetails,
      ...settingsV1,
      [
        'GET /api/v1/settings/profiles/mine: config.*: only the real one has it*',
        'Further settings of a model, which a change keeps and we do not read.',
      ],
      [
        'POST /api/v1/settings/profiles/other/activate: model: only the real one has it',
        'The model of the profile, which the list has.',
      ],
      [
        'GET /api/v1/config/models/search*: items[].*: only the real one has it*',
        'What a model is like beyond its name, which we do not read.',
      ],
    ],
    serviceWithV0: [
      listed,
      machine,
      [
        'GET /api/v1/app-conversations?ids=*',
        'Older: there is no limit to them. The demo does as the newest.',
      ],
      [
        'GET /api/v1/git/*: * by the demo, 404 by the real one',
        'It searches no repositories.',
      ],
      [
        'PATCH /api/v1/app-conversations/*: * by the demo, 404 by the real one',
        'It cannot rename conversations, and answers so for every id.',
      ],
    ],
  };
