import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import {
  followLinks,
  localPath,
  newLinkDiff,
} from '../../../../src/state/newConversation/fileLinks.ts';
import { scratchFolder } from '../../../support/files/scratch.ts';

describe('a link where a conversation starts', () => {
  const { path } = scratchFolder();
  const [project, home] = ['project', 'home'];

  beforeEach(async () => {
    for (const folder of [project, home, `${project}/docs`, `${home}/.aws`])
      await mkdir(path(folder));
    await writeFile(path(project, 'docs', 'a.md'), 'a\n');
    await writeFile(path(project, '.env'), 'PASSWORD=x\n');
    await writeFile(path(home, '.aws', 'credentials'), 'secret\n');
    await writeFile(path(home, 'notes.txt'), 'mine\n');
  });

  const link = async (target: string, ...names: readonly string[]) => {
    await symlink(target, path(...names));
    return path(...names);
  };

  it('conceals a file that is outside the folders or keeps secrets', async () => {
    const concealed = [
      await link(path(home, '.aws', 'credentials'), project, 'notes.md'),
      await link('../home/notes.txt', project, 'todo.txt'),
      await link('.env', project, 'settings.txt'),
      await link('todo.txt', project, 'chain.txt'),
      await link('.aws/credentials', home, 'list.txt'),
    ];
    await link(path(home), project, 'elsewhere');
    concealed.push(path(project, 'elsewhere', 'notes.txt'));
    for (const each of concealed)
      assert.equal(
        (await followLinks(each, [path(project)])).isConcealed,
        true,
        each,
      );
  });

  it('follows links for every address of the window, and for no other', async () => {
    const linkPath = await link(
      path(home, '.aws', 'credentials'),
      project,
      'notes.md',
    );
    const localOf = (scheme: string, authority: string, remoteName?: string) =>
      localPath({ scheme, authority, fsPath: linkPath }, remoteName);
    for (const local of [
      localOf('file', ''),
      localOf('vscode-remote', 'ssh-remote+host', 'ssh-remote'),
      localOf('vscode-remote', 'localhost:8000', 'localhost:8000'),
    ])
      assert.equal(
        (await followLinks(local ?? '', [path(project)])).isConcealed,
        true,
      );
    for (const local of [
      localOf('vscode-remote', 'wsl+ubuntu', 'ssh-remote'),
      localOf('vscode-remote', 'ssh-remote+host'),
      localOf('vscode-remote', ''),
      localOf('vscode-vfs', 'github', 'github'),
      localOf('https', 'shop.example', 'ssh-remote'),
    ])
      assert.equal(local, undefined);
  });

  it('shows where a file is in the folder once links are followed', async () => {
    await link('docs/a.md', project, 'read.md');
    await link(path(project), home, 'project');
    const asOpened = path(home, 'project');
    for (const [given, folder, expected] of [
      [path(project, 'read.md'), path(project), path(project, 'docs', 'a.md')],
      [path(project, '.env'), path(project), path(project, '.env')],
      [path(project, 'gone.md'), path(project), path(project, 'gone.md')],
      [path(home, 'notes.txt'), path(project), path(home, 'notes.txt')],
      [
        path(home, 'project', 'read.md'),
        asOpened,
        path(home, 'project', 'docs', 'a.md'),
      ],
      [
        path(project, 'read.md'),
        asOpened,
        path(home, 'project', 'docs', 'a.md'),
      ],
    ] as const)
      assert.deepEqual(await followLinks(given, [folder]), {
        path: expected,
        isConcealed: false,
      });
  });

  it('becomes a diff with its target, and nothing of the file behind it', async () => {
    const target = path(home, '.aws', 'credentials');
    const made = await link(target, project, 'notes.md');
    assert.equal(
      await newLinkDiff(made, 'notes.md'),
      `+++ b/notes.md -> ${target}\n`,
    );
    assert.equal(await newLinkDiff(target, 'credentials'), undefined);
    assert.equal(await newLinkDiff(path(project, 'gone'), 'gone'), undefined);
  });
});
