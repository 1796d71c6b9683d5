import assert from 'node:assert/strict';
import { Drafts } from '../../../../../src/editor/conversations/page/drafts.ts';
import {
  joined,
  MessageField,
} from '../../../../../src/editor/conversations/page/messageField.ts';
import type { ServiceClient } from '../../../../../src/service/client.ts';
import {
  keyOfRequested,
  RequestedConversations,
} from '../../../../../src/state/newConversation/requestedConversations.ts';
import { until } from '../../../../support/eventually.ts';
import { SteppedClock } from '../../../../support/steppedClock.ts';

function store() {
  const values = new Map<string, unknown>();
  return {
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => {
      values.set(key, value);
      return Promise.resolve();
    },
  };
}

const note = { id: 3, name: 'a.txt', text: 'one' };
const picture = {
  id: 3,
  name: '',
  picture: { mediaType: 'image/png', base64: 'AAAA' },
};

describe('the message field', () => {
  const address = 'https://agents.example';
  let drafts: Drafts;
  let requested: RequestedConversations;
  let finish: (created: unknown) => void;
  let client: ServiceClient;

  beforeEach(() => {
    drafts = new Drafts(store());
    requested = new RequestedConversations({
      store: store(),
      clock: new SteppedClock(),
      onReady: () => undefined,
    });
    const created = new Promise((resolve) => (finish = resolve));
    client = {
      recognise: () => ({ creation: { create: () => created } }),
    } as unknown as ServiceClient;
  });

  /** Opens the field of a draft. */
  function open() {
    const draft = requested.draft(address, { message: '' });
    const key = keyOfRequested(draft);
    const field = new MessageField(drafts, requested, key);
    const begin = () =>
      requested.begin(client, address, wanted() ?? assert.fail(), draft.id);
    const wanted = () => requested.find(draft.id)?.wanted;
    const kept = () => drafts.get(key);
    return { field, begin, wanted, kept };
  }

  it('keeps the first message with its request only', async () => {
    const { field, wanted, kept } = open();
    await field.change({ message: 'Fix it' });
    await field.change({ attached: [note] });
    assert.deepEqual(
      [field.text, field.attached, wanted(), kept()],
      [
        'Fix it',
        [note],
        { message: 'Fix it', attached: [note] },
        { message: '', attached: [] },
      ],
    );
  });

  it('keeps the next message while the request runs, and moves it to the conversation', async () => {
    const { field, begin, wanted, kept } = open();
    await field.change({ message: 'Fix it', attached: [note] });
    const ended = begin();
    assert.deepEqual([field.text, field.attached], ['', []]);
    await field.change({ message: 'Then the docs', attached: [picture] });
    assert.equal(wanted()?.message, 'Fix it');
    finish({
      kind: 'conversation',
      conversation: { service: address, id: 'c1' },
    });
    await ended;
    field.moveTo('service key');
    assert.deepEqual(
      [
        field.key,
        field.text,
        field.attached,
        kept(),
        drafts.get('service key'),
      ],
      [
        'service key',
        'Then the docs',
        [picture],
        { message: '', attached: [] },
        { message: 'Then the docs', attached: [picture] },
      ],
    );
  });

  it('joins the message of a failed request with the next one, once', async () => {
    const { field, begin, wanted, kept } = open();
    await field.change({ message: 'Fix it', attached: [note] });
    const ended = begin();
    await field.change({ message: 'Then the docs', attached: [picture] });
    field.joinNext();
    assert.equal(wanted()?.message, 'Fix it', 'The request still runs.');
    finish(Promise.reject(new Error('No.')));
    await ended.catch(() => undefined);
    await until(() => requested.all[0]?.error !== undefined);
    field.joinNext();
    field.joinNext();
    const message = 'Fix it\n\nThen the docs';
    const attached = [
      { ...note, id: 0 },
      { ...picture, id: 1 },
    ];
    assert.deepEqual(
      [field.text, field.attached, wanted(), kept()],
      [message, attached, { message, attached }, { message: '', attached: [] }],
    );
  });
});

describe('the joined message', () => {
  it('has no empty lines for an empty message', () => {
    assert.deepEqual(joined({ message: '' }, { message: 'b' }), {
      message: 'b',
      attached: [],
    });
    assert.deepEqual(
      joined({ message: 'a' }, { message: '', attached: [note] }),
      { message: 'a', attached: [{ ...note, id: 0 }] },
    );
  });
});
