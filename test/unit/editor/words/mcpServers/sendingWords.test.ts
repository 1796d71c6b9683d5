import assert from 'node:assert/strict';
import { Secret } from '../../../../../src/base/secret.ts';
import { readEntries } from '../../../../../src/mcp/format/document.ts';
import { readServiceServers } from '../../../../../src/service/records/serviceServer.ts';
import {
  translateForService,
  translateWritten,
} from '../../../../../src/state/mcpServers/serverForService.ts';
import {
  notSentMessage,
  type OutgoingServer,
  sendingQuestion,
  sentMessage,
  settingsBeforeAndAfter,
} from '../../../../../src/editor/words/mcpServers/sendingWords.ts';

function sending(fields: unknown, there?: unknown, name = 'a'): OutgoingServer {
  const [entry] = readEntries(
    JSON.stringify({ mcpServers: { [name]: fields } }),
  );
  const translated = translateForService(entry ?? assert.fail());
  const [replaces] =
    there === undefined ? [] : readServiceServers({ [name]: there }, true);
  return {
    name,
    translated,
    server: translated.server ?? assert.fail(),
    replaces,
  };
}

const local = {
  ...{
    command: 'npx',
    args: ['files', '--key=sk-ant-canarycanarycanarycanary'],
    env: { TOKEN: 'canary' },
  },
  ...{ description: 'Notes', tools: { delete_file: { enabled: false } } },
};
const remote = {
  url: 'https://h.example/mcp?api_key=canary',
  headers: { 'X-Key': 'canary' },
  auth: 'canary',
};

describe('the preview of sending MCP servers to a service', () => {
  it('shows the future settings of the service in its own format, without secrets', () => {
    const [before, after] = settingsBeforeAndAfter([
      sending(local),
      sending(remote, undefined, 'b'),
    ]);
    assert.equal(before, '{}\n');
    assert.deepEqual(JSON.parse(after), {
      a: {
        ...{
          command: 'npx',
          args: ['files', '--key=••••••'],
          env: { TOKEN: '••••••' },
        },
        ...{ description: 'Notes', enabled: true },
      },
      b: {
        ...{
          url: 'https://h.example/mcp?api_key=••••••',
          transport: 'http',
          headers: { 'X-Key': '••••••' },
        },
        ...{ auth: { strategy: 'bearer', value: '••••••' }, enabled: true },
      },
    });
  });

  it('shows the current settings too, and marks secrets that are sent from here', () => {
    const there = {
      ...{
        url: 'https://joe:canary@h/mcp',
        headers: { 'X-Key': '**********' },
      },
      auth: { strategy: 'basic', username: 'joe', password: '**********' },
    };
    const [before, after] = settingsBeforeAndAfter([
      sending({ url: 'https://h/mcp', auth: 'oauth' }, there),
    ]);
    assert.doesNotMatch(before, /canary/);
    const was = JSON.parse(before) as {
      a: { auth: unknown; headers: unknown };
    };
    assert.deepEqual(was.a.auth, {
      strategy: 'basic',
      username: 'joe',
      value: '••••••',
    });
    assert.deepEqual(was.a.headers, { 'X-Key': '••••••' });
    assert.deepEqual((JSON.parse(after) as typeof was).a.auth, {
      strategy: 'oauth2',
    });
    const [, replaced] = settingsBeforeAndAfter([
      sending(local, { command: 'x' }),
    ]);
    assert.match(replaced, /"TOKEN": "•••••• \(sent from here\)"/);
    assert.deepEqual(
      JSON.parse(settingsBeforeAndAfter([sending(local, {})])[0]),
      { a: { enabled: true } },
    );
  });

  it('asks before it sends secrets, and names them and their destination', () => {
    assert.deepEqual(
      sendingQuestion([sending(local)], 'Local', 'http://127.0.0.1:3000'),
      {
        question: 'Send the secrets of “a” to Local?',
        lines: [
          'They go to http://127.0.0.1:3000 and stay in its settings:',
          'the variable TOKEN, what is masked in its command line',
          'Agents of the service get all tools, including those that are off in the file: delete_file.',
        ],
      },
    );
    const both = sendingQuestion(
      [sending(local), sending(remote, {}, 'b')],
      'Far',
      'http://far.example',
    );
    assert.equal(both.question, 'Send the secrets of 2 MCP servers to Far?');
    assert.deepEqual(both.lines.slice(1), [
      'The connection to it is not encrypted, so others on the network can read them.',
      'a: the variable TOKEN, what is masked in its command line',
      'b: the header X-Key, its token, what is masked in its URL',
      'a: Agents of the service get all tools, including those that are off in the file: delete_file.',
      'b: This replaces the server with this name at the service, and its secrets are lost.',
    ]);
  });

  it('asks nothing more when the preview shows everything', () => {
    const plain = sending({ command: 'npx', args: ['files'] });
    assert.deepEqual(
      sendingQuestion([plain], 'Local', 'https://far.example').lines,
      [],
    );
  });

  it('asks even without secrets when a field is left out or a server is replaced', () => {
    const asked = sendingQuestion(
      [sending({ command: 'x', disabled: true })],
      'Local',
      'https://far.example',
    );
    assert.equal(asked.question, 'Send “a” to Local?');
    assert.deepEqual(asked.lines, [
      '"disabled" is left out, because the service does not accept it.',
    ]);
    const two = [
      sending({ command: 'x' }),
      sending({ command: 'y' }, { command: 'z' }, 'b'),
    ];
    assert.equal(
      sendingQuestion(two, 'Local', 'https://h').question,
      'Send 2 MCP servers to Local?',
    );
  });

  it('lists the variables and left-out fields of a server that is not in the file', () => {
    const written = translateWritten({
      name: 'a',
      server: {
        transport: 'stdio',
        command: 'npx',
        args: ['x'],
        env: new Map([['A', new Secret('canary')]]),
      },
      enabled: false,
      extra: new Map([['include_tags', ['x']]]),
    });
    assert.equal(written.enabled, false);
    assert.deepEqual(written.variables, ['A']);
    assert.deepEqual(written.remarks, [
      '"include_tags" is left out, because the service does not accept it.',
    ]);
  });
});

describe('the outcome of sending servers', () => {
  it('says where they are now, by the name of a single one, and who gets them', () => {
    const git = sending(local, undefined, 'git');
    assert.equal(
      sentMessage([git], 'Alpha'),
      '“git” is in the settings of Alpha now. New conversations there get it, unless their agent profile leaves it out.',
    );
    assert.equal(
      sentMessage([sending({ ...local, enabled: false })], 'Alpha'),
      '“a” is in the settings of Alpha now, disabled.',
    );
    assert.equal(
      sentMessage([git, sending(local)], 'Alpha'),
      '2 MCP servers are in the settings of Alpha now. New conversations there get those that are enabled, unless their agent profile leaves them out.',
    );
  });

  it('says which ones were added before a failure', () => {
    assert.equal(notSentMessage([], 'It is full.'), 'It is full.');
    assert.equal(
      notSentMessage([{ name: 'git' }, { name: '' }], 'It is full.'),
      'Only git, (no name) were added. It is full.',
    );
  });
});
