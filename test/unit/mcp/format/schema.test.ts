import assert from 'node:assert/strict';
import * as languageService from 'vscode-json-languageservice';
import { jsonSchema } from '../../../../src/mcp/format/jsonSchema.ts';
import { ownKeys } from '../../../../src/mcp/dialects/ownKeys.ts';

// Node finds no names in it.
const { getLanguageService, TextDocument } = (
  languageService as unknown as { default: typeof languageService }
).default;

/** The keys of a tool that the program knows. */
const toolKeys = [
  'arguments',
  'description',
  'enabled',
  'meta',
  'name',
  'tags',
  'title',
  'version',
];

describe('the JSON schema', () => {
  it('describes every key of the file and of both kinds of server', () => {
    const described = new Set<string>();
    const visit = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, property] of Object.entries(
        (schema as { properties?: object }).properties ?? {},
      )) {
        assert.ok((property as { description?: string }).description, key);
        described.add(key);
      }
      Object.values(schema).forEach(visit);
    };
    visit(jsonSchema());
    for (const key of ['mcpServers', ...ownKeys])
      assert.ok(described.has(key), key);
  });

  it('marks the keys that the program reads but does not use', () => {
    const { mcpServers } = (
      jsonSchema() as { properties: { mcpServers: object } }
    ).properties;
    const unused =
      JSON.stringify(mcpServers).match(
        /"(\w+)":\{"description":"[^"]*nothing uses (?:it|them)/g,
      ) ?? [];
    const keys = unused.map((match) => /\w+/.exec(match)?.[0]);
    assert.deepEqual([...new Set(keys)].sort(), ['authentication']);
  });

  it('offers a snippet for each kind of server', () => {
    const text = JSON.stringify(jsonSchema());
    for (const label of [
      'Local server',
      'Remote server',
      'Remote server over server-sent events',
      'Remote server with OAuth',
    ]) {
      assert.ok(text.includes(`"label":"${label}"`), label);
    }
  });

  it('completes, explains and validates the keys of a tool for both kinds of server', async () => {
    const service = getLanguageService({});
    service.configure({
      schemas: [{ uri: 'mcp', fileMatch: ['*'], schema: jsonSchema() }],
    });
    for (const target of ['"command": "x"', '"url": "https://x.y"']) {
      const text = (tools: string) =>
        `{"mcpServers": {"s": {${target}, "tools": ${tools}}}}`;
      const labelsAt = async (marked: string) => {
        const document = TextDocument.create(
          'file:///mcp.json',
          'json',
          1,
          marked.replace('|', ''),
        );
        const place = document.positionAt(marked.indexOf('|'));
        const found = await service.doComplete(
          document,
          place,
          service.parseJSONDocument(document),
        );
        return found?.items.map(({ label }) => label) ?? [];
      };
      assert.ok((await labelsAt(text('|'))).includes('Turn a tool off'));
      assert.ok(
        (await labelsAt(text('{"a": |}'))).includes('Turn the tool off'),
      );
      assert.deepEqual((await labelsAt(text('{"a": {|}}'))).sort(), toolKeys);
      const document = TextDocument.create(
        'file:///mcp.json',
        'json',
        1,
        text('{"a": {"enabled": false}}'),
      );
      const json = service.parseJSONDocument(document);
      const hover = await service.doHover(
        document,
        document.positionAt(document.getText().indexOf('enabled')),
        json,
      );
      assert.match(
        JSON.stringify(hover?.contents),
        /Whether agents get this tool/,
      );
      assert.deepEqual(await service.doValidation(document, json), []);
    }
  });

  it('has Markdown descriptions, and plain ones without backquotes', () => {
    const text = JSON.stringify(jsonSchema());
    const plain = [
      ...text.matchAll(
        /"(?:description|enumDescriptions)":(?:"|\["|\[)((?:[^"\\]|\\.)*)/g,
      ),
    ];
    assert.ok(plain.length > 20);
    for (const [, words] of plain) assert.doesNotMatch(words ?? '', /`/);
    assert.match(text, /"markdownDescription":"`oauth` to sign in/);
    assert.match(text, /"markdownEnumDescriptions":\[[^\]]*`http`/);
  });

  it('accepts unknown keys at every level', async () => {
    const service = getLanguageService({});
    service.configure({
      validate: true,
      schemas: [{ uri: 'mcp', fileMatch: ['*'], schema: jsonSchema() }],
    });
    const text =
      '{"mcpServers": {"name": {"command": "x", "other": {}}}, "other": 1}';
    const document = TextDocument.create('file:///mcp.json', 'json', 1, text);
    assert.deepEqual(
      await service.doValidation(document, service.parseJSONDocument(document)),
      [],
    );
  });

  it('translates every text, and nothing else', () => {
    const texts =
      /"(?:title|(?:markdownD|d)escription|label)":"[^"]|"(?:markdownE|e)numDescriptions":\["[^"]/g;
    assert.ok((JSON.stringify(jsonSchema()).match(texts) ?? []).length > 20);
    const translated = JSON.stringify(jsonSchema(() => ''));
    assert.equal(translated.match(texts), null);
    assert.match(translated, /"body":\{"command":"\$\{1:npx\}"/);
    assert.match(translated, /"examples":\["npx","uvx","docker"\]/);
    assert.match(translated, /"enum":\["http","streamable-http","sse",null\]/);
  });
});
