/** Tells a screen reader what is new, politely: messages, and nothing of what the agent does in between. */
import type { DrawnEntry } from '../protocol/drawn.ts';
import { element } from './dom.ts';
import { visibleText } from '../protocol/visible.ts';

/** In characters. The rest is in the list. */
const longest = 500;
const most = 20;

export class Announcer {
  readonly element = element('div', { class: 'spoken', role: 'log', 'aria-live': 'polite' });
  /** What is there at first is not new. */
  #begun = false;

  announce({ added, isReset }: { readonly added: readonly DrawnEntry[]; readonly isReset: boolean }): void {
    const isNew = this.#begun && !isReset;
    this.#begun = true;
    if (!isNew) return;
    for (const drawn of added) {
      const words = spoken(drawn);
      if (words !== undefined) this.element.append(element('p', {}, words));
    }
    while (this.element.childElementCount > most) this.element.firstElementChild?.remove();
  }
}

function spoken(drawn: DrawnEntry): string | undefined {
  if (drawn.kind === 'error') return visibleText(drawn.text.slice(0, longest), 'prose');
  if (drawn.kind !== 'message' || drawn.by === 'person' || drawn.isStreaming) return undefined;
  return `${drawn.name}: ${visibleText(drawn.text.slice(0, longest), 'prose')}`;
}
