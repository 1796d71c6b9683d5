/** What a change would make of a text, beside what it is: two documents that exist only to be compared. */
import { randomUUID } from 'node:crypto';
import { commands, Disposable, TabInputTextDiff, Uri, window, workspace } from 'vscode';

const scheme = 'switchboard-preview';

/** Shows them beside each other, until it is disposed. The focus stays where it is. */
export async function showPreview(before: string, after: string, title: string): Promise<Disposable> {
  // Documents are kept by their address for a while.
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

/** Not called mcp.json: what is masked would be said to be wrong. */
function pathOf(folder: string, side: string): string {
  return `${folder}/${side}.jsonc`;
}

async function close(folder: string): Promise<void> {
  const tabs = window.tabGroups.all.flatMap((group) =>
    group.tabs.filter(
      ({ input }) =>
        input instanceof TabInputTextDiff &&
        input.modified.scheme === scheme &&
        input.modified.path.startsWith(`${folder}/`),
    ),
  );
  await window.tabGroups.close(tabs, true);
}
