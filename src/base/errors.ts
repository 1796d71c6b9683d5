/**
 * A failure that can happen to anybody: the message is a sentence for a person, which says what happened, to what,
 * and what to do. Any other error is a defect.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** The setting that has to be changed, where it is one. */
  readonly setting: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly setting?: string } = {}) {
    const { setting, ...others } = options;
    super(message, others);
    this.setting = setting;
  }
}

/** Why something failed, in the words of whoever threw it. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
