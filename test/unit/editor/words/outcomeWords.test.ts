import assert from 'node:assert/strict';
import { stoppedWords } from '../../../../src/editor/words/outcomeWords.ts';

describe('what is said after an agent was told to stop', () => {
  it('is that it has stopped, and that a command may go on', () => {
    assert.deepEqual(stoppedWords({ result: 'stopped' }, false), { text: 'Stopped.', tone: 'good' });
    assert.match(
      stoppedWords({ result: 'stopped' }, true).text,
      /^Stopped\. The command that it ran may go on/,
    );
  });

  it('is that it had finished, where it had', () => {
    assert.deepEqual(stoppedWords({ result: 'finished' }, true), {
      text: 'The agent had finished before it could be stopped.',
      tone: 'plain',
    });
  });

  it('is that it waits, where nothing ran', () => {
    assert.match(stoppedWords({ result: 'waits', actions: [] }, false).text, /waits for your answer/);
  });
});
