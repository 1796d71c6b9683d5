/** Pages of facts, with links to commands and without scripts. */
import { type Disposable, ViewColumn, type WebviewPanel, window } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { language } from '../../base/l10n.ts';
import { joinParts } from '../../base/parts.ts';
import type { Time } from '../../service/model/entities.ts';
import type { CommandId } from '../manifest.ts';
import type { PageSection } from '../words/facts.ts';
import { escapeHtml } from './pageHtml.ts';

/** Commands that a page may link to. */
export type PageCommand = CommandId | 'workbench.action.openSettings';

export interface PageAction {
  readonly command: PageCommand;
  readonly label: string;
  readonly args?: readonly string[];
}

export interface DetailsPage {
  readonly title: string;
  readonly actions: readonly PageAction[];
  readonly sections: readonly PageSection[];
  /** Follow the sections. */
  readonly tables?: readonly PageTable[];
  /** The time at which ages on the page change. */
  readonly until: Time;
}

export interface PageTable {
  readonly title: string;
  readonly text?: string;
  readonly chart?: PageChart;
  readonly columns: readonly string[];
  /** `share`: the length of the bar of a row, from 0 to 1. */
  readonly rows: readonly {
    readonly cells: readonly string[];
    readonly share?: number;
  }[];
}

interface PageChart {
  /** Says what the chart shows. */
  readonly label: string;
  readonly bars: readonly { readonly name: string; readonly share: number }[];
  /** Stands above the chart, at the height of the longest bar. */
  readonly top: string;
  /** Stand below the ends of the chart. */
  readonly ends: readonly [string, string];
}

export class OpenPages<Key> implements Disposable {
  readonly #viewType: string;
  readonly #allowed: readonly PageCommand[];
  readonly #pageOf: (key: Key, now: Time) => DetailsPage | undefined;
  readonly #panels = new Map<Key, WebviewPanel>();
  readonly #until = new Map<Key, Time>();

  /**
   * `pageOf` returns `undefined` for keys that no longer exist. Their pages
   * stay unchanged.
   */
  constructor(
    viewType: string,
    allowed: readonly PageCommand[],
    pageOf: (key: Key, now: Time) => DetailsPage | undefined,
  ) {
    this.#viewType = viewType;
    this.#allowed = allowed;
    this.#pageOf = pageOf;
  }

  show(key: Key): void {
    const open = this.#panels.get(key);
    if (open) {
      open.reveal();
      return;
    }
    const panel = window.createWebviewPanel(
      this.#viewType,
      '',
      ViewColumn.Active,
      {
        enableScripts: false,
        enableCommandUris: this.#allowed,
        localResourceRoots: [],
      },
    );
    this.#panels.set(key, panel);
    panel.onDidDispose(() => {
      this.#panels.delete(key);
      this.#until.delete(key);
    });
    this.#draw(key, panel);
  }

