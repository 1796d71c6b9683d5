import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extensionId } from '../../src/editor/manifest.ts';
import { root, vsix } from '../host/paths.ts';
import manifest from '../../package.json' with { type: 'json' };
import { step } from '../host/steps.ts';
import { installExtension, startServer } from '../host/vscodeServer.ts';
import { openWindow } from '../host/window.ts';
import { rounds } from './rounds.ts';
import { lowerQuartile, milliseconds, type Row } from './table.ts';

const windows = rounds(16);
const empty = 'bench.empty';
/**
 * Also empty, but it asks for the editor's API, which the editor makes anew for
 * each extension.
 */
const withApi = 'bench.with-api';
/** Omits the event of the start, so that the probe can say when. */
const activationEvents = manifest.activationEvents.filter(
  (event) => event !== 'onStartupFinished',
);

/**
 * Activated first, because the first extension pays the costs that all share.
 */
const warmUp = 'bench.warm-up';

/**
 * Activates the packaged extension, with its own activation events, in windows
 * in which no view and no configuration file is open, beside an empty extension
 * with the same activation events.
 */
export async function activation(): Promise<Row[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-bench-'));
  const extensions = join(scratch, 'extensions');
  const times: Times[] = [];
  try {
    await mkdir(join(scratch, 'home'));
    await installExtension(vsix, extensions, join(scratch, 'user-data'));
    await waitForProbe(
      join(extensions, `${extensionId}-${manifest.version}`, 'package.json'),
    );
    for (const id of [empty, withApi, warmUp])
      await makeEmptyExtension(join(extensions, `${id}-0.0.0`), id);
    // VS Code runs tests only for an extension under development.
    await makeEmptyExtension(join(scratch, 'probe'), 'bench.probe', []);
    // Without this list, VS Code scans the folder and finds all.
    await rm(join(extensions, 'extensions.json'));
    await step(`Activating in ${windows} windows`, async (progress) => {
      for (let measured = 0, i = 0; measured < windows; i++) {
        if (i > windows * 2 + 10)
          throw new Error(
            'Nearly every window activates the extensions itself.',
          );
        progress(`window ${i + 1}`);
        const others = [empty, withApi];
        const order =
          measured % 2 === 0
            ? [extensionId, ...others]
            : [...others, extensionId];
        const found = await activate(scratch, [warmUp, ...order]);
        if (found.length > 0) measured++;
        times.push(...found);
      }
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  const row = (what: string, measure: 'time' | 'busy', goal: string): Row => {
    const of = (one: string) =>
      lowerQuartile(
        times.filter(({ id }) => id === one).map((found) => found[measure]),
      );
    const [ours, reference, api] = [of(extensionId), of(empty), of(withApi)];
    return {
      what,
      ours: milliseconds(ours),
      reference: `${milliseconds(reference)} (an empty extension; ${milliseconds(api)} with the editor's API)`,
      ratio: `${(ours / reference).toFixed(2)}x`,
      goal,
    };
  };
  return [
    row('first activation', 'time', 'at most 2x'),
    row(
      'a window with no view open, busy with it until idle',
      'busy',
      'at most 5x',
    ),
  ];
}

interface Times {
  readonly id: string;
  readonly time: number;
  readonly busy: number;
}

/** Activates the extensions in this order in a new VS Code, and times each. */
async function activate(
  scratch: string,
  order: readonly string[],
): Promise<Times[]> {
  const server = await startServer({
    userData: join(scratch, 'user-data'),
    extensions: join(scratch, 'extensions'),
    development: true,
    whole: true,
    settings: {
      // Otherwise the editor opens its settings to replace an old value, which
      // activates the extensions.
      'extensions.autoUpdate': 'off',
      // Otherwise the extension host looks for open ports again and again,
      // which takes 40 to 90 ms.
      'remote.autoForwardPortsSource': 'output',
    },
    env: {
      HOME: join(scratch, 'home'),
      USERPROFILE: join(scratch, 'home'),
      SWITCHBOARD_BENCH: order.join(','),
    },
  });
  const times: Times[] = [];
  const window = await openWindow(server, {
    extensionDevelopmentPath: join(scratch, 'probe'),
    extensionTestsPath: join(root, 'test/bench/probe.ts'),
    onLog: (_type, [line]) => {
      const [, id, time, busy] =
        /^bench (\S+) (\S+) (\S+)$/.exec(String(line)) ?? [];
      if (id !== undefined)
        times.push({ id, time: Number(time), busy: Number(busy) });
    },
  });
  const code = await window.exit;
  await window.close();
  await server.stop();
  if (code !== 0) throw new Error('The extensions could not be activated.');
  return times;
}

/** Takes the activation at the start out of an installed extension. */
async function waitForProbe(file: string): Promise<void> {
  const declared = JSON.parse(await readFile(file, 'utf8')) as Record<
    string,
    unknown
  >;
  await writeFile(file, JSON.stringify({ ...declared, activationEvents }));
}

async function makeEmptyExtension(
  folder: string,
  id: string,
  events: readonly string[] = activationEvents,
): Promise<void> {
  const [publisher, name] = id.split('.');
  const declared = {
    activationEvents: events,
    publisher,
    name,
    version: '0.0.0',
    type: 'module',
    main: './extension.js',
    engines: { vscode: '^1.101.0' },
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(declared));
  const asks = id === withApi || id === warmUp ? "import 'vscode';\n" : '';
  await writeFile(
    join(folder, 'extension.js'),
    `${asks}export function activate() {}\n`,
  );
}
