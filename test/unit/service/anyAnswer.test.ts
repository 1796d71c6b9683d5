import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { ServiceError } from '../../../src/service/http/serviceError.ts';
import { countDone } from '../../support/done.ts';
import { HurriedClock } from '../../support/hurriedClock.ts';
import { saying, startAnswering } from './answering.ts';
import { calls, nameOf, type Target } from './calls.ts';
import { connect, Lines, serviceOf } from './support.ts';

/** The seed makes the same answers each time. */
const seed = 14;

const fields = [
  ...[
    'id',
    'conversation_id',
    'app_conversation_id',
    'sandbox_id',
    'sandbox_spec_id',
    'title',
    'status',
  ],
  ...[
    'sandbox_status',
    'execution_status',
    'runtime_status',
    'status_detail',
    'selected_repository',
  ],
  ...[
    'selected_branch',
    'git_provider',
    'trigger',
    'llm_model',
    'num_connections',
    'pr_number',
  ],
  ...[
    'url',
    'conversation_url',
    'exposed_urls',
    'name',
    'port',
    'command',
    'working_dir',
    'initial_env',
  ],
  ...[
    'created_at',
    'updated_at',
    'last_updated_at',
    'success',
    'detail',
    'message',
    'error',
    'loc',
    'msg',
  ],
];

/** Members of every object, and those that its users may take for granted. */
const inherited = [
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'toJSON',
  'then',
  'length',
  'map',
];

/** Any sixteen bits at a time, halves of characters too. */
const text = fc
  .array(fc.nat(0xffff), { maxLength: 12 })
  .map((codes) => String.fromCharCode(...codes));

const scalar = fc
  .oneof(
    fc.constantFrom(
      null,
      true,
      false,
      '',
      '.',
      '..',
      'task',
      'READY',
      'ERROR',
      'RUNNING',
      '\ud800',
      'ids',
    ),
    fc.constantFrom(
      'https://host.example.com/a?b=c',
      'http://[',
      'https://:x@a',
      '2025-12-02T17:14:00',
      '0',
    ),
    fc.constantFrom(
      'x'.repeat(5_000),
      'http://',
      '5f0c0f6a9f4e4c0db7a7a3a0e3b1c2d4',
      '<html>',
      '1e999',
    ),
    fc.constantFrom(0, -1, 1e308, 2 ** 53, 0.1),
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  .map((value) => JSON.stringify(value));

const list = (members: readonly string[]) => `[${members.join(',')}]`;
/** Writes JSON as text, so that a name can be anything, and can come twice. */
const object = (members: readonly (readonly [string, string])[]) =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

const name = fc.oneof(
  fc.constantFrom(...fields),
  fc.constantFrom(...inherited),
  text,
);

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }).map(list),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map(object),
  ),
}));

/** Records of a service, in which any field can be anything. */
const record = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom('id', 'conversation_id'), scalar), {
      minLength: 1,
      maxLength: 2,
    }),
    fc.array(fc.tuple(fc.oneof(fc.constantFrom(...fields), name), value), {
      maxLength: 8,
    }),
  )
  .map(([ids, others]) => object([...ids, ...others]));

const rows = fc.array(fc.oneof(record, value), { maxLength: 5 }).map(list);

const page = fc
  .tuple(
    fc.constantFrom('results', 'items'),
    rows,
    fc.oneof(fc.constant('null'), scalar),
  )
  .map(([key, items, cursor]) =>
    object([
      [key, items],
      ['next_page_id', cursor],
    ]),
  );

const complaint = fc
  .tuple(
    fc.oneof(value, fc.array(value, { maxLength: 4 }).map(list)),
    fc.oneof(scalar, value),
  )
  .map(([loc, msg]) =>
    object([
      [
        'detail',
        list([
          object([
            ['loc', loc],
            ['msg', msg],
          ]),
        ]),
      ],
    ]),
  );

const deep = '['.repeat(20_000) + ']'.repeat(20_000);

const body = fc.oneof(
  page,
  rows,
  record,
  complaint,
  value,
  fc.constantFrom(
    deep,
    object([
      [
        'detail',
        list([
          object([
            ['loc', list([deep])],
            ['msg', '"no"'],
          ]),
        ]),
      ],
    ]),
    '',
  ),
);

const answer = fc.record({
  body,
  status: fc.oneof(
    { weight: 2, arbitrary: fc.constant(200) },
    fc.constantFrom(
      200,
      201,
      202,
      203,
      300,
      304,
      400,
      401,
      403,
      404,
      405,
      409,
      410,
      418,
      422,
      422,
      429,
    ),
    fc.constantFrom(500, 501, 502, 503, 504, 599),
  ),
  headers: fc.constantFrom(
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'text/plain; charset=latin1' },
    { 'retry-after': '1' },
    { 'retry-after': 'Infinity' },
    { location: 'https://[' },
  ),
});

/** The service has answered, so it was not the network. */
const impossible = ['unreachable', 'cancelled'];

function isOurs(error: unknown, call: string, given: string): void {
  const about = `${call} failed with ${inspect(error)} because of ${given.slice(0, 500)}`;
  assert.ok(error instanceof ServiceError, about);
  assert.ok(!impossible.includes(error.kind), about);
  assert.match(error.message, /^Could not [a-zA-Z ]+: /, about);
}

