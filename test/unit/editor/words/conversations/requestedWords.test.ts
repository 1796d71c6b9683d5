import assert from 'node:assert/strict';
import { inputOfRequested } from '../../../../../src/editor/words/conversations/requestedWords.ts';
import type {
  AgentService,
  Creation,
  GitHosts,
  NewConversation,
} from '../../../../../src/service/abilities/agentService.ts';
import type { ConfirmationPolicy } from '../../../../../src/service/model/entities.ts';
import type { RequestedConversation } from '../../../../../src/state/newConversation/requestedConversations.ts';
import type { Switchboard } from '../../../../../src/state/switchboard.ts';

const address = 'https://agents.example';

function draft(
  wanted: Partial<NewConversation> = {},
  change: Partial<RequestedConversation> = {},
) {
  const all = {
    id: '1',
    address,
    wanted: { message: 'Fix it', ...wanted },
    begunAt: 0,
    isDraft: true,
  };
  return { ...all, ...change };
}

/** Connected services, of which the first has this address and kind. */
function services(
  service: Partial<AgentService> | undefined,
  count = 1,
): Switchboard {
  const all = Array.from({ length: count }, (_, at) => ({
    address: at === 0 ? address : `https://${at}.example`,
    name: `Service ${at}`,
    client: { service },
  }));
  const made = {
    services: all,
    service: (of: string) => all.find((each) => each.address === of),
    sandbox: () => ({ id: 's1', specId: undefined, service: address }),
    servedBy: () => [],
  };
  return made as unknown as Switchboard;
}

const creation = { takesApproval: true } as Creation;
const withFolders = {
  creation: {
    folders: {},
    profiles: () => Promise.resolve([]),
  } as unknown as Creation,
};

const labels = (wanted: Partial<NewConversation>, switchboard: Switchboard) =>
  inputOfRequested(draft(wanted), switchboard, []).choices?.map(
    ({ label }) => label,
  );

describe('the message box of a new conversation', () => {
  it('offers a model where the profile has none, and says so', () => {
    const profile = { id: 'p', name: 'default', lacksModel: true };
    const models = {} as Required<AgentService>['models'];
    const switchboard = services({ ...withFolders, models });
    assert.ok(labels({ profile }, switchboard)?.includes('Choose a Model…'));
    assert.match(
      inputOfRequested(draft({ profile }), switchboard, []).hint ?? '',
      /The profile “default” has no model yet/,
    );
    const elsewhere = services(withFolders);
    assert.ok(!labels({ profile }, elsewhere)?.includes('Choose a Model…'));
  });

  it('shows the current value of each choice that the service offers', () => {
    assert.deepEqual(labels({}, services({ creation })), [
      'No Repository',
      'New Sandbox',
    ]);
    assert.deepEqual(
      labels(
        { repository: 'octo/shop', sandboxId: 's1' },
        services({ creation, git: {} as GitHosts }, 2),
      ),
      [
        ...[
          'Service: Service 0',
          'Repository: octo/shop',
          'Default Branch',
          'Sandbox: s1',
        ],
        'Choose a Suggested Task…',
      ],
    );
    assert.deepEqual(
      labels(
        { repository: 'octo/shop', branch: 'main' },
        services({ creation }),
      )?.[1],
      'Branch: main',
    );
    assert.deepEqual(labels({}, services(withFolders)), [
      ...['Choose a Folder…', 'Directly in the Folder', 'Active Profile'],
    ]);
    const withModel = { id: 'p', name: 'careful', model: 'openai/gpt' };
    assert.equal(
      labels({ profile: withModel }, services(withFolders))?.at(-1),
      'Profile: careful (gpt)',
    );
    const profile = { id: 'p', name: 'careful' };
    assert.deepEqual(
      labels(
        { folder: '/srv/shop', worktree: true, profile },
        services(withFolders),
      ),
      [
        ...[
          'Folder: /srv/shop',
          'New Worktree from Default Branch',
          'Profile: careful',
        ],
      ],
    );
    for (const [worktreeStart, label] of [
      ['HEAD', 'New Worktree from Current Commit'],
      ['origin/main', 'New Worktree from origin/main'],
      ['@{upstream}', 'New Worktree from Upstream of Current Branch'],
    ] as const)
      assert.equal(
        labels({ worktree: true, worktreeStart }, services(withFolders))?.[1],
        label,
      );
  });

  it('offers Create only while the service is connected, and another service in its place', () => {
    const { ways, hint, choices } = inputOfRequested(
      draft({}, { address: 'https://gone.example' }),
      services({ creation }),
      [],
    );
    assert.deepEqual([ways, hint], [[], 'gone.example is not connected.']);
    assert.deepEqual(
      choices?.map(({ name }) => name),
      ['service'],
    );
  });

  it('shows the list of what to ask for, and that it is no wall, if the agent asks only for that', () => {
    const hintOf = (approval: ConfirmationPolicy) =>
      inputOfRequested(
        draft({ approval }),
        services({
          creation: { ...withFolders.creation, takesApproval: true },
        }),
        [{ sentence: 'Pushes with Git', pattern: 'push' }],
      ).hint ?? '';
    assert.match(hintOf('listed'), /: Pushes with Git\. .+, not a wall:/);
    assert.equal(hintOf('always'), '');
  });

  it('shows the chosen approval, and says where only the service decides on it', () => {
    const folders = { ...withFolders.creation, takesApproval: true };
    const { choices, hint } = inputOfRequested(
      draft({ approval: 'always' }),
      services({ creation: folders }),
      [],
    );
    assert.deepEqual(
      [choices?.find(({ name }) => name === 'approval')?.label, hint],
      ['Approval: Every action', undefined],
    );
    const atV1 = inputOfRequested(
      draft(),
      services({ creation: {} as Creation }),
      [],
    );
    assert.match(
      atV1.hint ?? '',
      /^This service decides when the agent asks for approval\./,
    );
    assert.equal(
      atV1.choices?.find(({ name }) => name === 'approval'),
      undefined,
    );
  });

  it('requires a click on Create after an unknown outcome', () => {
    const unsure = draft(
      {},
      { isDraft: false, error: 'No answer.', unknown: true },
    );
    const { mustChoose, hint } = inputOfRequested(
      unsure,
      services({ creation }),
      [],
    );
    assert.deepEqual(
      [mustChoose, hint],
      [true, 'Look for it in the list before you try again.'],
    );
  });

  it('warns about another repository, likely secrets in the text, and attachments that were not kept', () => {
    const gathered = { repository: 'octo/shop', leftOut: [] };
    const attached = [{ id: 1, name: 'Selection', text: 'x', gathered }];
    const wanted = {
      message: 'Log in\nwith password = "Zx81canaryQ7v"',
      attached,
      repository: 'octo/other',
    };
    const { hint = '' } = inputOfRequested(
      draft(wanted, { lost: ['a.png'] }),
      services({ creation }),
      [],
    );
    assert.match(hint, /Attach it again: a\.png/);
    assert.match(
      hint,
      /It refers to files of octo\/shop, which the agent will not have\./,
    );
    assert.match(hint, /These lines may still contain secrets: 2$/);
    assert.equal(
      inputOfRequested(
        draft({ ...wanted, attached: [] }),
        services({ creation }),
        [],
      ).hint,
      undefined,
    );
  });

  it('holds the next message while the conversation is being created', () => {
    const { ways, choices } = inputOfRequested(
      draft({}, { isDraft: false }),
      services({ creation }),
      [],
    );
    assert.deepEqual([ways, choices], [[], undefined]);
  });
});
