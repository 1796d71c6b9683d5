/**
 * The tabs of files. Open documents say little: the editor keeps one for
 * minutes after its last tab is closed.
 */
import {
  type Tab,
  TabInputText,
  TabInputTextDiff,
  type Uri,
  window,
} from 'vscode';

export function filesOf({ input }: Tab): readonly Uri[] {
  if (input instanceof TabInputText) return [input.uri];
  if (input instanceof TabInputTextDiff)
    return [input.original, input.modified];
  return [];
}

export function hasTab(uri: Uri): boolean {
  const address = uri.toString();
  return window.tabGroups.all.some(({ tabs }) =>
    tabs.some((tab) =>
      filesOf(tab).some((file) => file.toString() === address),
    ),
  );
}
