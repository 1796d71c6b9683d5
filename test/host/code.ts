#!/usr/bin/env node
/**
 * A drop-in replacement for the executable of desktop VS Code. It accepts the
 * arguments that `runTests` of
 * @vscode/test-electron passes, runs the tests in a window of the VS Code server, and exits with their exit code.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { versionVariable } from './fetchServer.ts';
import { stopAll } from './processes.ts';
import { main } from './steps.ts';
import { startServer } from './vscodeServer.ts';
import { openWindow } from './window.ts';

await main(async () => {
  const { values, positionals } = parseArgs({
    strict: false,
    allowPositionals: true,
    options: {
      extensionTestsPath: { type: 'string' },
      extensionDevelopmentPath: { type: 'string' },
      'user-data-dir': { type: 'string' },
      'extensions-dir': { type: 'string' },
    },
  });
  const path = (name: keyof typeof values) =>
    typeof values[name] === 'string' ? values[name] : undefined;
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-code-'));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => void stopAll().finally(() => process.exit(1)));
  }
  try {
    const userData = path('user-data-dir') ?? join(scratch, 'user-data');
    const server = await startServer({
      version: process.env[versionVariable],
      userData,
      extensions: path('extensions-dir') ?? join(scratch, 'extensions'),
      settings: await userSettings(userData),
      development: true,
    });
    const window = await openWindow(server, {
      folder: positionals[0],
      extensionDevelopmentPath: path('extensionDevelopmentPath'),
      extensionTestsPath: path('extensionTestsPath'),
      onLog: (_type, args) => {
        // The native log module is deliberately not built.
        if (!String(args[0]).includes('Could not locate the bindings file'))
          console.log(...args);
      },
    });
    const code = await window.exit;
    await window.close();
    await server.stop();
    return code;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
});

async function userSettings(
  userData: string,
): Promise<Record<string, unknown>> {
  const text = await readFile(
    join(userData, 'User/settings.json'),
    'utf8',
  ).catch(() => '{}');
  return JSON.parse(text) as Record<string, unknown>;
}
