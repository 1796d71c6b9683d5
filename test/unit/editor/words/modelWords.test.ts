import assert from 'node:assert/strict';
import {
  agentProfileDescription,
  costFrom,
  costWord,
  modelDescription,
  modelNameProblem,
  serversWord,
  suggestModelName,
} from '../../../../src/editor/words/modelWords.ts';

const model = {
  name: 'a',
  model: 'openai/a',
  baseUrl: undefined,
  isDefault: false,
};

describe('the vocabulary of models', () => {
  it('suggests a free name that a service takes', () => {
    for (const [whole, taken, name] of [
      ['openai/gpt-6', [], 'gpt-6'],
      ['ollama/qwen3:30b', [], 'qwen3-30b'],
      ['openai/gpt-6', ['GPT-6', 'gpt-6-2'], 'gpt-6-3'],
      ['openai/_x', [], 'x'],
      ['openai/', [], 'model'],
      ['openai/ü', [], 'model'],
    ] as const) {
      assert.equal(suggestModelName(whole, taken), name);
      assert.equal(modelNameProblem(name, taken), undefined);
    }
  });

  it('refuses names that a service would refuse or confuse', () => {
    for (const name of ['', ' a', '.a', 'a/b', 'a.json', 'a'.repeat(65)])
      assert.match(modelNameProblem(name, []) ?? '', /^Use up to 64 letters/);
    assert.match(modelNameProblem('A', ['a']) ?? '', /already/);
  });

  it('reads two prices and says them', () => {
    for (const text of ['3, 15', '3 15', '$3/$15', ' 3;15 ', '3.0,15.00'])
      assert.deepEqual(costFrom(text), { input: 3, output: 15 });
    for (const text of ['', '3', 'a, b', '3, 15, 2', '-3, 15'])
      assert.equal(costFrom(text), undefined);
    assert.equal(
      costWord({ input: 0.3, output: 15 }),
      '$0.3 in, $15 out per million tokens',
    );
  });

  it('hides secrets in addresses, and names a missing model', () => {
    assert.equal(
      modelDescription({
        ...model,
        isDefault: true,
        baseUrl: 'https://user:canary@h.example/v1',
      }),
      'default · openai/a · https://••••••@h.example/v1',
    );
    const profile = {
      id: '1',
      name: 'p',
      isActive: true,
      model: 'gone',
      servers: [],
    };
    assert.equal(
      agentProfileDescription(profile, [model]),
      'active · no model “gone” · no MCP servers',
    );
    assert.equal(serversWord(undefined, ['x']), 'all MCP servers · x');
  });
});
