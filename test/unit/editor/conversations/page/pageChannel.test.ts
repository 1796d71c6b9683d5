import assert from 'node:assert/strict';
import type { Webview } from 'vscode';
import { words } from '../../../../../src/base/l10n.ts';
import { pageWords } from '../../../../../src/protocol/pageWords.ts';
import { PageChannel } from '../../../../../src/editor/conversations/page/pageChannel.ts';
import type { ToPage } from '../../../../../src/protocol/pageMessages.ts';

describe('the channel to a conversation page', () => {
  it('tells what became of something while the page was hidden, once the page is shown again', () => {
    const sent: ToPage[] = [];
    const channel = new PageChannel({
      postMessage: (message: ToPage) => {
        sent.push(message);
        return Promise.resolve(true);
      },
    } as unknown as Webview);
    channel.report('Nothing was sent.', 'bad');
    channel.begin();
    channel.send({
      type: 'start',
      words: pageWords(words),
      language: 'en',
      enterSends: true,
      draft: 'Go on',
    });
    channel.send({ type: 'olderEnded' });
    assert.deepEqual(
      sent.map(({ type }) => type),
      ['start', 'told', 'olderEnded'],
    );
  });

  it('never gives the same number twice, not even to another script', () => {
    const channel = new PageChannel({} as Webview);
    const versions = [1, 2, 3].map(() => {
      channel.begin();
      return channel.newVersion();
    });
    assert.equal(new Set(versions).size, 3);
  });
});
