/** A text before and after a change, side by side, or one text alone: in documents that exist only for that. */
import { randomUUID } from 'node:crypto';
import { commands, Disposable, Uri, window, workspace } from 'vscode';
import { filesOf } from './tabs.ts';

const scheme = 'switchboard-preview';

/** Shows both until it is disposed. Leaves the focus where it is. */
export async function showPreview(before: string, after: string, title: string): Promise<Disposable> {
  // The editor caches documents by their address.
  const folder = `/${randomUUID()}`;
  const sides = { before, after };
  const provider = workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ path }) =>
      Object.entries(sides).find(([side]) => path === pathOf(folder, side))?.[1],
  });
  const [old, changed] = (['before', 'after'] as const).map((side) =>
    Uri.from({ scheme, path: pathOf(folder, side) }),
  );
  await commands.executeCommand('vscode.diff', old, changed, title, { preserveFocus: true, preview: false });
  return new Disposable(() => {
    void close(folder).finally(() => {
      provider.dispose();
    });
  });
}

/** Shows a text until it is disposed. Leaves the focus where it is. */
export async function showText(text: string, title: string): Promise<Disposable> {
  const folder = `/${randomUUID()}`;
  const provider = workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ path }) => (path.startsWith(`${folder}/`) ? text : undefined),
  });
  const uri = Uri.from({ scheme, path: `${folder}/${title}.txt` });
  await window.showTextDocument(await workspace.openTextDocument(uri), {
    preserveFocus: true,
    preview: false,
  });
  return new Disposable(() => {
    void close(folder).finally(() => {
      provider.dispose();
    });
  });
}

/** Not called mcp.json: masked values would be reported as problems. */
function pathOf(folder: string, side: string): string {
  return `${folder}/${side}.jsonc`;
}

async function close(folder: string): Promise<void> {
  const tabs = window.tabGroups.all.flatMap((group) =>
    group.tabs.filter((tab) =>
      filesOf(tab).some((file) => file.scheme === scheme && file.path.startsWith(`${folder}/`)),
    ),
  );
  await window.tabGroups.close(tabs, true);
}
