import { present } from '../../base/parts.ts';
import {
  type Disposable,
  InputBoxValidationSeverity,
  type QuickInput,
  type QuickInputButton,
  QuickInputButtons,
  type QuickPickItem,
  window,
} from 'vscode';
import { inQuestion } from '../words/foreignText.ts';
import { windowCaughtUp } from './windowCaughtUp.ts';

/** The answer that leads to the previous question. */
export const back = Symbol('back');

interface Question {
  readonly title: string;
  readonly step?: number;
  /** Undefined while unknown. */
  readonly totalSteps?: number | undefined;
  /**
   * True if there is a previous question. Defaults to true from the second
   * step.
   */
  readonly hasBack?: boolean;
  /** True to stay open without the focus. Defaults to true in a flow. */
  readonly stays?: boolean;
}

interface TextQuestion extends Question {
  readonly value: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly hidden?: boolean;
  readonly validate?: (value: string) => string | undefined;
  readonly remark?: (value: string) => string | undefined;
  /** Called with the typed text, even if the question is then canceled. */
  readonly onType?: (value: string) => void;
}

export async function askText(
  question: TextQuestion,
): Promise<string | typeof back | undefined> {
  const input = window.createInputBox();
  input.value = question.value;
  input.prompt = inQuestion(question.prompt);
  input.placeholder = question.placeholder;
  input.password = question.hidden ?? false;
  const isRight = () => {
    const problem = question.validate?.(input.value);
    const message =
      problem === undefined ? question.remark?.(input.value) : undefined;
    const severity = InputBoxValidationSeverity.Info;
    input.validationMessage =
      message === undefined
        ? problem && inQuestion(problem)
        : { message: inQuestion(message), severity };
    return problem === undefined;
  };
  // Text from earlier may be invalid now.
  if (question.value !== '' && question.onType) isRight();
  return await ask(input, question, (resolve) => [
    input.onDidChangeValue((value) => {
      question.onType?.(value);
      isRight();
    }),
    input.onDidAccept(() => {
      if (isRight()) resolve(input.value);
    }),
    input.onDidTriggerButton(() => {
      resolve(back);
    }),
  ]);
}

export interface PickQuestion<T extends QuickPickItem> extends Question {
  readonly items: readonly T[];
  readonly placeholder: string;
  readonly value?: string;
  readonly active?: T | undefined;
  /** Makes an item of typed text that is not listed. */
  readonly other?: ((typed: string) => T | undefined) | undefined;
  /** Loads the items for the typed text. Never rejects. */
  readonly later?: (typed: string) => Promise<readonly T[]>;
  /**
   * Moves an item to the front, where the editor makes it active, while nothing
   * is typed.
   */
  readonly first?: (item: T) => boolean;
  /** The text that the button of an item types. */
  readonly typed?: (item: T) => string;
  /** Returns the reason why an item cannot be picked. Never rejects. */
  readonly refuse?: (item: T) => Promise<string | undefined>;
}

