/**
 * Remembers the actions that rules have accepted, in a file that all windows
 * share: one window accepts an action, and all mark it.
 */
import { entriesOf, SharedValue } from '../../files/sharedValue.ts';

const maxActions = 2_000;

export class AcceptedActions {
  readonly #rules: SharedValue<ReadonlyMap<string, string>>;

  /** Actions are remembered only by this window without a path. */
  constructor(path: string | undefined) {
    this.#rules = new SharedValue(path, (stored) =>
      entriesOf(stored, (rule) => typeof rule === 'string'),
    );
  }

  /** The rule that accepted an action, as of the last `read` or `claim`. */
  ruleOf(actionId: string): string | undefined {
    return this.#rules.value.get(actionId);
  }

  read(): Promise<void> {
    return this.#rules.read();
  }

  /**
   * Remembers that a rule accepts these actions. Returns false if a rule has
   * accepted one of them before, maybe in another window.
   */
  async claim(actionIds: readonly string[], rule: string): Promise<boolean> {
    let isFirst = false;
    await this.#rules.change((before) => {
      isFirst = !actionIds.some((id) => before.has(id));
      const added = actionIds.map((id) => [id, rule] as const);
      return isFirst
        ? new Map([...before, ...added].slice(-maxActions))
        : before;
    });
    return isFirst;
  }

  /** Forgets actions that the rule has not accepted after all. */
  async release(actionIds: readonly string[]): Promise<void> {
    await this.#rules.change(
      (before) =>
        new Map([...before].filter(([id]) => !actionIds.includes(id))),
    );
  }
}
