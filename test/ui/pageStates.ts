/**
 * The states of the page of a conversation, each as what the editor tells it.
 */
import type { Locator } from 'playwright-core';
import type {
  ActionIcon,
  ActionState,
  DetailBlock,
  DrawnEntry,
  DrawnWaiting,
  Phrase,
} from '../../src/protocol/drawn.ts';
import type { ToPage } from '../../src/protocol/pageMessages.ts';
import {
  type BarePage,
  does,
  entries,
  head,
  input,
  says,
  start,
} from './barePage.ts';

export interface PageState {
  readonly name: string;
  readonly told: readonly ToPage[];
  /** The next action of the user. */
  readonly then?: (bare: BarePage) => Promise<void>;
}

const long = 'packages/storefront/src/checkout/components/AddressForm/'.repeat(
  4,
);
const command =
  'npm run build --workspace packages/storefront && npm test -- --grep "address form"';

const markdown = `# A heading\n\nI have read **the form** and found \`validateAddress()\` in [its file](https://example.com/a).

1. The postcode is checked twice.
2. The second check comes too late:

\`\`\`ts
export function validateAddress(address: Address): readonly Problem[] { return [...postcode(address), ...city(address)]; }
\`\`\`

> It was like this before.

| Country | Postcode | Works |
| ------- | -------- | ----- |
| Germany | 5 digits | yes   |
| Ireland | letters  | no    |

- [x] read
- [ ] ${'checked'.repeat(20)}
`;

function action(
  id: string,
  line: Phrase,
  state: ActionState,
  icon: ActionIcon = 'terminal',
): DrawnEntry {
  return {
    id,
    kind: 'action',
    line,
    hasDetails: true,
    state,
    icon,
    time: '12:03',
  };
}

const history: readonly DrawnEntry[] = [
  says(
    'p1',
    'Fix the address form: it accepts a postcode with letters. See `AddressForm.tsx`.',
    'person',
  ),
  says('a1', 'I look at the form first.'),
  does('c1', 'git status', 's1'),
  action(
    'c2',
    ['Read ', { code: 'src/checkout/AddressForm.tsx' }],
    'done',
    'read',
  ),
  action('c3', ['Edited ', { code: `${long}AddressForm.tsx` }], 'done', 'edit'),
  {
    id: 'c4',
    kind: 'action',
    line: ['Ran ', { code: command }, ', exit code 1, 14 s'],
    hasDetails: true,
    state: 'failed',
    icon: 'terminal',
    time: '12:03',
    rule: 'npm test *',
  },
  action('c5', ['Running ', { code: 'npm test' }], 'running'),
  action('c6', ['Wants to run ', { code: 'git push' }], 'waiting'),
  action(
    'c7',
    ['Was not allowed to run ', { code: 'rm -rf dist' }],
    'rejected',
  ),
  action(
    'c8',
    ['Opened ', { text: 'https://example.com/orders/12345' }],
    'done',
    'browse',
  ),
  action('c9', ['Planned 4 tasks'], 'done', 'tasks'),
  action('c10', ['Thought'], 'done', 'think'),
  action(
    'c11',
    ['Used ', { code: 'search_code' }, ' of ', { text: 'GitHub' }],
    'done',
    'tool',
  ),
];

const thin: readonly DrawnEntry[] = [
  {
    id: 'l1',
    kind: 'line',
    line: ['Paused'],
    hasDetails: false,
    time: '12:04',
  },
  {
    id: 'l2',
    kind: 'line',
    line: ['Forgot 120 older events, and keeps a summary'],
    hasDetails: true,
  },
  {
    id: 'l3',
    kind: 'line',
    line: ['Began ', { text: 'Look for other forms' }],
    hasDetails: false,
  },
  {
    id: 'o1',
    kind: 'other',
    line: ['Something new: ', { code: 'HookExecutionEvent' }],
    hasDetails: true,
    time: '12:05',
  },
  {
    id: 'e1',
    kind: 'error',
    line: [
      'The model refused the request: the context is too long (210,000 tokens).',
    ],
    hasDetails: false,
    canChooseModel: true,
  },
];

const blocks: readonly DetailBlock[] = [
  { kind: 'note', text: 'In packages/storefront, for at most 120 s' },
  { kind: 'code', label: 'Command', text: `${command}\ncd ${long}` },
  {
    kind: 'output',
    label: 'Output',
    text: '\u001b[32m✔\u001b[39m shows the form\n\u001b[31m✖ \u001b[1mrefuses letters\u001b[22m\u001b[39m\n\u001b[2m  at AddressForm.test.tsx:12:5\u001b[22m\n\u001b[7m 1 failed \u001b[27m\u001b[43m\u001b[30m slow \u001b[0m',
  },
  {
    kind: 'change',
    label: 'Change',
    before:
      'const one = 1;\nif (postcode.length > 0) {\n  accept();\n}\nconst two = 2;\n',
    after:
      'const one = 1;\nif (/^[0-9]{5}$/.test(postcode)) {\n  accept();\n}\nconst two = 2;\n',
  },
  {
    kind: 'prose',
    label: 'What it thought',
    text: 'The check belongs **before** the request.',
  },
  { kind: 'leftOut', text: '1.2 MB are left out.' },
];

