import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Change } from '../../src/mcp/edit/wantedChange.ts';
import { editText } from '../../src/mcp/edit/editText.ts';
import { readPasted } from '../../src/mcp/pasted/readPasted.ts';
import { Refusal } from '../../src/mcp/text/refusal.ts';
import { Terminal } from '../unit/terminal/support.ts';
import { type Meaning, meaningOf, meaningsOf } from './meaning.ts';
import { pastedTexts } from './pastedTexts.ts';
import { Program, type ReadServer } from './program.ts';
import {
  drawChange,
  type Expected,
  expectedAfter,
  type Switched,
} from './randomChanges.ts';
import { randomFiles, randomTape } from './randomFiles.ts';

describe('a change that we write', () => {
  let program: Program;

  before(async () => {
    program = await Program.open();
  });

  after(async () => {
    await program.close();
  });

  it('means to the real program what was meant, in every file that it accepts, and the rest as before', async () => {
    const done = new Map<Change['do'], number>();
    const texts = randomFiles(1500, 7);
    const readings = await program.readsAll(texts);
    const changes = texts.flatMap((text, i) => {
      const reading = readings[i];
      if (!reading?.accepted) return [];
      const before = reading.servers;
      const change = drawChange(randomTape(`change ${i}`), before);
      const after = edited(text, change);
      return after === undefined ? [] : [{ text, before, change, after }];
    });
    const afterwards = await program.readsAll(
      changes.map(({ after }) => after),
    );
    for (const [i, { text, before, change, after }] of changes.entries()) {
      const reading = afterwards[i];
      assert.ok(reading?.accepted, after);
      const { servers } = reading;
      const expected = expectedAfter(before, change);
      assert.deepEqual(
        Object.keys(servers).sort(),
        Object.keys(expected).sort(),
        after,
      );
      for (const [name, server] of Object.entries(servers)) {
        const wanted = expected[name];
        if (wanted)
          assert.deepEqual(
            ...comparable(server, wanted),
            `${JSON.stringify(change)}\n${text}\n${after}`,
          );
      }
      done.set(change.do, (done.get(change.do) ?? 0) + 1);
    }
    for (const kind of [
      'add',
      'enable',
      'disable',
      'remove',
      'rename',
      'replace',
      'tools',
      'url',
    ] as const) {
      assert.ok(
        (done.get(kind) ?? 0) >= 20,
        `${kind}: ${done.get(kind) ?? 0} files`,
      );
    }
  });

  it('makes a file that the program accepts of one that is empty or blank', async () => {
    for (const text of [
      '',
      ' ',
      '\n\n',
      '\uFEFF',
      '{}',
      '{"mcpServers": {}}',
    ]) {
      const server = {
        transport: 'stdio',
        command: 'x',
        args: [],
        env: new Map(),
      } as const;
      const after = editText(text, { do: 'add', name: 'a', server }).text;
      assert.deepEqual(
        Object.keys(await program.servers(after)),
        ['a'],
        JSON.stringify(text),
      );
    }
  });

  describe('of a pasted text', () => {
    for (const [dialect, text, wanted] of pastedTexts) {
      it(`means what was meant by ${dialect}`, async () => {
        let file = '';
        for (const { suggestedName, server, enabled, extra } of readPasted(text)
          .servers) {
          file = editText(file, {
            do: 'add',
            name: suggestedName,
            server,
            enabled,
            extra,
          }).text;
        }
        assert.deepEqual(meaningsOf(await program.servers(file)), wanted);
      });
    }
  });

  describe('in the terminal', () => {
    for (const line of [
      ['stdio', 'npx'],
      ['stdio', 'npx', '--', '-y', 'docs', '--flag', '--', 'a b'],
      ['stdio', '--env', 'A=1', '--env', 'B=x=y z', 'uvx', '--', 'docs'],
      ['stdio', '--disabled', 'npx', '--', 'docs'],
      ['http', 'https://h.example/mcp'],
      [
        'http',
        '--header',
        'Authorization: Bearer a:b',
        '--header',
        'X-A:b',
        'https://h.example/mcp',
      ],
      ['sse', '--auth', 'oauth', '--disabled', 'https://h.example/sse?a=b'],
      ['sse', '--enabled', 'https://h.example/mcp'],
    ]) {
      it(`gives the same server as the program for: ${line.join(' ')}`, async () => {
        const args = ['add', 'docs', '--transport', ...line];
        const [ours, theirs] = await Promise.all([
          ourWay([args]),
          theirWay([args]),
        ]);
        assert.deepEqual(ours, theirs);
      });
    }

    it('gives the same servers as the program when they are enabled, disabled and removed', async () => {
      const lines = [
        ['add', 'a', '--transport', 'stdio', 'npx'],
        [
          'add',
          'b',
          '--transport',
          'http',
          '--disabled',
          'https://h.example/mcp',
        ],
        ['add', 'c', '--transport', 'http', 'https://h.example/mcp'],
        ['disable', 'a'],
        ['enable', 'b'],
        ['remove', 'c'],
      ];
      assert.deepEqual(await ourWay(lines), await theirWay(lines));
    });
  });

  it('takes or refuses in the terminal what the program loses without a word', async () => {
    for (const [line, taken] of [
      [
        ['http', 'https://h.example/mcp', '--header', 'A: b'],
        { headers: { A: 'b' } },
      ],
      [['http', '--env', 'A=b', 'https://h.example/mcp'], undefined],
      [['stdio', '--header', 'A: b', 'npx'], undefined],
    ] as const) {
      const args = ['add', 'docs', '--transport', ...line];
      const theirs = await theirWay([args]);
      assert.doesNotMatch(JSON.stringify(theirs.docs?.fields), /"A"/);
      const ours = ourWay([args]);
      if (taken)
        assert.deepEqual((await ours).docs?.fields, {
          ...theirs.docs?.fields,
          ...taken,
        });
      else await assert.rejects(ours, /Error: /);
    }
  });

  /**
   * The servers that the program reads after these lines were run with our
   * terminal.
   */
  async function ourWay(
    lines: readonly (readonly string[])[],
  ): Promise<Record<string, Meaning>> {
    const terminal = await Terminal.open();
    try {
      for (const args of lines) {
        const { code, err } = await terminal.mcp(...args);
        assert.equal(code, 0, err);
      }
      return meaningsOf(
        await program.servers(await readFile(terminal.file, 'utf8')),
      );
    } finally {
      await terminal.close();
    }
  }

  /** The servers that the program reads after it ran these lines itself. */
  async function theirWay(
    lines: readonly (readonly string[])[],
  ): Promise<Record<string, Meaning>> {
    const other = await Program.open();
    try {
      for (const args of lines) {
        const { code, output } = await other.mcp(...args);
        assert.equal(code, 0, output);
      }
      return meaningsOf(await other.servers());
    } finally {
      await other.close();
    }
  }
});

