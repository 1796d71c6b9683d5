import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  commands,
  type Diagnostic,
  DiagnosticSeverity,
  languages,
  Uri,
  window,
} from 'vscode';
import { until } from '../support/eventually.ts';

/** Opens an mcp.json with this content in this folder. */
async function open(folder: string, content: unknown): Promise<Uri> {
  const parent = join(await mkdtemp(join(homedir(), 'schema-')), folder);
  const path = join(parent, 'mcp.json');
  await mkdir(parent);
  await writeFile(path, JSON.stringify(content, null, 2));
  await window.showTextDocument(Uri.file(path));
  return Uri.file(path);
}

/**
 * The problems that the editor's own JSON support reports, once there are any.
 */
async function problems(uri: Uri): Promise<Diagnostic[]> {
  return await until(
    () =>
      languages
        .getDiagnostics(uri)
        .filter(({ source }) => source !== 'Agent Switchboard'),
    (found) => found.length > 0,
  );
}

function messages(found: readonly Diagnostic[]): string {
  return found.map(({ message }) => message).join('\n');
}

describe('the JSON schema of mcp.json', () => {
  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  for (const folder of ['.agent', '.openhands']) {
    it(`marks a wrong value in ${folder}/mcp.json`, async () => {
      const uri = await open(folder, {
        mcpServers: { files: { command: 'npx', args: 'not a list' } },
      });
      const [problem, ...others] = await problems(uri);
      assert.deepEqual(others, []);
      assert.match(problem?.message ?? '', /array/);
      assert.equal(problem?.severity, DiagnosticSeverity.Warning);
    });
  }

  it('marks an unknown transport', async () => {
    const uri = await open('.agent', {
      mcpServers: { web: { url: 'https://example.com', transport: 'htp' } },
    });
    assert.match(
      messages(await problems(uri)),
      /^Value is not accepted. Valid values: "http", .*"sse"/,
    );
  });

  it('reports a server with neither a command nor a URL', async () => {
    const uri = await open('.agent', {
      mcpServers: { empty: { enabled: false } },
    });
    assert.match(messages(await problems(uri)), /Missing property "command"/);
  });

  it('reports nothing for a valid file', async () => {
    const uri = await open('.agent', {
      mcpServers: {
        files: {
          command: 'node',
          args: ['-y', 'files'],
          env: { TOKEN: 'x' },
          cwd: '/',
          timeout: 10_000,
          enabled: false,
        },
        web: {
          url: 'https://example.com/mcp',
          transport: 'http',
          headers: { 'X-Key': 'x' },
          auth: 'oauth',
        },
        old: {
          url: 'https://example.com/sse',
          transport: 'sse',
          sse_read_timeout: 5,
          description: 'd',
          icon: 'i',
        },
        other: { command: 'node', unknown: { to: 'us' } },
      },
      unknown: true,
    });
    // Problems in an invalid file opened later appear only after the valid one
    // was checked.
    const wrong = await open('.openhands', { mcpServers: [] });
    await problems(wrong);
    assert.deepEqual(languages.getDiagnostics(uri), []);
  });
});
