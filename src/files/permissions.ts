/**
 * Permissions of a file that replaces another: for the users of the other, or
 * fewer of them.
 */
import type { OpenFile } from './disk.ts';
import type { Machine } from './machine.ts';

/**
 * Copies the permissions of `target`, with its access control list, to a
 * replacement that only its owner can open so far. Resolves to false if the
 * replacement has fewer, because the list cannot be copied.
 *
 * Node does not support such lists. The mode of a file with a list shows its
 * mask in place of the permissions of its group, so a copy of the mode alone
 * would open the file to a group that had no access.
 */
export async function copyPermissions(
  target: string,
  mode: number,
  { path, file }: { readonly path: string; readonly file: OpenFile },
  machine: Machine,
): Promise<boolean> {
  // A mask of nothing leaves nothing of a list.
  const isPrivate = (mode & 0o077) === 0;
  if (isPrivate || machine.platform !== 'linux') {
    await file.chmod(mode);
    return true;
  }
  const hasList = await haveAccessLists([target, path], machine);
  if (hasList !== false && (await copyAccessList(target, path, machine)))
    return true;
  const safe = safeMode(mode, hasList);
  await file.chmod(safe);
  return safe === mode;
}

/**
 * Copies the list by `getfacl` and `setfacl`, which come with most systems that
 * have such lists.
 */
async function copyAccessList(
  from: string,
  to: string,
  { runProgram }: Machine,
): Promise<boolean> {
  const form = ['--access', '--omit-header', '--no-effective', '--numeric'];
  const entries = await runProgram('getfacl', [...form, '--', from]);
  if (entries === undefined) return false;
  const list = entries.split('\n').filter(Boolean).join(',');
  return (
    (await runProgram('setfacl', [`--set=${list}`, '--', to])) !== undefined
  );
}

/**
 * True if any of the files has a list. The new one may have inherited one from
 * its folder. Undefined if that is unknown.
 */
async function haveAccessLists(
  paths: readonly string[],
  machine: Machine,
): Promise<boolean | undefined> {
  // A plus follows the mode of a file with a list. With --author, an `ls` that
  // knows no lists fails, as that of BusyBox.
  const listing = await machine.runProgram('ls', [
    '-bdl',
    '--author',
    '--',
    ...paths,
  ]);
  return listing?.split('\n').some((line) => line[10] === '+');
}

/**
 * The mode that opens the file to no group without access. An unknown list
 * leaves the group what all users have.
 */
function safeMode(mode: number, hasList: boolean | undefined): number {
  if (hasList === undefined) return mode & (0o7707 | ((mode & 0o007) << 3));
  return hasList ? mode & 0o7700 : mode;
}
