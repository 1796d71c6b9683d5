import assert from 'node:assert/strict';
import { UserError } from '../../../../src/base/errors.ts';
import {
  type ConfigRead,
  ServerList,
} from '../../../../src/state/mcpServers/serverList.ts';

const one = '{"mcpServers":{"a":{"command":"x"}}}';
const two = '{"mcpServers":{"a":{"command":"x"},"b":{"url":"https://y"}}}';

class Desk {
  file: ConfigRead | Error = { path: '/mcp.json', text: one, saved: true };
  reads = 0;
  /** The servers that were named, each time that something was told. */
  readonly named: string[] = [];
  readonly servers = new ServerList(async () => {
    this.reads++;
    const { file } = this;
    await Promise.resolve();
    if (file instanceof Error) throw file;
    return file;
  });

  constructor() {
    this.servers.onChange(({ servers }) =>
      this.named.push([...servers].join(' ')),
    );
  }

  get told() {
    return this.named.length;
  }

  get names() {
    return this.servers.entries.map(({ name }) => name);
  }

  async says(text: string | undefined, path = '/mcp.json') {
    this.file = { path, text, saved: true };
    await this.servers.refresh();
  }
}

describe('the list of MCP servers', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = new Desk();
    await desk.servers.refresh();
  });

  it('follows the file, and fires a change event only when the file changes', async () => {
    assert.deepEqual(desk.names, ['a']);
    assert.equal(desk.told, 1);
    await desk.says(one);
    assert.equal(desk.told, 1);
    await desk.says(two);
    assert.deepEqual(desk.names, ['a', 'b']);
    assert.equal(desk.told, 2);
  });

  it('reports the changed servers, wherever they are in the file', async () => {
    await desk.says('{"mcpServers":{"b":{"url":"y"},  "a":{"command":"x"}}}');
    await desk.says('{"mcpServers":{"b":{"url":"z"}, \n "a":{"command":"x"}}}');
    await desk.says(
      '{"mcpServers":{"b":{"url":"z"}, "a":{"command":"x", "cwd":"/"}}}',
    );
    assert.deepEqual(desk.named, ['', '', 'b', 'a']);
  });

  it('reports the servers whose fault appears or disappears', async () => {
    const faulty = one.replace('"x"', '"x y"');
    await desk.says(faulty);
    await desk.says('{"mcpServers":{');
    await desk.says(faulty);
    assert.deepEqual(desk.named, ['', 'a', 'a', 'a']);
  });

  it('reports all servers when a refusal of the file begins or ends, with its position and reason', async () => {
    const refusal = () => desk.servers.refusal;
    await desk.says(two);
    assert.equal(refusal(), undefined);
    await desk.says(two.replace('"x"', '"x","args":"y"'));
    const message = '"args" must be a list of strings.';
    assert.deepEqual(refusal(), {
      message,
      position: { line: 1, column: 42, offset: 41 },
    });
    assert.equal(desk.servers.problem, undefined);
    assert.equal(desk.servers.faults.get('a'), message);
    await desk.says(two);
    assert.equal(refusal(), undefined);
    await desk.says('{"mcpServers":{');
    assert.equal(refusal()?.position?.offset, 14);
    await desk.says('');
    assert.match(refusal()?.message ?? '', /^An empty file is refused\./);
    assert.deepEqual(desk.names, []);
    await desk.says(undefined);
    assert.equal(refusal(), undefined);
    assert.deepEqual(desk.named.slice(1, 5), ['', 'a b', 'a b', 'a b']);
  });

  it('shows why the file is refused before other faults of a server', async () => {
    await desk.says('{"mcpServers":{"a":{"command":"x y","args":1}}}');
    assert.match(desk.servers.faults.get('a') ?? '', /must be a list/);
  });

  it('shows no servers and no problem when there is no file', async () => {
    await desk.says(undefined);
    assert.deepEqual(desk.names, []);
    assert.equal(desk.servers.problem, undefined);
  });

  it('keeps the last valid rows when the file is not valid JSON, and shows where the error is', async () => {
    await desk.says('{"mcpServers":{');
    assert.deepEqual(desk.names, ['a']);
    assert.match(desk.servers.problem?.message ?? '', /^Line 1, column 15: /);
    assert.equal(desk.servers.problem?.position?.offset, 14);
    await desk.says(two);
    assert.deepEqual(desk.names, ['a', 'b']);
    assert.equal(desk.servers.problem, undefined);
  });

  it('keeps the last valid rows when the file cannot be read', async () => {
    desk.file = new UserError('The file cannot be read.');
    await desk.servers.refresh();
    await desk.servers.refresh();
    assert.deepEqual(desk.names, ['a']);
    assert.deepEqual(desk.servers.problem, {
      message: 'The file cannot be read.',
      position: undefined,
    });
    assert.equal(desk.told, 2);
    await desk.says(one);
    assert.equal(desk.servers.problem, undefined);
    assert.equal(desk.told, 3);
  });

  it('reports the faults of single entries', async () => {
    await desk.says(
      '{"mcpServers":{"a":{"command":"x"},"b":{"type":"http"},"c":{"url":"x","transport":"odd"}},}',
    );
    assert.deepEqual([...desk.servers.faults.keys()], ['b', 'c']);
    assert.match(desk.servers.faults.get('b') ?? '', /command|url/i);
    await desk.says(one);
    assert.equal(desk.servers.faults.size, 0);
  });

  it('does not show the rows of one file for another', async () => {
    await desk.says('{', '/other.json');
    assert.deepEqual(desk.names, []);
  });

  it('rethrows an unexpected error, and can refresh again after it', async () => {
    desk.file = new TypeError('a defect');
    await assert.rejects(desk.servers.refresh(), TypeError);
    await desk.says(two);
    assert.deepEqual(desk.names, ['a', 'b']);
  });

  it('reads the file once more, however many refreshes are requested during a read', async () => {
    const before = desk.reads;
    const begun = desk.servers.refresh();
    await Promise.resolve();
    await Promise.all([begun, ...[1, 2, 3].map(() => desk.servers.refresh())]);
    assert.equal(desk.reads, before + 2);
    const first = desk.servers.refresh();
    await Promise.resolve();
    desk.file = { path: '/mcp.json', text: two, saved: true };
    await Promise.all([desk.servers.refresh(), desk.servers.refresh(), first]);
    assert.deepEqual(desk.names, ['a', 'b']);
    assert.equal(desk.reads, before + 4);
  });
});
