import assert from 'node:assert/strict';
import {
  idKey,
  runtimeStatuses,
  sameId,
  startStages,
} from '../../../../src/service/model/entities.ts';
import {
  readConversationV0,
  readConversationV1,
} from '../../../../src/service/records/conversationRecord.ts';
import { readStartTask } from '../../../../src/service/v1/creation.ts';
import {
  readSandbox,
  readSandboxSpec,
} from '../../../../src/service/v1/sandboxes.ts';
import { reachableText } from '../../../support/reachable.ts';

/** Text as an attacker would write it, and as it is shown. */
const hostile = 'a\nb\u202Ec\u001B[31md\u0000  e';
const harmless = 'a b c [31md e';

/** Has the clock show the local time of this zone. */
function inZone(zone: string, check: () => void): void {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    assert.notEqual(
      new Date(2025, 11, 2).getTimezoneOffset(),
      0,
      'The zone has no effect.',
    );
    check();
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
}

const whole = {
  conversation_id: '5f0c0f6a9f4e4c0db7a7a3a0e3b1c2d4',
  title: 'Fix the login page',
  last_updated_at: '2025-12-02T18:14:00+01:00',
  status: 'RUNNING',
  runtime_status: 'STATUS$READY',
  selected_repository: 'octo/shop',
  selected_branch: 'main',
  git_provider: 'code_host_a',
  trigger: 'gui',
  num_connections: 2,
  url: 'https://agents.example.com/conversations/5f0c',
  session_api_key: 'canary-session',
  created_at: '2025-12-02T17:14:00.477056',
  pr_number: [7, 12],
};

