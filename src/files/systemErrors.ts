/**
 * Tells failed system calls from other errors. `fileErrors.ts` explains them.
 */

/**
 * The code of a failed system call, such as ENOENT; undefined for any other
 * error.
 */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error && 'code' in error
    ? String(error.code)
    : undefined;
}

/** Undefined if the file does not exist. */
export async function unlessMissing<T>(
  result: Promise<T>,
): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
