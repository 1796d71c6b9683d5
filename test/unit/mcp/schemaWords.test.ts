import assert from 'node:assert/strict';
import { jsonSchema } from '../../../src/mcp/jsonSchema.ts';
import { inWords } from '../../../src/mcp/schemaWords.ts';

const loud = (schema: unknown) => inWords(schema, (text) => text.toUpperCase());

describe('a JSON schema in other words', () => {
  it('has each of its texts translated, wherever it is', () => {
    assert.deepEqual(
      loud({
        title: 'a',
        properties: { x: { description: 'b', markdownDescription: '`b`', type: 'string' } },
        additionalProperties: { enumDescriptions: ['c', 'd'], markdownEnumDescriptions: ['`c`', 'd'] },
        else: { anyOf: [{ required: ['x'] }, { items: { description: 'e' } }] },
      }),
      {
        title: 'A',
        properties: { x: { description: 'B', markdownDescription: '`B`', type: 'string' } },
        additionalProperties: { enumDescriptions: ['C', 'D'], markdownEnumDescriptions: ['`C`', 'D'] },
        else: { anyOf: [{ required: ['x'] }, { items: { description: 'E' } }] },
      },
    );
  });

  it('has the texts of its snippets translated, and not what they write', () => {
    const body = { title: 'a', properties: { x: { title: 'a' } } };
    assert.deepEqual(loud({ defaultSnippets: [{ label: 'a', description: 'b', body }] }), {
      defaultSnippets: [{ label: 'A', description: 'B', body }],
    });
  });

  it('keeps its values', () => {
    const values = {
      const: { title: 'a' },
      default: null,
      enum: ['a', 'b'],
      examples: [{ label: 'a' }],
      minLength: 1,
    };
    assert.deepEqual(loud(values), values);
  });

  it('has properties of its own that are called as its keys are', () => {
    const properties = { title: { type: 'string' }, default: { title: 'a' }, properties: { label: 'b' } };
    assert.deepEqual(loud({ properties }), {
      properties: { title: { type: 'string' }, default: { title: 'A' }, properties: { label: 'B' } },
    });
  });

  it('is a copy, and in the same words the same', () => {
    const schema = jsonSchema();
    const before = structuredClone(schema);
    assert.notDeepEqual(loud(schema), before);
    assert.deepEqual(schema, before);
    assert.deepEqual(
      inWords(schema, (text) => text),
      schema,
    );
  });

  it('leaves no text out in the schema of mcp.json', () => {
    const words =
      /"(?:title|(?:markdownD|d)escription|label)":"[^"]|"(?:markdownE|e)numDescriptions":\["[^"]/g;
    const text = JSON.stringify(jsonSchema());
    assert.ok((text.match(words) ?? []).length > 20);
    assert.deepEqual(JSON.stringify(inWords(jsonSchema(), () => '')).match(words), null);
  });
});
