/**
 * Answers the questions of a flow in order, and records everything they showed.
 */
import { setImmediate } from 'node:timers/promises';
import {
  EventEmitter,
  type QuickInputButton,
  QuickInputButtons,
  window,
} from 'vscode';
import { windowCaughtUp } from '../../src/editor/ui/windowCaughtUp.ts';
import { replace } from './person.ts';

/** Cancels a question, like Escape. */
export const escape = Symbol('escape');
/** Presses the Back button of a question. */
export const goBack = Symbol('back');
/**
 * Clicks elsewhere in the window, which closes a question unless it stays open
 * without the focus.
 */
export const clickElsewhere = Symbol('click elsewhere');
/**
 * Picks an item just when the list changes and another item takes its position.
 */
export const pickDuringChange = Symbol('pick during change');

/** The content of a question. */
export interface Asked {
  readonly title: string;
  readonly step: number | undefined;
  readonly totalSteps: number | undefined;
  readonly prompt: string;
  readonly placeholder: string;
  readonly hidden: boolean;
  /** The initial value of an input box. */
  readonly value: string;
  /** The validation message for the last input. */
  readonly message: string;
  readonly items: readonly string[];
  readonly details: readonly string[];
  readonly hasBack: boolean;
}

/**
 * A text to type or a label to choose, followed by Enter; a text to type
 * without Enter; several labels; the tooltip of a button; or a function that
 * looks at the question before it is answered.
 */
export type Response =
  | string
  | { readonly typed: string }
  | { readonly chosen: readonly string[] }
  | { readonly button: string }
  /** A label to choose if it is offered. Skipped otherwise. */
  | { readonly ifOffered: string }
  | typeof escape
  | typeof goBack
  | typeof clickElsewhere
  | typeof pickDuringChange
  /** Picks this label just when the list changes. */
  | { readonly duringChange: string }
  | ((asked: Asked, now: () => Asked) => unknown);

interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

/** An input box or a quick pick. */
interface Box {
  title?: string;
  step?: number;
  totalSteps?: number;
  prompt?: string;
  placeholder?: string;
  password?: boolean;
  value: string;
  validationMessage?: string | { readonly message: string };
  items?: readonly Item[];
  selectedItems: readonly Item[];
  canSelectMany?: boolean;
  ignoreFocusOut?: boolean;
  buttons?: readonly QuickInputButton[];
}

export class Answers {
  readonly responses: Response[] = [];
  /** Every question, as first shown and again after each input. */
  readonly asked: Asked[] = [];
  readonly #failures: unknown[] = [];
  readonly #restore: (() => void)[];

  constructor() {
    this.#restore = [
      replace(window, 'createInputBox', () => this.#box()),
      replace(window, 'createQuickPick', () => this.#box()),
      replace(window, 'showQuickPick', (items, options) =>
        Promise.resolve(
          this.#choose(
            items as Item[],
            options as { placeHolder?: string; title?: string },
          ),
        ),
      ),
    ];
  }

  /** The last question with this text in its prompt or placeholder. */
  about(words: string): Asked {
    const found = this.asked.findLast(({ prompt, placeholder }) =>
      `${prompt}${placeholder}`.includes(words),
    );
    if (!found)
      throw new Error(
        `Nothing was asked about "${words}": ${JSON.stringify(this.asked, null, 1)}`,
      );
    return found;
  }

  /** Everything that the questions showed, without what the user typed. */
  everything(): string {
    return JSON.stringify(this.asked.map((asked) => ({ ...asked, value: '' })));
  }