function waits(change: Partial<DrawnWaiting> = {}): ToPage {
  return {
    type: 'waiting',
    waiting: {
      shown: 1,
      heading: 'The agent wants to do this:',
      actions: [
        {
          line: ['Run ', { code: 'npm test' }],
          blocks: [{ kind: 'code', label: 'Command', text: 'npm test' }],
        },
      ],
      rules: ['npm run test:integration-of-the-checkout *', 'make'],
      ...change,
    },
  };
}

const several: DrawnWaiting['actions'] = [
  {
    line: ['Run ', { code: command }],
    risk: { text: 'Low risk', isHigh: false },
    why: 'On the list of what to ask for: Publishes a package or an image',
    summary: 'Runs the tests of the form only.',
    blocks: [{ kind: 'code', label: 'Command', text: command }],
  },
  {
    line: ['Edit ', { code: `${long}AddressForm.tsx` }],
    risk: { text: 'High risk', isHigh: true },
    blocks: blocks.filter(({ kind }) => kind === 'change'),
  },
];

const facts: readonly (readonly [string, string])[] = [
  ['Service', 'At home (127.0.0.1:8000)'],
  ['Model', 'a-model-with-a-long-name-2026-10-01-preview'],
  ['Repository', 'northwind/storefront'],
  ['Branch', 'agent/fix-the-address-form-of-the-checkout'],
  ['Folder', `/home/me/${long}`],
  ['Cost', '$4.40 of $5.00'],
  ['Tokens', '1.2 million read, 34,000 written'],
];

const opened = head({
  title:
    'Fix the address form of the checkout, so that it refuses a postcode with letters in it',
  state: { text: 'Waits for your answer', tone: 'attention' },
  confirmation: {
    value: 'risky',
    choices: [
      { value: 'always', label: 'always' },
      { value: 'risky', label: 'only before what is risky' },
      { value: 'never', label: 'never' },
    ],
    canChange: true,
  },
  facts,
  buttons: [
    { run: 'showChanges', label: 'Show Changes', count: 12 },
    { run: 'takeOver', label: 'Take Over' },
  ],
  menu: [
    { run: 'open', label: 'Open in Browser' },
    { run: 'openPullRequest', label: 'Open Pull Request' },
    { run: 'openAgentEditor', label: "Open in the Agent's Editor" },
    { run: 'copyAll', label: 'Copy as Markdown' },
    { run: 'rename', label: 'Rename' },
    { run: 'fork', label: 'Fork' },
    { run: 'delete', label: 'Delete' },
  ],
  related: [{ id: 'a b', label: 'Started by: Look for broken forms' }],
});

const pending: ToPage = {
  type: 'pending',
  entries: [
    {
      ...says('outgoing-1', 'Check the **city** as well.', 'person'),
      time: 'Sending…',
    },
    {
      ...says(
        'outgoing-2',
        'And the country.\n\nAddressForm.tsx:12-40',
        'person',
      ),
      time: 'The sandbox is starting. Your message will be sent after that.',
    },
    {
      ...says('queued-3', 'Then push it.', 'person'),
      time: 'Queued until the agent has finished',
      queued: 3,
    } as DrawnEntry,
  ],
};

const some = entries({ isReset: true, added: history });
const base = [start(), head(), input()];
const click = (place: (bare: BarePage) => Locator) => (bare: BarePage) =>
  place(bare).click();

const newHead = (state: { text: string; tone: 'plain' | 'bad' }) =>
  head({
    title: 'Fix these problems.',
    state,
    connection: {
      ...{
        text:
          state.tone === 'bad'
            ? 'Edit it and try again.'
            : 'Nothing has been sent yet.',
        tone: 'plain',
        canRetry: false,
      },
      actions: [{ run: 'cancelNew', label: 'Discard' }],
    },
    ...{ facts: [], buttons: [], menu: [] },
  });

const newInput = ({ hint }: { hint?: string }) =>
  input({
    ways: [{ how: 'create', label: 'Create' }],
    hint,
    choices: [
      { name: 'service', label: 'Service: At home' },
      { name: 'repository', label: 'Repository: northwind/storefront' },
      {
        name: 'branch',
        label: 'Branch: agent/fix-the-address-form-of-the-checkout',
      },
      { name: 'sandbox', label: 'New Sandbox' },
      { name: 'task', label: 'Choose a Suggested Task…' },
    ],
  });

