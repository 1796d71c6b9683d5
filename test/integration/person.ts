/** A simulated user, who answers questions and records what was shown. */
import { env, EventEmitter, type QuickPickOptions, window } from 'vscode';

export type Anything = (...args: readonly unknown[]) => unknown;

/** Replaces a function. Returns a function that restores it. */
export function replace(
  object: object,
  name: string,
  replacement: Anything,
): () => void {
  const original = Object.getOwnPropertyDescriptor(object, name) ?? {};
  Object.defineProperty(object, name, {
    configurable: true,
    writable: true,
    value: replacement,
  });
  return () => {
    Object.defineProperty(object, name, original);
  };
}

interface Labelled {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

export class Person {
  /**
   * Answers to the next questions, in order: a text, or the label of a choice.
   * Without one, a question is cancelled.
   */
  readonly answers: string[] = [];
  /** Buttons of messages to press whenever they are offered. */
  readonly presses = new Set<string>();
  /** Every message that was shown. */
  readonly heard: string[] = [];
  /** The choices that were offered. */
  readonly offered: (readonly string[])[] = [];
  /** The descriptions of those choices. */
  readonly descriptions: string[] = [];
  /** The choices with their details, in lists with check boxes. */
  readonly details: string[] = [];
  /** The titles of those lists. */
  readonly titles: string[] = [];
  /** Every address that was opened outside the editor. */
  readonly opened: string[] = [];
  readonly #restore: (() => void)[];

  constructor() {
    this.#restore = [
      ...[
        'showInformationMessage',
        'showWarningMessage',
        'showErrorMessage',
      ].map((name) =>
        replace(window, name, (message, ...rest) =>
          this.#hear(String(message), rest),
        ),
      ),
      replace(window, 'showInputBox', () =>
        Promise.resolve(this.answers.shift()),
      ),
      replace(window, 'showQuickPick', (items, options) => {
        const chosen = this.#choose(items as Labelled[]);
        const { canPickMany: many = false, title = '' } = (options ??
          {}) as QuickPickOptions;
        this.titles.push(title);
        return Promise.resolve(many && chosen ? [chosen] : chosen);
      }),
      replace(window, 'createInputBox', () => this.#input()),
      replace(window, 'createQuickPick', () => this.#input()),
      replace(env, 'openExternal', (address) => {
        this.opened.push(String(address));
        return Promise.resolve(true);
      }),
    ];
  }

  /** Forgets all answers and everything that was shown. */
  forget(): void {
    for (const list of [
      this.answers,
      this.heard,
      this.offered,
      this.descriptions,
      this.details,
      this.titles,
      this.opened,
    ])
      list.length = 0;
    this.presses.clear();
  }

  leave(): void {
    for (const restore of this.#restore) restore();
  }

  #hear(message: string, rest: readonly unknown[]): Promise<unknown> {
    this.heard.push(message);
    const details = rest.map(
      (part) => (part as { readonly detail?: string } | undefined)?.detail,
    );
    this.heard.push(...details.filter((detail) => detail !== undefined));
    return Promise.resolve(
      rest.find((part) => typeof part === 'string' && this.presses.has(part)),
    );
  }

  /** Chooses the items that the lines of the answer name. */
  #chooseMany(items: readonly Labelled[]): readonly Labelled[] | undefined {
    this.offered.push(items.map(({ label }) => label));
    this.details.push(
      ...items.map(({ label, detail = '' }) => `${label}: ${detail}`),
    );
    const labels = this.answers.shift()?.split('\n');
    const missing = labels?.find((label) =>
      items.every((item) => item.label !== label),
    );
    if (missing !== undefined) throw new Error(`"${missing}" is not offered.`);
    return labels && items.filter(({ label }) => labels.includes(label));
  }

  #choose<T extends Labelled>(items: readonly T[]): T | undefined {
    this.offered.push(items.map(({ label }) => label));
    this.descriptions.push(...items.map(({ description = '' }) => description));
    const wanted = this.answers.shift();
    if (wanted === undefined) return undefined;
    const found = items.find(({ label }) => label === wanted);
    if (!found)
      throw new Error(
        `"${wanted}" is not offered: ${items.map(({ label }) => label).join(', ')}`,
      );
    return found;
  }

  /** An input box and quick pick in one, answered as soon as it is shown. */
  #input(): object {
    const emitters = [0, 0, 0, 0, 0, 0, 0].map(
      () => new EventEmitter<unknown>(),
    );
    const [change, accept, hide, button, itemButton, selection, active] =
      emitters;
    const input: {
      items?: readonly Labelled[];
      value: string;
      canSelectMany?: boolean;
      selectedItems: readonly unknown[];
    } = {
      value: '',
      selectedItems: [],
    };
    const show = () => {
      if (input.items && input.canSelectMany) {
        const picked = this.#chooseMany(input.items);
        input.selectedItems = picked ?? [];
        selection?.fire(input.selectedItems);
        (picked ? accept : hide)?.fire(undefined);
        return;
      }
      if (input.items) {
        const picked = this.#choose(input.items);
        active?.fire(undefined);
        input.selectedItems = picked ? [picked] : [];
        (picked ? accept : hide)?.fire(undefined);
        return;
      }
      const text = this.answers.shift();
      if (text !== undefined) input.value = text;
      if (text !== undefined) change?.fire(text);
      (text === undefined ? hide : accept)?.fire(undefined);
    };
    return Object.assign(input, {
      onDidChangeValue: change?.event,
      onDidAccept: accept?.event,
      onDidHide: hide?.event,
      onDidTriggerButton: button?.event,
      onDidTriggerItemButton: itemButton?.event,
      onDidChangeSelection: selection?.event,
      onDidChangeActive: active?.event,
      show: () => {
        queueMicrotask(show);
      },
      dispose: () => {
        for (const emitter of emitters) emitter.dispose();
      },
    });
  }
}