  /** Redraws pages that have changed or whose time is up. */
  redraw(hasChanged: (key: Key) => boolean): void {
    const now = systemClock.now();
    for (const [key, panel] of this.#panels) {
      if (hasChanged(key) || (this.#until.get(key) ?? Infinity) <= now)
        this.#draw(key, panel);
    }
  }

  dispose(): void {
    for (const panel of [...this.#panels.values()]) panel.dispose();
  }

  #draw(key: Key, panel: WebviewPanel) {
    const page = this.#pageOf(key, systemClock.now());
    this.#until.set(key, page?.until ?? Infinity);
    if (!page) return;
    panel.title = page.title;
    panel.webview.html = html(page);
  }
}

function html({ title, actions, sections, tables = [] }: DetailsPage): string {
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language())}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>
body { max-width: 52em; margin: 0 auto; padding: 1em 2em; overflow-wrap: anywhere; }
h1, h2 { font-weight: 500; }
dl { display: grid; grid-template-columns: minmax(8em, max-content) 1fr; gap: .5em 1.5em; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; grid-column: 2; }
nav a { display: inline-block; margin-right: 1.5em; }
table { width: 100%; border-collapse: collapse; }
th { font-weight: normal; text-align: start; color: var(--vscode-descriptionForeground); }
th, td { padding: .3em 0; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); vertical-align: top; }
:is(th, td) + :is(th, td) { padding-inline-start: 1em; text-align: end; overflow-wrap: normal; }
figure { margin: 1em 0; }
figcaption { display: flex; justify-content: space-between; gap: 1em; }
figcaption, small { font-size: inherit; color: var(--vscode-descriptionForeground); }
.bars { display: flex; align-items: end; gap: 2px; height: 8em; border-bottom: 1px solid var(--vscode-descriptionForeground); }
.bars i { flex: 1; }
td i { display: block; height: .3em; margin-top: .2em; }
@media (max-width: 30em) {
  body { padding: 0 1em; }
  :is(th, td):nth-child(2):not(:last-child) { display: none; }
}
i { box-sizing: border-box; background: var(--vscode-charts-blue); border: 0 solid var(--vscode-contrastBorder, var(--vscode-charts-blue)); }
i:not([style$=":0%"]) { border-width: 1px; }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<nav>${actions.map(action).join('\n')}</nav>
${sections.map(section).join('\n')}
${tables.map(table).join('\n')}
</body>
</html>`;
}

function section({ title, text, facts = [] }: PageSection): string {
  const rows = facts.map(
    ([name, value]) =>
      `${name && `<dt>${escapeHtml(name)}</dt>`}<dd>${escapeHtml(value)}</dd>`,
  );
  return joinParts(
    '\n',
    title && `<h2>${escapeHtml(title)}</h2>`,
    text && `<p>${escapeHtml(text)}</p>`,
    rows.length > 0 && `<dl>\n${rows.join('\n')}\n</dl>`,
  );
}

function table({ title, text, chart, columns, rows }: PageTable): string {
  const cell = (text: string) => element('td', escapeHtml(text));
  const lines = rows.map(({ cells: [name = '', ...amounts], share }) => {
    const first = escapeHtml(name) + bar(share, 'width');
    return element('tr', element('td', first) + amounts.map(cell).join(''));
  });
  const head = columns.map((column) =>
    element('th', escapeHtml(column), { scope: 'col' }),
  );
  const body =
    element('thead', element('tr', head.join(''))) +
    element('tbody', lines.join('\n'));
  return joinParts(
    '\n',
    section({ title, ...(text !== undefined && { text }) }),
    chart && drawnChart(chart),
    lines.length > 0 && element('table', body, { 'aria-label': title }),
  );
}

function drawnChart({ label, bars, top, ends }: PageChart): string {
  const columns = bars.map(({ name, share }) => bar(share, 'height', name));
  const names = ends.map((end) => element('span', escapeHtml(end)));
  return element(
    'figure',
    element('small', escapeHtml(top)) +
      element('div', columns.join(''), { class: 'bars' }) +
      element('figcaption', names.join('')),
    { role: 'img', 'aria-label': label },
  );
}

function bar(
  share: number | undefined,
  side: 'width' | 'height',
  title = '',
): string {
  if (share === undefined) return '';
  // A small share must not look like none.
  const percent = share > 0 ? Math.max(1, Math.round(share * 100)) : 0;
  return element('i', '', { title, style: `${side}:${percent}%` });
}

function element(
  name: string,
  html: string,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const written = Object.entries(attributes).map(
    ([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`,
  );
  return `<${name}${written.join('')}>${html}</${name}>`;
}

function action({ command, label, args = [] }: PageAction): string {
  const query = encodeURIComponent(JSON.stringify(args));
  // The editor shows the address of the command for a link without a title.
  return `<a href="command:${command}?${escapeHtml(query)}" title="${escapeHtml(label)}">${escapeHtml(label)}</a>`;
}
