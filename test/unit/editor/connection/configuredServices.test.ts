import assert from 'node:assert/strict';
import { configuredServices } from '../../../../src/editor/connection/configuredServices.ts';

const first = 'https://agents.example.com';
const second = 'http://127.0.0.1:8000';

/** As they are shown and compared. */
function addresses(setting: readonly unknown[], environment: Readonly<Record<string, string>> = {}) {
  return configuredServices(setting, environment).services.map(({ address }) => address);
}

function problems(setting: readonly unknown[], environment: Readonly<Record<string, string>> = {}) {
  return configuredServices(setting, environment).problems.map(({ message }) => message);
}

describe('the services of the settings', () => {
  it('need nothing but an address', () => {
    const { services, problems } = configuredServices([{ url: first }], {});
    assert.deepEqual(problems, []);
    assert.deepEqual(services, [
      {
        name: 'agents.example.com',
        url: new URL(first),
        address: first,
        authentication: 'sessionKey',
        interface: 'auto',
        enabled: true,
        fromEnvironment: false,
      },
    ]);
  });

  it('are taken with everything that is set, in their order', () => {
    const [off, on] = configuredServices(
      [
        { name: ' Work ', url: first, authentication: 'bearer', interface: 'agentServer', enabled: false },
        { url: second },
      ],
      {},
    ).services;
    assert.equal(off?.name, 'Work');
    assert.equal(off.authentication, 'bearer');
    assert.equal(off.interface, 'agentServer');
    assert.equal(off.enabled, false);
    assert.equal(on?.address, second);
  });

  it('have one address each, however it is typed', () => {
    for (const typed of [
      ` ${first}/ `,
      'agents.example.com',
      `${first}?a=b#c`,
      'HTTPS://AGENTS.example.com',
    ]) {
      assert.deepEqual(addresses([{ url: typed }]), [first], typed);
    }
    assert.deepEqual(addresses([{ url: '127.0.0.1:8000/' }]), [second]);
  });

  it('are called after their host and port where they have no name', () => {
    for (const name of [undefined, '', '  ', 7, null]) {
      assert.equal(configuredServices([{ url: second, name }], {}).services[0]?.name, '127.0.0.1:8000');
    }
  });

  it('are the usual where a field is null, as editors of JSON leave it', () => {
    const entry = { url: first, name: null, authentication: null, interface: null, enabled: null };
    const [service] = configuredServices([entry], {}).services;
    assert.deepEqual(
      [service?.authentication, service?.interface, service?.enabled],
      ['sessionKey', 'auto', true],
    );
  });

  for (const [what, entry, why] of [
    ['nothing', null, 'It has no "url".'],
    ['a text', first, 'It has no "url".'],
    ['a list', [first], 'It has no "url".'],
    ['no address', { name: 'Mine' }, 'It has no "url".'],
    ['an empty address', { url: ' ' }, 'It has no "url".'],
    ['an address that is a number', { url: 8000 }, 'It has no "url".'],
    [
      'another scheme',
      { url: 'ftp://agents.example.com' },
      '"ftp://" is not supported. The address of a service starts with https:// or http://.',
    ],
    [
      'a password in the address',
      { url: 'https://me:canary@agents.example.com' },
      'The address contains a user name or a password. Remove them: you are asked for the key separately.',
    ],
    [
      'an unknown way to send the key',
      { url: second, authentication: 'basic' },
      'Its "authentication" must be one of "sessionKey", "bearer", "accessToken", "none".',
    ],
    [
      'an unknown interface',
      { url: second, interface: 'v2' },
      'Its "interface" must be one of "auto", "v0", "v1", "agentServer".',
    ],
  ] as const) {
    it(`are used without one that is wrong, and that is told: ${what}`, () => {
      const setting = [{ url: first }, entry, { url: `${second}/last` }];
      assert.deepEqual(addresses(setting), [first, `${second}/last`]);
      assert.deepEqual(problems(setting), [
        `Service 2 of the setting "switchboard.services" cannot be used: ${why}`,
      ]);
      assert.equal(configuredServices(setting, {}).problems[0]?.setting, 'switchboard.services');
    });
  }

  it('are each there once: the second of the same address is told and left out', () => {
    const setting = [
      { name: 'One', url: first },
      { name: 'Two', url: `${first}/` },
    ];
    assert.deepEqual(
      configuredServices(setting, {}).services.map(({ name }) => name),
      ['One'],
    );
    assert.deepEqual(problems(setting), [
      `Service 2 of the setting "switchboard.services" cannot be used: ${first} is there twice. Remove one of them.`,
    ]);
  });

  it('are told apart by their paths and ports', () => {
    const setting = [{ url: first }, { url: `${first}/team` }, { url: `${first}:8443` }];
    assert.equal(addresses(setting).length, 3);
  });
});

describe('the service of the environment', () => {
  const key = { SWITCHBOARD_API_KEY: 'canary' };

  it('is there without a setting, and gets the key of the environment', () => {
    const { services, problems } = configuredServices([], { SWITCHBOARD_SERVICE_URL: `${second}/ `, ...key });
    assert.deepEqual(problems, []);
    assert.deepEqual(
      services.map(({ address, fromEnvironment }) => [address, fromEnvironment]),
      [[second, true]],
    );
    assert.ok(!JSON.stringify(services).includes('canary'));
  });

  it('comes beside those of the settings, which do not get its key', () => {
    const { services } = configuredServices([{ url: first }], { SWITCHBOARD_SERVICE_URL: second, ...key });
    assert.deepEqual(
      services.map(({ address, fromEnvironment }) => [address, fromEnvironment]),
      [
        [first, false],
        [second, true],
      ],
    );
  });

  it('is the one of the settings with the same address, with its name', () => {
    const setting = [{ url: first }, { name: 'Mine', url: second }];
    const { services } = configuredServices(setting, { SWITCHBOARD_SERVICE_URL: '127.0.0.1:8000' });
    assert.deepEqual(
      services.map(({ name, fromEnvironment }) => [name, fromEnvironment]),
      [
        ['agents.example.com', false],
        ['Mine', true],
      ],
    );
  });

  it('is told if its address is wrong, and costs the others nothing', () => {
    const environment = { SWITCHBOARD_SERVICE_URL: 'ftp://agents.example.com', ...key };
    assert.deepEqual(addresses([{ url: first }], environment), [first]);
    assert.deepEqual(problems([{ url: first }], environment), [
      'The environment variable SWITCHBOARD_SERVICE_URL cannot be used: "ftp://" is not supported. The address of a service starts with https:// or http://.',
    ]);
  });

  it('is none where there is no address: a key alone leads nowhere', () => {
    assert.deepEqual(configuredServices([], key), { services: [], problems: [] });
    assert.deepEqual(configuredServices([], { SWITCHBOARD_SERVICE_URL: '  ', ...key }).services, []);
    assert.equal(configuredServices([{ url: first }], key).services[0]?.fromEnvironment, false);
  });
});
