/** Shows text, or two versions of a text side by side, in temporary documents. */
import { randomUUID } from 'node:crypto';
import { commands, Disposable, Uri, window, workspace } from 'vscode';
import { filesOf } from './tabs.ts';

const scheme = 'switchboard-preview';

/** Shows a diff until it is disposed of. The focus stays where it is. */
export async function showPreview(before: string, after: string, title: string): Promise<Disposable> {
  // Not called mcp.json, where masked values would be reported as problems.
  const { addresses, shown } = provide({ 'before.jsonc': before, 'after.jsonc': after });
  await commands.executeCommand('vscode.diff', ...addresses, title, { preserveFocus: true, preview: false });
  return shown;
}

/** Shows a text until it is disposed of. The focus stays where it is. */
export async function showText(text: string, title: string): Promise<Disposable> {
  const { addresses, shown } = provide({ [`${title}.txt`]: text });
  for (const address of addresses) {
    const document = await workspace.openTextDocument(address);
    await window.showTextDocument(document, { preserveFocus: true, preview: false });
  }
  return shown;
}

function provide(texts: Readonly<Record<string, string>>) {
  // A new folder, because the editor caches documents by their address.
  const folder = `/${randomUUID()}/`;
  const provider = workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ path }) =>
      path.startsWith(folder) ? texts[path.slice(folder.length)] : undefined,
  });
  const close = async () => {
    const tabs = window.tabGroups.all.flatMap((group) =>
      group.tabs.filter((tab) =>
        filesOf(tab).some((file) => file.scheme === scheme && file.path.startsWith(folder)),
      ),
    );
    await window.tabGroups.close(tabs, true);
  };
  return {
    addresses: Object.keys(texts).map((name) => Uri.from({ scheme, path: folder + name })),
    shown: new Disposable(() => {
      void close().finally(() => {
        provider.dispose();
      });
    }),
  };
}
