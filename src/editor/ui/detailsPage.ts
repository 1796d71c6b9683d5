/** Pages of facts, with links to commands and without scripts. */
import { type Disposable, ViewColumn, type WebviewPanel, window } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { language } from '../../base/l10n.ts';
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
  /** The time at which ages on the page change. */
  readonly until: Time;
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

  #draw(key: Key, panel: WebviewPanel): void {
    const page = this.#pageOf(key, systemClock.now());
    this.#until.set(key, page?.until ?? Infinity);
    if (!page) return;
    panel.title = page.title;
    panel.webview.html = html(page);
  }
}

function html({ title, actions, sections }: DetailsPage): string {
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
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<nav>${actions.map(action).join('\n')}</nav>
${sections.map(section).join('\n')}
</body>
</html>`;
}

function section({ title, text, facts = [] }: PageSection): string {
  const rows = facts.map(
    ([name, value]) =>
      `${name && `<dt>${escapeHtml(name)}</dt>`}<dd>${escapeHtml(value)}</dd>`,
  );
  return [
    title && `<h2>${escapeHtml(title)}</h2>`,
    text && `<p>${escapeHtml(text)}</p>`,
    rows.length > 0 && `<dl>\n${rows.join('\n')}\n</dl>`,
  ]
    .filter(Boolean)
    .join('\n');
}

function action({ command, label, args = [] }: PageAction): string {
  const query = encodeURIComponent(JSON.stringify(args));
  // The editor shows the address of the command for a link without a title.
  return `<a href="command:${command}?${escapeHtml(query)}" title="${escapeHtml(label)}">${escapeHtml(label)}</a>`;
}
