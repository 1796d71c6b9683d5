import assert from 'node:assert/strict';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../host/paths.ts';

/**
 * The files of src/ that an entry point loads before anything is imported
 * dynamically.
 */
async function loadedBy(
  entry: string,
  external: readonly string[] = [],
): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    external: ['vscode', ...external],
    outdir: 'unused',
    write: false,
    metafile: true,
  });
  const inputs = (output: string, seen: Set<string>): string[] => {
    if (seen.has(output)) return [];
    seen.add(output);
    const { inputs: own = {}, imports = [] } = metafile.outputs[output] ?? {};
    const statically = imports.filter(
      ({ kind }) => kind === 'import-statement',
    );
    const imported = statically.flatMap(({ path, external: isLeft }) =>
      isLeft === true ? [path] : inputs(path, seen),
    );
    return [...Object.keys(own), ...imported];
  };
  const name = entry.replace(/^.*\//, '').replace(/\.ts$/, '.js');
  return inputs(join('unused', name), new Set());
}

describe('the extension', () => {
  it('activates without the code of services, state, MCP files, views and commands', async () => {
    const loaded = await loadedBy('src/extension.ts');
    assert.ok(
      loaded.includes('src/extension.ts') &&
        loaded.includes('src/editor/ui/lazyView.ts'),
    );
    const rooms =
      /^src\/(service|state|demo|mcp|terminal|editor\/(start|words|conversations\/page|mcpServers\/\w+))\//;
    assert.deepEqual(
      loaded
        .filter((path) => rooms.test(path) || path.includes('node_modules'))
        .sort(),
      // Read the services in the settings.
      [
        'src/service/abilities/agentService.ts',
        'src/service/http/serviceAddress.ts',
      ],
    );
  });

  it('loads the YAML parser only for pasted text', async () => {
    const isYaml = (path: string) => path.startsWith('node_modules/yaml/');
    for (const entry of [
      'editor/start/runtime.ts',
      'editor/mcpServers/add/addServersFromText.ts',
      'cli.ts',
    ]) {
      assert.deepEqual(
        (await loadedBy(`src/${entry}`)).filter(isYaml),
        [],
        entry,
      );
    }
    assert.ok((await loadedBy('src/mcp/pasted/readPasted.ts')).some(isYaml));
  });

  it('loads the first rows without code for commands, pages and notifications', async () => {
    const others =
      /^src\/(base\/masks\/(mask|redact|secretNames)|files\/(lock|sharedFile)|mcp\/format\/mask|editor\/(conversations\/page\/|mcpServers\/(ofFile|add|check|ofServices|serversTree|serverItems|serverPages)\b|\w+\/\w+Commands\.|start\/commandRunner|words\/mcpServers\/serverWords|words\/conversations\/noticeWords|background\/(notifications|leaderLock|shared\w+)\.))/;
    const loaded = await loadedBy('src/editor/start/runtime.ts');
    assert.deepEqual(
      loaded.filter((path) => others.test(path)),
      [],
    );
  });

  it('loads check code only on demand, and never the MCP client with it', async () => {
    const isOfChecks = (path: string) =>
      /^src\/(?:probe\/|state\/mcpServers\/(?:serverC|c)heck|editor\/mcpServers\/check\/)/.test(
        path,
      );
    const isOfClient = (path: string) => path.includes('modelcontextprotocol');
    assert.deepEqual(
      (await loadedBy('src/editor/start/runtime.ts')).filter(isOfChecks),
      [],
    );
    for (const entry of [
      'editor/mcpServers/check/savedChecks.ts',
      'editor/start/commandRunner.ts',
    ]) {
      const loaded = await loadedBy(`src/${entry}`);
      assert.ok(loaded.some(isOfChecks), entry);
      assert.deepEqual(loaded.filter(isOfClient), [], entry);
    }
  });

  it('loads the code of state and views in runtime.ts', async () => {
    const loaded = await loadedBy('src/editor/start/runtime.ts');
    for (const room of ['state', 'editor/ui']) {
      assert.ok(
        loaded.some((path) => path.startsWith(`src/${room}/`)),
        room,
      );
    }
  });
});
