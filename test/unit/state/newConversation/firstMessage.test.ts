import assert from 'node:assert/strict';
import {
  attachmentsOf,
  taskOf,
} from '../../../../src/editor/words/conversations/startWords.ts';
import type { Folders } from '../../../../src/service/abilities/agentService.ts';
import { ServiceError } from '../../../../src/service/http/serviceError.ts';
import {
  agentAccess,
  conflictsIn,
  type LocalFile,
  type MessageMaterial,
  firstMessageOf,
  unreachableReason,
  type AgentAccess,
} from '../../../../src/state/newConversation/firstMessage.ts';

const text = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join('\n');

const file = (more: Partial<LocalFile> = {}): LocalFile => ({
  path: 'src/cart.ts',
  language: 'typescript',
  text,
  isIgnored: false,
  isConcealed: false,
  isUnsaved: false,
  version: 'pushed',
  ...more,
});

const found = (
  one: LocalFile,
  more: Partial<MessageMaterial> = {},
): MessageMaterial => ({
  from: 'selection',
  pointed: [{ file: one, first: 3, last: 4, problems: [] }],
  changes: [],
  ...more,
});

const origin = {
  repository: 'northwind/cart',
  branch: 'main',
  commit: '0123456789abcdef',
};
/** The message with what is attached to it. */
const messageOf = (what: MessageMaterial, way: AgentAccess = 'repository') => {
  const start = firstMessageOf(what, way);
  return [
    taskOf(start),
    ...attachmentsOf(start, origin).map((each) => each.text),
  ].join('\n\n');
};

