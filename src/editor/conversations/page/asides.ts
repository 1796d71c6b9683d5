/** Side questions to an agent. Only the open page keeps them. */
import type { DrawnAside } from '../../../protocol/drawn.ts';

interface Aside {
  readonly id: number;
  readonly question: string;
  /** Undefined until the agent has answered. */
  answer?: string;
  readonly cancelling: AbortController;
}

export class Asides {
  #all: readonly Aside[] = [];
  #last = 0;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get drawn(): readonly DrawnAside[] {
    return this.#all.map(({ id, question, answer }) => ({
      id,
      question,
      answer,
    }));
  }

  /**
   * Returns true once there is an answer, and false if the user has cancelled
   * it. A failed question is not kept.
   */
  async ask(
    question: string,
    ask: (signal: AbortSignal) => Promise<string>,
  ): Promise<boolean> {
    const aside: Aside = {
      id: ++this.#last,
      question,
      cancelling: new AbortController(),
    };
    const { signal } = aside.cancelling;
    this.#all = [...this.#all, aside];
    this.#changed();
    try {
      aside.answer = await ask(signal);
      return !signal.aborted;
    } catch (error) {
      if (!signal.aborted) throw error;
      return false;
    } finally {
      if (aside.answer === undefined) this.remove(aside.id);
      else this.#changed();
    }
  }

  answerOf(id: number): string | undefined {
    return this.#all.find((aside) => aside.id === id)?.answer;
  }

  remove(id: number): void {
    this.#all.find((aside) => aside.id === id)?.cancelling.abort();
    this.#all = this.#all.filter((aside) => aside.id !== id);
    this.#changed();
  }
}
