/**
 * The HTML of a conversation page. It runs only our script, and loads nothing
 * from the network.
 */
import type { ConversationKey } from '../../service/model/entities.ts';
import { randomBytes } from 'node:crypto';
import { Uri, type Webview } from 'vscode';
import { language } from '../../base/l10n.ts';

export function pageFolder(extension: Uri): Uri {
  return Uri.joinPath(extension, 'dist', 'webview');
}

export function pageHtml(
  webview: Webview,
  extension: Uri,
  key: ConversationKey,
): string {
  const nonce = randomBytes(18).toString('base64');
  const address = (name: string) =>
    webview.asWebviewUri(Uri.joinPath(pageFolder(extension), name)).toString();
  const policy = [
    ['default-src', "'none'"],
    ['img-src', 'data:'],
    ['style-src', webview.cspSource],
    ['script-src', `'nonce-${nonce}'`],
  ]
    .map((directive) => directive.join(' '))
    .join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language())}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeHtml(address('page.css'))}">
</head>
<body data-key="${escapeHtml(key)}">
<script nonce="${nonce}" src="${escapeHtml(address('page.js'))}"></script>
</body>
</html>`;
}

export function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}
