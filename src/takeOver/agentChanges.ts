/** Converts a patch of a service to changes of a Git tree. */
import { UserError } from '../base/errors.ts';
import { t, userError } from '../base/l10n.ts';
import { plainText } from '../base/plainText.ts';
import type { Patch } from '../service/abilities/fileChanges.ts';
import { gitModes, NoPatch, readPatch } from '../service/git/patch.ts';
import { GitFailed } from './localGit.ts';
import { invalidPath, isUnsafe, pathText, rawPath } from './rawPaths.ts';
import { type RawChange, type Scratch } from './scratch.ts';

/**
 * The tree before the changes has only the files of the patch if its commit is
 * missing here. Throws a UserError if the patch cannot be applied as a whole.
 */
export async function agentChanges(
  scratch: Scratch,
  patch: Patch,
): Promise<{ base: string; changes: readonly RawChange[] }> {
  const patchPaths = refuseUnsafe(patch);
  const base = await baseOf(scratch, patch);
  await scratch.run(['read-tree', base], 'theirs');
  if (patch.bytes.byteLength > 0) {
    const [first = ''] = Buffer.from(patch.bytes)
      .subarray(0, 10_000)
      .toString('latin1')
      .split('\n');
    const strip = /^diff --git "?[a-z]\/.* "?[a-z]\//.test(first)
      ? '-p1'
      : '-p0';
    try {
      const args = [
        'apply',
        '--cached',
        '--whitespace=nowarn',
        '--allow-empty',
        strip,
        '-',
      ];
      await scratch.run(args, 'theirs', patch.bytes);
    } catch (error) {
      if (error instanceof GitFailed) throw notUnderstood(error.message);
      throw error;
    }
  }
  const theirs = await scratch.word(['write-tree'], 'theirs');
  const changes = await scratch.difference(base, theirs, '-M');
  // Makes only paths of the patch.
  for (const { path, after } of changes) {
    if (
      isUnsafe(path) ||
      after?.mode === gitModes.repository ||
      !patchPaths.has(pathText(path))
    )
      throw invalidPath(path);
  }
  return { base, changes };
}

async function baseOf(
  scratch: Scratch,
  { base, bytes }: Patch,
): Promise<string> {
  if (base !== undefined && (await scratch.has(`${base}^{commit}`)))
    return await scratch.word(['rev-parse', '--verify', `${base}^{tree}`]);
  const before = readPatch(bytes).flatMap(({ before: side }) =>
    side ? [side] : [],
  );
  await scratch.run(['read-tree', '--empty'], 'base');
  for (const { path, mode, hash } of before) {
    if (hash === undefined || !(await scratch.has(`${hash}^{blob}`)))
      throw userError(
        'Nothing was taken over: this repository does not have commit {0}, at which the agent began. Fetch it from the remote and try again.',
        plainText((base ?? '?').slice(0, 12), 12),
      );
    const whole = await scratch.word([
      'rev-parse',
      '--verify',
      `${hash}^{blob}`,
    ]);
    await scratch.setEntries('base', [
      { path: rawPath(path), mode: mode ?? '100644', hash: whole },
    ]);
  }
  return await scratch.word(['write-tree'], 'base');
}

/** The paths of the patch, none of which leads elsewhere. */
function refuseUnsafe({ bytes }: Patch): ReadonlySet<string> {
  try {
    const files = readPatch(bytes);
    const sides = files
      .flatMap(({ before, after }) => [before, after])
      .filter((side) => side !== undefined);
    for (const { path, mode } of sides) {
      if (isUnsafe(rawPath(path))) throw invalidPath(rawPath(path));
      if (mode === gitModes.repository)
        throw userError(
          'Nothing was taken over: “{0}” is another repository (a submodule). Take it over with Git.',
          plainText(path, 200),
        );
    }
    return new Set(sides.map(({ path }) => path));
  } catch (error) {
    if (error instanceof NoPatch) throw notUnderstood();
    throw error;
  }
}

function notUnderstood(detail = ''): UserError {
  const message = t(
    'Nothing was taken over: Git does not understand the patch of the service.',
  );
  return new UserError(
    [message, plainText(detail, 300)].filter(Boolean).join(' '),
  );
}
