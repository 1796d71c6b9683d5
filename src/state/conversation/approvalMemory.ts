/**
 * Stores the approval choices of this machine in a file that all windows share.
 */
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import {
  entriesOf,
  hiddenName,
  SharedValue,
  withEntry,
} from '../../files/sharedValue.ts';
import type { ConfirmationPolicy } from '../../service/model/entities.ts';

interface ApprovalChoice {
  readonly policy: ConfirmationPolicy;
  /** The policy at creation, which the service never loses. */
  readonly created?: ConfirmationPolicy | undefined;
  /** The kind of the analyzer that the user agreed to replace. */
  readonly replaced?: string | undefined;
}

const maxChoices = 5_000;

export class ApprovalMemory {
  readonly #choices: SharedValue<ReadonlyMap<string, ApprovalChoice>>;

  /** Choices last only for this window without a path. */
  constructor(path?: string) {
    this.#choices = new SharedValue(path, (stored) =>
      entriesOf(stored, isChoice),
    );
  }

  /** The choice as of the last `read`. */
  choice(key: string): ApprovalChoice | undefined {
    return this.#choices.value.get(hiddenName(key));
  }

  /**
   * Reads the choices of other windows. Keeps the last ones if the file cannot
   * be read.
   */
  read(): Promise<void> {
    return this.#choices.read();
  }

  /**
   * Saves a choice, or deletes it if undefined. Rejects with a UserError if
   * other windows will not see it.
   */
  async keep(key: string, choice: ApprovalChoice | undefined): Promise<void> {
    const change = (before: ReadonlyMap<string, ApprovalChoice>) =>
      withEntry(before, hiddenName(key), choice, maxChoices);
    this.#choices.changeHere(change);
    try {
      await this.#choices.change(change);
    } catch (error) {
      throw new UserError(
        t('Could not save the approval setting on this machine.'),
        { cause: error },
      );
    }
  }
}

function isChoice(stored: unknown): stored is ApprovalChoice {
  const { policy } = (stored ?? {}) as Partial<ApprovalChoice>;
  return typeof policy === 'string';
}
