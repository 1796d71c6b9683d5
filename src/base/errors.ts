/**
 * An expected failure. Its message tells the user what happened, to what, and
 * what to do. Any other error is a defect.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** The setting to change, if that is the remedy. */
  readonly setting: string | undefined;

  constructor(
    message: string,
    options: ErrorOptions & { readonly setting?: string } = {},
  ) {
    const { setting, ...errorOptions } = options;
    super(message, errorOptions);
    this.setting = setting;
  }
}

/** The result of the work, or `instead` if it fails in an expected way. */
export async function resultOr<T, I>(
  work: Promise<T>,
  isExpected: (error: unknown) => boolean,
  instead: I,
): Promise<T | I> {
  try {
    return await work;
  } catch (error) {
    if (isExpected(error)) return instead;
    throw error;
  }
}

/** The message of whatever was thrown. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