describe('every call of a service', function () {
  this.timeout(180_000);
  const log = new Lines();
  // A pause ends at once.
  const options = () => ({
    clock: new HurriedClock(1_000_000),
    deadline: 1e12,
    requestsPerSecond: Infinity,
    log,
  });

  /** Calls everything; returns how many calls gave a value. */
  async function callAll(
    served: { url: string },
    given: string,
    fetch?: typeof globalThis.fetch,
  ) {
    let values = 0;
    await Promise.all(
      calls.map(async (call) => {
        const all = {
          ...options(),
          interface: call.kind,
          ...(fetch ? { fetch } : {}),
        };
        const target: Target = {
          client: connect(served, all),
          service: serviceOf(served, call.kind, all),
          sandboxId: 'box',
          signal: new AbortController().signal,
        };
        try {
          await call.run(target);
          values++;
        } catch (error) {
          isOurs(error, nameOf(call), given);
        }
      }),
    );
    return values;
  }

  it('returns a value or a service error for any answer', async () => {
    let answers = 0;
    let values = 0;
    await fc.assert(
      fc.asyncProperty(answer, async ({ body, status, headers }) => {
        const fetch = () => {
          answers++;
          return Promise.resolve(
            new Response(status === 304 ? null : body, { status, headers }),
          );
        };
        values += await callAll(
          { url: 'https://agents.example.com' },
          `${status} ${body}`,
          fetch,
        );
      }),
      { seed, numRuns: 120 },
    );
    // Not all of them are refused at the first look.
    assert.ok(values > calls.length * 20, `${values} calls gave a value`);
    assert.ok(answers > 2_000, `there were ${answers} answers`);
    countDone(
      answers,
      'random answers, after each of which a call gave a value or an error of a service',
    );
  });

  it('returns a value or a service error for any answer of a real server', async () => {
    const server = await startAnswering();
    for (const given of fc.sample(answer, { seed, numRuns: 10 })) {
      server.give(given);
      await callAll(server, given.body);
    }
    await server.stop();
  });

  it('accepts any text and sends it to no other path or origin', async () => {
    const texts = fc.oneof(
      text,
      fc.constantFrom(
        '',
        '.',
        '..',
        '\ud800',
        '\udfff/..',
        '%',
        '%2e',
        'a/../b',
        '\0',
      ),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const asked: URL[] = [];
        const fetch: typeof globalThis.fetch = (input) => {
          asked.push(new URL(input));
          return Promise.resolve(
            Response.json({ detail: 'no' }, { status: 404 }),
          );
        };
        const all = { ...options(), fetch };
        const { conversations, creation, sandboxes } = serviceOf(
          { url: 'https://agents.example.com' },
          'v1',
          all,
        );
        const v0 = serviceOf({ url: 'https://agents.example.com' }, 'v0', all);
        const query = { title: given, repository: given, trigger: given };
        const wanted = {
          message: given,
          repository: given,
          branch: given,
          provider: given,
          sandboxId: given,
        };
        for (const [name, run] of Object.entries({
          pause: () => sandboxes.pause(given),
          resume: () => sandboxes.resume(given),
          start: () => sandboxes.start(given),
          task: () => creation.task(given),
          create: () => creation.create(wanted),
          find: () => conversations.find(given),
          findV0: () => v0.conversations.find(given),
          list: () => conversations.list(query).next(),
          listV0: () => v0.conversations.list(query).next(),
        })) {
          asked.length = 0;
          await run().catch((error: unknown) => {
            isOurs(error, name, given);
          });
          for (const { origin, pathname } of asked) {
            assert.equal(origin, 'https://agents.example.com');
            assert.match(
              pathname,
              /^\/api\/(conversations|v1\/(app-conversations(\/search|\/start-tasks)?|sandboxes(\/[^/]+\/(pause|resume))?))$/,
            );
          }
        }
      }),
      { seed, numRuns: 500 },
    );
  });

  it('rejects an ID with half a character and sends no request', async () => {
    const server = await startAnswering();
    const { sandboxes } = serviceOf(server, 'v1', { log });
    for (const change of [
      sandboxes.pause('box-\ud83d'),
      sandboxes.resume('box-\ud83d'),
    ]) {
      await assert.rejects(change, (error) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.kind, 'notFound');
        assert.match(
          error.message,
          /could not find it \("box-\ufffd" is not a valid ID\)/,
        );
        return true;
      });
    }
    assert.deepEqual(server.asked, []);
    await server.stop();
  });

  it('reports the rejected parameter even if its location is malformed', async () => {
    const server = await startAnswering();
    const { sandboxes } = serviceOf(server, 'v1', { log });
    for (const [loc, named] of [
      [['query', { toString: null, valueOf: 1 }, 'limit', 0], 'limit.0'],
      [[{}, null], 'the request'],
      [[['limit', { toString: {} }]], 'the request'],
      [{ toString: 'limit' }, 'the request'],
      ['limit', 'the request'],
    ] as const) {
      server.give(saying({ detail: [{ loc, msg: 'no' }] }, 422));
      await assert.rejects(sandboxes.list().next(), (error) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.kind, 'rejected');
        assert.ok(
          error.message.includes(`did not accept the request (${named}: no)`),
          error.message,
        );
        return true;
      });
    }
    await server.stop();
  });
});