describe('a V0 conversation', () => {
  it('reads every documented field of a V0 conversation', () => {
    const { link, ...rest } = readConversationV0(whole) ?? assert.fail();
    assert.deepEqual(rest, {
      id: '5f0c0f6a9f4e4c0db7a7a3a0e3b1c2d4',
      service: '',
      title: 'Fix the login page',
      status: 'running',
      runtime: 'ready',
      execution: undefined,
      sandboxId: undefined,
      repository: 'octo/shop',
      branch: 'main',
      provider: 'code_host_a',
      trigger: 'gui',
      pullRequests: [7, 12],
      connections: 2,
      model: undefined,
      folder: undefined,
      cost: undefined,
      limit: undefined,
      tokens: undefined,
      tags: [],
      parentId: undefined,
      createdAt: Date.UTC(2025, 11, 2, 17, 14, 0, 477),
      updatedAt: Date.UTC(2025, 11, 2, 17, 14),
    });
    assert.equal(
      link?.full.reveal(),
      'https://agents.example.com/conversations/5f0c',
    );
  });

  it('gets the documented defaults when fields are missing or null', () => {
    const bare = readConversationV0({ conversation_id: 'a', title: 't' });
    assert.equal(bare?.status, 'stopped');
    assert.equal(bare.connections, 0);
    assert.deepEqual(bare.pullRequests, []);
    assert.deepEqual(
      readConversationV0(
        Object.fromEntries(
          Object.keys(whole).map((key) => [
            key,
            key === 'conversation_id' ? 'a' : null,
          ]),
        ),
      ),
      { ...bare, title: '' },
    );
  });

  it('translates every documented state and keeps unknown ones', () => {
    for (const status of [
      'STARTING',
      'RUNNING',
      'STOPPED',
      'ARCHIVED',
      'ERROR',
    ]) {
      assert.equal(
        readConversationV0({ ...whole, status })?.status,
        status.toLowerCase(),
      );
    }
    assert.equal(
      readConversationV0({ ...whole, status: 'DREAMING' })?.status,
      'DREAMING',
    );
    assert.equal(
      readConversationV0({ ...whole, trigger: 'slack' })?.trigger,
      'slack',
    );
    assert.equal(
      readConversationV0({ ...whole, git_provider: 'github' })?.provider,
      'github',
    );

    const codes = [
      'STATUS$STOPPED',
      'STATUS$BUILDING_RUNTIME',
      'STATUS$STARTING_RUNTIME',
      'STATUS$RUNTIME_STARTED',
      'STATUS$SETTING_UP_WORKSPACE',
      'STATUS$SETTING_UP_GIT_HOOKS',
      'STATUS$READY',
      'STATUS$ERROR',
      'STATUS$ERROR_RUNTIME_DISCONNECTED',
      'STATUS$ERROR_LLM_AUTHENTICATION',
      'STATUS$ERROR_LLM_SERVICE_UNAVAILABLE',
      'STATUS$ERROR_LLM_INTERNAL_SERVER_ERROR',
      'STATUS$ERROR_LLM_OUT_OF_CREDITS',
      'STATUS$ERROR_LLM_CONTENT_POLICY_VIOLATION',
      'CHAT_INTERFACE$AGENT_RATE_LIMITED_STOPPED_MESSAGE',
      'STATUS$GIT_PROVIDER_AUTHENTICATION_ERROR',
      'STATUS$LLM_RETRY',
      'STATUS$ERROR_MEMORY',
    ];
    const words = codes.map(
      (runtime_status) =>
        readConversationV0({ ...whole, runtime_status })?.runtime,
    );
    assert.deepEqual([...words].sort(), [...runtimeStatuses].sort());
    assert.equal(
      readConversationV0({ ...whole, runtime_status: 'constructor' })?.runtime,
      'constructor',
    );
  });

  it('removes control characters from every text of a V0 conversation', () => {
    const names = [
      'title',
      'status',
      'runtime_status',
      'selected_repository',
      'selected_branch',
      'git_provider',
      'trigger',
    ];
    const record = Object.fromEntries(names.map((name) => [name, hostile]));
    const { title, status, runtime, repository, branch, provider, trigger } =
      readConversationV0({ ...whole, ...record }) ?? assert.fail();
    const shown = [
      title,
      status,
      runtime,
      repository,
      branch,
      provider,
      trigger,
    ];
    assert.deepEqual(
      shown,
      names.map(() => harmless),
    );
  });

  for (const zone of ['America/New_York', 'Asia/Kolkata']) {
    it(`reads V0 dates without a time zone as UTC, even in ${zone}`, () => {
      inZone(zone, () => {
        const created_at = '2025-12-02T17:14:00.477056';
        const read = readConversationV0({
          ...whole,
          created_at,
          last_updated_at: '2025-12-02 18:14:00',
        });
        assert.equal(read?.createdAt, Date.UTC(2025, 11, 2, 17, 14, 0, 477));
        assert.equal(read.updatedAt, Date.UTC(2025, 11, 2, 18, 14));
      });
    });
  }

  it('ignores fields of the wrong type and keeps the others', () => {
    const odd = readConversationV0({
      ...whole,
      title: 5,
      status: {},
      pr_number: 'x',
      created_at: 'soon',
      url: 7,
    });
    assert.deepEqual(
      { ...odd, runtime: undefined, repository: undefined, branch: undefined },
      {
        ...readConversationV0(whole),
        title: '',
        status: 'stopped',
        pullRequests: [],
        createdAt: undefined,
        link: undefined,
        runtime: undefined,
        repository: undefined,
        branch: undefined,
      },
    );
  });

  it('rejects a record without an ID', () => {
    for (const record of [
      {},
      { ...whole, conversation_id: 7 },
      { ...whole, conversation_id: '' },
      null,
      'x',
      [],
      1,
    ]) {
      assert.equal(readConversationV0(record), undefined);
    }
  });

  it('drops a link that is unsafe to open', () => {
    for (const url of [
      'javascript:alert(1)',
      'command:workbench.action.quit',
      'file:///etc/passwd',
      'vscode://x/y',
      'https://me:canary@example.com/',
      'https://me@example.com/',
      'https://:canary@example.com/',
      'https://:canary@example.com/ä',
      '/relative',
      'no url',
    ]) {
      assert.equal(readConversationV0({ ...whole, url })?.link, undefined, url);
    }
  });

  it('shows a link without its query, however the URL is written', () => {
    for (const [url, shown] of [
      [
        'https://agents.example.com/a?tkn=canary',
        'https://agents.example.com/a',
      ],
      ['https://agents.example.com/a#canary', 'https://agents.example.com/a'],
      ['https://agents.example.com?tkn=canary', 'https://agents.example.com/'],
      [
        'HTTPS://Agents.example.com/a?tkn=canary#canary',
        'https://agents.example.com/a',
      ],
      [
        'https://agents.example.com/a b?tkn=canary',
        'https://agents.example.com/a%20b',
      ],
      [
        'https://agents.example.com/ä?tkn=canary',
        'https://agents.example.com/%C3%A4',
      ],
      [
        'https://agents.example.com/a?tkn=canary ä',
        'https://agents.example.com/a',
      ],
      ['https://[::1]:8443/a?tkn=canary', 'https://[::1]:8443/a'],
    ] as const) {
      const { link } = readConversationV0({ ...whole, url }) ?? assert.fail();
      assert.equal(link?.shown, shown);
      assert.match(link.full.reveal(), /canary/);
      assert.doesNotMatch(reachableText(link), /canary/);
    }
  });

  it('shortens its title to one line of at most 500 characters', () => {
    const title =
      readConversationV0({
        ...whole,
        title: `a\nb\u202e${'x'.repeat(1_000_000)}`,
      })?.title ?? '';
    assert.match(title, /^a b x+…$/);
    assert.equal(title.length, 500);
  });
});

