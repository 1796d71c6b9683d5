import assert from 'node:assert/strict';
import { configuredServices } from '../../../../src/editor/services/configuredServices.ts';

const first = 'https://agents.example.com';
const second = 'http://127.0.0.1:8000';

/** The addresses in the form that is shown and compared. */
function addresses(
  setting: readonly unknown[],
  environment: Readonly<Record<string, string>> = {},
) {
  return configuredServices(setting, environment).services.map(
    ({ address }) => address,
  );
}

function problems(
  setting: readonly unknown[],
  environment: Readonly<Record<string, string>> = {},
) {
  return configuredServices(setting, environment).problems.map(
    ({ message }) => message,
  );
}

describe('a service in the settings', () => {
  it('requires only an address', () => {
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

  it('keeps every field that is set, and the order of the list', () => {
    const [off, on] = configuredServices(
      [
        {
          name: ' Work ',
          url: first,
          authentication: 'bearer',
          interface: 'agentServer',
          enabled: false,
        },
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

  it('normalizes its address, however it is typed', () => {
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

  it('counts as one service at localhost and at 127.0.0.1', () => {
    const entries = [{ url: second }, { url: 'http://localhost:8000' }];
    assert.deepEqual(addresses(entries), [second]);
    assert.match(problems(entries).join(), /^Service 2 .* is there twice/);
    const environment = { SWITCHBOARD_SERVICE_URL: 'localhost:8000' };
    assert.deepEqual(addresses([{ url: second }], environment), [second]);
  });

  it('uses its host and port as the name if it has none', () => {
    for (const name of [undefined, '', '  ', 7, null]) {
      assert.equal(
        configuredServices([{ url: second, name }], {}).services[0]?.name,
        '127.0.0.1:8000',
      );
    }
  });

  it('uses the default for a field that is null', () => {
    const entry = {
      url: first,
      name: null,
      authentication: null,
      interface: null,
      enabled: null,
    };
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
    it(`skips and reports an invalid service: ${what}`, () => {
      const setting = [{ url: first }, entry, { url: `${second}/last` }];
      assert.deepEqual(addresses(setting), [first, `${second}/last`]);
      assert.deepEqual(problems(setting), [
        `Service 2 of the setting "switchboard.services" cannot be used: ${why}`,
      ]);
      assert.equal(
        configuredServices(setting, {}).problems[0]?.setting,
        'switchboard.services',
      );
    });
  }

  it('skips and reports a second service with the same address', () => {
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

  it('counts as another service if its path or port differs', () => {
    const setting = [
      { url: first },
      { url: `${first}/team` },
      { url: `${first}:8443` },
    ];
    assert.equal(addresses(setting).length, 3);
  });
});

describe('the service from the environment', () => {
  const key = { SWITCHBOARD_API_KEY: 'canary' };

  it('appears without any setting, and leaves its key out of the list', () => {
    const { services, problems } = configuredServices([], {
      SWITCHBOARD_SERVICE_URL: `${second}/ `,
      ...key,
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(
      services.map(({ address, fromEnvironment }) => [
        address,
        fromEnvironment,
      ]),
      [[second, true]],
    );
    assert.ok(!JSON.stringify(services).includes('canary'));
  });

  it('joins the services in the settings, and is the only one marked as from the environment', () => {
    const { services } = configuredServices([{ url: first }], {
      SWITCHBOARD_SERVICE_URL: second,
      ...key,
    });
    assert.deepEqual(
      services.map(({ address, fromEnvironment }) => [
        address,
        fromEnvironment,
      ]),
      [
        [first, false],
        [second, true],
      ],
    );
  });

  it('merges with the service in the settings at the same address, and takes its name', () => {
    const setting = [{ url: first }, { name: 'Mine', url: second }];
    const { services } = configuredServices(setting, {
      SWITCHBOARD_SERVICE_URL: '127.0.0.1:8000',
    });
    assert.deepEqual(
      services.map(({ name, fromEnvironment }) => [name, fromEnvironment]),
      [
        ['agents.example.com', false],
        ['Mine', true],
      ],
    );
  });

  it('reports an invalid address, and keeps the services in the settings', () => {
    const environment = {
      SWITCHBOARD_SERVICE_URL: 'ftp://agents.example.com',
      ...key,
    };
    assert.deepEqual(addresses([{ url: first }], environment), [first]);
    assert.deepEqual(problems([{ url: first }], environment), [
      'The environment variable SWITCHBOARD_SERVICE_URL cannot be used: "ftp://" is not supported. The address of a service starts with https:// or http://.',
    ]);
  });

  it('does not exist without an address, even with a key', () => {
    assert.deepEqual(configuredServices([], key), {
      services: [],
      problems: [],
    });
    assert.deepEqual(
      configuredServices([], { SWITCHBOARD_SERVICE_URL: '  ', ...key })
        .services,
      [],
    );
    assert.equal(
      configuredServices([{ url: first }], key).services[0]?.fromEnvironment,
      false,
    );
  });
});
