/** As `it`, for what Windows does not have: file modes, links that anybody may make, signals, a POSIX shell. */
export function itOnPosix(title: string, test: () => void | Promise<void>): void {
  if (process.platform !== 'win32') it(title, test);
}
