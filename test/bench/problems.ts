import * as languageService from 'vscode-json-languageservice';
import { jsonSchema } from '../../src/mcp/format/jsonSchema.ts';
import { findProblems } from '../../src/mcp/problems/findProblems.ts';
import { step } from '../host/steps.ts';
import { rounds } from './rounds.ts';
import { median, milliseconds, type Row } from './table.ts';

// Node does not recognise all exports of this package.
const { getLanguageService, TextDocument } = (
  languageService as unknown as { default: typeof languageService }
).default;

const servers = 1_000;
const runs = rounds(40);

/**
 * Finding the problems in a large file, as on every keystroke, compared with
 * the editor's own JSON service.
 */
export async function problems(): Promise<Row[]> {
  return await step(
    `Looking for the problems of ${servers} servers`,
    async () => [
      await compare(`problems of ${servers} servers`, bigFile(sound)),
      await compare(
        `problems of ${servers} servers, 4 in each`,
        bigFile(unsound),
      ),
    ],
  );
}

async function compare(what: string, text: string): Promise<Row> {
  const validate = validator(text);
  const ours: number[] = [];
  const reference: number[] = [];
  // In turns, so that other load on the machine affects both equally. The first
  // runs are not counted.
  for (let run = -5; run < runs; run++) {
    const first = performance.now();
    findProblems(text);
    const second = performance.now();
    await validate();
    if (run < 0) continue;
    ours.push(second - first);
    reference.push(performance.now() - second);
  }
  return {
    what: `${what} (${Math.round(text.length / 1000)} KB)`,
    ours: milliseconds(median(ours)),
    reference: `${milliseconds(median(reference))} (vscode-json-languageservice)`,
    ratio: `${(median(ours) / median(reference)).toFixed(2)}x`,
    goal: 'at most 1x',
  };
}

/**
 * Does what the editor does with the same text: parses it and validates it with
 * our schema.
 */
function validator(text: string): () => Promise<unknown> {
  const service = getLanguageService({});
  service.configure({
    validate: true,
    schemas: [{ uri: 'mcp', fileMatch: ['*'], schema: jsonSchema() }],
  });
  const document = TextDocument.create('file:///mcp.json', 'json', 1, text);
  return async () =>
    await service.doValidation(document, service.parseJSONDocument(document));
}

function bigFile(entry: (i: number) => object): string {
  const all = Array.from({ length: servers }, (_, i) => [
    `server-${i}`,
    entry(i),
  ]);
  return JSON.stringify(
    { mcpServers: Object.fromEntries(all) as object },
    null,
    2,
  );
}

function sound(i: number): object {
  return i % 2 === 0
    ? {
        command: 'npx',
        args: ['-y', `@acme/mcp-server-${i}`, '--root', '/srv/projects'],
        env: { API_TOKEN: `secret-${i}` },
      }
    : {
        url: `https://example.com/${i}/mcp`,
        transport: 'http',
        headers: { Authorization: `Bearer secret-${i}` },
      };
}

function unsound(i: number): object {
  return i % 2 === 0
    ? {
        type: 'local',
        ...sound(i),
        env: { API_TOKEN: 'YOUR_TOKEN', PORT: 8080 },
        disabled: true,
      }
    : {
        type: 'sse',
        ...sound(i),
        transport: 'htp',
        enabled: 'true',
        header: { 'A b': '${TOKEN}' },
      };
}