export async function askPick<T extends QuickPickItem>(
  question: PickQuestion<T>,
): Promise<T | typeof back | undefined> {
  const input = window.createQuickPick<T>();
  input.placeholder = question.placeholder;
  input.matchOnDescription = true;
  input.value = question.value ?? '';
  let listed = question.first
    ? putFirst(question.items, question.first)
    : question.items;
  const onScreen = new ListsOnScreen<T>();
  const put = (items: readonly T[]) => {
    input.items = items;
    onScreen.add(items);
  };
  const show = (typed: string) => {
    const other = typed === '' ? undefined : question.other?.(typed);
    const isListed = listed.some(
      ({ label }) => label === other?.label || label === typed,
    );
    put(other && !isListed ? [...listed, other] : listed);
  };
  show('');
  if (question.active) input.activeItems = [question.active];
  const lookUp = async (typed: string) => {
    if (!question.later) return;
    input.busy = true;
    const items = await question.later(typed);
    // The user may have typed more since.
    if (typed !== input.value.trim()) return;
    input.busy = false;
    if (items === listed) return;
    listed =
      typed === '' && question.first ? putFirst(items, question.first) : items;
    show(typed);
  };
  void lookUp(input.value.trim());
  const pickUnlessRefused = async (
    picked: T,
    refuse: NonNullable<typeof question.refuse>,
    pick: (item: T) => void,
  ) => {
    const { value, ignoreFocusOut } = input;
    // A click elsewhere must not lose what was picked.
    Object.assign(input, { busy: true, ignoreFocusOut: true });
    const why = await refuse(picked);
    Object.assign(input, { busy: false, ignoreFocusOut });
    if (why === undefined) pick(picked);
    else if (value === input.value)
      put([{ ...picked, detail: inQuestion(why), alwaysShow: true }]);
  };
  return await ask(input, question, (resolve) => [
    input.onDidChangeValue((value) => {
      const typed = value.trim();
      if (question.other) show(typed);
      void lookUp(typed);
    }),
    input.onDidTriggerItemButton(({ item }) => {
      input.value = question.typed?.(item) ?? input.value;
      void lookUp(input.value.trim());
    }),
    input.onDidAccept(() => {
      const typed = input.value.trim();
      const [selected] = input.selectedItems;
      const item =
        selected && onScreen.at(input.items.indexOf(selected), typed);
      if (selected ? !item : onScreen.haveShrunk()) return;
      // Enter may come before the list for the typed text.
      const picked =
        item ?? (typed === '' ? undefined : question.other?.(typed));
      if (picked && question.refuse)
        void pickUnlessRefused(picked, question.refuse, resolve);
      else if (picked) resolve(picked);
    }),
    input.onDidTriggerButton(() => {
      resolve(back);
    }),
  ]);
}

/**
 * The lists that may be on the screen. The editor reports a picked item only by
 * its position, which may mean another item in a list that has just arrived.
 */
class ListsOnScreen<T extends QuickPickItem> {
  readonly #lists: (readonly T[])[] = [];

  add(items: readonly T[]): void {
    this.#lists.push(items);
    void windowCaughtUp().then(() => {
      this.#lists.splice(0, this.#lists.indexOf(items));
    });
  }

  /**
   * True if the picked item may be one that the last list has no position for.
   * The editor then names no item.
   */
  haveShrunk(): boolean {
    const last = this.#lists.at(-1)?.length ?? 0;
    return this.#lists.some(({ length }) => length > last);
  }

  /**
   * The item at this position; undefined if it may be one of several. The
   * editor shows only items with the typed text.
   */
  at(position: number, typed: string): T | undefined {
    const all = this.#lists.map((items) => items[position]);
    const hasTyped = (item: T | undefined) =>
      [item?.label, item?.description].some((text) =>
        text?.toLowerCase().includes(typed.toLowerCase()),
      );
    const isCertain = new Set(all.map((item) => item?.label)).size === 1;
    const left = all.filter(
      (item) => isCertain || item?.alwaysShow === true || hasTyped(item),
    );
    return new Set(left.map((item) => item?.label)).size === 1
      ? left.at(-1)
      : undefined;
  }
}

function putFirst<T>(
  items: readonly T[],
  isFirst: (item: T) => boolean,
): readonly T[] {
  const first = items.find(isFirst);
  return first === undefined
    ? items
    : [first, ...items.filter((item) => item !== first)];
}

/**
 * Asks for any number of items. Resolves with them, `back`, a button, or
 * `undefined` if canceled.
 */
