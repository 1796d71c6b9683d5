import assert from 'node:assert/strict';
import {
  failureSentence,
  failureWords,
} from '../../../src/probe/failureWords.ts';
import type { ProbeFailure } from '../../../src/probe/probe.ts';
import { shownStart } from '../../../src/probe/shownStart.ts';
import { address, command } from './support.ts';

const canary = 'canary-Zx81';
const lastLines: string[] = [];

/** Each failure, with what is said of it, in a sentence and in a row. */
const said: readonly (readonly [ProbeFailure, string, string])[] = [
  [
    {
      reason: 'programNotFound',
      program: 'npx',
      lookedIn: ['/a', '/b', '/c', '/d', '/e', '/f', '/g'],
    },
    '“s” cannot be started: no program npx was found in the folders of PATH (/a, /b, /c, /d, /e and 2 more). Install it, or correct the command.',
    'npx not found',
  ],
  [
    { reason: 'programNotFound', program: '/x/y', lookedIn: [] },
    '“s” cannot be started: there is no file /x/y. Install it, or correct the command.',
    '/x/y not found',
  ],
  [
    { reason: 'exited', code: 1, lastLines },
    '“s” ended with exit code 1 before it answered. It printed nothing. Check the command and its arguments.',
    'ended with exit code 1',
  ],
  [
    { reason: 'exited', code: null, killedBy: 'SIGKILL', lastLines: ['x'] },
    '“s” was ended by SIGKILL before it answered. What it printed last may say why.',
    'ended at once',
  ],
  [
    {
      reason: 'signIn',
      askedBy: 'server',
      issuer: 'https://login.example.com',
      scopes: ['read', 'write'],
    },
    '“s” asks for a sign-in. It needs a browser at every start of an agent, because the program keeps no token. You sign in at https://login.example.com. It asks for: read, write.',
    'needs a sign-in',
  ],
  [
    { reason: 'keyRefused', status: 401, sent: true },
    '“s” refuses the key or the headers of its entry (HTTP 401). Replace the key.',
    'key refused',
  ],
  [
    { reason: 'keyRefused', status: 401, sent: false },
    '“s” needs a key, and its entry has none (HTTP 401). Add a header with the key.',
    'needs a key',
  ],
  [
    { reason: 'redirected', status: 302, to: 'https://h/mcp' },
    '“s” redirects to https://h/mcp. Nothing was sent there. If you trust that address, put it into the entry.',
    'redirects elsewhere',
  ],
  [
    { reason: 'notMcp', url: 'https://h/', status: 404, found: 'Not found' },
    'There is no MCP server at https://h/, but “Not found” (HTTP 404). Correct the URL, or change the transport: older servers need "sse".',
    'no MCP server there',
  ],
  [
    { reason: 'certificate', host: 'h', detail: 'self-signed certificate' },
    'The certificate of h is not trusted here: self-signed certificate. Have this machine trust it, or correct the URL.',
    'certificate not trusted',
  ],
  [
    {
      reason: 'timedOut',
      waitingFor: 'listing',
      milliseconds: 30_000,
      lastLines,
    },
    '“s” did not list its tools within 30 seconds. Agents do not wait longer, either.',
    'no answer in time',
  ],
  [
    { reason: 'variableMissing', names: ['A', 'B'] },
    '“s” needs the variables A, B, which are not set here. Set them where agents start, or write defaults: ${NAME:-default}',
    'A, B not set',
  ],
  [
    { reason: 'tooMuch', of: 'bytes', most: 16_000_000 },
    '“s” sent more than 16 MB. The check was ended. Agents would get all of it. Disable the server, or report it to its authors.',
    'sends too much',
  ],
  [
    { reason: 'protocolVersion', theirs: '2099-01-01' },
    '“s” uses protocol version 2099-01-01, which agents do not support. Install another version of the server.',
    'unsupported protocol version',
  ],
  [
    { reason: 'other', detail: 'Oh.', lastLines },
    '“s” does not work: Oh. Check it again, or correct its entry.',
    'does not work',
  ],
];

describe('the message of a failed check', () => {
  it('explains what failed and what to do, as a sentence and as a short label', () => {
    for (const [failure, sentence, short] of said) {
      assert.equal(failureSentence('s', failure), sentence);
      assert.equal(failureWords(failure).short, short);
    }
  });

  it('removes invisible characters from the name of a server', () => {
    assert.equal(
      failureSentence('a\u202eb\n', { reason: 'cancelled' }),
      'The check of “a b” was canceled. Nothing is left running.',
    );
  });
});

describe('the preview of a check', () => {
  it('shows the command line, the folder and the variables, without secrets', () => {
    const server = command(
      ['npx', '-y', 'a b', `--token=${canary}`, '${HOME}'],
      {
        KEY: canary,
        MODE: 'fast',
      },
    );
    assert.deepEqual(shownStart({ server, cwd: '/srv' }), {
      commandLine: "npx -y 'a b' --token=•••••• '${HOME}'",
      folder: '/srv',
      variables: ['KEY=••••••', 'MODE=fast'],
      headers: [],
    });
  });

  it('shows the values of all variables, masked where they are secret by their name or themselves', () => {
    const server = command(['node', 'a.mjs'], {
      NODE_OPTIONS: '--require ./pre.js',
      KEY: canary,
      GIT_SSH_COMMAND: `ssh\u202e --token ${canary}`,
      npm_config_package: './evil',
      HOME: '/tmp/other',
      GOFLAGS: '-toolexec=/tmp/x',
      NOTE: `ghp_${'a1B2c3D4e5'.repeat(4)}`,
      GITHUB_TOKEN: '${GITHUB_TOKEN}',
    });
    assert.deepEqual(shownStart({ server }).variables, [
      "NODE_OPTIONS='--require ./pre.js'",
      'KEY=••••••',
      "GIT_SSH_COMMAND=$'ssh\\342\\200\\256 --token ••••••'",
      'npm_config_package=./evil',
      'HOME=/tmp/other',
      'GOFLAGS=-toolexec=/tmp/x',
      'NOTE=••••••',
      "GITHUB_TOKEN='${GITHUB_TOKEN}'",
    ]);
  });

  it('shows the URL and the header names, including the header of the key', () => {
    const server = address(`https://h/mcp?key=${canary}`, {
      headers: { 'X-A': canary },
      auth: canary,
    });
    assert.deepEqual(shownStart({ server }), {
      url: 'https://h/mcp?key=••••••',
      variables: [],
      headers: ['X-A', 'authorization'],
    });
    const signIn = address('https://h/', {
      headers: { Authorization: canary },
      auth: 'oauth',
    });
    assert.deepEqual(shownStart({ server: signIn }).headers, ['Authorization']);
  });

  it('removes invisible characters from the command line', () => {
    const { commandLine = '' } = shownStart({
      server: command(['x\u202e', 'a\u0007']),
    });
    assert.doesNotMatch(commandLine, /[\p{Cc}\p{Cf}]/u);
  });
});
