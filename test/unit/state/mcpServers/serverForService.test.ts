import assert from 'node:assert/strict';
import { Secret } from '../../../../src/base/secret.ts';
import { editText } from '../../../../src/mcp/edit/editText.ts';
import { readEntries } from '../../../../src/mcp/format/document.ts';
import type { Entry } from '../../../../src/mcp/format/entry.ts';
import {
  changeBody,
  readServiceServers,
  serverBody,
  type ServiceServer,
} from '../../../../src/service/records/serviceServer.ts';
import { translateForFile } from '../../../../src/state/mcpServers/serverForFile.ts';
import {
  differenceFromFile,
  translateForService,
} from '../../../../src/state/mcpServers/serverForService.ts';

function entryOf(fields: unknown, name = 'a'): Entry {
  const [entry] = readEntries(
    JSON.stringify({ mcpServers: { [name]: fields } }),
  );
  return entry ?? assert.fail();
}

function there(
  record: unknown,
  name = 'a',
  tellsSecrets = true,
): ServiceServer {
  return (
    readServiceServers({ [name]: record }, tellsSecrets)[0] ?? assert.fail()
  );
}

describe('an entry of mcp.json for a service', () => {
  const body = (fields: unknown, name?: string) => {
    const { server, remarks, ...more } = translateForService(
      entryOf(fields, name),
    );
    return { body: server && serverBody(server), remarks, ...more };
  };

  it('sends all fields of an entry when the service accepts them', () => {
    const local = {
      command: 'npx',
      args: ['-y', 'x'],
      env: { A: 'canary' },
      cwd: '/x',
      keep_alive: 'true',
    };
    const more = { description: 'Notes', icon: 'i', timeout: '5000' };
    assert.deepEqual(
      body({ ...local, ...more, type: 'stdio', enabled: false }),
      {
        body: { ...local, ...more, timeout: 5_000, keep_alive: true },
        ...{
          enabled: false,
          remarks: [],
          variables: ['A'],
          headers: [],
          signsIn: false,
          references: [],
        },
      },
    );
    const remote = {
      url: 'https://h/sse',
      headers: { 'X-Key': 'canary' },
      sse_read_timeout: 1.5,
    };
    assert.deepEqual(body({ ...remote, auth: 'canary' }), {
      body: {
        ...remote,
        transport: 'sse',
        auth: { strategy: 'bearer', value: 'canary' },
      },
      ...{
        enabled: true,
        remarks: [],
        variables: [],
        headers: ['X-Key'],
        signsIn: true,
        references: [],
      },
    });
  });

  it('lists each key that it leaves out', () => {
    const { body: sent, remarks } = body({
      ...{
        command: 'npx',
        include_tags: ['a'],
        exclude_tags: ['b'],
        authentication: {},
        disabled: true,
      },
      ...{
        url: 'https://h',
        timeout: 'soon',
        icon: null,
        tools: { x: { name: 'y' } },
      },
    });
    assert.deepEqual(sent, { command: 'npx', args: [] });
    const leftOut = [
      'tools',
      'include_tags',
      'exclude_tags',
      'authentication',
      'disabled',
      'url',
      'timeout',
    ];
    assert.deepEqual(
      remarks,
      leftOut.map(
        (key) =>
          `"${key}" is left out, because the service does not accept it.`,
      ),
    );
    const size = (max_sse_event_size: number) =>
      body({ url: 'https://h', max_sse_event_size }).remarks;
    assert.deepEqual(size(2048), [
      '"max_sse_event_size" is left out, because the service does not accept it.',
    ]);
    // The program writes its default into every remote server.
    assert.deepEqual(size(1_048_576), []);
    const remote = body({
      url: 'https://h',
      cwd: '/x',
      sse_read_timeout: 'PT30S',
      keep_alive: true,
    });
    assert.deepEqual(remote.remarks, [
      '"cwd" is left out, because the service does not accept it.',
      '"sse_read_timeout" is left out, because the service does not accept it.',
      '"keep_alive" is left out, because the service does not accept it.',
    ]);
  });

  it('warns that tools disabled in the file are enabled at the service', () => {
    const tools = {
      delete_it: { enabled: false },
      read_it: { enabled: true },
      wipe: { enabled: false },
    };
    assert.deepEqual(body({ command: 'npx', tools }).remarks, [
      'Agents of the service get all tools, including those that are off in the file: delete_it, wipe.',
    ]);
    assert.deepEqual(body({ command: 'npx', tools: ['x'] }).remarks, []);
  });

  it('lists values that it leaves out because they are empty or not strings', () => {
    const { body: sent, remarks } = body({
      command: 'npx',
      env: { A: '', B: 1, C: 'x' },
    });
    assert.deepEqual(sent, { command: 'npx', args: [], env: { C: 'x' } });
    assert.deepEqual(remarks, [
      'Entries without a value are left out, because the service drops them: A.',
      'Values that are not strings are left out, because the service does not accept them: B.',
    ]);
  });

  it('explains that the service replaces variables and keeps the sign-in itself', () => {
    const { remarks, references } = body({
      command: 'npx',
      args: ['${HOME}/x'],
      env: { A: '${KEY:-x}${HOME}' },
    });
    assert.deepEqual(references, ['HOME', 'KEY']);
    assert.match(
      remarks.join('\n'),
      /^The service replaces \$\{HOME\}, \$\{KEY\} itself/,
    );
    const signedIn = body({ url: 'https://h/${PLACE}', auth: 'oauth' });
    assert.deepEqual(signedIn.body, {
      ...{
        url: 'https://h/${PLACE}',
        transport: 'http',
        auth: { strategy: 'oauth2' },
      },
    });
    assert.equal(signedIn.signsIn, false);
    assert.match(
      signedIn.remarks.join('\n'),
      /^The service keeps the sign-in\./,
    );
  });

  it('refuses an entry that the service cannot accept, with the reason', () => {
    const cases: readonly (readonly [unknown, string, RegExp])[] = [
      [
        { url: 'https://h', auth: 'x', headers: { authorization: 'y' } },
        'a',
        /either "auth" or the header/,
      ],
      [{ command: 'npx' }, 'a/b', /does not accept a slash in a name/],
      [{ command: '' }, 'a', /without a command or a URL/],
      [{}, 'a', /without a command or a URL/],
      ['x', 'a', /without a command or a URL/],
    ];
    for (const [fields, name, why] of cases) {
      const { body: sent, remarks } = body(fields, name);
      assert.equal(sent, undefined);
      assert.match(remarks.at(-1) ?? '', why);
    }
  });
});

