/** Chooses the VS Code that a window opens in. */
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  downloadAndUnzipVSCode,
  type ProgressReport,
  ProgressReportStage,
} from '@vscode/test-electron';
import { cache } from './paths.ts';
import { reason } from '../../src/base/errors.ts';
import { step, StepError } from './steps.ts';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
}

/** Desktop VS Code can be used only with a display. */
export function hasDisplay({ platform, env }: Machine): boolean {
  return (
    platform !== 'linux' || Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY)
  );
}

/**
 * The executable of an installed VS Code. The command `code` is a launcher that
 * exits at once while the window stays open, so this returns the program that
 * it launches.
 */
export function findInstalled({ platform, env }: Machine): string | undefined {
  const launcher = platform === 'win32' ? 'code.cmd' : 'code';
  const found = (env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, launcher))
    .find(existsSync);
  return found === undefined ? undefined : behindLauncher(found, platform);
}

/**
 * The program that a launcher starts, or the path itself if it is not a
 * launcher.
 */
export function behindLauncher(
  path: string,
  platform: NodeJS.Platform,
): string {
  const real = realpathSync(path);
  const program = {
    darwin: '../../../../MacOS/Electron',
    win32: '../../Code.exe',
  }[platform as string];
  const candidate = join(real, program ?? '../../code');
  return candidate !== real && existsSync(candidate) ? candidate : real;
}

/**
 * Downloads desktop VS Code with @vscode/test-electron. Returns undefined if
 * that fails.
 */
export async function download(version?: string): Promise<string | undefined> {
  try {
    return await step('Downloading desktop VS Code', async (progress) => {
      const report = (state: ProgressReport) => {
        if (state.stage !== ProgressReportStage.Downloading) return;
        progress(
          `${megabytes(state.bytesSoFar)} of ${megabytes(state.totalBytes)} MB`,
        );
      };
      return await downloadAndUnzipVSCode({
        ...(version === undefined ? {} : { version }),
        cachePath: cache,
        reporter: { report, error: () => undefined },
      });
    });
  } catch (error) {
    process.stderr.write(
      `  The download failed (${reason(error)}). Using the VS Code server instead.\n`,
    );
    return undefined;
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

/**
 * The desktop VS Code to use, or undefined if only the VS Code server can be
 * used.
 */
export async function chooseDesktop(
  machine: Machine,
  named?: string,
  fetch: () => Promise<string | undefined> = download,
): Promise<string | undefined> {
  if (named !== undefined) {
    if (existsSync(named)) return behindLauncher(named, machine.platform);
    throw new StepError(
      `There is no VS Code at ${named}.`,
      'Name its executable with --vscode PATH.',
    );
  }
  if (!hasDisplay(machine)) return undefined;
  return findInstalled(machine) ?? (await fetch());
}
