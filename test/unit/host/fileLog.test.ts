import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enableLogFiles } from '../../host/fileLog.ts';

interface Logger {
  info(message: string): void;
  clearFormatters(): void;
}

interface LogModule {
  createAsyncRotatingLogger(
    name: string,
    file: string,
    size: number,
    count: number,
  ): Promise<Logger>;
}

describe('the log of a VS Code server without native modules', () => {
  let server: string;

  beforeEach(async () => {
    server = await mkdtemp(join(tmpdir(), 'switchboard-file-log-'));
  });

  afterEach(async () => {
    await rm(server, { recursive: true });
  });

  it('gets written to a file in a new folder, with the level of each line', async () => {
    const module = join(server, 'node_modules/@vscode/spdlog');
    await mkdir(module, { recursive: true });
    await writeFile(join(module, 'index.js'), "require('bindings')('spdlog');");
    await enableLogFiles(server);
    const spdlog = createRequire(import.meta.url)(module) as LogModule;
    const file = join(server, 'logs/exthost1/Agent Switchboard.log');
    const logger = await spdlog.createAsyncRotatingLogger('log', file, 1, 1);
    logger.info('GET listConversations');
    logger.clearFormatters();
    logger.info('raw');
    assert.match(
      await readFile(file, 'utf8'),
      /^[\dT:.-]+Z \[info\] GET listConversations\nraw$/,
    );
  });
});
