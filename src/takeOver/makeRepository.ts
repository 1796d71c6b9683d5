import { mkdir, rm } from 'node:fs/promises';
import { reason, UserError } from '../base/errors.ts';
import { t, userError } from '../base/l10n.ts';
import { LocalGit } from './localGit.ts';

interface NewRepository {
  /** A commit that it has. */
  readonly base: string;
  /** Input for `git fast-import`, with the branch `main`. */
  readonly stream: string;
}

/** Leaves one that was made before as it is. */
export async function makeRepository(
  program: string,
  folder: string,
  { base, stream }: NewRepository,
): Promise<void> {
  const git = new LocalGit(program, folder);
  const failure = (cause: unknown) =>
    new UserError(t('Could not create {0}: {1}', folder, reason(cause)), {
      cause,
    });
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw failure(error);
    if ((await git.maybe(['cat-file', '-t', base])) === 'commit') return;
    throw userError(
      '{0} already exists, and is something else. Select another folder.',
      folder,
    );
  }
  try {
    await git.run(['init', '--quiet'], { env: { GIT_DEFAULT_HASH: 'sha1' } });
    await git.run(['fast-import', '--quiet'], { input: stream });
    await git.run(['checkout', '--quiet', '--force', 'main']);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw failure(error);
  }
}
