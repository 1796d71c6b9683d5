import assert from 'node:assert/strict';
import { CancellationTokenSource, window } from 'vscode';
import { withProgress } from '../../src/editor/ui/messages.ts';
import { until } from '../support/eventually.ts';
import { replace } from './person.ts';

describe('the progress of slow work', () => {
  const shown: string[] = [];
  const cancellation = new CancellationTokenSource();
  let restore: () => void;

  beforeEach(() => {
    shown.length = 0;
    restore = replace(window, 'withProgress', (options, work) => {
      shown.push((options as { readonly title: string }).title);
      const report = ({ message }: { readonly message: string }) =>
        shown.push(message);
      return (work as (...args: readonly unknown[]) => unknown)(
        { report },
        cancellation.token,
      );
    });
  });

  afterEach(() => {
    restore();
  });

  /** Ends when it is shown. */
  const whenShown = () => until(() => shown.length > 0);

  it('does not appear for work that finishes or fails at once', async () => {
    assert.equal(await withProgress('Reading', () => Promise.resolve(1)), 1);
    await assert.rejects(
      withProgress('Reading', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.deepEqual(shown, []);
  });

  it('appears with the latest report and shows later ones', async () => {
    const result = await withProgress('Reading', async (_, tell) => {
      tell('1 of 3');
      tell('2 of 3');
      await whenShown();
      tell('3 of 3');
      return 'read';
    });
    assert.equal(result, 'read');
    assert.deepEqual(shown, ['Reading', '2 of 3', '3 of 3']);
  });

  it('aborts the work when you cancel it and rejects with its error', async () => {
    const work = withProgress('Reading', async (signal) => {
      await whenShown();
      cancellation.cancel();
      signal.throwIfAborted();
    });
    await assert.rejects(work, { name: 'AbortError' });
    assert.deepEqual(shown, ['Reading']);
  });
});
