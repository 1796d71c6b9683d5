import assert from 'node:assert/strict';
import { repositoryName } from '../../../../src/state/changes/codeHosts.ts';

describe('the repository name of a workspace', () => {
  it('reads the repository from every form of remote URL', () => {
    for (const remote of [
      'https://host.example/octo/shop.git',
      'https://host.example/octo/shop',
      'https://host.example/octo/shop/',
      'https://user:token@host.example:8443/octo/shop.git',
      'ssh://git@host.example:22/octo/shop.git',
      'git+ssh://git@host.example/octo/shop',
      'git://host.example/octo/shop.git',
      'git@host.example:octo/shop.git',
      'git@host.example:/octo/shop.git',
      'host.example:octo/shop',
      '  https://host.example/octo/shop.git\n',
      'https://host.example/octo/shop.git?a=b#c',
      'https://host.example///octo/shop//',
    ]) {
      assert.equal(repositoryName(remote), 'octo/shop', remote);
    }
    assert.equal(
      repositoryName('git@host.example:octo/apps/shop.git'),
      'octo/apps/shop',
    );
    for (const name of ['octo/shop.js', 'octo/shop.github.io'])
      assert.equal(repositoryName(`https://host.example/${name}`), name);
  });

  it('returns no repository for a remote without a host, an owner or a name', () => {
    for (const remote of [
      '',
      '/srv/git/shop.git',
      '../shop',
      'https://host.example/shop',
      'https://host.example',
      'x',
      '/srv/git@host.example:octo/shop',
      'https://host.example/octo/shop\nmore',
      'https://host.example/my octo/shop',
      'https://host.example/octo/my shop',
    ]) {
      assert.equal(repositoryName(remote), undefined, remote);
    }
  });
});
