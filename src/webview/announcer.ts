/** Announces new messages and errors to a screen reader, but not the actions between them. */
import type { DrawnEntry } from '../protocol/drawn.ts';
import { visibleText } from '../protocol/visible.ts';
import { drawPhrase } from './drawEntry.ts';
import { element } from './dom.ts';

const maxTextLength = 500;
const maxAnnouncements = 20;

export class Announcer {
  readonly element = element('div', { class: 'spoken', role: 'log', 'aria-live': 'polite' });

  /** The first entries come with a reset, and are not new. */
  announce({ added, isReset }: { readonly added: readonly DrawnEntry[]; readonly isReset: boolean }): void {
    if (isReset) return;
    for (const drawn of added) {
      const words = spoken(drawn);
      if (words !== undefined) this.element.append(element('p', {}, words));
    }
    while (this.element.childElementCount > maxAnnouncements) this.element.firstElementChild?.remove();
  }
}

function spoken(drawn: DrawnEntry): string | undefined {
  if (drawn.kind === 'error') return drawPhrase(drawn.line).textContent.slice(0, maxTextLength);
  if (drawn.kind !== 'message' || drawn.by === 'person' || drawn.isStreaming) return undefined;
  return `${drawn.name}: ${visibleText(drawn.text.slice(0, maxTextLength), 'prose')}`;
}
