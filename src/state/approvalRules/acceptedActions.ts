/**
 * Remembers the actions that rules have accepted, in a file that all windows
 * share: one window accepts an action, and all mark it.
 */
import { readFile } from 'node:fs/promises';

type Accepted = readonly [actionId: string, rule: string];

const maxActions = 2_000;

export class AcceptedActions {
  readonly #path: string | undefined;
  #text = '';
  #rules: ReadonlyMap<string, string> = new Map();

  /** Actions are remembered only by this window without a path. */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** The rule that accepted an action, as of the last `read` or `claim`. */
  ruleOf(actionId: string): string | undefined {
    return this.#rules.get(actionId);
  }

  async read(): Promise<void> {
    if (this.#path === undefined) return;
    this.#take(await readFile(this.#path, 'utf8').catch(() => this.#text));
  }

  /**
   * Remembers that a rule accepts these actions. Returns false if a rule has
   * accepted one of them before, maybe in another window.
   */
  async claim(actionIds: readonly string[], rule: string): Promise<boolean> {
    let isFirst = false;
    await this.#change((before) => {
      isFirst = !before.some(([id]) => actionIds.includes(id));
      const added = actionIds.map((id): Accepted => [id, rule]);
      return isFirst ? [...before, ...added].slice(-maxActions) : before;
    });
    return isFirst;
  }

  /** Forgets actions that the rule has not accepted after all. */
  async release(actionIds: readonly string[]): Promise<void> {
    await this.#change((before) =>
      before.filter(([id]) => !actionIds.includes(id)),
    );
  }

  async #change(
    change: (before: readonly Accepted[]) => readonly Accepted[],
  ): Promise<void> {
    const changedText = (text: string) => {
      const changed = JSON.stringify(change(acceptedIn(text)));
      this.#take(changed);
      return changed;
    };
    if (this.#path === undefined) {
      changedText(this.#text);
      return;
    }
    const { changeShared } = await import('../../files/sharedFile.ts');
    await changeShared(this.#path, ({ text }) => changedText(text));
  }

  #take(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#rules = new Map(acceptedIn(text));
  }
}

/** Returns nothing for a file of another format. */
function acceptedIn(text: string): readonly Accepted[] {
  try {
    const all: unknown = JSON.parse(text);
    return Array.isArray(all) ? all.filter(isAccepted) : [];
  } catch {
    return [];
  }
}

function isAccepted(stored: unknown): stored is Accepted {
  return (
    Array.isArray(stored) &&
    stored.length === 2 &&
    stored.every((part) => typeof part === 'string')
  );
}
