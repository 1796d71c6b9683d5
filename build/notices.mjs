import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of a package below node_modules, nested ones included. */
const inPackage = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * The notices that licences ask for: each bundled package with the text of its licence.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @param {string} root the folder that the paths in the metafiles are relative to
 */
export async function notices(metafiles, root) {
  const bundled = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
        bytesInOutput > 0 ? (inPackage.exec(path) ?? []) : [],
      ),
    ),
  );
  const all = await Promise.all([...new Set(bundled)].map((folder) => noticeOf(join(root, folder))));
  const sorted = [...new Set(all)].sort();
  return `Agent Switchboard contains code of these packages, under their own licences.\n\n${sorted.join('\n')}`;
}

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((each) => /^(licen[cs]e|copying)\b/i.test(each));
  if (!file) throw new Error(`The package ${name} is bundled, and has no file with its licence.`);
  const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n').trim();
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n${'='.repeat(80)}\n\n${text}\n`;
}