describe('a V1 conversation', () => {
  const record = {
    id: '5f0c0f6a-9f4e-4c0d-b7a7-a3a0e3b1c2d4',
    title: 'Fix the login page',
    sandbox_id: 'sandbox-1',
    sandbox_status: 'PAUSED',
    execution_status: 'waiting_for_confirmation',
    selected_repository: 'octo/shop',
    selected_branch: null,
    git_provider: 'code_host_b',
    trigger: null,
    pr_number: [],
    llm_model: 'model-1',
    metrics: {
      accumulated_cost: 0.25,
      accumulated_token_usage: {
        prompt_tokens: 300,
        completion_tokens: 60,
        reasoning_tokens: 5,
      },
    },
    tags: { team: 'web', urgent: '' },
    parent_conversation_id: 'parent-1',
    conversation_url: 'https://agents.example.com/x?tkn=canary-token',
    session_api_key: 'canary-session',
    created_at: '2025-12-02T17:14:00Z',
    updated_at: null,
  };

  it('reads the same fields as a V0 conversation', () => {
    const { link, ...rest } = readConversationV1(record) ?? assert.fail();
    assert.deepEqual(rest, {
      id: record.id,
      service: '',
      title: 'Fix the login page',
      status: 'stopped',
      runtime: undefined,
      execution: 'waitingForConfirmation',
      sandboxId: 'sandbox-1',
      repository: 'octo/shop',
      branch: undefined,
      provider: 'code_host_b',
      trigger: undefined,
      pullRequests: [],
      connections: 0,
      model: 'model-1',
      folder: undefined,
      cost: 0.25,
      limit: undefined,
      tokens: { read: 300, written: 60 },
      tags: ['team: web', 'urgent'],
      isPinned: false,
      isArchived: false,
      parentId: 'parent-1',
      createdAt: Date.UTC(2025, 11, 2, 17, 14),
      updatedAt: undefined,
    });
    assert.equal(link?.shown, 'https://agents.example.com/x');
  });

  it('removes control characters from every text of a V1 conversation', () => {
    const names = [
      'title',
      'sandbox_status',
      'execution_status',
      'sandbox_id',
      'selected_repository',
      'selected_branch',
      'git_provider',
      'trigger',
      'llm_model',
    ];
    const {
      title,
      status,
      execution,
      sandboxId,
      repository,
      branch,
      provider,
      trigger,
      model,
    } =
      readConversationV1({
        ...record,
        ...Object.fromEntries(names.map((name) => [name, hostile])),
      }) ?? assert.fail();
    assert.deepEqual(
      [
        title,
        status,
        execution,
        sandboxId,
        repository,
        branch,
        provider,
        trigger,
        model,
      ],
      names.map(() => harmless),
    );
  });

  for (const zone of ['America/New_York', 'Asia/Kolkata']) {
    it(`reads V1 dates without a time zone as UTC, even in ${zone}`, () => {
      inZone(zone, () => {
        const read = readConversationV1({
          ...record,
          created_at: '2025-12-02T17:14:00.477056',
          updated_at: '2025-12-02T18:14:00',
        });
        assert.equal(read?.createdAt, Date.UTC(2025, 11, 2, 17, 14, 0, 477));
        assert.equal(read.updatedAt, Date.UTC(2025, 11, 2, 18, 14));
      });
    });
  }

  it('translates every sandbox status and keeps every execution status', () => {
    const states = {
      STARTING: 'starting',
      RUNNING: 'running',
      PAUSED: 'stopped',
      ERROR: 'error',
      MISSING: 'archived',
      UNKNOWN: 'unknown',
    };
    for (const [sandbox_status, status] of Object.entries(states)) {
      assert.equal(
        readConversationV1({ ...record, sandbox_status })?.status,
        status,
      );
    }
    for (const execution of [
      'idle',
      'running',
      'paused',
      'finished',
      'error',
      'stuck',
      'deleting',
      'dreaming',
    ]) {
      assert.equal(
        readConversationV1({ ...record, execution_status: execution })
          ?.execution,
        execution,
      );
    }
    assert.equal(
      readConversationV1({ ...record, execution_status: null })?.execution,
      undefined,
    );
  });

  it('counts as lost when its running sandbox does not know it after a minute', () => {
    const source = (age: number) => ({
      service: '',
      secrets: [],
      now: Date.UTC(2025, 11, 2, 17, 14) + age,
    });
    const read = (change: object, age = 60_000) =>
      readConversationV1(
        {
          ...record,
          sandbox_status: 'RUNNING',
          execution_status: null,
          ...change,
        },
        source(age),
      )?.execution;
    assert.equal(read({}), 'lost');
    assert.equal(read({}, 59_000), undefined);
    assert.equal(read({ execution_status: undefined }), undefined);
    assert.equal(read({ execution_status: 'idle' }), 'idle');
    assert.equal(read({ sandbox_status: 'PAUSED' }), undefined);
  });

  it('drops the secrets of a V1 conversation', () => {
    const read = readConversationV1(record);
    assert.doesNotMatch(reachableText(read) + JSON.stringify(read), /canary/);
  });
});

