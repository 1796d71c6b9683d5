import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { Secret } from '../../src/base/secret.ts';
import type { ServiceSetting } from '../../src/editor/manifest.ts';
import { Apart } from './apart.ts';
import { Desk, key } from './desk.ts';
import { type Anything, replace } from './person.ts';
import { type NamedDemo, serveSeveral } from './severalServices.ts';
import { until } from '../support/eventually.ts';

describe('the services setting', () => {
  let desk: Desk;
  let a: NamedDemo;
  let b: NamedDemo;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    [a, b] = await serveSeveral(desk, {}, {});
  });

  afterEach(async () => {
    await desk.clear();
  });

  async function look(...services: readonly ServiceSetting[]): Promise<void> {
    await desk.connectTo(...services);
    await desk.open();
    await desk.loaded();
  }

  const rowsOf = (name: string) =>
    desk.rows().filter((row) => row.split(' · ').includes(name)).length;

  /**
   * Fails unless the first service stayed connected with its rows, and was
   * asked for nothing.
   */
  async function leavesFirstAlone(
    change: () => Promise<unknown>,
  ): Promise<void> {
    const { requestCount } = a;
    const before = desk.switchboard.service(a.url);
    const rows = before?.conversations.rows;
    await change();
    assert.equal(desk.switchboard.service(a.url), before);
    assert.equal(before?.conversations.rows, rows);
    assert.equal(rows?.size, 20);
    assert.equal(a.requestCount, requestCount);
  }

  it('keeps the lists of other services when an entry is added, changed or removed', async () => {
    await look(a.setting);
    await leavesFirstAlone(async () => {
      await desk.connectTo(a.setting, b.setting);
      await desk.loaded(b.url);
    });
    await leavesFirstAlone(async () => {
      const before = desk.switchboard.service(b.url);
      await desk.connectTo(a.setting, { ...b.setting, interface: 'v1' });
      await until(() => desk.switchboard.service(b.url) !== before);
      await desk.loaded(b.url);
      assert.equal(
        desk.switchboard.service(b.url)?.client.service?.interface,
        'v1',
      );
    });
    await leavesFirstAlone(() => desk.connectTo(a.setting));
    assert.equal(desk.rows().at(-1), 'Load More · 20 loaded');
  });

  it('reports invalid entries, connects the others, and keeps invalid entries as written', async () => {
    const wrong = [
      { url: 'ftp://agents.example.com' },
      'text',
      { name: 'No address' },
    ];
    await desk.configure({
      services: [a.setting, ...(wrong as ServiceSetting[]), b.setting],
    });
    await desk.open();
    await until(() => desk.switchboard.services.length === 2);
    await desk.loaded();
    assert.equal(rowsOf('Alpha') + rowsOf('Beta'), 40);
    const [message, ...others] = await until(
      () => desk.person.heard,
      (heard) => heard.length > 0,
    );
    assert.match(
      message ?? '',
      /^Service 2 of the setting "switchboard\.services" cannot be used: "ftp:/,
    );
    assert.deepEqual(others, []);
    const log = desk.log.join('\n');
    for (const index of [2, 3, 4])
      assert.ok(log.includes(`Service ${index} of the setting`), log);
    // Invalid entries stay as they were written.
    await desk.run('switchboard.disconnect', b.url);
    assert.deepEqual(desk.services(), [a.setting, ...wrong]);
  });

  it('accepts a key and changes a service although another entry is invalid', async () => {
    const wrong = { url: 'ftp://agents.example.com' };
    await desk.keys.clear(b.url);
    await desk.configure({ services: [a.setting, wrong, b.setting] });
    await desk.open();
    await until(() => desk.switchboard.service(b.url)?.refused);
    desk.person.forget();
    desk.person.answers.push(b.key);
    await desk.run('switchboard.setApiKey', b.url);
    desk.person.answers.push('$(edit) Rename…', 'Second');
    await desk.run('switchboard.manageServices', b.url);
    await desk.loaded(b.url);
    assert.equal(rowsOf('Second'), 20);
    const [message, ...others] = await until(
      () => desk.person.heard,
      (heard) => heard.length > 0,
    );
    assert.match(message ?? '', /^Service 2 of the setting/);
    assert.deepEqual(others, []);
  });

  it('uses a key that another window has stored, and none that it has removed', async () => {
    await look(a.setting, b.setting);
    await desk.keys.clear(b.url);
    await until(() => desk.switchboard.service(b.url)?.refused);
    await desk.keys.set(b.url, new Secret(b.key));
    await desk.loaded(b.url);
    assert.equal(rowsOf('Beta'), 20);
  });

  it('connects a duplicate address once, by its first entry, and reports the duplicate', async () => {
    await desk.configure({
      services: [a.setting, { name: 'Again', url: `${a.url}/` }],
    });
    await desk.open();
    await desk.loaded();
    assert.equal(desk.service.name, 'Alpha');
    assert.equal(
      a.requests.filter(({ path }) => path === '/api/conversations').length,
      1,
    );
    const message = await until(() => desk.person.heard.at(0));
    assert.match(
      message,
      /^Service 2 .* is there twice\. Remove one of them\.$/,
    );
  });

  it('renames a service in all rows without a request', async () => {
    await look(a.setting, b.setting);
    const { requestCount } = b;
    await leavesFirstAlone(async () => {
      desk.person.answers.push('$(edit) Rename…', 'Second');
      await desk.run('switchboard.manageServices', b.url);
      assert.deepEqual([rowsOf('Beta'), rowsOf('Second')], [0, 20]);
      // Entries by hand work too; without a name, one is called after its host.
      await desk.configure({ services: [a.setting, { url: b.url }] });
      await until(() => rowsOf(new URL(b.url).host) === 20);
    });
    assert.equal(b.requestCount, requestCount);
  });

  it('keeps a service that is turned off and sends it no request until it is turned on', async () => {
    await look(a.setting, { ...b.setting, enabled: false });
    await desk.run('switchboard.conversations.refresh');
    assert.deepEqual([b.requestCount, rowsOf('Alpha')], [0, 0]);
    desk.person.answers.push('Beta', '$(plug) Turn On');
    await desk.run('switchboard.manageServices');
    await desk.loaded();
    assert.equal(rowsOf('Beta'), 20);
    assert.deepEqual(desk.services(), [a.setting, b.setting]);
    const { requestCount } = b;
    await leavesFirstAlone(async () => {
      desk.person.answers.push('$(debug-disconnect) Turn Off');
      await desk.run('switchboard.manageServices', b.url);
    });
    assert.equal(desk.service.address, a.url);
    assert.equal(b.requestCount, requestCount);
    assert.deepEqual(desk.services(), [
      a.setting,
      { ...b.setting, enabled: false },
    ]);
  });

  it('shows the view of sandboxes from the start of the next window, and never hides it meanwhile', async () => {
    const [withSandboxes] = await serveSeveral(desk, { key });
    await look(withSandboxes.setting);
    const shown: unknown[] = [];
    const execute = commands.executeCommand.bind(commands) as Anything;
    const restore = replace(commands, 'executeCommand', (...given) => {
      const [id, name, value] = given;
      if (id === 'setContext' && name === 'switchboard.hasSandboxes')
        shown.push(value);
      return execute(...given);
    });
    const memory = new Map<string, unknown>();
    try {
      for (const expected of [[true], [true, true]]) {
        shown.length = 0;
        const apart = new Apart(memory);
        const { switchboard } = await apart.insight;
        await until(() => switchboard.conversations.rows.size === 20);
        assert.deepEqual(shown, expected);
        await apart.deactivate();
      }
    } finally {
      restore();
    }
  });

  it('removes a service but keeps its key, and restores its position on Undo', async () => {
    await look(a.setting, b.setting);
    desk.person.answers.push('Alpha');
    await desk.run('switchboard.disconnect');
    assert.equal(desk.service.address, b.url);
    assert.deepEqual(desk.services(), [b.setting]);
    assert.deepEqual(desk.person.heard, ['Removed Alpha. Its key is kept.']);
    assert.equal((await desk.keys.get(a.url))?.reveal(), a.key);

    await look(a.setting, b.setting);
    desk.person.presses.add('Undo');
    desk.person.answers.push('Alpha', '$(trash) Remove');
    await desk.run('switchboard.manageServices');
    await until(() => desk.switchboard.services.length === 2);
    await desk.loaded();
    assert.deepEqual(desk.services(), [a.setting, b.setting]);
    assert.equal(rowsOf('Alpha'), 20);
  });

  it('accepts a new key for a service whose entry names the interface', async () => {
    // The interface could not be found out.
    a.misbehave({ errorStatus: 500, only: '/api/conversations' });
    await desk.keys.clear(a.url);
    await desk.connectTo({ ...a.setting, interface: 'v1' });
    await desk.open();
    await until(() => desk.service.refused);
    desk.person.answers.push(a.key);
    await desk.run('switchboard.setApiKey');
    await desk.loaded();
    assert.equal(desk.service.conversations.rows.size, 20);
  });
});

