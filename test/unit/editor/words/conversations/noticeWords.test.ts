import assert from 'node:assert/strict';
import fc from 'fast-check';
import german from '../../../../../l10n/bundle.l10n.de.json' with { type: 'json' };
import { setLanguage, type Translate } from '../../../../../src/base/l10n.ts';
import { plainText } from '../../../../../src/base/plainText.ts';
import type { Notice } from '../../../../../src/state/attention.ts';
import type { WaitingAction } from '../../../../../src/state/transcript/waiting.ts';
import {
  noticesText,
  noticeText,
  noticeTitle,
  waitingRow,
  wholeActionText,
  wholeCommand,
} from '../../../../../src/editor/words/conversations/noticeWords.ts';
import { inMessage } from '../../../../../src/editor/words/foreignText.ts';
import { waitingAction as action } from '../../../../support/waitingAction.ts';
import { secrets } from '../../../../support/maskCorpus/secrets.ts';
import { conversation } from '../../../state/support.ts';

const run = (command: string) =>
  action({ command, is_input: false, timeout: null, reset: false });

const notice = (
  actions: readonly WaitingAction[] | undefined,
  title = 'Fix login',
): Notice => ({
  occasion: 'waits',
  conversation: conversation({ title, execution: 'waitingForConfirmation' }),
  actions,
});

/** Characters that hide, reverse, quote or end text, or look like others. */
const hostile = fc.constantFrom(
  ...[
    '\u202e',
    '\u2066',
    '\u200b',
    '\u00ad',
    '\ufeff',
    '\u2028',
    '\u3164',
    '\u0007',
    '\u001b[8m',
    '\r',
    '\n',
  ],
  ...[
    '\t',
    '  ',
    '\u00a0',
    '\u2003',
    'א',
    'ع',
    'а',
    'e\u0301',
    '\u0489\u0321\u033e\u0489',
    '\ud83d\ude00',
    '\ud800',
    '\ue000',
    '\u{e0041}',
  ],
  ...[
    '`',
    '](',
    '[x](command:y)',
    '$(check)',
    '“',
    '”',
    '{0}',
    '{1}',
    '<b>',
    '&nbsp;',
    '\\u202e',
    '\\',
    '"',
  ],
);
const shellWord = fc.constantFrom(
  'npm',
  'test',
  'rm -rf',
  './build',
  '&&',
  '|',
  'sh',
  "'x y'",
  'größer',
  '#',
);
const text = fc
  .array(
    fc.oneof(shellWord, hostile, fc.string({ unit: 'binary', maxLength: 3 })),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(' '));