describe('the page of a conversation', () => {
  const source = {
    service: '',
    secrets: [],
    address: new URL('https://agents.example.com/base'),
  };
  const pageV0 = (url: string) =>
    readConversationV0({ ...whole, url }, source)?.link?.shown;
  const pageV1 = (conversation_url: string) =>
    readConversationV1({ id: 'a', conversation_url }, source)?.link?.shown;

  it('never points to an API address', () => {
    for (const url of [
      'http://localhost:8000/api/conversations/5f0c',
      'https://agents.example.com/api/conversations/5f0c?tkn=x',
      'https://agents.example.com/base/API/v1/app-conversations/5f0c',
      'https://ägents.example.com/api/conversations/5f0c',
      '/api/conversations/5f0c',
    ]) {
      assert.equal(pageV0(url), undefined, url);
      assert.equal(pageV1(url), undefined, url);
    }
  });

  it('points to the page that the service names, even without an origin', () => {
    for (const [url, shown] of [
      [
        'https://agents.example.com/conversations/api',
        'https://agents.example.com/conversations/api',
      ],
      [
        'https://api.example.com/conversations/5f0c',
        'https://api.example.com/conversations/5f0c',
      ],
      [
        '/conversations/5f0c?tkn=x',
        'https://agents.example.com/conversations/5f0c',
      ],
    ] as const) {
      assert.equal(pageV0(url), shown);
      assert.equal(pageV1(url), shown);
    }
    for (const url of [
      '//elsewhere.example.com/x',
      'conversations/5f0c',
      '/' + 'x'.repeat(10_000),
    ])
      assert.equal(pageV0(url), undefined);
  });
});

