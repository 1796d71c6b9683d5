/**
 * npm run release:notes -- TAG: prints what the changelog says about the
 * version of this tag, which must be ours.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../host/paths.ts';
import { main, StepError } from '../host/steps.ts';

/** The text below the heading of this version. */
export function notesOf(
  changelog: string,
  version: string,
): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find(
    (section) => /^[^ \n]+/.exec(section)?.[0] === version,
  );
  return found?.slice(found.indexOf('\n')).trim();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    const tag = process.argv[2] ?? '';
    const { version } = JSON.parse(
      await readFile(join(root, 'package.json'), 'utf8'),
    ) as { version: string };
    if (tag !== `v${version}`) {
      throw new StepError(
        `The tag is "${tag}", but package.json says ${version}.`,
        `Set the version in package.json, or tag v${version}.`,
      );
    }
    const notes = notesOf(
      await readFile(join(root, 'CHANGELOG.md'), 'utf8'),
      version,
    );
    if (!notes) {
      throw new StepError(
        `CHANGELOG.md has nothing about ${version}.`,
        `Rename its heading "Unreleased" to "${version} - DATE".`,
      );
    }
    console.log(notes);
    return 0;
  });
}
