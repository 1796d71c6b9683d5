import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { Requests } from '../../../../src/service/http/requests.ts';
import { ServiceError } from '../../../../src/service/http/serviceError.ts';
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
import { type Answering, saying, startAnswering } from '../answering.ts';
import { Lines, serviceOf, transportTo } from '../support.ts';

const numbered = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('a response with too much data', () => {
  let server: Answering;
  let log: Lines;

  beforeEach(async () => {
    server = await startAnswering();
    log = new Lines();
  });

  afterEach(async () => {
    await server.stop();
  });

  /** Reads a page of these rows, and counts those that are looked at. */
  async function readPage(rows: readonly unknown[], limit?: number) {
    server.give(saying({ items: rows }));
    let looks = 0;
    const requests = new Requests(
      { transport: transportTo(server, { log }), log },
      { list: 'Could not list' },
    );
    const page = await requests.page(
      'list',
      { path: ['x'], query: { limit } },
      {},
      (record) => {
        looks++;
        return record;
      },
    );
    return { looks, read: page.items.length, skipped: page.skipped };
  }

  it('reads at most 1,000 rows of a page and skips the others', async () => {
    const rows = numbered(30_000, (index) => ({ id: String(index) }));
    assert.deepEqual(await readPage(rows, 20), {
      looks: 1_000,
      read: 1_000,
      skipped: 29_000,
    });
    assert.deepEqual(await readPage(rows), {
      looks: 1_000,
      read: 1_000,
      skipped: 29_000,
    });
    assert.deepEqual(await readPage(rows.slice(0, 1_000), 20), {
      looks: 1_000,
      read: 1_000,
      skipped: 0,
    });
    assert.deepEqual(await readPage(rows.slice(0, 1_001), 20), {
      looks: 1_000,
      read: 1_000,
      skipped: 1,
    });
  });

  it('reads more than 1,000 rows of a page if that many were requested', async () => {
    const rows = numbered(3_000, (index) => ({ id: String(index) }));
    assert.deepEqual(await readPage(rows, 2_500), {
      looks: 2_500,
      read: 2_500,
      skipped: 500,
    });
  });

  it('counts null rows toward the limit of 1,000 rows', async () => {
    const rows = [...numbered(30_000, () => null), { id: 'last' }];
    assert.deepEqual(await readPage(rows, 20), {
      looks: 0,
      read: 0,
      skipped: 29_001,
    });
  });

  it('looks up in V1 only the rows that were read', async () => {
    const results = numbered(30_000, (index) => ({
      conversation_id: index.toString(16).padStart(32, '0'),
    }));
    server.give(({ url = '' }) =>
      saying(url.startsWith('/api/v1/') ? [] : { results }),
    );
    const { value } = await serviceOf(server, 'v0', { log })
      .conversations.list({}, { size: 20 })
      .next();
    assert.equal(value?.items.length, 1_000);
    assert.equal(server.asked.length, 1 + Math.ceil(1_000 / 99));
  });

  it('reads at most 100 URLs, pull requests, command words and variable names', () => {
    const many = 5_000;
    const url = (index: number) => `https://host.example.com/${index}`;
    const sandbox = readSandbox({
      id: 'box',
      exposed_urls: numbered(many, (index) => ({
        name: String(index),
        url: url(index),
        port: index,
      })),
    });
    assert.equal(sandbox?.exposed.length, 100);
    assert.equal(sandbox.exposed[99]?.link.shown, url(99));
    const pr_number = numbered(many, (index) => index);
    for (const conversation of [
      readConversationV0({ conversation_id: 'a', pr_number }),
      readConversationV1({ id: 'a', pr_number }),
    ]) {
      assert.deepEqual(conversation?.pullRequests, pr_number.slice(0, 100));
    }
    const spec = readSandboxSpec({
      id: 'spec',
      command: pr_number.map(String),
      initial_env: Object.fromEntries(
        pr_number.map((number) => [`V${number}`, '']),
      ),
    });
    assert.deepEqual(spec?.command, pr_number.slice(0, 100).map(String));
    assert.deepEqual(
      spec.environment,
      pr_number.slice(0, 100).map((number) => `V${number}`),
    );
  });

  it('shortens long texts, and drops IDs, URLs and dates that are too long', () => {
    const long = (start = '') => `${start}${'x'.repeat(1_000_000)}`;
    const date = `2025-12-02T17:14:00.${'0'.repeat(1_000_000)}Z`;
    assert.ok(Date.parse(date) > 0, 'it is a date');
    const words = {
      title: long(),
      status: long(),
      sandbox_status: long(),
      execution_status: long(),
      runtime_status: long(),
      selected_repository: long(),
      selected_branch: long(),
      git_provider: long(),
      trigger: long(),
      llm_model: long(),
      sandbox_id: long(),
      sandbox_spec_id: long(),
      status_detail: long('why '),
      detail: long('why '),
      app_conversation_id: long(),
      url: long('https://host.example.com/'),
      conversation_url: long('https://host.example.com/ä'),
      exposed_urls: [{ name: long(), url: long('https://host.example.com/') }],
      command: [long()],
      working_dir: long(),
      initial_env: { [long()]: '' },
      created_at: date,
    };
    for (const read of [
      readConversationV0({ conversation_id: 'a', ...words }),
      readConversationV1({ id: 'a', ...words }),
      readStartTask({ id: 'a', ...words }),
      readSandbox({ id: 'a', ...words }),
      readSandboxSpec({ id: 'a', ...words }),
    ]) {
      assert.ok(read);
      const length = reachableText(read).length;
      assert.ok(length < 3_000, `${length} characters are kept`);
      assert.equal('link' in read ? read.link : undefined, undefined);
      assert.equal('createdAt' in read ? read.createdAt : undefined, undefined);
      assert.equal(
        'conversationId' in read ? read.conversationId : undefined,
        undefined,
      );
      assert.deepEqual('exposed' in read ? read.exposed : [], []);
    }
    for (const [length, isRead] of [
      [500, true],
      [501, false],
    ] as const) {
      const id = 'x'.repeat(length);
      assert.equal(readSandbox({ id }) !== undefined, isRead);
      assert.equal(
        readStartTask({ id: 'a', app_conversation_id: id })?.conversationId !==
          undefined,
        isRead,
      );
    }
  });

  it('ends a list when its cursor is longer than 4,000 characters', async () => {
    for (const [length, more] of [
      [4_000, true],
      [4_001, false],
    ] as const) {
      server.give(
        saying({ items: [{ id: 'box' }], next_page_id: 'x'.repeat(length) }),
      );
      const { value } = await serviceOf(server, 'v1', { log })
        .sandboxes.list()
        .next();
      assert.deepEqual([value?.items.length, value?.more], [1, more]);
    }
    assert.deepEqual(
      log.all.filter((line) => line.includes('ended')),
      ['A list was ended, because its cursor is too long.'],
    );
  });

  describe('the limit of a body', () => {
    /** An answer of exactly so many bytes, and of fewer characters. */
    const ofBytes = (bytes: number) => {
      const begin = '{"items":[],"padding":"ä';
      return Buffer.from(
        `${begin}${'x'.repeat(bytes - Buffer.byteLength(begin) - 2)}"}`,
      );
    };
    const list = (bodyLimit?: number) =>
      serviceOf(server, 'v1', {
        log,
        ...(bodyLimit === undefined ? {} : { bodyLimit }),
      })
        .sandboxes.list()
        .next();
    const isTooLarge = (megabytes: number) => (error: unknown) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'notUnderstood');
      assert.ok(
        error.message.includes(`it is larger than ${megabytes} MB`),
        error.message,
      );
      return true;
    };

    it('rejects a body one byte over the limit, counted after unpacking', async () => {
      const limit = 2_000_000;
      const packed = { 'content-encoding': 'gzip' };
      server.give({ body: ofBytes(limit) });
      assert.equal((await list(limit)).done, false);
      server.give({ body: gzipSync(ofBytes(limit)), headers: packed });
      assert.equal((await list(limit)).done, false);
      server.give({ body: ofBytes(limit + 1) });
      await assert.rejects(list(limit), isTooLarge(2));
      server.give({ body: gzipSync(ofBytes(limit + 1)), headers: packed });
      await assert.rejects(list(limit), isTooLarge(2));
    });

    it('limits a body to 4 MB by default', async () => {
      server.give({ body: ofBytes(4_000_000) });
      assert.equal((await list()).done, false);
      server.give({ body: ofBytes(4_000_001) });
      await assert.rejects(list(), isTooLarge(4));
    });
  });
});
