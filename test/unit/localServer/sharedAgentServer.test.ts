import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reason } from '../../../src/base/errors.ts';
import { Secret } from '../../../src/base/secret.ts';
import { containerRun } from '../../../src/localServer/container.ts';
import type { Installer } from '../../../src/localServer/installCommands.ts';
import {
  findDocker,
  findInstaller,
  newestVersion,
} from '../../../src/localServer/installer.ts';
import { PortTaken } from '../../../src/localServer/serverPort.ts';
import { SharedAgentServer } from '../../../src/localServer/sharedAgentServer.ts';
import { root } from '../../host/paths.ts';
import { until } from '../../support/eventually.ts';
import { itOnPosix } from '../../support/posix.ts';
import { writeStandIn } from '../../support/standInInstaller.ts';

const run = promisify(execFile);
const keys = {
  session: new Secret('session-key-of-this-test'),
  storage: new Secret('storage-key-of-this-test'),
};
const signal = new AbortController().signal;
const output = { signal, write: () => undefined };

describe('the Agent Server on this machine', function () {
  this.timeout(60_000);
  let scratch: string;
  let server: SharedAgentServer;
  let installer: Installer;

  beforeEach(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'switchboard-local-server-'));
    server = new SharedAgentServer(join(scratch, 'its data'));
    const programs = join(scratch, 'programs');
    await writeStandIn(programs, { newest: '1.2.3' });
    installer = { uv: join(programs, 'uv'), python: undefined };
  });

  afterEach(async () => {
    await server.stop();
    await rm(scratch, { recursive: true, force: true });
  });

  const change = (options: Parameters<typeof writeStandIn>[1]) =>
    writeStandIn(join(scratch, 'programs'), options);
  const install = (version?: string) =>
    server.install(server.plan(installer, version), output);

  /** Starts it at a port that no other test takes. */
  const start = async (cancel = signal) =>
    server.start(keys, cancel, await freePort());

  async function statusWith(url: URL, key: string): Promise<number> {
    const headers = { 'x-session-api-key': key };
    return (await fetch(new URL('/api/conversations/search', url), { headers }))
      .status;
  }

  async function allFiles(): Promise<string> {
    const names = await readdir(scratch, { recursive: true });
    const texts = names.map((name) =>
      readFile(join(scratch, name), 'utf8').catch(() => ''),
    );
    return (await Promise.all(texts)).join('\n');
  }

  itOnPosix('starts on 127.0.0.1 and lets in only its own key', async () => {
    await install();
    const { url } = await server.start(keys, signal);
    assert.equal(url.hostname, '127.0.0.1');
    assert.ok(Number(url.port) >= 8000);
    assert.equal(await statusWith(url, keys.session.reveal()), 200);
    assert.equal(await statusWith(url, 'another-key'), 401);
  });

  itOnPosix(
    'keeps its keys out of every file and the command line',
    async () => {
      await install();
      await start();
      const { pid } = await server.read();
      const places = [
        await allFiles(),
        await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
        ...server.plan(installer).commands.flatMap(({ args }) => args),
      ];
      for (const key of Object.values(keys))
        assert.ok(places.every((text) => !text.includes(key.reveal())));
      const { mode } = await stat(server.logFile);
      assert.equal(mode & 0o077, 0);
    },
  );

  itOnPosix('joins the server that another window has started', async () => {
    await install();
    const other = new SharedAgentServer(join(scratch, 'its data'));
    const starts = await Promise.all([
      server.start(keys, signal),
      other.start(keys, signal),
    ]);
    assert.equal(starts[0].url.href, starts[1].url.href);
    assert.equal(starts.filter(({ process }) => process).length, 1);
    assert.equal(await server.isRunning(), true);
    await other.stop();
    await assert.rejects(fetch(starts[0].url));
  });

  itOnPosix('waits for the end of the old one before it starts', async () => {
    const agentAtWork = join(scratch, 'agent at work');
    await writeFile(agentAtWork, '');
    await change({ newest: '1.2.3', lingersFor: agentAtWork });
    await install();
    const { process: old, url } = await start();
    // A window that is reloaded does not wait for it.
    old?.end();
    await until(() =>
      fetch(url).then(
        () => undefined,
        () => true,
      ),
    );
    assert.equal(await server.isRunning(), true);
    const starting = server.start(keys, signal);
    await rm(agentAtWork);
    assert.ok((await starting).process);
  });

  itOnPosix('refuses to join a server that has another key', async () => {
    await install();
    await start();
    await assert.rejects(
      server.start({ ...keys, session: new Secret('another') }, signal),
      /^UserError: The Agent Server at .+ was started with another key/,
    );
    assert.equal(await server.isRunning(), true);
  });

  itOnPosix('tells what it wrote since its start when it ends', async () => {
    await install();
    await server.log('Installed 3 packages\n');
    const { process: started } = await start();
    assert.ok(started);
    assert.match(
      await readFile(server.logFile, 'utf8'),
      /\n> .+python"? -m openhands\.agent_server --host 127\.0\.0\.1 --port \d+\n/,
    );
    started.end();
    await started.ended;
    assert.equal(await server.isRunning(), false);
    assert.match(
      (await server.lastLines(keys)).join('\n'),
      /^Agent Server 1\.2\.3 at http/,
    );
  });

  itOnPosix('tells a stop by another window from a crash', async () => {
    await install();
    const { process: started } = await start();
    assert.ok(started);
    await new SharedAgentServer(server.folder).stop();
    await started.ended;
    assert.equal(await server.claimCrash(), 0);
    const { process: next } = await start();
    assert.ok(next);
    assert.equal(await server.claimCrash(), 0);
    process.kill(-next.pid, 'SIGKILL');
    await next.ended;
    assert.equal(await server.claimCrash(), 1);
  });

  itOnPosix('tells a stop with the window from a crash', async () => {
    await install();
    const { process: started } = await start();
    started?.end();
    await started?.ended;
    const other = new SharedAgentServer(server.folder);
    assert.equal(await other.claimCrash(), 0);
  });

  itOnPosix('tells one of several windows of a crash', async () => {
    await install();
    const windows = [server, new SharedAgentServer(server.folder)];
    for (const count of [1, 2]) {
      const { process: started } = await start();
      assert.ok(started);
      process.kill(-started.pid, 'SIGKILL');
      await started.ended;
      const claims = () =>
        Promise.all(windows.map((window) => window.claimCrash()));
      assert.deepEqual((await claims()).sort(), [0, count]);
      assert.deepEqual(await claims(), [0, 0]);
    }
  });

  itOnPosix('explains why a server ended before it answered', async () => {
    await change({ newest: '2.0.0', broken: { '2.0.0': 'No module: mcp' } });
    await install();
    await assert.rejects(
      start(),
      /^UserError: The Agent Server ended before it answered\. · No module: mcp$/,
    );
  });

  itOnPosix('offers another port when its own is taken', async () => {
    await install();
    const { url } = await start();
    await server.stop();
    const intruder = await listen(Number(url.port));
    try {
      const error = await server
        .start(keys, signal)
        .catch((reason: unknown) => reason);
      assert.ok(error instanceof PortTaken);
      assert.notEqual(error.freePort, Number(url.port));
      const moved = await server.start(keys, signal, error.freePort);
      assert.equal(Number(moved.url.port), error.freePort);
      assert.equal(await server.address(), moved.url.origin);
    } finally {
      intruder.close();
    }
  });

  itOnPosix('takes the next port if another program is faster', async () => {
    await install();
    const other = new SharedAgentServer(join(scratch, 'other data'));
    await other.install(other.plan(installer), output);
    // Both find the same port free.
    const [one, two] = await Promise.all([
      server.start(keys, signal),
      other.start({ ...keys, session: new Secret('other') }, signal),
    ]);
    assert.notEqual(two.url.href, one.url.href);
    assert.equal(await statusWith(two.url, 'other'), 200);
    await other.stop();
  });

  itOnPosix(
    'sends its key to no other program that takes its port',
    async () => {
      await install();
      const received: string[] = [];
      const port = await freePort();
      const intruder = createHttpServer((request, response) => {
        received.push(JSON.stringify([request.url, request.headers]));
        response.end('<html>Hello</html>');
      });
      // Takes the port after the server was started there.
      const starting = server.start(keys, signal, port).catch(reason);
      await until(async () => (await server.read()).pid);
      intruder.listen(port, '127.0.0.1');
      await starting;
      intruder.close();
      assert.ok(received.length > 0);
      assert.doesNotMatch(received.join(), /session-key-of-this-test/);
    },
  );

  itOnPosix('leaves nothing behind when the installation fails', async () => {
    await change({ newest: '1.0.0', failure: 'No space left on device' });
    await assert.rejects(
      install(),
      /^UserError: uv failed: No space left on device$/,
    );
    assert.deepEqual(await readdir(join(scratch, 'its data', 'versions')), []);
    assert.equal(await server.isSetUp(), false);
  });

  itOnPosix('leaves nothing running when its start is canceled', async () => {
    await install();
    const controller = new AbortController();
    const starting = start(controller.signal);
    await until(async () => (await server.read()).pid);
    controller.abort();
    await assert.rejects(starting, { name: 'AbortError' });
    assert.equal(await server.isRunning(), false);
  });

  itOnPosix('updates to the newest version and goes back', async () => {
    await install();
    await change({ newest: '2.0.0' });
    const { current } = await server.read();
    const folder = server.versionFolder(current?.folder ?? '');
    assert.equal(await newestVersion(installer, folder, signal), '2.0.0');
    await install('2.0.0');
    const updated = await server.read();
    assert.equal(updated.current?.version, '2.0.0');
    assert.equal(updated.previous?.version, '1.2.3');
    await server.goBack();
    await start();
    const lines = await server.lastLines(keys);
    assert.match(lines.join('\n'), /^Agent Server 1\.2\.3 at/);
  });

  itOnPosix('keeps only the version in use and the one before', async () => {
    for (const version of ['1.0.0', '2.0.0', '3.0.0']) await install(version);
    const { current, previous } = await server.read();
    const kept = [current?.folder, previous?.folder].sort();
    const versions = join(scratch, 'its data', 'versions');
    await until(async () => (await readdir(versions)).length === 2);
    assert.deepEqual((await readdir(versions)).sort(), kept);
  });

  itOnPosix('removes what a window left that closed early', async () => {
    const versions = join(scratch, 'its data', 'versions');
    const names = ['abandoned', 'younger'];
    for (const name of names)
      await mkdir(join(versions, name), { recursive: true });
    await utimes(join(versions, 'abandoned'), 0, 0);
    await install();
    const { current } = await server.read();
    const left = [current?.folder, 'younger'].sort();
    assert.deepEqual((await readdir(versions)).sort(), left);
  });

  itOnPosix('does not stop another process that has its old id', async () => {
    await install();
    await start();
    await server.stop();
    const { pid } = await server.read();
    assert.ok(pid);
    const file = join(scratch, 'its data', 'server.json');
    const record = await readFile(file, 'utf8');
    await writeFile(file, record.replace(String(pid), String(process.pid)));
    assert.equal(await server.isRunning(), false);
    await server.stop();
  });

  describe('in a container', () => {
    const docker = () => join(scratch, 'programs', 'docker');
    const container = () => ({ docker: docker(), folders: [scratch] });
    const enter = async () => {
      await change({ newest: '1.2.3', docker: true });
      await server.useContainer(container(), output);
    };
    const isLeft = () =>
      readdirSync(join(scratch, 'programs')).some((name) =>
        name.startsWith('container-'),
      );

    itOnPosix('has the chosen folders, and gets its keys by name', async () => {
      await enter();
      const { url } = await start();
      assert.equal(await statusWith(url, keys.session.reveal()), 200);
      assert.equal(await statusWith(url, 'another-key'), 401);
      const { args } = server.containerCommand(container(), keys, 8000);
      assert.ok(args.includes(`${scratch}:${scratch}`));
      const { pid } = await server.read();
      const places = [
        await allFiles(),
        await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
        args.join(' '),
      ];
      for (const key of Object.values(keys))
        assert.ok(places.every((text) => !text.includes(key.reveal())));
    });

    itOnPosix('ends with the server', async () => {
      await enter();
      await start();
      assert.ok(isLeft());
      await server.stop();
      assert.equal(await server.isRunning(), false);
      assert.ok(!isLeft());
      const { process: started } = await start();
      started?.end();
      await started?.ended;
      assert.ok(!isLeft());
    });

    itOnPosix('replaces one that was left by a crash', async () => {
      await enter();
      await start();
      const { pid } = await server.read();
      process.kill(-(pid ?? assert.fail()), 'SIGKILL');
      await until(async () => !(await server.isRunning()));
      assert.ok(isLeft());
      const { url } = await start();
      assert.equal(await statusWith(url, keys.session.reveal()), 200);
    });

    itOnPosix('starts once in two windows', async () => {
      await enter();
      await start();
      await server.stop();
      const other = new SharedAgentServer(server.folder);
      const starts = await Promise.all([
        server.start(keys, signal),
        other.start(keys, signal),
      ]);
      assert.equal(starts.filter(({ process }) => process).length, 1);
      assert.equal(await statusWith(starts[0].url, keys.session.reveal()), 200);
    });

    itOnPosix('frees its port when it outlived its client', async () => {
      await enter();
      const { url } = await start();
      await writeFile(
        join(server.folder, 'server.json'),
        JSON.stringify({ ...(await server.read()), pid: undefined }),
      );
      const again = await server.start(keys, signal);
      assert.equal(again.url.href, url.href);
      assert.ok(again.process);
    });

    itOnPosix('leaves the one of another VS Code running', async () => {
      await enter();
      const { url } = await start();
      const other = new SharedAgentServer(join(scratch, 'other data'));
      await other.useContainer(container(), output);
      await other.start(keys, signal, await freePort());
      assert.equal(await statusWith(url, keys.session.reveal()), 200);
      await other.stop();
      assert.equal(await statusWith(url, keys.session.reveal()), 200);
    });

    itOnPosix('ends if a full disk keeps it from being recorded', async () => {
      await enter();
      // The lock fits, and the record does not.
      const folders = Array.from({ length: 9 }, () => scratch.repeat(2));
      await server.useContainer({ docker: docker(), folders }, output);
      const script = `
        import { Secret } from '${root}/src/base/secret.ts';
        import { SharedAgentServer } from '${root}/src/localServer/sharedAgentServer.ts';
        const key = new Secret('key-of-this-test');
        await new SharedAgentServer('${server.folder}')
          .start({ session: key, storage: key }, AbortSignal.timeout(60_000), ${await freePort()})
          .catch(({ message }) => console.log(message));
        process.exit();`;
      const words = ['--input-type=module', '-e', script];
      const limited = ['-c', 'ulimit -f 1; exec "$@"', 'sh', process.execPath];
      const { stdout } = await run('sh', [...limited, ...words]);
      assert.match(stdout, /could not be written/);
      await until(async () => {
        const { stdout: processes } = await run('ps', ['-eo', 'args']);
        return !processes.includes(`-v ${folders[0]}`);
      });
    });

    itOnPosix('begins only once its image is there', async () => {
      await install();
      await change({ newest: '1', docker: true, failure: 'no space left' });
      await assert.rejects(
        server.useContainer(container(), output),
        /^UserError: docker failed: no space left$/,
      );
      await start();
      const lines = await server.lastLines(keys);
      assert.match(lines.join('\n'), /^Agent Server 1\.2\.3 at/);
    });

    itOnPosix('gives way to the installed server again', async () => {
      await install();
      await enter();
      await server.leaveContainer();
      const { process: started } = await start();
      assert.ok(started);
      assert.ok(!isLeft());
    });

    it('has folders of Windows at the same place below their drive', () => {
      const folders = ['C:\\Users\\me\\shop'];
      const { args } = containerRun(
        { docker: 'docker', folders },
        'name',
        '/data',
        8000,
        [],
      );
      assert.ok(args.includes('C:\\Users\\me\\shop:/c/Users/me/shop'));
    });
  });

  itOnPosix('finds Docker only while it is running', async () => {
    const home = join(scratch, 'home');
    const programs = join(home, '.local', 'bin');
    const search = {
      environment: { PATH: '' },
      home,
      platform: process.platform,
    };
    await writeStandIn(programs, { newest: '1.0.0' });
    assert.equal(await findDocker(search), undefined);
    await writeStandIn(programs, { newest: '1.0.0', docker: true });
    assert.equal(await findDocker(search), join(programs, 'docker'));
  });

  itOnPosix('finds uv in the folder where its installer puts it', async () => {
    const home = join(scratch, 'home');
    await writeStandIn(join(home, '.local', 'bin'), { newest: '1.0.0' });
    const search = {
      environment: { PATH: '' },
      home,
      platform: process.platform,
    };
    const installer = await findInstaller(search);
    assert.equal(installer?.uv, join(home, '.local', 'bin', 'uv'));
  });

  itOnPosix('finds nothing where neither uv nor a Python is', async () => {
    const environment = { PATH: scratch };
    const home = scratch;
    const search = { environment, home, platform: 'win32' as const };
    assert.equal(await findInstaller(search), undefined);
  });
});

/**
 * A free port below those that systems give out: a server of another test never
 * gets it.
 */
async function freePort(): Promise<number> {
  const port = 20_000 + randomInt(10_000);
  const server = await listen(port).catch(() => undefined);
  if (!server) return await freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function listen(port: number): Promise<Server> {
  const intruder = createServer();
  return new Promise((resolve, reject) => {
    intruder.once('error', reject);
    intruder.listen(port, '127.0.0.1', () => {
      resolve(intruder);
    });
  });
}
