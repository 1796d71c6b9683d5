import assert from 'node:assert/strict';
import {
  variableProblem,
  variablesToFind,
} from '../../../../src/mcp/problems/missingOnMachine.ts';
import { file, shown } from './cases.ts';

const found = (text: string) =>
  variablesToFind(text).map(
    ({ variable, start, end }) => `${variable} ${text.slice(start, end)}`,
  );

describe('the search for variables', () => {
  it('lists the variables without a default in every string of a server, with their positions', () => {
    assert.deepEqual(
      found(
        file(
          '{"command": "${A}/x", "args": ["-k=${B}", "${C:-c}"], "env": {"K": "\\u0041 ${D}"}, "x": [{"y": "${E}"}, 1]}',
        ),
      ),
      ['A ${A}', 'B ${B}', 'D ${D}', 'E ${E}'],
    );
    assert.deepEqual(
      found(
        file(
          '{"url": "${A}", "headers": {"K": "Bearer ${B}"}, "auth": "${C}"}',
        ),
      ),
      ['A ${A}', 'B ${B}', 'C ${C}'],
    );
  });

  it('skips the variables that the server sets itself, and those of editors', () => {
    assert.deepEqual(
      found(
        file('{"command": "x", "args": ["${A} ${B}"], "env": {"A": "${A}"}}'),
      ),
      ['B ${B}', 'A ${A}'],
    );
    assert.deepEqual(
      found(file('{"command": "x", "args": ["${workspaceFolder}/${env:A}"]}')),
      [],
    );
  });

  it('lists no variables of a disabled server, or in a text without servers', () => {
    for (const text of [
      file('{"command": "${A}", "enabled": false}'),
      '{"a": "${A}"}',
      '{"${A}',
      '',
      '{}',
    ])
      assert.deepEqual(found(text), [], text);
  });
});

describe('a variable that is not set', () => {
  it('gets a hint that the agent may run elsewhere', () => {
    const text = file('{"command": "${A}"}');
    const [variable] = variablesToFind(text);
    assert(variable);
    const { code, severity, message, start, end, fixes } =
      variableProblem(variable);
    assert.deepEqual(
      [code, severity, text.slice(start, end), fixes()],
      ['variableNotSet', 'hint', '${A}', []],
    );
    assert.equal(
      message,
      'This variable is not set here. The agent may run elsewhere, or have a secret of this name.',
    );
    assert.deepEqual(shown(text), []);
  });
});
