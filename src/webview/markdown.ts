/** Draws Markdown without HTML and pictures, and with links only to the web. */
import MarkdownIt, { type Token } from 'markdown-it';
import { element, foreignText } from './dom.ts';

/** Longer text is not prose, takes too long to parse, and is shown unchanged. */
const maxParsedLength = 200_000;

let reader: ReturnType<typeof makeReader> | undefined;

export function drawMarkdown(text: string): Node {
  if (text.length > maxParsedLength) return element('div', { class: 'plain' }, foreignText(text));
  reader ??= makeReader();
  const made = document.createDocumentFragment();
  draw(reader.parse(text, {}), made);
  return made;
}

/** Creates the parser, which takes as long as drawing a dozen entries. */
export function prepareMarkdown(): void {
  drawMarkdown('**A** `b` https://example.com/');
}

function makeReader() {
  const made = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable('image');
  made.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  made.validateLink = isWebAddress;
  // A decoded address could look like that of another host.
  made.normalizeLinkText = (address) => address;
  return made;
}

export function isWebAddress(address: string): boolean {
  return /^https?:\/\/[^/]/i.test(address) && URL.canParse(address);
}

function draw(tokens: readonly Token[], into: Node): void {
  const open: Node[] = [into];
  const here = () => open.at(-1) ?? into;
  const begin = (made: HTMLElement) => {
    here().appendChild(made);
    open.push(made);
  };
  for (const token of tokens) {
    if (token.hidden) continue;
    if (token.nesting === 1) begin(opened(token));
    else if (token.nesting === -1) {
      const closed = open.pop();
      if (closed instanceof HTMLAnchorElement) tellWhere(closed);
    } else if (token.type === 'inline') draw(token.children ?? [], here());
    else here().appendChild(leaf(token));
  }
}

function opened(token: Token): HTMLElement {
  if (token.type === 'heading_open') {
    // The page itself uses the upper levels.
    const level = Math.min(6, Number(token.tag.slice(1)) + 2);
    return element(`h${level}` as 'h3', { dir: 'auto' });
  }
  if (token.type === 'link_open') {
    const address = String(token.attrGet('href') ?? '');
    // Checked again, for safety.
    return isWebAddress(address) ? link(address) : element('span');
  }
  // The parser itself names the elements, such as `p` or `ul`: it reads no HTML.
  return element(token.tag as 'p', {
    dir: ['p', 'li', 'td', 'th'].includes(token.tag) ? 'auto' : undefined,
    start: token.attrGet('start')?.toString(),
  });
}

function leaf(token: Token): Node {
  switch (token.type) {
    case 'code_inline':
      return element('code', {}, foreignText(token.content, 'code'));
    case 'code_block':
    case 'fence':
      return element('pre', { class: 'code' }, element('code', {}, foreignText(token.content, 'code')));
    case 'softbreak':
    case 'hardbreak':
    case 'hr':
      return element(token.tag as 'br' | 'hr');
    default:
      return foreignText(token.content);
  }
}

/** The editor opens it: see `page.ts`. */
function link(address: string): HTMLAnchorElement {
  return element('a', { href: address, title: address, tabindex: '-1' });
}

/** Matches text that looks like an address, in any script. Browsers take the ideographic full stop for a dot. */
const addressLike = /[\p{L}\p{M}\p{N}_][.:/\u3002][\p{L}\p{N}_]/u;

/** Adds the host to a link whose text looks like another address. */
function tellWhere(made: HTMLAnchorElement): void {
  const words = made.textContent;
  if (words === made.href || `${words}/` === made.href) return;
  // Normalizes characters such as full-width signs.
  if (!addressLike.test(words.normalize('NFKC'))) return;
  const { host } = new URL(made.href);
  made.append(element('span', { class: 'host' }, ` (${host})`));
}