describe('a server of a service for mcp.json', () => {
  /** The entry that is written, with the secrets `1`, `2` and so on. */
  const written = (record: unknown, tellsSecrets = true) => {
    const { server, needed, remarks } = translateForFile(
      there(record, 'a', tellsSecrets),
    );
    const change = server?.(needed.map((_, at) => new Secret(`${at + 1}`)));
    const text =
      change && editText('{"mcpServers": {}}', { do: 'add', ...change }).text;
    const entry =
      text === undefined
        ? undefined
        : (JSON.parse(text) as { mcpServers: { a: unknown } }).mcpServers.a;
    return { entry, needed, remarks };
  };

  it('asks for each secret, and puts it where it belongs', () => {
    const local = written({
      command: 'npx',
      args: ['x'],
      env: { A: '*', B: '*' },
      cwd: '/x',
      enabled: false,
    });
    assert.deepEqual(local, {
      entry: {
        command: 'npx',
        args: ['x'],
        env: { A: '1', B: '2' },
        cwd: '/x',
        enabled: false,
      },
      needed: [
        { kind: 'variable', name: 'A' },
        { kind: 'variable', name: 'B' },
      ],
      remarks: [],
    });
    const url = 'https://h/mcp';
    const cases: readonly (readonly [
      auth: unknown,
      needed: readonly string[],
      entry: object,
    ])[] = [
      [
        { strategy: 'bearer', value: '*' },
        ['header X', 'token '],
        { headers: { X: '1' }, auth: '2' },
      ],
      [
        { strategy: 'api_key' },
        ['header X', 'token '],
        { headers: { X: '1' }, auth: '2' },
      ],
      [
        { strategy: 'api_key', header_name: 'Key' },
        ['header X', 'header Key'],
        { headers: { X: '1', Key: '2' } },
      ],
      [
        { strategy: 'basic', username: 'joe' },
        ['header X', 'password joe'],
        { headers: { X: '1', authorization: `Basic ${btoa('joe:2')}` } },
      ],
      [
        { strategy: 'header', headers: { K: '**********' } },
        ['header X', 'header K'],
        { headers: { X: '1', K: '2' } },
      ],
      [
        { strategy: 'oauth2' },
        ['header X'],
        { headers: { X: '1' }, auth: 'oauth' },
      ],
      [{ strategy: 'none' }, ['header X'], { headers: { X: '1' } }],
      [undefined, ['header X'], { headers: { X: '1' } }],
    ];
    for (const [auth, needed, entry] of cases) {
      const result = written({
        url,
        transport: 'http',
        headers: { X: '*' },
        auth,
      });
      assert.deepEqual(
        result.entry,
        { url, transport: 'http', ...entry },
        JSON.stringify(auth),
      );
      assert.deepEqual(
        result.needed.map(({ kind, name }) => `${kind} ${name}`),
        needed,
      );
      assert.deepEqual(result.remarks, []);
    }
  });

  it('lists what it leaves out and what the service does not reveal', () => {
    const url = 'https://h/mcp';
    const says = (record: unknown, tells = true) =>
      written(record, tells).remarks.join('\n');
    assert.match(
      says({ command: 'x' }, false),
      /does not report which variables/,
    );
    assert.match(says({ url }, false), /does not report which headers/);
    assert.match(
      says({ url, auth: { strategy: 'new\u202e' } }),
      /Its sign-in is left out.+: new/,
    );
    assert.match(
      says({
        url,
        auth: { strategy: 'oauth2', authentication: { client_id: 'x' } },
      }),
      /are left out/,
    );
    assert.match(says({ command: 'x', timeout: 1.5 }), /"timeout" is left out/);
    assert.match(
      says({ command: 'x', sse_read_timeout: 1 }),
      /"sse_read_timeout" is left out/,
    );
    assert.match(
      says({ url, cwd: '/x', keep_alive: true }),
      /"cwd" is left out.+\n"keep_alive" is left out/,
    );
    const none = written({});
    assert.deepEqual(
      [none.entry, none.remarks],
      [undefined, ['It has neither a command nor a URL.']],
    );
  });

  it('refuses to write a server while a secret is missing', () => {
    for (const record of [
      { command: 'x', env: { A: '*' } },
      { url: 'https://h', auth: { strategy: 'bearer' } },
    ]) {
      assert.throws(
        () => translateForFile(there(record)).server?.([]),
        /A secret is missing/,
      );
    }
  });
});

