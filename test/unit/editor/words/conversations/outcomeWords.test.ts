import assert from 'node:assert/strict';
import { stoppedWords } from '../../../../../src/editor/words/conversations/outcomeWords.ts';

describe('the outcome of Stop', () => {
  it('says that the agent has stopped, and that its command may go on', () => {
    assert.deepEqual(stoppedWords({ result: 'stopped' }, false), {
      text: 'Stopped.',
      tone: 'good',
    });
    assert.match(
      stoppedWords({ result: 'stopped' }, true).text,
      /^Stopped\. A command it started may still be running/,
    );
  });

  it('says that the agent had already finished', () => {
    assert.deepEqual(stoppedWords({ result: 'finished' }, true), {
      text: 'The agent had finished before it could be stopped.',
      tone: 'plain',
    });
  });

  it('says that the agent waits for an answer if nothing ran', () => {
    assert.match(
      stoppedWords({ result: 'waits', actions: [] }, false).text,
      /waiting for your answer/,
    );
  });
});