describe('a placeholder title', () => {
  it('counts as empty if it only repeats an ID, such as "Conversation 224e6"', () => {
    for (const title of [
      'Conversation 224e6',
      'conversation 224E6',
      'Conversation 5f0c0f6a9f4e4c0db7a7a3a0e3b1c2d4',
      'Conversation 5f0c0f6a-9f4e-4c0d-b7a7-a3a0e3b1c2d4',
    ])
      assert.equal(readConversationV0({ ...whole, title })?.title, '', title);
    for (const title of [
      'Conversation 224e',
      'Conversation about 224e6',
      'Conversations 224e6',
    ])
      assert.equal(readConversationV0({ ...whole, title })?.title, title);
  });
});

describe('a failure in the first minute', () => {
  const begun = Date.UTC(2025, 11, 2, 17, 14);
  const created_at = new Date(begun).toISOString();
  const at = (age: number) => ({ service: '', secrets: [], now: begun + age });

  for (const [name, read] of [
    ['a sandbox', readSandbox],
    ['a conversation of V1', readConversationV1],
    ['a conversation of V0', readConversationV0],
  ] as const) {
    it(`shows ${name} that fails in its first minute as starting`, () => {
      const failed = {
        ...{ id: 'a', conversation_id: 'a', created_at },
        ...{ status: 'ERROR', sandbox_status: 'ERROR' },
      };
      assert.equal(read(failed, at(0))?.status, 'starting');
      assert.equal(read(failed, at(59_999))?.status, 'starting');
      assert.equal(read(failed, at(60_000))?.status, 'error');
      assert.equal(
        read({ ...failed, created_at: null }, at(0))?.status,
        'error',
      );
      const paused = { ...failed, status: 'PAUSED', sandbox_status: 'PAUSED' };
      assert.notEqual(read(paused, at(0))?.status, 'starting');
    });
  }
});

describe('a sandbox', () => {
  const record = {
    id: 'sandbox-1',
    status: 'RUNNING',
    status_detail: 'ok',
    sandbox_spec_id: 'image:1',
    created_at: '2025-12-02T17:14:00Z',
    session_api_key: 'canary-session',
    exposed_urls: [
      {
        name: 'EDITOR',
        url: 'https://host.example.com/editor?tkn=canary-token',
        port: 8001,
      },
      { name: 'BAD', url: 'javascript:x', port: 1 },
      'nothing',
    ],
  };

  it('opens its URLs with their token and shows them without it', () => {
    const sandbox = readSandbox(record) ?? assert.fail();
    assert.equal(sandbox.status, 'running');
    assert.equal(sandbox.specId, 'image:1');
    assert.equal(sandbox.detail, 'ok');
    const [editor, ...others] = sandbox.exposed;
    assert.deepEqual(others, []);
    assert.equal(editor?.name, 'EDITOR');
    assert.equal(editor.port, 8001);
    assert.equal(editor.link.shown, 'https://host.example.com/editor');
    assert.equal(
      editor.link.full.reveal(),
      'https://host.example.com/editor?tkn=canary-token',
    );
    assert.doesNotMatch(
      reachableText(sandbox) + JSON.stringify(sandbox),
      /canary/,
    );
  });

  it('removes control characters from every text of a sandbox', () => {
    const sandbox = readSandbox({
      ...record,
      status: hostile,
      status_detail: hostile,
      sandbox_spec_id: hostile,
      exposed_urls: [{ name: hostile, url: 'https://host.example.com/' }],
    });
    assert.deepEqual(
      [
        sandbox?.status,
        sandbox?.detail,
        sandbox?.specId,
        sandbox?.exposed[0]?.name,
      ],
      [harmless, harmless, harmless, harmless],
    );
  });

  it('drops a URL with a password', () => {
    const urls = [
      'https://me:canary@host.example.com/',
      'https://:canary@host.example.com/',
    ];
    const exposed_urls = urls.map((url) => ({ name: 'EDITOR', url, port: 1 }));
    assert.deepEqual(readSandbox({ ...record, exposed_urls })?.exposed, []);
  });

  it('accepts missing URLs and any status', () => {
    assert.deepEqual(
      readSandbox({ ...record, exposed_urls: null })?.exposed,
      [],
    );
    for (const status of [
      'STARTING',
      'RUNNING',
      'PAUSED',
      'ERROR',
      'MISSING',
    ]) {
      assert.equal(
        readSandbox({ ...record, status })?.status,
        status.toLowerCase(),
      );
    }
    assert.equal(
      readSandbox({ ...record, status: 'FROZEN' })?.status,
      'FROZEN',
    );
  });
});

