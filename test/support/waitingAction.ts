import assert from 'node:assert/strict';
import { readEvent } from '../../src/service/records/readEvent.ts';
import type { WaitingAction } from '../../src/state/transcript/waiting.ts';

/** A terminal action in the form in which the service sends it. */
export function waitingAction(
  fields: Readonly<Record<string, unknown>>,
  id = 'a1',
): WaitingAction {
  const event = readEvent(
    {
      id,
      kind: 'ActionEvent',
      action: { kind: 'TerminalAction', ...fields },
      tool_name: 'terminal',
      tool_call: { name: 'terminal', arguments: JSON.stringify(fields) },
    },
    () => undefined,
  );
  assert.ok(event.kind === 'action');
  return event;
}
