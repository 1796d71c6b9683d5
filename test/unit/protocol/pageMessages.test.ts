import assert from 'node:assert/strict';
import {
  readFromPage,
  readPageKey,
} from '../../../src/protocol/pageMessages.ts';

describe('the reader of messages from a conversation page', () => {
  it('accepts a message with a valid form', () => {
    for (const message of [
      { type: 'ready' },
      { type: 'ready', anchor: 'e1' },
      { type: 'answer', shown: 1, accept: false },
      { type: 'send', how: 'rejectAndSend', text: 'Hello', shown: 3 },
      {
        type: 'attachPicture',
        name: '',
        mediaType: 'image/png',
        base64: 'iVBORw==',
      },
      { type: 'run', action: 'copyAll' },
    ]) {
      assert.deepEqual(readFromPage(message), message);
    }
  });

  it('ignores a message with an invalid form', () => {
    for (const message of [
      undefined,
      null,
      'ready',
      {},
      { type: 'toString' },
      { type: 'ready', anchor: 1 },
      { type: 'answer', shown: 1 },
      { type: 'answer', shown: '1', accept: true },
      { type: 'answer', shown: 1.5, accept: true },
      { type: 'send', how: 'force', text: 'x' },
      {
        type: 'attachPicture',
        name: '',
        mediaType: 'image/svg+xml',
        base64: 'aaaa',
      },
      {
        type: 'attachPicture',
        name: '',
        mediaType: 'image/png',
        base64: '"><script>',
      },
      { type: 'attachDropped', addresses: [1] },
      { type: 'run', action: 'workbench.action.quit' },
    ]) {
      assert.equal(readFromPage(message), undefined, JSON.stringify(message));
    }
  });

  it('reads the conversation of a restored page unless its state is invalid', () => {
    assert.equal(
      readPageKey({ key: 'http://a.example abc', open: [] }),
      'http://a.example abc',
    );
    for (const state of [undefined, null, {}, { key: 1 }, { key: '' }, 'x']) {
      assert.equal(readPageKey(state), undefined);
    }
  });
});
