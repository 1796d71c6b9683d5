/** Switches to the branch that an agent pushed, by the editor's Git extension. */
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { confirm, showInformation } from '../ui/messages.ts';
import { type OpenRepository, saidByGit } from './repositories.ts';
import type { PushedBranch } from './ways.ts';

export async function checkOut(
  { repository, git }: OpenRepository,
  { name, remote }: PushedBranch,
): Promise<void> {
  const isClean = (await git.word(['status', '--porcelain'])) === '';
  const goOn = t('Check Out');
  if (
    !isClean &&
    !(await confirm(
      t('Check out “{0}” although there are uncommitted changes?', name),
      t('They come along. Git refuses where they would be overwritten.'),
      goOn,
    ))
  )
    return;
  const exists = await git.maybe(['rev-parse', '--verify', '--quiet', `refs/heads/${name}`]);
  const there = await git.word(['rev-parse', '--verify', `refs/remotes/${remote}/${name}`]);
  try {
    if (exists === undefined) {
      await repository.createBranch(name, true, `refs/remotes/${remote}/${name}`);
      await repository.setBranchUpstream(name, `${remote}/${name}`);
    } else {
      await repository.checkout(name);
      const isBehind = (await git.maybe(['merge-base', '--is-ancestor', exists, there])) !== undefined;
      if (isBehind && exists !== there) await repository.merge(`refs/remotes/${remote}/${name}`);
    }
  } catch (error) {
    throw new UserError(t('Could not check out “{0}”: {1}', name, saidByGit(error)), { cause: error });
  }
  const said = t('Checked out “{0}”.', name);
  const ref = `${remote}/${name}`;
  const isThere = (await git.word(['rev-parse', '--verify', `refs/heads/${name}`])) === there;
  const differs = t('It has commits of its own: merge “{0}” to get those of the agent.', ref);
  void showInformation(isThere ? said : `${said} ${differs}`);
}
