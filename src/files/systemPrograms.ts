/**
 * Folders of the system’s own programs: a folder that a user put into the PATH
 * must not come first.
 */
const folders = ['/usr/bin', '/bin', '/run/current-system/sw/bin'];

/**
 * The output of a program of the system, in English. Undefined if it is missing
 * or fails.
 */
export async function runProgram(
  name: string,
  parameters: readonly string[],
  path: readonly string[] = folders,
): Promise<string | undefined> {
  const { execFile } = await import('node:child_process');
  const options = { env: { PATH: path.join(':') }, timeout: 5_000 };
  const output = new Promise<string | undefined>((resolve) => {
    execFile(name, parameters, options, (error, text) => {
      resolve(error ? undefined : text);
    });
  });
  return await output.catch(() => undefined);
}
