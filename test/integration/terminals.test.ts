import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EnvironmentVariableMutatorType, type ExtensionContext } from 'vscode';
import { equipTerminals } from '../../src/editor/background/terminals.ts';
import { Apart } from './apart.ts';
import { Desk } from './desk.ts';
import { until } from '../support/eventually.ts';

const folder = join(homedir(), '.agent');

describe('the switchboard command in a terminal', () => {
  let desk: Desk;
  let apart: Apart;

  /**
   * Runs a line in a shell with the environment that the editor gives to its
   * terminals.
   */
  const shell = async (line: string) => {
    const [program, option] =
      process.platform === 'win32' ? ['cmd', '/c'] : ['sh', '-c'];
    const env = { ...process.env, ...Object.fromEntries(apart.variables) };
    return (await promisify(execFile)(program, [option, line], { env })).stdout;
  };

  before(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    await mkdir(folder, { recursive: true });
    apart = new Apart();
    await apart.insight;
  });

  after(async () => {
    await apart.deactivate();
    await desk.clear();
    await rm(folder, { recursive: true });
  });

  it('runs from the PATH and changes the file that the editor shows', async () => {
    await shell('switchboard mcp add files --transport stdio npx -- -y files');
    assert.deepEqual(
      JSON.parse(await readFile(join(folder, 'mcp.json'), 'utf8')),
      {
        mcpServers: {
          files: { command: 'npx', args: ['-y', 'files'], env: {} },
        },
      },
    );
    await until(() => desk.servers.entries[0]?.name);
  });

  it('uses the file in the settings', async () => {
    const other = join(folder, 'other.json');
    await desk.configure({ 'mcp.file': other });
    await until(() => apart.variables.get('SWITCHBOARD_MCP_FILE') === other);
    const { file } = JSON.parse(await shell('switchboard mcp list --json')) as {
      readonly file: string;
    };
    assert.equal(file, other);
  });

  it('uses the default file if the settings name none', async () => {
    await desk.configure({ 'mcp.file': undefined });
    await until(() => !apart.variables.has('SWITCHBOARD_MCP_FILE'));
    const { file } = JSON.parse(await shell('switchboard mcp list --json')) as {
      readonly file: string;
    };
    assert.equal(file, join(folder, 'mcp.json'));
  });

  it('uses the file that the editor shows despite SWITCHBOARD_MCP_FILE in its environment', async () => {
    process.env.SWITCHBOARD_MCP_FILE = join(folder, 'environment.json');
    const other = new Apart();
    try {
      await until(
        () =>
          other.variables.get('SWITCHBOARD_MCP_FILE') ===
          join(folder, 'mcp.json'),
      );
    } finally {
      delete process.env.SWITCHBOARD_MCP_FILE;
      await other.deactivate();
    }
  });

  it('clears a stored file variable that the settings no longer name', async () => {
    const last = new Apart();
    last.variables.set('SWITCHBOARD_MCP_FILE', join(folder, 'before.json'));
    await until(() => !last.variables.has('SWITCHBOARD_MCP_FILE'));
    await last.deactivate();
  });

  it('writes terminal variables only when they change', () => {
    const kept = new Map<
      string,
      { readonly value: string; readonly type: EnvironmentVariableMutatorType }
    >();
    let writes = 0;
    const keep =
      (type: EnvironmentVariableMutatorType) =>
      (name: string, value: string) => {
        writes++;
        kept.set(name, { value, type });
      };
    const context = {
      extensionPath: folder,
      environmentVariableCollection: {
        get: (name: string) => kept.get(name),
        prepend: keep(EnvironmentVariableMutatorType.Prepend),
        replace: keep(EnvironmentVariableMutatorType.Replace),
      },
    } as unknown as ExtensionContext;
    equipTerminals(context).dispose();
    assert.equal(writes, 2);
    equipTerminals(context).dispose();
    assert.equal(writes, 2);
    equipTerminals({
      ...context,
      extensionPath: join(folder, 'newer'),
    }).dispose();
    assert.equal(writes, 3);
  });
});
