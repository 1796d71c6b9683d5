import { reason, UserError } from '../base/errors.ts';
import { t, words } from '../base/l10n.ts';
import { codeOf } from './systemErrors.ts';

/**
 * The meaning of an error code, and the remedy. Marked so that bundles without
 * these sentences leave them out.
 */
const meanings: Readonly<Record<string, string>> = /* @__PURE__ */ words({
  ENOSPC: 'the disk is full. Free some space and try again.',
  EDQUOT: 'your disk quota is used up. Free some space and try again.',
  EROFS:
    'the file system is read-only. Make it writable, or choose another file.',
  EACCES:
    'permission is denied. Check the permissions of the file and of its folder.',
  EPERM:
    'the operation is not permitted. Check the owner and the permissions of the file and of its folder.',
  EAGAIN: 'another program is using it. Close that program and try again.',
  EBUSY:
    'another program is using it. Close that program, or unmount the file, and try again.',
  ETXTBSY: 'another program is using it. Close that program and try again.',
  EXDEV:
    'it is mounted separately from its folder. Unmount it, or choose another file.',
  EIO: 'the disk reports an error. Check the disk and try again.',
  ENOENT:
    'the file or its folder does not exist. Check the path and try again.',
  ENOTDIR:
    'there is a file where a folder should be. Move that file away, or choose another file.',
  EEXIST:
    'there is a file where a folder should be. Move that file away, or choose another file.',
  EISDIR:
    'there is a folder where a file should be. Move that folder away, or choose another file.',
  ELOOP: 'its links form a loop. Correct the links.',
  ENAMETOOLONG: 'its name is too long. Choose another file.',
  EMFILE: 'too many files are open. Try again.',
  ENFILE: 'too many files are open. Try again.',
});

export type FileAction = 'read' | 'written' | 'madePrivate';

/**
 * Turns a failing system call of `action` into a UserError that names the file,
 * the reason and the remedy.
 */
export async function withFileErrors<T>(
  path: string,
  doing: FileAction,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const why =
      meanings[code] ??
      t('{0}. Try again, or choose another file.', reason(error));
    throw fileError(path, doing, why, error);
  }
}

/** `why` says what is wrong and then what to do. */
export function fileError(
  path: string,
  doing: FileAction,
  why: string,
  cause?: unknown,
): UserError {
  const messages: Readonly<Record<FileAction, () => string>> = {
    read: () =>
      t('The configuration file {0} could not be read: {1}', path, why),
    written: () =>
      t('The configuration file {0} could not be written: {1}', path, why),
    madePrivate: () =>
      t('The configuration file {0} could not be made private: {1}', path, why),
  };
  return new UserError(messages[doing](), { cause });
}