const gathered: ToPage = {
  type: 'attachments',
  attachments: [
    {
      id: 1,
      name: 'Problem: AddressForm.tsx, lines 12 to 40',
      leftOut: [
        '.env (a file for secrets)',
        `possible secrets (${long}keys.ts, lines 3, 4)`,
      ],
    },
    { id: 2, name: `${long}AddressForm.tsx` },
    {
      id: 3,
      name: 'screenshot.png',
      picture: { mediaType: 'image/png', base64: dot() },
    },
  ],
};

export const pageStates: readonly PageState[] = [
  { name: 'not begun', told: [start()] },
  {
    name: 'loading',
    told: [
      start(),
      head({
        connection: { text: 'Connecting…', tone: 'busy', canRetry: false },
      }),
      input(),
      entries({ isReset: true, empty: 'Loading the conversation…' }),
    ],
  },
  {
    name: 'nothing yet',
    told: [
      ...base,
      entries({ isReset: true, empty: 'Nothing has happened yet.' }),
    ],
  },
  { name: 'actions', told: [...base, some] },
  {
    name: 'Markdown',
    told: [...base, entries({ isReset: true, added: [says('m', markdown)] })],
  },
  {
    name: 'errors and thin lines',
    told: [...base, entries({ isReset: true, added: thin })],
  },
  {
    name: 'an open action',
    told: [...base, entries({ isReset: true, added: [does('c1', command)] })],
    then: async (bare) => {
      await bare.page.locator('.entry').click();
      await bare.tell({ type: 'details', id: 'c1', blocks });
    },
  },
  {
    name: 'streaming, with Stop',
    told: [
      start(),
      head({ connection: { text: 'Live', tone: 'good', canRetry: false } }),
      input({
        ways: [{ how: 'send', label: 'Send' }],
        stop: 'Stop',
      }),
      entries({
        isReset: true,
        added: [
          ...history.slice(0, 3),
          {
            ...says('m', 'I now change the **check** of the postcode'),
            isStreaming: true,
          } as DrawnEntry,
        ],
      }),
    ],
  },
  {
    name: 'a message on its way, with Stop',
    told: [start(), opened, input({ stop: 'Stop' }), some, pending],
  },
  { name: 'waits', told: [...base, some, waits()] },
  {
    name: 'waits with several',
    told: [
      start(),
      opened,
      some,
      waits({
        heading:
          'The agent wants to do 2 things. Approve or reject all of them:',
        actions: several,
      }),
      input({
        hint: 'Sending now would run the pending action. Answer it first, reject it with your message, or queue the message.',
        ways: [
          { how: 'rejectAndSend', label: 'Reject and Send' },
          { how: 'queue', label: 'Queue Message' },
        ],
        mustChoose: true,
      }),
    ],
  },
  {
    name: 'cannot be answered',
    told: [
      ...base,
      some,
      waits({
        obstacle:
          'The service does not say all that it wants to do. Answer it in the browser.',
      }),
    ],
  },
  {
    name: 'tasks, the context and an aside',
    told: [
      start(),
      head({
        menu: [{ run: 'fork', label: 'Fork' }],
        meters: [
          {
            text: 'Context: 164,000 of 200,000 tokens (82%)',
            button: { run: 'compact', label: 'Compact' },
          },
          {
            text: 'Model: a-model-with-a-long-name-2026-10-01-preview',
            button: { run: 'switchModel', label: 'Switch Model…' },
          },
        ],
        tasks: {
          summary: 'Tasks: 1 of 3 done, now: Refuse letters in the postcode',
          items: [
            { title: 'Read the form', state: 'done', isDone: true },
            {
              title: 'Refuse letters in the postcode',
              state: 'in progress',
              isDone: false,
            },
            { title: `Test ${long}`, state: 'to do', isDone: false },
          ],
        },
      }),
      input({
        ways: [
          { how: 'send', label: 'Send' },
          { how: 'aside', label: 'Side Question' },
        ],
      }),
      entries({ isReset: true, added: history.slice(0, 2) }),
      {
        type: 'asides',
        asides: [
          {
            id: 1,
            question: 'Which countries have letters?',
            answer: 'Ireland **does**.\n\n- And more.',
          },
          { id: 2, question: `Why ${long}?`, answer: undefined },
        ],
      },
    ],
    then: async ({ page }) => {
      await page.getByText(/^Tasks: /).click();
      await page.getByText('Which countries').click();
      await page.locator('.by-person').hover();
    },
  },
  {
    name: 'the head unfolded',
    told: [start(), opened, input(), some],
    then: unfold,
  },
  {
    name: 'the menu',
    told: [start(), opened, input({ stop: 'Stop' }), some],
    then: click(({ page }) =>
      page.getByRole('button', { name: 'More Actions…' }),
    ),
  },
  {
    name: 'deleted, with a draft',
    told: [
      { ...start(), draft: 'Also check the invoices.' } as ToPage,
      head({
        state: { text: 'Deleted', tone: 'plain' },
        connection: {
          text: 'The service no longer has this conversation.',
          tone: 'bad',
          canRetry: false,
        },
        facts: [],
        buttons: [],
        menu: [],
      }),
      input({
        ways: [],
        obstacle: 'The service no longer has this conversation.',
      }),
    ],
  },
  {
    name: 'nothing can be done here',
    told: [
      start(),
      head({
        state: { text: 'Finished', tone: 'good' },
        connection: {
          text: 'Not followed at the moment.',
          tone: 'plain',
          canRetry: true,
          reason: 'The sandbox is at another address.',
        },
        facts,
        isOpenAtFirst: true,
        notes: [
          'Its sandbox is at http://sandbox.example:8000, which is not allowed for this service.',
        ],
        allow: 'Allow http://sandbox.example:8000',
      }),
      input({
        obstacle:
          'Nothing can be written here: the sandbox cannot be reached from this machine.',
        ways: [],
      }),
    ],
  },
  {
    name: 'the connection is lost',
    told: [
      start(),
      head({
        connection: {
          text: 'Not reachable.',
          tone: 'bad',
          canRetry: true,
          reason: 'The service does not answer.',
        },
      }),
      input({
        ways: [{ how: 'resumeAndSend', label: 'Resume and Send' }],
        hint: 'The sandbox is paused.',
      }),
      some,
      {
        type: 'told',
        text: 'The message was not sent: the service does not answer. Try it again.',
        tone: 'bad',
      },
    ],
  },
  {
    name: 'finished before it was stopped',
    told: [
      ...base,
      some,
      {
        type: 'told',
        text: 'The agent had finished before it could be stopped.',
        tone: 'plain',
      },
    ],
  },
  {
    name: 'a message with attachments',
    told: [
      ...base,
      some,
      {
        type: 'attachments',
        attachments: [
          { id: 1, name: 'AddressForm.tsx, lines 12 to 40' },
          { id: 2, name: `${long}a.txt` },
          {
            id: 3,
            name: 'screenshot.png',
            picture: { mediaType: 'image/png', base64: dot() },
          },
        ],
      },
    ],
    then: ({ page }) =>
      page
        .getByRole('textbox', { name: 'Message to the agent' })
        .fill('Look at these.\nThe first line is wrong.\nSo is the last.'),
  },
  {
    name: 'new, with an open attachment',
    told: [
      start(),
      newHead({ text: 'Draft', tone: 'plain' }),
      newInput({
        hint: 'It refers to files of northwind/storefront, which the agent will not have.',
      }),
      entries({ isReset: true }),
      gathered,
    ],
    then: async (bare) => {
      await bare.page
        .getByRole('textbox', { name: 'Message to the agent' })
        .fill('Fix these problems.');
      await bare.page.locator('.attachments .link').first().click();
      const text = `In \`northwind/storefront\`:\n\n${'  const line = 1;\n'.repeat(2)}`;
      await bare.tell({
        type: 'attached',
        id: 1,
        content: { kind: 'code', label: '', text },
      });
    },
  },
  {
    name: 'new, not created',
    told: [
      { ...start(), draft: 'Fix these problems.' } as ToPage,
      newHead({ text: 'Not created', tone: 'bad' }),
      newInput({}),
      entries({ isReset: true }),
      {
        type: 'told',
        text: 'Could not create a conversation: the service does not answer.',
        tone: 'bad',
      },
    ],
  },
  {
    name: 'found',
    told: [...base, some],
    then: async (bare) => {
      await bare.page.locator('.entry').first().click();
      await bare.page.keyboard.press('Control+f');
      await bare.page.keyboard.type('form');
      await bare.tell({
        type: 'found',
        query: 'form',
        ids: ['p1', 'a1', 'c2', 'c3'],
        inDetails: ['c4'],
      });
    },
  },
  {
    name: 'not found, with older ones',
    told: [...base, entries({ isReset: true, added: history, hasOlder: true })],
    then: async (bare) => {
      await bare.page.locator('.entry').last().click();
      await bare.page.keyboard.press('Control+f');
      await bare.page.keyboard.type('invoice');
      await bare.tell({
        type: 'found',
        query: 'invoice',
        ids: [],
        inDetails: [],
      });
    },
  },
];

async function unfold({ page }: BarePage): Promise<void> {
  await page.locator('header summary, header [aria-expanded]').first().click();
}

function dot(): string {
  return 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
}
