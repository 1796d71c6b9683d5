import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/service/http/serviceError.ts';
import { type Answering, saying, startAnswering } from './answering.ts';
import { Lines, serviceOf } from './support.ts';

const id = '5f0c0f6a9f4e4c0db7a7a3a0e3b1c2d4';
const unknown = saying({ detail: 'unknown_app_conversation' }, 404);

describe('the editing of a conversation on an app server', () => {
  let server: Answering;
  const log = new Lines();

  beforeEach(async () => {
    server = await startAnswering();
  });

  afterEach(async () => {
    await server.stop();
  });

  const failure = async (promise: Promise<unknown>) => {
    const error: unknown = await promise.catch((error: unknown) => error);
    assert.ok(error instanceof ServiceError);
    return error;
  };

  for (const kind of ['v0', 'v1'] as const) {
    it(`uses V1 to rename and delete a conversation listed by ${kind}`, async () => {
      server.give(saying({ id, title: 'x' }));
      const { editing } = serviceOf(server, kind, { log });
      await editing.rename(id, 'x');
      await editing.remove(id);
      assert.deepEqual(server.asked, [
        `PATCH /api/v1/app-conversations/${id}`,
        `DELETE /api/v1/app-conversations/${id}`,
      ]);
    });

    it(`accepts the deletion but not the renaming of a missing conversation in ${kind}`, async () => {
      server.give(({ method, url = '' }) =>
        method !== 'GET'
          ? unknown
          : saying(url.startsWith('/api/v1/') ? [] : { results: [] }),
      );
      const { editing } = serviceOf(server, kind, { log });
      await editing.remove(id);
      const error = await failure(editing.rename(id, 'x'));
      assert.equal(error.kind, 'notFound');
      assert.match(
        error.message,
        /^Could not rename the conversation: .+unknown_app_conversation/,
      );
    });
  }

  it('explains that a V0 conversation cannot be renamed or deleted', async () => {
    server.give(({ method, url = '' }) =>
      method !== 'GET'
        ? unknown
        : saying(
            url.startsWith('/api/v1/')
              ? []
              : { results: [{ conversation_id: id, title: 'x' }] },
          ),
    );
    const { editing } = serviceOf(server, 'v0', { log });
    for (const change of [editing.rename(id, 'x'), editing.remove(id)]) {
      const error = await failure(change);
      assert.match(
        error.message,
        /it is a V0 conversation, and V0 cannot do that/,
      );
      assert.equal(error.circumstances.outcomeUnknown, false);
    }
  });

  it('reports a failed deletion when the V1 conversation still exists', async () => {
    server.give(({ method }) =>
      method === 'GET' ? saying([{ id, sandbox_status: 'RUNNING' }]) : unknown,
    );
    const { editing } = serviceOf(server, 'v1', { log });
    assert.equal((await failure(editing.remove(id))).kind, 'notFound');
  });

  it('offers no way to pin or archive a conversation', () => {
    for (const kind of ['v0', 'v1'] as const)
      assert.equal(serviceOf(server, kind, { log }).editing.mark, undefined);
  });
});
