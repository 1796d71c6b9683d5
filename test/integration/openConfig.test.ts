import assert from 'node:assert/strict';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { commands, ConfigurationTarget, window, workspace } from 'vscode';
import type { CommandId } from '../../src/editor/manifest.ts';

const openConfig: CommandId = 'switchboard.mcp.openConfig';
const agent = join(homedir(), '.agent');
const openHands = join(homedir(), '.openhands');

describe('Open Configuration File', () => {
  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    for (const key of ['mcp.file', 'cliDirectory']) {
      await workspace
        .getConfiguration('switchboard')
        .update(key, undefined, ConfigurationTarget.Global);
    }
    await rm(agent, { recursive: true, force: true });
    await rm(openHands, { recursive: true, force: true });
  });

  it('creates a missing file with private permissions and opens it', async () => {
    await commands.executeCommand(openConfig);
    const path = join(agent, 'mcp.json');
    assert.equal(window.activeTextEditor?.document.fileName, path);
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), {
      mcpServers: {},
    });
    if (process.platform !== 'win32') {
      assert.equal((await stat(path)).mode & 0o777, 0o600);
      assert.equal((await stat(agent)).mode & 0o777, 0o700);
    }
  });

  it('opens an existing file without changing it', async () => {
    await mkdir(openHands);
    const path = join(openHands, 'mcp.json');
    await writeFile(path, '{"mcpServers": {} }');
    await commands.executeCommand(openConfig);
    assert.equal(window.activeTextEditor?.document.fileName, path);
    assert.equal(await readFile(path, 'utf8'), '{"mcpServers": {} }');
  });

  it('opens the file that the settings name', async () => {
    const settings = workspace.getConfiguration('switchboard');
    await settings.update(
      'cliDirectory',
      '.openhands',
      ConfigurationTarget.Global,
    );
    await commands.executeCommand(openConfig);
    assert.equal(
      window.activeTextEditor?.document.fileName,
      join(openHands, 'mcp.json'),
    );

    const elsewhere = join(agent, 'elsewhere.json');
    await settings.update('mcp.file', elsewhere, ConfigurationTarget.Global);
    await commands.executeCommand(openConfig);
    assert.equal(window.activeTextEditor.document.fileName, elsewhere);
  });
});