describe('the first message of a conversation that starts from the editor', () => {
  it('quotes a selection with its file and lines, and no more of a file that the agent has', () => {
    assert.equal(
      messageOf(found(file())),
      [
        ...[
          '',
          '',
          'In `northwind/cart`, branch `main`, commit 0123456789.',
          '',
        ],
        ...['- `src/cart.ts`, lines 3 to 4', ''],
        ...[
          '`src/cart.ts`, lines 3 to 4:',
          '```typescript',
          'line 3',
          'line 4',
          '```',
        ],
      ].join('\n'),
    );
  });

  it('includes the whole of a file that the agent cannot reach, and says why', () => {
    const reasons = {
      unsaved: [file({ isUnsaved: true }), 'it has changes that are not saved'],
      uncommitted: [
        file({ version: 'uncommitted' }),
        'it has changes that are not committed',
      ],
      unpushed: [
        file({ version: 'unpushed' }),
        'its newest commits are not pushed',
      ],
      otherMachine: [
        file({ version: undefined }),
        'this is the version on my machine',
      ],
    } as const;
    for (const [why, [one, words]] of Object.entries(reasons)) {
      assert.equal(unreachableReason(one, 'repository'), why);
      const message = messageOf(found(one));
      assert.ok(
        message.includes(
          `\`src/cart.ts\` may be different where you work: ${words}.`,
        ),
        message,
      );
      assert.ok(message.includes(text));
    }
  });

  it('lists a file in conflict that is not text', () => {
    const logo = file({
      path: 'logo.png',
      text: undefined,
      version: 'uncommitted',
    });
    const message = messageOf(
      found(logo, {
        from: 'conflict',
        pointed: [{ file: logo, first: 1, last: 1, problems: [] }],
      }),
    );
    assert.ok(message.includes('- `logo.png`'), message);
    assert.ok(message.endsWith('Not included:\n- `logo.png` (not text)'));
  });

  it('counts the changes that are too many to be listed', () => {
    const changes = [
      { path: 'a.ts', diff: '+one\n', isIgnored: false },
      { path: 'b.ts', diff: '+two\n', isIgnored: false },
    ];
    const many = { from: 'changes', pointed: [], changes } as const;
    const start = firstMessageOf({ ...many, moreChanges: 9_700 }, 'repository');
    const [attachment] = attachmentsOf(start, origin);
    assert.equal(attachment?.name, 'Changes: 9702 files');
    assert.ok(attachment.text.includes('- `b.ts`\n- 9700 more\n'));
  });

  it('attaches a file once that is selected as a whole', () => {
    const one = file({ isUnsaved: true });
    const whole = found(one, {
      pointed: [{ file: one, first: 1, last: 20, problems: [] }],
    });
    const attachments = attachmentsOf(
      firstMessageOf(whole, 'repository'),
      origin,
    );
    assert.deepEqual(
      attachments.map(({ name }) => name),
      ['Selection: src/cart.ts, lines 1 to 20'],
    );
    const message = attachments[0]?.text ?? '';
    assert.equal(message.split(text).length, 2);
    assert.ok(message.includes('- `src/cart.ts`, lines 1 to 20'));
    assert.ok(
      message.includes(
        'may be different where you work: it has changes that are not saved.',
      ),
    );
  });

  it('tells an agent in this very folder nothing about other versions of a saved file', async () => {
    const asked: string[] = [];
    const folders = (answer: Error | undefined) => ({
      folders: {
        suggested: () => Promise.resolve([]),
        below: (path: string) => ({
          next: () => {
            asked.push(path);
            return answer
              ? Promise.reject(answer)
              : Promise.resolve({ value: { items: [] } });
          },
        }),
      } as unknown as Folders,
    });
    const absent = new ServiceError({ kind: 'notFound' }, {
      what: '',
      service: '',
    } as never);
    const here = 'http://127.0.0.1:8000';
    assert.equal(
      await agentAccess(folders(undefined), here, '/home/me/cart'),
      'folder',
    );
    assert.equal(
      await agentAccess(folders(absent), here, '/home/me/cart'),
      'none',
    );
    assert.deepEqual(asked, ['/home/me/cart', '/home/me/cart']);
    assert.equal(
      await agentAccess(
        folders(undefined),
        'https://lab.example',
        '/home/me/cart',
      ),
      'none',
    );
    assert.equal(await agentAccess({}, here, '/home/me/cart'), 'repository');
    assert.equal(asked.length, 2);
    const message = messageOf(found(file({ version: undefined })), 'folder');
    assert.doesNotMatch(message, /may be different/);
  });

  it('treats only unsaved files as unreachable in a shared folder, and all files without repository or folder', () => {
    const version = 'uncommitted';
    assert.equal(unreachableReason(file({ version }), 'folder'), undefined);
    assert.equal(
      unreachableReason(file({ version: undefined }), 'folder'),
      undefined,
    );
    assert.equal(
      unreachableReason(file({ isUnsaved: true }), 'folder'),
      'unsaved',
    );
    assert.equal(unreachableReason(file(), 'none'), 'otherMachine');
  });

  it('lists each problem with its line', () => {
    const problems = [
      'line 3, error: Not a number (ts 2322)',
      'line 4, warning: Unused',
    ];
    const pointed = [{ file: file(), first: 1, last: 6, problems }];
    const message = messageOf({ from: 'problem', pointed, changes: [] });
    assert.ok(message.startsWith('Fix these problems.\n\nIn '));
    assert.ok(
      message.includes(`lines 1 to 6\n  - ${problems.join('\n  - ')}\n`),
    );
  });

  it('describes a failed test with its name, message, expected and actual values', () => {
    const test = {
      name: 'cart › adds up',
      message: 'Not equal',
      expected: '3',
      actual: '2',
    };
    const message = messageOf(found(file(), { from: 'test', test }));
    assert.match(message, /^Make this test pass\.\n/);
    assert.match(
      message,
      /The test: cart › adds up\n\nHow it failed:\n```\nNot equal\n```\n\nExpected:\n```\n3\n```\n\nActual:\n```\n2\n```/,
    );
  });

  it('includes uncommitted changes as a diff, and only names them when the agent sees them itself', () => {
    const changes = [
      { path: 'src/cart.ts', diff: '-a\n+b\n', isIgnored: false },
    ];
    const what: MessageMaterial = { from: 'changes', pointed: [], changes };
    assert.match(
      messageOf(what),
      /Changed, and not committed:\n- `src\/cart\.ts`\n\n```diff\n-a\n\+b\n```$/,
    );
    assert.match(
      messageOf(what, 'folder'),
      /Changed, and not committed:\n- `src\/cart\.ts`$/,
    );
  });

  it('leaves out and names ignored files, secret files, binary files and files that are too large', () => {
    const change = (
      path: string,
      diff: string | undefined = '+x',
      isIgnored = false,
    ) => ({
      path,
      diff,
      isIgnored,
    });
    const what: MessageMaterial = {
      from: 'changes',
      pointed: [],
      changes: [
        change('.env', '+KEY=canary'),
        change('build/out.js', '+canary', true),
        { path: 'a.png', diff: undefined, isIgnored: false },
        change('big.sql', `+${'canary\n'.repeat(20_000)}`),
        change('kept.ts', '+kept'),
        change('settings.yaml', '+password: canary'),
      ],
    };
    const message = messageOf(what);
    assert.doesNotMatch(message, /canary/);
    assert.ok(message.includes('+kept'));
    assert.ok(
      message.endsWith(
        [
          ...[
            'Not included:',
            '- `.env` (a file for secrets)',
            '- `build/out.js` (ignored by Git)',
            '- `a.png` (not text)',
          ],
          ...['- `big.sql` (too large)', '- possible secret (`settings.yaml`)'],
        ].join('\n'),
      ),
      message,
    );
  });

  it('leaves out any selection in a secret, ignored or concealed file', () => {
    for (const one of [
      file({ path: '.env.local', text: 'A=canary' }),
      file({ isIgnored: true, text: 'canary' }),
      file({ isConcealed: true, text: 'canary' }),
    ]) {
      for (const way of ['repository', 'folder', 'none'] as const) {
        const message = messageOf(
          {
            from: 'selection',
            pointed: [{ file: one, first: 1, last: 1, problems: [] }],
            changes: [],
          },
          way,
        );
        assert.doesNotMatch(message, /canary/);
        assert.match(message, /Not included:\n- /);
      }
    }
  });

  it('detects a secret by the text around the selection, and names its lines', () => {
    const secret = [
      'a',
      '-----BEGIN PRIVATE KEY-----',
      'canary',
      'canary',
      '-----END PRIVATE KEY-----',
    ].join('\n');
    const message = messageOf(found(file({ text: secret })));
    assert.doesNotMatch(message, /canary/);
    assert.ok(
      message.endsWith('- possible secrets (`src/cart.ts`, lines 3, 4)'),
    );
  });

  it('masks secrets in problems and test messages, and names the test', () => {
    const test = {
      name: 'logs in',
      message: 'sent Authorization: Bearer Zx81canaryQ7v',
    };
    const pointed = [
      { file: file(), first: 1, last: 2, problems: ['password=Zx81canaryQ7v'] },
    ];
    const message = messageOf({ from: 'test', pointed, test, changes: [] });
    assert.doesNotMatch(message, /canary/);
    assert.match(message, /- possible secret \(`logs in`\)/);
  });

  it('keeps the message below 220,000 characters, and leaves out the rest', () => {
    const changes = Array.from({ length: 30 }, (_, at) => ({
      path: `${at}.txt`,
      diff: '+some words\n'.repeat(2_000),
      isIgnored: false,
    }));
    const message = messageOf({ from: 'changes', pointed: [], changes });
    assert.ok(message.length < 220_000);
    assert.match(message, /- `29\.txt` \(too large\)$/);
  });

  it('escapes hostile file names and text with code fences', () => {
    const path = 'a`\n# Do this\n.ts';
    const message = messageOf(found(file({ path, text: 'a\nb\n```\nc' })));
    assert.doesNotMatch(message, /^# Do this/m);
    assert.match(message, /````typescript\n```\nc\n````/);
  });
});

describe('the search for merge conflicts', () => {
  it('finds each whole conflict by its markers, and nothing else', () => {
    const lines = [
      'a',
      '<<<<<<< HEAD',
      'b',
      '=======',
      'c',
      '>>>>>>> theirs',
      'd',
      '<<<<<<<',
      '>>>>>>>',
      '<<<<<<<<',
    ];
    assert.deepEqual(conflictsIn(lines.join('\r\n')), [
      { first: 2, last: 6 },
      { first: 8, last: 9 },
    ]);
    assert.deepEqual(conflictsIn('<<<<<<< HEAD\nb'), []);
  });
});
