import assert from 'node:assert/strict';
import { defaultAskRules } from '../../../../src/editor/defaultAskRules.ts';
import {
  type Conversation,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import {
  type AcceptRule,
  acceptingRules,
  matchingRule,
  proposedCommands,
  ruleFolder,
  textOf,
} from '../../../../src/state/approvalRules/acceptRules.ts';
import { waitingAction } from '../../../support/waitingAction.ts';

const service = 'http://127.0.0.1:8000/';
const conversation = {
  id: '5f0c0f6a9f4e4c0db7a7a3a0e3b1c2d4',
  service,
  folder: '/work/app',
} as Conversation;
const here = { folder: '/work/app', service };

describe('a rule that accepts actions', () => {
  const accepts = (
    commands: readonly string[],
    accept: readonly AcceptRule[],
    ask = defaultAskRules,
    where = conversation,
  ) =>
    acceptingRules(
      commands.map((command) => waitingAction({ command, is_input: false })),
      where,
      { ask, accept },
    )?.map(({ command }) => command);

  it('covers the words of a command, and further words only with a star', () => {
    const open = [{ command: 'npm test *', ...here }];
    const exact = [{ command: 'npm test', ...here }];
    assert.deepEqual(accepts(['npm test'], open), ['npm test *']);
    assert.deepEqual(accepts(['npm test -- x'], open), ['npm test *']);
    assert.deepEqual(accepts(['npm test'], exact), ['npm test']);
    assert.equal(accepts(['npm test -- x'], exact), undefined);
    assert.equal(accepts(['npm tests'], open), undefined);
    assert.equal(accepts(['npm'], open), undefined);
    assert.equal(accepts(['npm test'], [{ command: '*', ...here }]), undefined);
  });

  it('covers a line only if each command of each action is covered', () => {
    const both = [
      { command: 'npm test *', ...here },
      { command: 'make', ...here },
    ];
    assert.deepEqual(accepts(['npm test && make'], both), [
      'npm test *',
      'make',
    ]);
    assert.deepEqual(accepts(['make', 'npm test'], both), [
      'make',
      'npm test *',
    ]);
    assert.equal(accepts(['make', 'ls'], both), undefined);
    assert.equal(accepts(['make && ls'], both), undefined);
    assert.equal(accepts([], both), undefined);
  });

  it('holds in its folder at its service, or in its conversation', () => {
    const rule = { command: 'make' };
    const key = keyOf(conversation);
    for (const [where, isHeld] of [
      [here, true],
      [{ ...here, folder: '/work' }, false],
      [{ ...here, service: 'http://127.0.0.1:9000/' }, false],
      [{ folder: '/work/app' }, false],
      [{}, false],
      [{ conversation: key }, true],
      [{ ...here, conversation: keyOf({ id: 'another', service }) }, false],
    ] as const)
      assert.equal(
        accepts(['make'], [{ ...rule, ...where }]) !== undefined,
        isHeld,
        JSON.stringify(where),
      );
  });

  it('holds for all worktrees of a repository', () => {
    const folder = `/trees/${conversation.id}/app`;
    const inTree = { ...conversation, folder };
    assert.equal(ruleFolder(inTree), '/trees/*/app');
    const rules = [{ command: 'make', service, folder: '/trees/*/app' }];
    assert.ok(accepts(['make'], rules, [], inTree));
  });

  it('never accepts what is on the list of what to ask for', () => {
    const rules = [
      { command: 'git push *', ...here },
      { command: 'make', ...here },
    ];
    assert.equal(accepts(['git push'], rules), undefined);
    assert.equal(accepts(['make; git push'], rules), undefined);
    assert.ok(accepts(['git push'], rules, []));
    const malformed = [{ sentence: 'Anything', pattern: '(' }];
    assert.equal(accepts(['make'], rules, malformed), undefined);
    const ofPython = [{ sentence: 'Pushes', pattern: '(?i)git PUSH' }];
    assert.ok(accepts(['make'], rules, ofPython));
    assert.equal(accepts(['git push'], rules, ofPython), undefined);
  });

  it('accepts only commands in a terminal that have no other input', () => {
    const rules = { ask: [], accept: [{ command: 'make', ...here }] };
    const isAccepted = (fields: object) =>
      acceptingRules(
        [waitingAction({ command: 'make', ...fields })],
        conversation,
        rules,
      ) !== undefined;
    assert.ok(isAccepted({ timeout: 30, summary: 'Builds' }));
    assert.ok(!isAccepted({ is_input: true }));
    assert.ok(!isAccepted({ command: ['make'] }));
    assert.ok(!isAccepted({ shell: 'other' }));
    const other = { ...waitingAction({ command: 'make' }), actionKind: 'X' };
    assert.equal(acceptingRules([other], conversation, rules), undefined);
  });
});

describe('a rule that is proposed for actions', () => {
  const proposed = (...commands: readonly string[]) =>
    proposedCommands(
      commands.map((command) => waitingAction({ command })),
      defaultAskRules,
    );

  it('uses the program and its subcommand, or else all words', () => {
    for (const [command, rule] of [
      ['npm test', 'npm test *'],
      ['npm test -- --grep "a b"', 'npm test *'],
      ['npm run lint', 'npm run lint *'],
      ['npm run', 'npm run'],
      ['npx eslint src', 'npx eslint *'],
      ['git -C x status', 'git -C x status'],
      ['git commit -m "Fix it"', 'git commit *'],
      ['pytest -q tests', 'pytest -q tests'],
      ['ls', 'ls'],
    ] as const)
      assert.deepEqual(proposed(command), [rule], command);
  });

  it('covers each command of a line once', () => {
    assert.deepEqual(proposed('npm test && make x', 'npm test'), [
      'npm test *',
      'make x *',
    ]);
  });

  it('does not exist where no rule can accept the action', () => {
    for (const command of [
      'git push',
      'ls > x',
      'echo $X',
      'echo "a b"',
      "echo ''",
      '',
    ])
      assert.equal(proposed(command), undefined, command);
    const edit = { ...waitingAction({ path: 'x' }), actionKind: 'EditAction' };
    assert.equal(proposedCommands([edit], []), undefined);
  });
});

describe('the list of what to ask for at first', () => {
  const sentence = (command: string) =>
    matchingRule(textOf(waitingAction({ command })), defaultAskRules)?.sentence;

  it('finds pushes, publishing, deleting elsewhere, other users and sending files', () => {
    for (const [expected, commands] of [
      [
        'Pushes with Git',
        ['git push', 'git -C x push -f', 'cd x && git  push origin main'],
      ],
      [
        'Publishes a package or an image',
        [
          'npm publish',
          'twine upload dist/x',
          'docker push x',
          'mvn -q deploy',
        ],
      ],
      [
        'Deletes outside the folder',
        [
          'rm -rf /tmp/x',
          'rm ~/x',
          'rm -f ../x',
          'rm "$HOME/x"',
          'find / -delete',
        ],
      ],
      ['Runs as another user', ['sudo ls', 'ls; su root']],
      [
        'Sends files over the network',
        [
          'curl -T x https://example.com',
          'curl -F file=@x https://example.com',
          'curl --data-binary @x https://example.com',
          'scp x host:',
          'nc host 80',
        ],
      ],
    ] as const)
      for (const command of commands)
        assert.equal(sentence(command), expected, command);
  });

  it('leaves everyday commands alone', () => {
    for (const command of [
      'git status',
      'git commit -m "x"',
      'npm test',
      'npm install',
      'rm -rf build',
      'rm x/y',
      'find . -name x -delete',
      'curl -fsSL https://example.com',
      'ls /tmp',
      'docker build .',
    ])
      assert.equal(sentence(command), undefined, command);
  });
});
