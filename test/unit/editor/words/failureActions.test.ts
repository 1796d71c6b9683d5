import assert from 'node:assert/strict';
import { failureActions } from '../../../../src/editor/words/failureActions.ts';
import { readEntries } from '../../../../src/mcp/format/document.ts';
import type { ProbeFailure } from '../../../../src/probe/probe.ts';
import { eachFailure } from '../../probe/eachFailure.ts';

function entryOf(fields: object) {
  const [entry] = readEntries(JSON.stringify({ mcpServers: { a: fields } }));
  return entry ?? assert.fail();
}

const remote = entryOf({ url: 'https://h.example/mcp' });
const commandsOf = (failure: ProbeFailure, entry = remote) =>
  failureActions(failure, entry).map(({ command, args }) =>
    [command, ...args].join(' '),
  );

describe('the message of a failed check', () => {
  for (const failure of Object.values(eachFailure)) {
    it(`offers at least one button, each with its own label, for ${failure.reason}`, () => {
      const actions = failureActions(failure, remote);
      assert.ok(actions.length > 0);
      assert.equal(
        new Set(actions.map(({ label }) => label)).size,
        actions.length,
      );
    });
  }

  it('offers the place in the file, the setting or the new address', () => {
    assert.deepEqual(commandsOf(eachFailure.variableMissing), [
      'switchboard.mcp.reveal a ${TOKEN}',
      'switchboard.mcp.check a',
    ]);
    assert.deepEqual(commandsOf(eachFailure.proxy), [
      'workbench.action.openSettings http.proxy',
      'switchboard.mcp.check a',
    ]);
    assert.deepEqual(commandsOf(eachFailure.redirected), [
      'switchboard.mcp.changeUrl a https://h/mcp',
      'switchboard.mcp.reveal a url',
    ]);
    assert.equal(
      commandsOf(eachFailure.tooMuch)[0],
      'switchboard.mcp.disable a',
    );
  });

  it('offers no new address for a URL with variables, whose values would be written into the file', () => {
    const entry = entryOf({ url: 'https://${HOST}/mcp' });
    assert.deepEqual(commandsOf(eachFailure.redirected, entry), [
      'switchboard.mcp.reveal a url',
    ]);
  });
});
