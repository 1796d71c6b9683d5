import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { sleep } from '../base/clock.ts';
import { t } from '../base/l10n.ts';
import type { Disk, OpenFile } from './disk.ts';
import type { Lock } from './lock.ts';
import type { Loss } from './losses.ts';
import { isBusy, type Machine } from './machine.ts';
import { copyPermissions } from './permissions.ts';
import type { Snapshot } from './read.ts';
import {
  createTemporary,
  removeIfPossible,
  temporaryPath,
} from './temporary.ts';
import { fileError } from './fileErrors.ts';
import { codeOf, unlessMissing } from './systemErrors.ts';

/**
 * Replaces what was read with a text, keeping mode and owner. Whenever the
 * process ends, the file has the one or the other. `target` must not be a link.
 * Resolves to undefined, with nothing written, if the file is no longer what
 * was read. A failure leaves the file as it was.
 */
export async function replaceFile(
  target: string,
  read: Snapshot | undefined,
  text: string | Buffer,
  lock: Lock,
  machine: Machine,
): Promise<readonly Loss[] | undefined> {
  const { disk } = machine;
  const losses: Loss[] = read && read.stats.nlink > 1 ? ['hardLinks'] : [];
  // Respects a read-only file, although it could be replaced. A missing one is
  // noticed later.
  await unlessMissing(disk.access(target, constants.W_OK));
  const temporary = temporaryPath(target, machine);
  await createTemporary(temporary, text, machine, async (file) => {
    if (read) await keepOwner(target, file, read);
    const mode = read ? read.stats.mode & 0o7777 : 0o600;
    if (
      !(await copyPermissions(target, mode, { path: temporary, file }, machine))
    )
      losses.push('access');
    await file.sync();
  });
  let done = false;
  try {
    done = await swap(target, read, temporary, lock, machine);
  } finally {
    if (!done) await removeIfPossible(temporary, machine);
  }
  if (!done) return undefined;
  await syncFolder(dirname(target), disk);
  return losses;
}

async function keepOwner(
  target: string,
  file: OpenFile,
  { stats }: Snapshot,
): Promise<void> {
  const { uid, gid } = await file.stat();
  if (uid === stats.uid && gid === stats.gid) return;
  try {
    await file.chown(stats.uid, stats.gid);
  } catch (error) {
    // Writing in place would keep the owner, but a crash could leave half of
    // the file.
    const why = t(
      'it belongs to another user or group, and replacing it would change that. Make it yours, or change it as its owner.',
    );
    throw fileError(target, 'written', why, error);
  }
}

async function swap(
  target: string,
  read: Snapshot | undefined,
  temporary: string,
  lock: Lock,
  machine: Machine,
): Promise<boolean> {
  const { disk, clock } = machine;
  const mayReplace = () => {
    if (lock.held()) return unchanged(target, read, disk);
    throw fileError(
      target,
      'written',
      t('it took so long that another process took over. Try again.'),
    );
  };
  let tried = 0;
  // No `await` between the check and the renaming: others must have no time to
  // write.
  while (mayReplace()) {
    try {
      disk.renameSync(temporary, target);
      return true;
    } catch (error) {
      // Windows replaces no file while another program reads it.
      if (!isBusy(error, machine) || ++tried === 20) throw error;
      await sleep(clock, 25);
    }
  }
  return false;
}

function unchanged(
  target: string,
  read: Snapshot | undefined,
  disk: Disk,
): boolean {
  try {
    const now = disk.lstatSync(target);
    if (!read) return false;
    const kept = (['dev', 'ino', 'mode', 'uid', 'gid'] as const).every(
      (key) => now[key] === read.stats[key],
    );
    return (
      kept &&
      disk.readFileSync(target, read.bytes.length).bytes?.equals(read.bytes) ===
        true
    );
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return read === undefined;
    throw error;
  }
}

/**
 * Lets the rename survive a power failure, on platforms that can do that. The
 * file has its new text either way.
 */
async function syncFolder(folder: string, disk: Disk): Promise<void> {
  try {
    const handle = await disk.open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows cannot.
  }
}