  /** Restores the window, and throws any error from answering the questions. */
  leave(): void {
    for (const restore of this.#restore) restore();
    if (this.#failures.length > 0)
      throw new AggregateError(this.#failures, String(this.#failures[0]));
  }

  #choose(
    items: readonly Item[],
    { placeHolder, title }: { placeHolder?: string; title?: string },
  ): Item | undefined {
    const box = {
      items,
      value: '',
      selectedItems: [],
      placeholder: placeHolder ?? '',
      title: title ?? '',
    };
    this.asked.push(look(box));
    const response = this.responses.shift();
    const wanted =
      typeof response === 'object' && 'ifOffered' in response
        ? response.ifOffered
        : response;
    return items.find(({ label }) => label === wanted);
  }

  #box(): object {
    const events = {
      change: new EventEmitter<string>(),
      accept: new EventEmitter<undefined>(),
      hide: new EventEmitter<undefined>(),
      button: new EventEmitter<QuickInputButton>(),
      itemButton: new EventEmitter<unknown>(),
      selection: new EventEmitter<readonly Item[]>(),
    };
    const state = { isOver: false };
    const box: Box = { value: '', selectedItems: [] };
    const answer = async () => {
      this.asked.push(look(box));
      while (!state.isOver) {
        const response = this.responses.shift();
        // People answer what they see.
        const isLate = isDuringChange(response);
        if (!isLate) await windowCaughtUp();
        if (typeof response === 'function')
          await response(look(box), () => look(box));
        else if (isLate) {
          const position = await otherItemAt(
            box,
            response === pickDuringChange ? undefined : response,
          );
          box.selectedItems = box.items?.slice(position, position + 1) ?? [];
          events.accept.fire(undefined);
        } else this.#respond(box, events, response);
        this.asked.push(look(box));
        // Until the answer has reached everything that waits for it.
        await setImmediate();
      }
    };
    return Object.assign(box, {
      onDidChangeValue: events.change.event,
      onDidAccept: events.accept.event,
      onDidHide: events.hide.event,
      onDidTriggerButton: events.button.event,
      onDidTriggerItemButton: events.itemButton.event,
      onDidChangeSelection: events.selection.event,
      show: () => {
        answer().catch((error: unknown) => {
          this.#failures.push(error);
          events.hide.fire(undefined);
        });
      },
      dispose: () => {
        state.isOver = true;
        for (const event of Object.values(events)) event.dispose();
      },
    });
  }

  #respond(
    box: Box,
    events: {
      readonly change: EventEmitter<string>;
      readonly accept: EventEmitter<undefined>;
      readonly hide: EventEmitter<undefined>;
      readonly button: EventEmitter<QuickInputButton>;
      readonly selection: EventEmitter<readonly Item[]>;
    },
    response:
      | Exclude<
          Response,
          ((asked: Asked, now: () => Asked) => unknown) | DuringChange
        >
      | undefined,
  ): void {
    if (response === undefined || response === escape) {
      events.hide.fire(undefined);
    } else if (response === clickElsewhere) {
      if (!box.ignoreFocusOut) events.hide.fire(undefined);
    } else if (response === goBack) {
      if (!box.buttons?.includes(QuickInputButtons.Back))
        throw new Error(`No Back button: ${said(box)}`);
      events.button.fire(QuickInputButtons.Back);
    } else if (typeof response === 'object' && 'ifOffered' in response) {
      if (box.items?.some(({ label }) => label === response.ifOffered)) {
        this.#respond(box, events, response.ifOffered);
      }
    } else if (typeof response === 'object' && 'button' in response) {
      const button = box.buttons?.find(
        ({ tooltip }) => tooltip === response.button,
      );
      if (!button)
        throw new Error(`No button "${response.button}": ${said(box)}`);
      events.button.fire(button);
    } else if (box.items && isOtherText(box.items, response)) {
      box.value = response.typed;
      events.change.fire(box.value);
    } else if (box.items) {
      const labels =
        typeof response === 'string'
          ? [response]
          : 'chosen' in response
            ? response.chosen
            : [response.typed];
      box.selectedItems = labels.flatMap((label) => itemsCalled(box, label));
      events.selection.fire(box.selectedItems);
      events.accept.fire(undefined);
    } else {
      if (typeof response === 'object' && 'chosen' in response)
        throw new Error(`No list: ${said(box)}`);
      box.value = typeof response === 'string' ? response : response.typed;
      events.change.fire(box.value);
      if (typeof response === 'string') events.accept.fire(undefined);
    }
  }
}

type DuringChange = Extract<
  Response,
  typeof pickDuringChange | { readonly duringChange: string }
>;

function isDuringChange(
  response: Response | undefined,
): response is DuringChange {
  return (
    response === pickDuringChange ||
    (typeof response === 'object' && 'duringChange' in response)
  );
}

/**
 * Resolves in the same turn of the event loop in which another item, or none,
 * takes a position of the list: the first one, or that of a label.
 */
async function otherItemAt(
  box: Box,
  picked?: { readonly duringChange: string },
): Promise<number> {
  const first = box.items ?? [];
  let items: readonly Item[] | undefined = first;
  return await new Promise((resolve) => {
    Object.defineProperty(box, 'items', {
      configurable: true,
      enumerable: true,
      get: () => items,
      set: (changed: readonly Item[]) => {
        items = changed;
        const position = first.findIndex(
          ({ label }, index) =>
            changed[index]?.label !== label &&
            (picked === undefined || label === picked.duringChange),
        );
        if (position >= 0) resolve(position);
      },
    });
  });
}

/** True if a text is typed into a list that does not have it. */
function isOtherText(
  items: readonly Item[],
  response: Response,
): response is { readonly typed: string } {
  return (
    typeof response === 'object' &&
    'typed' in response &&
    !items.some(({ label }) => label === response.typed)
  );
}

/** All items with this label. */
function itemsCalled(box: Box, label: string): readonly Item[] {
  const items = (box.items ?? []).filter((each) => each.label === label);
  if (items.length === 0)
    throw new Error(`"${label}" is not offered: ${said(box)}`);
  return box.canSelectMany ? items : items.slice(0, 1);
}

function said(box: Box): string {
  return JSON.stringify({ ...look(box), value: '' });
}

function look(box: Box): Asked {
  const { validationMessage: message = '' } = box;
  return {
    title: box.title ?? '',
    step: box.step,
    totalSteps: box.totalSteps,
    prompt: box.prompt ?? '',
    placeholder: box.placeholder ?? '',
    hidden: box.password ?? false,
    value: box.value,
    message: typeof message === 'string' ? message : message.message,
    items: box.items?.map(({ label }) => label) ?? [],
    details:
      box.items?.flatMap(({ description = '', detail = '' }) => [
        description,
        detail,
      ]) ?? [],
    hasBack: box.buttons?.includes(QuickInputButtons.Back) ?? false,
  };
}
