/** Makes the repository that agents of the demo work in, in a folder of the user, so that there is something to merge into. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { commands, Uri, window, workspace } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { DemoClone } from '../../demo/demoService.ts';
import { makeRepository } from '../../takeOver/makeRepository.ts';
import { showInformation, withProgress } from '../ui/messages.ts';
import type { BuiltInDemo } from '../services/builtInDemo.ts';
import { gitProgram } from './repositories.ts';

export async function offerDemoRepository(demo: BuiltInDemo, repository: DemoClone): Promise<void> {
  const { name } = repository;
  const make = t('Make the Demo Repository');
  const offer = t('Open a clone of “{0}” to take over these changes. The demo can make one for you.', name);
  if ((await showInformation(offer, make)) !== make) return;
  const [parent] =
    (await window.showOpenDialog({
      title: t('Select the folder in which to make “{0}”', name),
      openLabel: t('Make It Here'),
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: Uri.file(homedir()),
    })) ?? [];
  if (!parent) return;
  const program = await gitProgram();
  const folder = join(parent.fsPath, name);
  await withProgress(t('Making “{0}”', name), () => makeRepository(program, folder, repository));
  const uri = Uri.file(folder);
  await demo.startWith(uri);
  const [open, openNew, add] = [t('Open'), t('Open in New Window'), t('Add to Workspace')];
  const isEmpty = workspace.workspaceFolders === undefined;
  const pressed = await showInformation(
    t('The demo repository is in {0}. It is yours: delete the folder when you no longer need it.', folder),
    ...[open, openNew, ...(isEmpty ? [] : [add])],
  );
  if (pressed === add) workspace.updateWorkspaceFolders(workspace.workspaceFolders?.length ?? 0, 0, { uri });
  else if (pressed !== undefined)
    await commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: pressed === openNew });
}
