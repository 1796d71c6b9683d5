/** Makes elements. Foreign content enters only as text. */
import { visiblePieces } from '../protocol/visible.ts';

type Child = Node | string | false | undefined;

/**
 * `attributes` never contain foreign content. Missing children are left out.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) node.setAttribute(name, value);
  }
  node.append(...childrenIn(children));
  return node;
}

function childrenIn(children: readonly Child[]) {
  return children.filter((child) => child !== undefined && child !== false);
}

export function note(...children: readonly Child[]): HTMLElement {
  return element('p', { class: 'note' }, ...children);
}

export function button(
  content: Child | readonly Child[],
  press: () => void,
  attributes: Readonly<Record<string, string>> = {},
) {
  const node = element(
    'button',
    { type: 'button', ...attributes },
    ...[content].flat(),
  );
  node.addEventListener('click', press);
  return node;
}

export function linkButton(content: Child, press: () => void) {
  return button(content, press, { class: 'link' });
}

export function iconButton(name: IconName, label: string, press: () => void) {
  return button(icon(name), press, {
    class: 'icon',
    title: label,
    'aria-label': label,
  });
}

/** Foreign text with every character visible. */
export function foreignText(
  text: string,
  kind: 'prose' | 'code' = 'prose',
): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const piece of visiblePieces(text, kind)) {
    fragment.append(
      piece.isUnseen
        ? element('span', { class: 'unseen' }, piece.text)
        : piece.text,
    );
  }
  return fragment;
}

/** False while another part of the window has the keyboard. */
export function hasKeyboard(element: Element): boolean {
  return document.hasFocus() && element.contains(document.activeElement);
}

/**
 * Replaces the children. Keeps the focus at its position, unless another part
 * of the window has it.
 */
export function replaceChildren(
  parent: HTMLElement,
  children: readonly Child[],
  otherwise?: HTMLElement,
) {
  const index = [...parent.children].findIndex(
    (child) => child === document.activeElement,
  );
  const hadKeyboard = hasKeyboard(parent);
  parent.replaceChildren(...childrenIn(children));
  if (!hadKeyboard || index < 0) return;
  const again = parent.children[index] ?? otherwise;
  if (again instanceof HTMLElement) again.focus();
}

const shapes = {
  terminal: 'M2 3.5h12v9H2zM4.5 6l2 2-2 2M8 10.5h3',
  edit: 'M3 13l.7-3L11 2.7 13.3 5 6 12.3zM9.5 4.2l2.3 2.3',
  read: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3M6 8.5h4M6 10.5h4',
  browse:
    'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2zM2.5 8h11M8 2.2c-4 4-4 7.6 0 11.6M8 2.2c4 4 4 7.6 0 11.6',
  think: 'M6 12.5h4M6.5 14.3h3M5.8 10.5C3 8 4.2 3 8 3s5 5 2.2 7.5z',
  tasks: 'M2.5 4l1.2 1.2L6 3M2.5 8.5l1.2 1.2L6 7.5M8 4.5h5.5M8 9h5.5M3 13h10.5',
  tool: 'M9.5 3.2a3.3 3.3 0 00-3.8 4.5L2.5 11l2.5 2.5 3.3-3.2a3.3 3.3 0 004.5-3.8L10.5 8.5 8 8 7.5 5.5z',
  chevron: 'M6 3.5L10.5 8 6 12.5',
  close: 'M4 4l8 8M12 4l-8 8',
  down: 'M8 3v10M4 9l4 4 4-4',
  up: 'M8 13V3M4 7l4-4 4 4',
  attach:
    'M11.5 7.5l-4 4a2.4 2.4 0 01-3.5-3.5l5-5a1.7 1.7 0 012.5 2.5l-4.7 4.7a.8.8 0 01-1.2-1.2L9.5 5',
  selection: 'M3 4h7M3 8h10M3 12h6',
  find: 'M7 2.8a4.2 4.2 0 100 8.4 4.2 4.2 0 000-8.4zM10 10l3.5 3.5',
  fork: 'M5 4.5v7M5 9.5c0-2 6-1.5 6-5M5 3a1.2 1.2 0 100 .01M11 3a1.2 1.2 0 100 .01M5 13a1.2 1.2 0 100 .01',
  stop: 'M4.5 4.5h7v7h-7z',
  changes: 'M3.5 2.5h9v11h-9zM8 4.8v4M6 6.8h4M6 11h4',
  takeOver: 'M8 2.5v7M5 6.8l3 3 3-3M3 10.5v3h10v-3',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
} as const;

type IconName = keyof typeof shapes;

export function icon(name: IconName): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.classList.add('shape', `shape-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(namespace, 'path');
  path.setAttribute('d', shapes[name]);
  svg.append(path);
  return svg;
}

/** Fills the places `{0}` and `{1}` of a sentence. */
export function fillPlaces(
  sentence: string,
  ...values: readonly (string | number)[]
): string {
  return sentence.replace(/\{(\d)\}/g, (place, index: string) =>
    String(values[Number(index)] ?? place),
  );
}
