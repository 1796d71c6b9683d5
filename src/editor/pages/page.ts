/** Pages of facts: text that can be read and copied, links that are commands, and nothing that runs. */
import { ViewColumn, type WebviewPanel, window } from 'vscode';
import { language } from '../../base/l10n.ts';
import type { CommandId } from '../manifest.ts';
import type { Section } from '../words/facts.ts';

export interface Action {
  readonly command: CommandId;
  readonly label: string;
  readonly args?: readonly string[];
}

export interface Page {
  readonly title: string;
  readonly actions: readonly Action[];
  readonly sections: readonly Section[];
}

export function createPage(viewType: string, allowed: readonly CommandId[]): WebviewPanel {
  return window.createWebviewPanel(viewType, '', ViewColumn.Active, {
    enableScripts: false,
    enableCommandUris: allowed,
    localResourceRoots: [],
  });
}

export function drawPage(panel: WebviewPanel, page: Page): void {
  panel.title = page.title;
  panel.webview.html = html(page);
}

function html({ title, actions, sections }: Page): string {
  return `<!DOCTYPE html>
<html lang="${escape(language())}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(title)}</title>
<style>
body { max-width: 52em; margin: 0 auto; padding: 1em 2em; overflow-wrap: anywhere; }
h1, h2 { font-weight: 500; }
dl { display: grid; grid-template-columns: minmax(8em, max-content) 1fr; gap: .5em 1.5em; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; grid-column: 2; }
nav a { margin-right: 1.5em; }
</style>
</head>
<body>
<h1>${escape(title)}</h1>
<nav>${actions.map(action).join('\n')}</nav>
${sections.map(section).join('\n')}
</body>
</html>`;
}

function section({ title, text, facts = [] }: Section): string {
  const rows = facts.map(([name, value]) => `${name && `<dt>${escape(name)}</dt>`}<dd>${escape(value)}</dd>`);
  return [
    title && `<h2>${escape(title)}</h2>`,
    text && `<p>${escape(text)}</p>`,
    rows.length > 0 && `<dl>\n${rows.join('\n')}\n</dl>`,
  ]
    .filter(Boolean)
    .join('\n');
}

function action({ command, label, args = [] }: Action): string {
  const query = encodeURIComponent(JSON.stringify(args));
  // Without a title the editor would put the address of the command in its place.
  return `<a href="command:${command}?${escape(query)}" title="${escape(label)}">${escape(label)}</a>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
