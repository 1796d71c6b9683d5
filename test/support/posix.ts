/** Like `it`, for what only Windows has: its command processor. */
export function itOnWindows(
  title: string,
  test: () => void | Promise<void>,
): void {
  if (process.platform === 'win32') it(title, test);
}

/**
 * Like `it`, for what Windows lacks: file modes, symbolic links without special
 * rights, signals, a POSIX shell.
 */
export function itOnPosix(
  title: string,
  test: () => void | Promise<void>,
): void {
  if (process.platform !== 'win32') it(title, test);
}