describe('a sandbox spec', () => {
  it('keeps the names of its variables but not their values', () => {
    const spec = readSandboxSpec({
      id: 'image:1',
      command: ['serve', 7],
      working_dir: '/workspace',
      initial_env: { TOKEN: 'canary-env' },
      created_at: '2025-12-02T17:14:00Z',
    });
    assert.deepEqual(spec, {
      id: 'image:1',
      command: ['serve'],
      workingDirectory: '/workspace',
      environment: ['TOKEN'],
      createdAt: Date.UTC(2025, 11, 2, 17, 14),
    });
  });
});

describe('a hostile sandbox spec', () => {
  it('removes control characters from every text of a sandbox spec', () => {
    const spec = readSandboxSpec({
      id: 'image:1',
      command: [hostile],
      working_dir: hostile,
      initial_env: { [hostile]: 'canary' },
    });
    assert.deepEqual(
      [spec?.command, spec?.workingDirectory, spec?.environment],
      [[harmless], harmless, [harmless]],
    );
  });
});

describe('a start task', () => {
  it('removes control characters from every text of a start task', () => {
    const task = readStartTask({ id: '1', status: hostile, detail: hostile });
    assert.deepEqual([task?.stage, task?.detail], [harmless, harmless]);
  });

  it('translates every stage of a start task', () => {
    const codes = [
      'WORKING',
      'WAITING_FOR_SANDBOX',
      'PREPARING_REPOSITORY',
      'RUNNING_SETUP_SCRIPT',
      'SETTING_UP_GIT_HOOKS',
      'SETTING_UP_SKILLS',
      'STARTING_CONVERSATION',
      'READY',
    ];
    const task = { id: '1', app_conversation_id: null, detail: null };
    assert.deepEqual(
      codes.map((status) => readStartTask({ ...task, status })?.stage),
      [...startStages],
    );
    assert.deepEqual(
      readStartTask({ ...task, status: 'ERROR', detail: 'no space' }),
      {
        id: '1',
        stage: 'error',
        conversationId: undefined,
        sandboxId: undefined,
        detail: 'no space',
      },
    );
  });
});

describe('an ID', () => {
  it('ignores dashes and case only in a UUID', () => {
    assert.ok(
      sameId(
        '5F0C0F6A-9F4E-4C0D-B7A7-A3A0E3B1C2D4',
        '5f0c0f6a9f4e4c0db7a7a3a0e3b1c2d4',
      ),
    );
    assert.ok(!sameId('Sandbox-1', 'sandbox-1'));
    assert.equal(idKey('a-b'), 'a-b');
  });
});
