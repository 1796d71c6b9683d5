/**
 * Stores the approval choices of this machine in a file that all windows share.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { ConfirmationPolicy } from '../../service/model/entities.ts';

interface ApprovalChoice {
  readonly policy: ConfirmationPolicy;
  /** The policy at creation, which the service never loses. */
  readonly created?: ConfirmationPolicy | undefined;
  /** The kind of the analyzer that the user agreed to replace. */
  readonly replaced?: string | undefined;
}

type Stored = readonly [name: string, choice: ApprovalChoice];

const maxChoices = 5_000;

export class ApprovalMemory {
  readonly #path: string | undefined;
  #text = '';
  #choices = new Map<string, ApprovalChoice>();

  /** Choices last only for this window without a path. */
  constructor(path?: string) {
    this.#path = path;
  }

  /** The choice as of the last `read`. */
  choice(key: string): ApprovalChoice | undefined {
    return this.#choices.get(nameOf(key));
  }

  /**
   * Reads the choices of other windows. Keeps the last ones if the file cannot
   * be read.
   */
  async read(): Promise<void> {
    if (this.#path === undefined) return;
    const text = await readFile(this.#path, 'utf8').catch(() => this.#text);
    if (text === this.#text) return;
    this.#text = text;
    this.#choices = new Map(storedIn(text));
  }

  /**
   * Saves a choice, or deletes it if undefined. Rejects with a UserError if
   * other windows will not see it.
   */
  async keep(key: string, choice: ApprovalChoice | undefined): Promise<void> {
    const name = nameOf(key);
    if (choice) this.#choices.set(name, choice);
    else this.#choices.delete(name);
    if (this.#path === undefined) return;
    try {
      const { changeShared } = await import('../../files/sharedFile.ts');
      await changeShared(this.#path, ({ text }) => {
        const rest = storedIn(text).filter(([stored]) => stored !== name);
        const all: readonly Stored[] = choice
          ? [...rest, [name, choice]]
          : rest;
        return JSON.stringify(all.slice(-maxChoices));
      });
    } catch (error) {
      throw new UserError(
        t('Could not save the approval setting on this machine.'),
        { cause: error },
      );
    }
  }
}

function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}

/** Returns nothing for a file of another format. */
function storedIn(text: string): readonly Stored[] {
  try {
    const all: unknown = JSON.parse(text);
    return Array.isArray(all) ? all.filter(isStored) : [];
  } catch {
    return [];
  }
}

function isStored(stored: unknown): stored is Stored {
  const [name, choice] = Array.isArray(stored) ? (stored as unknown[]) : [];
  const { policy } = (choice ?? {}) as Partial<ApprovalChoice>;
  return typeof name === 'string' && typeof policy === 'string';
}
