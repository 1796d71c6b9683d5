import { type Command, TreeItem, TreeItemCheckboxState } from 'vscode';
import { joinParts } from '../../base/parts.ts';
import type { CommandId, Commands } from '../manifest.ts';

interface ItemOptions extends Partial<
  Pick<
    TreeItem,
    | 'description'
    | 'tooltip'
    | 'iconPath'
    | 'command'
    | 'checkboxState'
    | 'collapsibleState'
  >
> {
  /** Words that the menus of package.json look for. */
  readonly context: readonly (string | false | undefined)[];
  /** The text for screen readers, in place of the label. */
  readonly spoken: string;
}

export function treeItem(
  label: string,
  { context, spoken, ...options }: ItemOptions,
): TreeItem {
  return Object.assign(new TreeItem(label), options, {
    contextValue: joinParts(' ', ...context),
    accessibilityInformation: { label: spoken },
  });
}

export function checkBox(isOn: boolean, tooltip: string, spoken: string) {
  return {
    state: isOn
      ? TreeItemCheckboxState.Checked
      : TreeItemCheckboxState.Unchecked,
    tooltip,
    accessibilityInformation: { label: spoken },
  };
}

export function rowCommand<Id extends CommandId>(
  id: Id,
  title: string,
  ...args: Commands[Id]
): Command {
  return { command: id, title, arguments: args };
}
