/** The HTML of a conversation page. It runs only our script, and loads nothing from the network. */
import { randomBytes } from 'node:crypto';
import { Uri, type Webview } from 'vscode';
import { language } from '../../base/l10n.ts';

export function pageFolder(extension: Uri): Uri {
  return Uri.joinPath(extension, 'dist', 'webview');
}

export function pageHtml(webview: Webview, extension: Uri, key: string): string {
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
<html lang="${escape(language())}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escape(address('page.css'))}">
</head>
<body data-key="${escape(key)}">
<script nonce="${nonce}" src="${escape(address('page.js'))}"></script>
</body>
</html>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
