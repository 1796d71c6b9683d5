import { t } from '../base/l10n.ts';

/**
 * Properties that a file loses when another takes its place: its other names,
 * or access for others.
 */
export type Loss = 'hardLinks' | 'access';

export function lossText(loss: Loss): string {
  return loss === 'hardLinks'
    ? t(
        'The file had other names (hard links), which keep the old text. To have one file in several places, use symbolic links.',
      )
    : t(
        'Fewer users than before can use the file, because the programs that copy access control lists (getfacl and setfacl) are missing or failed. Install them, and set the permissions again.',
      );
}