function edited(text: string, change: Change): string | undefined {
  try {
    return editText(text, change).text;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/**
 * The program decides if a server is on: the spelling in the file does not
 * matter.
 */
function comparable(server: ReadServer, wanted: Expected): [unknown, unknown] {
  if ('off' in wanted)
    return [
      switchedOf(server, wanted),
      switchedOf(wanted.server, wanted, wanted.off),
    ];
  if (!('reads' in wanted)) return [meaningOf(server), wanted];
  const withoutEnabled = ({ fields, ...rest }: ReadServer) => ({
    ...rest,
    fields: { ...fields, enabled: null },
  });
  return [withoutEnabled(server), withoutEnabled(wanted)];
}

/**
 * All but how the file says which tools are off; and which are, where that is
 * known.
 */
function switchedOf(
  { reads, tools, fields, ...rest }: ReadServer,
  { off }: Switched,
  wanted: readonly string[] = Object.keys(tools ?? {})
    .filter((tool) => tools?.[tool] === false)
    .sort(),
): object {
  const others = Object.entries(fields).filter(
    ([key, value]) => key !== 'tools' && value !== null,
  );
  return {
    ...rest,
    reads: reads.replace('Transforming', ''),
    fields: Object.fromEntries(others),
    off: off && wanted,
  };
}