describe('the environment', () => {
  let desk: Desk;
  const names = ['SWITCHBOARD_SERVICE_URL', 'SWITCHBOARD_API_KEY'] as const;
  const before = names.map((name) => process.env[name]);

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
  });

  afterEach(async () => {
    setEnvironment(...before);
    await desk.clear();
  });

  function setEnvironment(...values: readonly (string | undefined)[]): void {
    for (const [index, name] of names.entries()) {
      const value = values[index];
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }

  it('connects its service with its key and no question, and explains where to change them', async () => {
    const given = await desk.serve({ key: 'key-of-the-environment' });
    const mine = await desk.connect({ seed: 2 });
    setEnvironment(given.url, given.key);
    const apart = new Apart();
    try {
      const { switchboard } = await apart.insight;
      await until(() => switchboard.conversations.rows.size === 40);
      assert.ok(mine.requestCount > 0);
      assert.ok(
        given.requests.every(
          ({ headers }) => headers['x-session-api-key'] === given.key,
        ),
      );
      assert.deepEqual(desk.person.heard, []);
      assert.deepEqual(desk.person.offered, []);
      // It is not in the settings, so it cannot be changed there.
      await apart.run('switchboard.disconnect', given.url);
      await apart.run('switchboard.clearApiKey', given.url);
      const { host } = new URL(given.url);
      assert.deepEqual(
        await until(
          () => desk.person.heard,
          (heard) => heard.length === 2,
        ),
        [
          `${host} comes from the environment variable SWITCHBOARD_SERVICE_URL. Remove it there, and start VS Code again.`,
          `The key of ${host} comes from the environment variable SWITCHBOARD_API_KEY. Change it there.`,
        ],
      );
      assert.equal(switchboard.services.length, 2);
      assert.deepEqual(desk.services(), [{ url: mine.url }]);
    } finally {
      await apart.deactivate();
    }
  });

  it('sends a key without an address to no service and logs that it is ignored', async () => {
    const mine = await desk.connect();
    setEnvironment(undefined, 'key-without-an-address');
    const apart = new Apart();
    try {
      const { switchboard } = await apart.insight;
      await until(() => switchboard.conversations.rows.size === 20);
      assert.ok(
        !JSON.stringify(mine.requests).includes('key-without-an-address'),
      );
      const warning =
        'SWITCHBOARD_API_KEY is ignored, because SWITCHBOARD_SERVICE_URL does not say which service it is for.';
      assert.equal(desk.log.filter((line) => line === warning).length, 1);
    } finally {
      await apart.deactivate();
    }
  });
});
