/** Draws Markdown without HTML and pictures, and with links only to the web. */
import MarkdownIt, { type Token } from 'markdown-it';
import { element, foreignText } from './dom.ts';

/**
 * Longer text is not prose, takes too long to parse, and is shown unchanged.
 */
const maxParsedLength = 200_000;

let reader: ReturnType<typeof makeReader> | undefined;

export function drawMarkdown(text: string): Node {
  if (text.length > maxParsedLength)
    return element('div', { class: 'plain' }, foreignText(text));
  reader ??= makeReader();
  const fragment = document.createDocumentFragment();
  draw(reader.parse(text, {}), fragment);
  return fragment;
}

/** Creates the parser, which takes as long as drawing a dozen entries. */
export function prepareMarkdown(): void {
  drawMarkdown('**A** `b` https://example.com/');
}

function makeReader() {
  const parser = new MarkdownIt({
    html: false,
    linkify: true,
    breaks: true,
  }).disable('image');
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  parser.validateLink = isWebAddress;
  // A decoded address could look like that of another host.
  parser.normalizeLinkText = (address) => address;
  return parser;
}

export function isWebAddress(address: string): boolean {
  return /^https?:\/\/[^/]/i.test(address) && URL.canParse(address);
}

/** Elements by token type. Other tokens are shown as text. */
const elements: Readonly<Partial<Record<string, keyof HTMLElementTagNameMap>>> =
  {
    paragraph: 'p',
    blockquote: 'blockquote',
    bullet_list: 'ul',
    ordered_list: 'ol',
    list_item: 'li',
    table: 'table',
    thead: 'thead',
    tbody: 'tbody',
    tr: 'tr',
    th: 'th',
    td: 'td',
    em: 'em',
    strong: 'strong',
    s: 's',
  };

/** Thousands of elements inside each other crash the browser. */
const maxDepth = 100;

function draw(tokens: readonly Token[], into: Node) {
  const open: Node[] = [into];
  const here = () => open.at(-1) ?? into;
  const begin = (node: HTMLElement) => {
    if (open.length > maxDepth) {
      open.push(here());
      return;
    }
    here().appendChild(node);
    open.push(node);
  };
  for (const token of tokens) {
    if (token.hidden) continue;
    if (token.nesting === 1) begin(opened(token));
    else if (token.nesting === -1) {
      const closed = open.pop();
      if (closed instanceof HTMLAnchorElement && closed !== here())
        tellWhere(closed);
    } else if (token.type === 'inline') draw(token.children ?? [], here());
    else here().appendChild(leaf(token));
  }
}

function opened(token: Token): HTMLElement {
  const kind = token.type.replace(/_open$/, '');
  if (kind === 'heading') {
    // The page itself uses the upper levels.
    const level = Math.min(6, Number(token.tag.slice(1)) + 2);
    return element(`h${level}` as 'h3', { dir: 'auto' });
  }
  if (kind === 'link') {
    const address = String(token.attrGet('href') ?? '');
    // Checked again, for safety.
    return isWebAddress(address) ? link(address) : element('span');
  }
  const tag = elements[kind] ?? 'span';
  const start = kind === 'ordered_list' ? token.attrGet('start') : null;
  return element(tag, {
    ...(tag === 'p' || tag === 'li' || tag === 'td' || tag === 'th'
      ? { dir: 'auto' }
      : {}),
    ...(start === null ? {} : { start: String(start) }),
  });
}

function leaf(token: Token): Node {
  switch (token.type) {
    case 'text':
      return foreignText(token.content);
    case 'code_inline':
      return element('code', {}, foreignText(token.content, 'code'));
    case 'code_block':
    case 'fence':
      return element(
        'pre',
        { class: 'code' },
        element('code', {}, foreignText(token.content, 'code')),
      );
    case 'softbreak':
    case 'hardbreak':
      return element('br');
    case 'hr':
      return element('hr');
    default:
      return foreignText(token.content);
  }
}

/** The editor opens it: see `page.ts`. */
function link(address: string): HTMLAnchorElement {
  return element('a', { href: address, title: address, tabindex: '-1' });
}

/**
 * Matches text that looks like an address, in any script. Browsers take the
 * ideographic full stop for a dot.
 */
const addressLike = /[\p{L}\p{M}\p{N}_][.:/\u3002][\p{L}\p{N}_]/u;

/** Adds the host to a link whose text looks like another address. */
function tellWhere(anchor: HTMLAnchorElement) {
  const words = anchor.textContent;
  if (words === anchor.href || `${words}/` === anchor.href) return;
  // Normalizes characters such as full-width signs.
  if (!addressLike.test(words.normalize('NFKC'))) return;
  const { host } = new URL(anchor.href);
  anchor.append(element('span', { class: 'host' }, ` (${host})`));
}