describe('the notification of a waiting agent', () => {
  it('shows the command and the conversation', () => {
    assert.equal(
      noticeText(notice([run('npm test')])),
      'An agent wants to run `npm test` in “Fix login”.',
    );
    const long = `echo ${'x'.repeat(145)}`;
    assert.equal(wholeCommand([run(long)]), long);
    const odd = `git commit -m "Größe" && echo 'ok' {0} {1} | tee [a] \\n $(b)`;
    assert.equal(
      noticeText(notice([run(odd)])),
      `An agent wants to run \`${odd}\` in “Fix login”.`,
    );
  });

  it('shows a command only if it is the whole action', () => {
    for (const fields of [
      { is_input: true },
      { reset: true },
      { timeout: 5 },
      { env: { A: 'b' } },
      { security_risk: 'LOW' },
      { __proto__x: 1 },
      { constructor: 'x' },
      { command: ['npm', 'test'] },
      { command: '' },
      { command: ' ' },
      { kind: 'FileEditorAction' },
    ]) {
      assert.equal(
        wholeCommand([action({ command: 'npm test', ...fields })]),
        undefined,
        JSON.stringify(fields),
      );
    }
    assert.equal(
      wholeCommand([action({ command: 'npm test', is_input: false })]),
      'npm test',
    );
    assert.equal(
      wholeCommand([run('npm test'), action({ command: 'git push' }, 'a2')]),
      undefined,
    );
    assert.equal(wholeCommand([]), undefined);
    assert.equal(wholeCommand(undefined), undefined);
    for (const json of [
      '',
      '{"command": "npm',
      '"npm test"',
      'null',
      '["npm test"]',
    ]) {
      assert.equal(
        wholeCommand([{ ...run('npm test'), arguments: json }]),
        undefined,
        json,
      );
    }
  });

  it('shows no command with a letter that looks like another', () => {
    for (const command of ['ſudo rm x', 'rm ſ', 'gıt push', 'ĸill 1'])
      assert.equal(wholeCommand([run(command)]), undefined, command);
    const command = 'echo İĲķĹžŽ';
    assert.equal(wholeCommand([run(command)]), command);
  });

  it('shows no command that is longer than 150 characters or has a secret', () => {
    assert.equal(wholeCommand([run(`echo ${'x'.repeat(146)}`)]), undefined);
    for (const command of [
      'curl -H "Authorization: Bearer abc123def456" https://files.example.com',
      'API_KEY=hunter2hunter2 npm publish',
      'git clone https://me:hunter2@git.example.com/a.git',
      'echo ghp_0123456789abcdefghijABCDEFGHIJ012345',
    ]) {
      assert.equal(wholeCommand([run(command)]), undefined, command);
      assert.equal(
        noticeText(notice([run(command)])),
        '“Fix login” is waiting for you.',
      );
    }
  });

  it('takes at most 150 characters in English and German, and 100 beside a whole command', () => {
    const longest = { title: 'Fix the login '.repeat(400) };
    const others = (['waits', 'failed', 'finished'] as const).map(
      (occasion): Notice => ({
        occasion,
        conversation: conversation(longest),
      }),
    );
    const many = Array.from(
      { length: 3_000 },
      (_, index) => others[index % 3] ?? assert.fail(),
    );
    const command = `echo ${'x'.repeat(145)}`;
    const lines = () => [
      ...others.map(noticeText),
      noticesText(many),
      noticeText(notice([run('npm ci'), run('npm test')], longest.title)),
      noticeText(notice([run(command)], longest.title)).replace(
        command,
        command.slice(0, 50),
      ),
    ];
    const check = () => {
      for (const line of lines())
        assert.ok(line.length <= 150 && !line.includes('\n'), line);
    };
    check();
    const english: Translate = (sentence, ...values) =>
      sentence.replace(/\{(\d+)\}/g, (place, index: string) =>
        String(values[Number(index)] ?? place),
      );
    try {
      setLanguage('de', (sentence, ...values) =>
        english(
          (german as Readonly<Record<string, string>>)[sentence] ??
            assert.fail(sentence),
          ...values,
        ),
      );
      assert.match(lines()[0] ?? '', /wartet auf Sie/);
      check();
    } finally {
      setLanguage('en', english);
    }
  });

  it('shows no secret of the command or the title', () => {
    const wrap = [
      (secret: string) =>
        `curl -H "Authorization: Bearer ${secret}" https://files.example.com`,
      (secret: string) => `API_KEY='${secret}' npm publish`,
      (secret: string) =>
        `git clone https://me:${encodeURIComponent(secret)}@git.example.com/a.git`,
      (secret: string) => `npm publish --token='${secret}'`,
    ];
    for (const { text: secret } of secrets) {
      for (const write of wrap) {
        const written = write(secret);
        for (const [command, title] of [
          [written, 'Fix login'],
          ['npm test', written],
        ] as const) {
          const line = noticeText(notice([run(command)], title));
          assert.ok(
            !line.includes(secret.slice(0, 40)) &&
              !line.includes(encodeURIComponent(secret)),
            line,
          );
        }
        assert.equal(wholeCommand([run(written)]), undefined, written);
      }
    }
  });

  it('keeps titles without secrets as they are', () => {
    const titles = [
      'Fix the token refresh: keep the old one until the new one is there',
      'Move the rate limiter from callbacks to async/await',
      'Password reset does not send a mail',
      'Use https://example.com/docs in the README',
      'Größe der Schaltflächen',
    ];
    for (const title of titles) {
      assert.equal(noticeTitle(conversation({ title })), plainText(title, 60));
    }
  });

  it('never shows a command other than the waiting one, whatever the agent writes', () => {
    let whole = 0;
    fc.assert(
      fc.property(text, text, (command, title) => {
        const given = [run(command)];
        const shown = wholeCommand(given);
        const said = inMessage(noticeText(notice(given, title)));
        assert.equal(
          said,
          noticeText(notice(given, title)),
          'nothing is changed on the way to the window',
        );
        assert.doesNotMatch(
          said,
          /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]|\]\(| {2}|\p{M}{3}/u,
        );
        if (shown === undefined)
          return !said.startsWith('An agent wants to run');
        whole++;
        assert.equal(shown, command);
        assert.ok(said.startsWith(`An agent wants to run \`${command}\` in “`));
        // Text after the command cannot look like a part of it.
        assert.equal(
          said.indexOf('`', 'An agent wants to run `'.length),
          said.indexOf('` in “'),
        );
        return /^[\x20-\x7eÀ-ſ]{1,150}$/.test(command);
      }),
      { numRuns: 5_000 },
    );
    assert.ok(whole > 50, `${whole} were shown whole`);
  });

  it('shows a short command in full in a row, where it can be accepted', () => {
    assert.deepEqual(waitingRow([run('npm test')]), {
      detail: 'npm test',
      isWhole: true,
    });
  });

  it('says in a row what is pending, and leaves anything longer or unknown to the page', () => {
    const long = `npm publish --tag next ${'--dry-run '.repeat(9)}`.trim();
    for (const [actions, detail] of [
      [
        [run(long)],
        /^Wants to run npm publish --tag next .*… · Opens the conversation$/,
      ],
      [
        [run('echo $(rm -rf x)')],
        /^Wants to run echo \$\(rm -rf x\) · Opens the conversation$/,
      ],
      [
        [run('npm test'), run('npm publish')],
        /^Wants to run npm test · 1 more · Opens the conversation$/,
      ],
      [undefined, /^Opens the conversation$/],
    ] as const) {
      const row = waitingRow(actions);
      assert.match(row.detail, detail);
      assert.equal(row.isWhole, false, row.detail);
    }
    const masked = waitingRow([
      run(
        `curl -H "Authorization: Bearer ${'canary0123456789'.repeat(2)}" example.com`,
      ),
    ]);
    assert.doesNotMatch(masked.detail, /canary/);
  });

  it('asks about what waits only if the question shows all of it', () => {
    const row = conversation({ title: 'Fix login' });
    assert.equal(
      wholeActionText(row, [run('npm test')]),
      'An agent wants to run `npm test` in “Fix login”.',
    );
    assert.equal(
      wholeActionText(row, [run('npm test'), run('npm publish')]),
      undefined,
    );
    assert.equal(wholeActionText(row, undefined), undefined);
  });

  it('shows only counts for several conversations, and names a single one', () => {
    const failed: Notice = {
      occasion: 'failed',
      conversation: conversation({}),
    };
    assert.equal(
      noticesText([notice([run('npm test')]), notice(undefined), failed]),
      '2 conversations are waiting for you, 1 conversation has failed.',
    );
    assert.equal(noticeText(failed), '“Fix the build” failed.');
    assert.equal(
      noticeText({ ...failed, occasion: 'finished' }),
      '“Fix the build” has finished.',
    );
  });
});