export async function askMany<T extends QuickPickItem>(
  question: Omit<PickQuestion<T>, 'active' | 'other'> & {
    readonly chosen: readonly T[];
    readonly button?: QuickInputButton;
    readonly titleOf?: (chosen: readonly T[]) => string;
    readonly choosers?: ReadonlyMap<QuickInputButton, (item: T) => boolean>;
    /** False for items that are only shown: choosing one is undone at once. */
    readonly canChoose?: (item: T) => boolean;
  },
): Promise<T[] | typeof back | QuickInputButton | undefined> {
  const input = window.createQuickPick<T>();
  input.canSelectMany = true;
  input.matchOnDescription = true;
  input.matchOnDetail = true;
  input.items = question.items;
  input.selectedItems = question.chosen;
  input.placeholder = question.placeholder;
  const {
    titleOf,
    button,
    choosers = new Map<QuickInputButton, (item: T) => boolean>(),
    canChoose = () => true,
  } = question;
  return await ask(
    input,
    { ...question, buttons: present(button, ...choosers.keys()) },
    (resolve) => [
      input.onDidChangeSelection((chosen) => {
        if (!chosen.every(canChoose))
          input.selectedItems = chosen.filter(canChoose);
        if (titleOf) input.title = titleOf(chosen);
      }),
      input.onDidAccept(() => {
        resolve(input.selectedItems.filter(canChoose));
      }),
      input.onDidTriggerButton((button) => {
        const fits = choosers.get(button);
        if (fits) input.selectedItems = question.items.filter(fits);
        else resolve(button === QuickInputButtons.Back ? back : button);
      }),
    ],
  );
}

async function ask<T>(
  input: QuickInput & { buttons: readonly QuickInputButton[] },
  question: Question & { readonly buttons?: readonly QuickInputButton[] },
  listen: (resolve: (answer: T) => void) => Disposable[],
): Promise<T | undefined> {
  const {
    title,
    step = 1,
    totalSteps,
    hasBack = step > 1,
    buttons = [],
  } = question;
  Object.assign(input, {
    title,
    step: question.step,
    totalSteps,
    ignoreFocusOut: question.stays ?? question.step !== undefined,
  });
  input.buttons = present(hasBack && QuickInputButtons.Back, ...buttons);
  let listeners: Disposable[] = [];
  try {
    return await new Promise<T | undefined>((resolve) => {
      listeners = [
        ...listen(resolve),
        input.onDidHide(() => {
          resolve(undefined);
        }),
      ];
      input.show();
    });
  } finally {
    for (const listener of listeners) listener.dispose();
    input.dispose();
  }
}

/**
 * The outcome of a question whose answer is kept elsewhere; `undefined` if the
 * user cancels it.
 */
export type StepAnswer = 'next' | typeof back | undefined;

/**
 * Asks for a text and keeps it while it is typed, even if the user then
 * cancels.
 */
export async function askToKeepText(
  question: Omit<TextQuestion, 'onType'>,
  keep: (text: string) => void,
): Promise<StepAnswer> {
  const answer = await askText({ ...question, onType: keep });
  if (typeof answer !== 'string') return answer === back ? back : undefined;
  keep(answer);
  return 'next';
}

/**
 * Asks for one of several values, with the current one selected, and keeps the
 * answer.
 */
export async function askToKeepValue<T>(
  question: Omit<
    PickQuestion<QuickPickItem & { readonly value: T }>,
    'active' | 'value'
  >,
  current: T | undefined,
  keep: (value: T) => void,
): Promise<StepAnswer> {
  const answer = await askPick({
    ...question,
    active: question.items.find(({ value }) => value === current),
  });
  if (answer === undefined || answer === back) return answer;
  keep(answer.value);
  return 'next';
}

/**
 * Asks one question after the other, beginning with the one at `first`. Returns
 * false if the user cancels.
 */
export async function askAll(
  questions: readonly (() => Promise<StepAnswer | 'skip'>)[],
  first = 0,
): Promise<boolean> {
  let direction = 1;
  for (let index = first; index < questions.length; index += direction) {
    const answer = await questions[Math.max(0, index)]?.();
    if (answer === undefined) return false;
    if (answer !== 'skip') direction = answer === back ? -1 : 1;
    if (index + direction < 0) direction = 1;
  }
  return true;
}