describe('the difference between a server at a service and in the file', () => {
  const difference = (fields: unknown, record: unknown, tells = true) =>
    differenceFromFile(entryOf(fields), there(record, 'a', tells)).join(', ');
  const url = 'https://h/mcp';

  it('lists the fields that differ, but never secrets that cannot be compared', () => {
    const local = { command: 'npx', args: ['x'], env: { A: 'canary', B: '' } };
    const same = { command: 'npx', args: ['x'], env: { A: '*' } };
    assert.equal(difference(local, same), '');
    assert.equal(difference({ ...local, enabled: false }, same), 'enabled');
    const off = (enabled: boolean) => ({
      ...local,
      tools: { delete_file: { enabled } },
    });
    assert.equal(difference(off(false), same), 'tools');
    assert.equal(difference(off(true), same), '');
    assert.equal(
      difference(local, { command: 'uvx', args: ['y'], env: { B: '*' } }),
      'command, arguments, variables',
    );
    assert.equal(difference(local, { command: 'npx', args: ['x'] }, false), '');
    assert.equal(difference(local, { url }), 'transport');
    assert.equal(difference(local, {}), 'transport');
    const remote = { url, headers: { X: 'canary' }, auth: 'canary' };
    const bearer = { strategy: 'bearer', value: '*' };
    assert.equal(
      difference(remote, { url, headers: { X: '*' }, auth: bearer }),
      '',
    );
    assert.equal(
      difference(remote, {
        url: `${url}/sse`,
        headers: { Y: '*' },
        auth: { strategy: 'oauth2' },
      }),
      'URL, transport, headers, sign-in',
    );
    assert.equal(
      difference({ url, auth: 'oauth' }, { url, auth: { strategy: 'oauth2' } }),
      '',
    );
    assert.equal(difference({ url }, { url, auth: { strategy: 'none' } }), '');
    assert.equal(
      difference(
        { url, headers: { Authorization: 'Basic x' } },
        { url, auth: { strategy: 'basic' } },
      ),
      '',
    );
  });

  it('sends only the changed fields', () => {
    assert.deepEqual(changeBody({ enabled: false }), { enabled: false });
    assert.deepEqual(
      changeBody({
        env: null,
        headers: new Map([['X', null]]),
        auth: { strategy: 'oauth2' },
      }),
      {
        env: null,
        headers: { X: null },
        auth: { strategy: 'oauth2' },
      },
    );
  });
});
