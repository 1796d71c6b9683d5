/** The page of one conversation: everything that is known, as text that can be read and copied, and nothing that runs. */
import { type Disposable, ViewColumn, type WebviewPanel, window } from 'vscode';
import { systemClock } from '../base/clock.ts';
import { type Conversation, idKey } from '../service/types.ts';
import type { Switchboard } from '../state/switchboard.ts';
import type { CommandId } from './manifest.ts';
import { factsOf, titleOf } from './views/words.ts';

export class Details implements Disposable {
  readonly #switchboard: Switchboard;
  readonly #panels = new Map<string, WebviewPanel>();
  readonly #stop: () => void;

  constructor(switchboard: Switchboard) {
    this.#switchboard = switchboard;
    this.#stop = switchboard.conversations.onChange(({ rows }) => {
      for (const key of rows) this.#draw(key);
    });
  }

  show({ id }: Conversation): void {
    const key = idKey(id);
    const open = this.#panels.get(key);
    if (open) {
      open.reveal();
      return;
    }
    const allowed: CommandId[] = [
      'switchboard.conversations.open',
      'switchboard.conversations.openPullRequest',
      'switchboard.conversations.copyId',
    ];
    const panel = window.createWebviewPanel('switchboard.details', '', ViewColumn.Active, {
      enableScripts: false,
      enableCommandUris: allowed,
      localResourceRoots: [],
    });
    this.#panels.set(key, panel);
    panel.onDidDispose(() => this.#panels.delete(key));
    this.#draw(key);
  }

  dispose(): void {
    this.#stop();
    for (const panel of [...this.#panels.values()]) panel.dispose();
  }

  #draw(key: string): void {
    const panel = this.#panels.get(key);
    const conversation = this.#switchboard.conversations.rows.get(key);
    // One that is no longer listed keeps what was last known of it.
    if (!panel || !conversation) return;
    panel.title = titleOf(conversation);
    panel.webview.html = page(conversation);
  }
}

function page(conversation: Conversation): string {
  const { id, link, pullRequests } = conversation;
  const rows = factsOf(conversation, systemClock.now())
    .map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`)
    .join('\n');
  const actions = [
    link && action('switchboard.conversations.open', 'Open in the browser', id),
    pullRequests.length > 0 &&
      action('switchboard.conversations.openPullRequest', 'Open the pull request', id),
    action('switchboard.conversations.copyId', 'Copy the id', id),
  ];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(titleOf(conversation))}</title>
<style>
body { max-width: 52em; margin: 0 auto; padding: 1em 2em; overflow-wrap: anywhere; }
h1 { font-weight: 500; }
dl { display: grid; grid-template-columns: minmax(8em, max-content) 1fr; gap: .5em 1.5em; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; }
nav a { margin-right: 1.5em; }
</style>
</head>
<body>
<h1>${escape(titleOf(conversation))}</h1>
<nav>${actions.filter(Boolean).join('\n')}</nav>
<dl>
${rows}
</dl>
</body>
</html>`;
}

function action(command: CommandId, label: string, id: string): string {
  const args = encodeURIComponent(JSON.stringify([id]));
  return `<a href="command:${command}?${escape(args)}">${label}</a>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
