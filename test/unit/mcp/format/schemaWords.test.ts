import assert from 'node:assert/strict';
import { jsonSchema } from '../../../../src/mcp/format/jsonSchema.ts';
import { inWords } from '../../../../src/mcp/format/schemaWords.ts';

const loud = (schema: unknown) => inWords(schema, (text) => text.toUpperCase());

describe('a translated JSON schema', () => {
  it('translates every text at any depth', () => {
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

  it('translates the label and the description of a snippet, but not its body', () => {
    const body = { title: 'a', properties: { x: { title: 'a' } } };
    assert.deepEqual(loud({ defaultSnippets: [{ label: 'a', description: 'b', body }] }), {
      defaultSnippets: [{ label: 'A', description: 'B', body }],
    });
  });

  it('keeps constants, defaults, enums and examples', () => {
    const values = {
      const: { title: 'a' },
      default: null,
      enum: ['a', 'b'],
      examples: [{ label: 'a' }],
      minLength: 1,
    };
    assert.deepEqual(loud(values), values);
  });

  it('keeps properties named like schema keywords, and translates inside them', () => {
    const properties = { title: { type: 'string' }, default: { title: 'a' }, properties: { label: 'b' } };
    assert.deepEqual(loud({ properties }), {
      properties: { title: { type: 'string' }, default: { title: 'A' }, properties: { label: 'B' } },
    });
  });

  it('leaves the original unchanged, and equals it when no word changes', () => {
    const schema = jsonSchema();
    const before = structuredClone(schema);
    assert.notDeepEqual(loud(schema), before);
    assert.deepEqual(schema, before);
    assert.deepEqual(
      inWords(schema, (text) => text),
      schema,
    );
  });

  it('translates every text in the schema of mcp.json', () => {
    const words =
      /"(?:title|(?:markdownD|d)escription|label)":"[^"]|"(?:markdownE|e)numDescriptions":\["[^"]/g;
    const text = JSON.stringify(jsonSchema());
    assert.ok((text.match(words) ?? []).length > 20);
    assert.deepEqual(JSON.stringify(inWords(jsonSchema(), () => '')).match(words), null);
  });
});
