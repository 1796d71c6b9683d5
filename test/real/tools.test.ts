import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServer, readEntries } from '../../src/mcp/format/document.ts';
import { editText } from '../../src/mcp/edit/editText.ts';
import { toolNameForAgents } from '../../src/mcp/format/verdict.ts';
import { ensureEnvironment } from './environment.ts';
import { httpServer } from './mcpServer.ts';
import { startModel } from './model.ts';
import { ensureNpmServers } from './npmServers.ts';
import { Program } from './program.ts';

/** Some tools that each of these servers has. */
const toolsOff = {
  everything: ['echo', 'get-sum'],
  filesystem: ['write_file', 'move_file'],
  memory: ['delete_entities'],
  notes: ['delete_notes', 'find_notes'],
  far: ['forget'],
} as const;

type Name = keyof typeof toolsOff;

const names = Object.keys(toolsOff) as Name[];

describe('an agent of the real program', () => {
  const remote = httpServer(() => undefined);
  let folder: string;
  let entries: Readonly<Record<Name, object>>;

  before(async () => {
    await new Promise<void>((resolve) =>
      remote.listen(0, '127.0.0.1', resolve),
    );
    folder = await realpath(await mkdtemp(join(tmpdir(), 'switchboard-real-')));
    const [npm, python] = [
      await ensureNpmServers(),
      await ensureEnvironment('program'),
    ];
    const fromNpm = (name: string, ...args: string[]) => ({
      command: process.execPath,
      args: [join(npm, `mcp-server-${name}`), ...args],
    });
    entries = {
      everything: fromNpm('everything'),
      filesystem: fromNpm('filesystem', folder),
      memory: {
        ...fromNpm('memory'),
        env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
      },
      notes: {
        command: join(python, 'python'),
        args: [join(import.meta.dirname, 'fastmcpServer.py')],
      },
      far: {
        url: `http://127.0.0.1:${(remote.address() as AddressInfo).port}/mcp`,
      },
    };
  });

  after(async () => {
    remote.closeAllConnections();
    remote.close();
    await rm(folder, { recursive: true, force: true });
  });

  const fileWith = (...which: Name[]) =>
    JSON.stringify({
      mcpServers: Object.fromEntries(
        which.map((name) => [name, entries[name]]),
      ),
    });

  const withToolsOff = (text: string, ...which: Name[]) =>
    which.reduce(
      (before, name) =>
        editText(before, { do: 'tools', name, on: [], off: toolsOff[name] })
          .text,
      text,
    );

  async function offered(text: string): Promise<string[]> {
    const [program, model] = await Promise.all([Program.open(), startModel()]);
    try {
      await program.write(text);
      const llm = {
        LLM_API_KEY: 'x',
        LLM_MODEL: 'openai/rule',
        LLM_BASE_URL: model.url,
      };
      const ran = await program.start(
        ['--headless', '--override-with-envs', '-t', 'Say hello.'],
        llm,
      );
      assert.equal(ran.code, 0, ran.output);
      return [...model.offered()].sort();
    } finally {
      await model.stop();
      await program.close();
    }
  }

  /** The names under which agents know these tools, in our words. */
  const forAgents = (text: string, name: Name, tools: readonly string[]) => {
    const entries = readEntries(text);
    const entry = findServer(entries, name);
    const count = entries.filter(({ enabled }) => enabled).length;
    return tools.map((tool) =>
      toolNameForAgents(name, entry.toolName(tool), count),
    );
  };

  const without = (before: readonly string[], gone: readonly string[]) => {
    const missing = gone.filter((tool) => !before.includes(tool));
    assert.deepEqual(missing, [], `of ${before.join(', ')}`);
    return before.filter((tool) => !gone.includes(tool));
  };

  it('gets exactly the tools of several servers that are on, and gets them back when they are on again', async () => {
    const off = withToolsOff(fileWith(...names), ...names);
    const again = editText(off, {
      do: 'tools',
      name: 'memory',
      on: toolsOff.memory,
      off: ['read_graph'],
    }).text;
    const before = await offered(fileWith(...names));
    const [after, later] = [await offered(off), await offered(again)];
    const gone = names.flatMap((name) => forAgents(off, name, toolsOff[name]));
    assert.deepEqual(after, without(before, gone));
    const memory = forAgents(off, 'memory', toolsOff.memory);
    assert.deepEqual(
      later,
      without(
        [...after, ...memory].sort(),
        forAgents(off, 'memory', ['read_graph']),
      ),
    );
  });

  for (const name of ['everything', 'far'] as const) {
    it(`gets exactly the tools of a single server that are on: ${name}`, async () => {
      const one = fileWith(name);
      // Not those that it has beside others: a server may offer fewer to one
      // that can do less.
      const [before, after] = [
        await offered(one),
        await offered(withToolsOff(one, name)),
      ];
      assert.deepEqual(after, without(before, toolsOff[name]));
    });
  }

  it('gets tools by the names that the file gives them, and none of a server with a tool that makes no sense', async () => {
    const file = (tools: object, more: object = {}) =>
      JSON.stringify({
        mcpServers: { notes: { ...entries.notes, tools }, ...more },
      });
    const renamed = file({
      add_note: { name: 'write', enabled: true },
      find_notes: { enabled: 'off' },
    });
    const two = file(
      { add_note: { name: 'write' }, delete_notes: false },
      { far: entries.far },
    );
    const [alone, both] = [await offered(renamed), await offered(two)];
    const ours = (offers: readonly string[]) =>
      offers.filter((tool) => /write$|note|far_/.test(tool));
    assert.deepEqual(ours(alone), [
      'delete_notes',
      ...forAgents(renamed, 'notes', ['add_note']),
    ]);
    assert.deepEqual(ours(both), ['far_echo', 'far_forget', 'far_tell']);
  });
});
