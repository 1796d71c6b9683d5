import assert from 'node:assert/strict';
import {
  codeHostName,
  pullRequestLinks,
} from '../../../../src/state/changes/codeHosts.ts';
import { conversation } from '../support.ts';

describe('the pull request link of a conversation', () => {
  const links = (
    provider: string | undefined,
    repository: string | undefined,
    pullRequests = [7],
  ) =>
    pullRequestLinks(conversation({ provider, repository, pullRequests })).map(
      ({ url }) => url,
    );

  it('uses the URL format of each code host', () => {
    for (const provider of ['github', 'code_host_a']) {
      assert.deepEqual(links(provider, 'octo/shop', [7, 8]), [
        'https://github.com/octo/shop/pull/7',
        'https://github.com/octo/shop/pull/8',
      ]);
    }
    for (const provider of ['gitlab', 'code_host_b']) {
      assert.deepEqual(links(provider, 'octo/apps/shop'), [
        'https://gitlab.com/octo/apps/shop/-/merge_requests/7',
      ]);
    }
    for (const provider of ['bitbucket', 'code_host_c']) {
      assert.deepEqual(links(provider, 'octo/shop'), [
        'https://bitbucket.org/octo/shop/pull-requests/7',
      ]);
    }
  });

  it('omits the link when the code host is unknown or the repository is invalid', () => {
    for (const provider of [
      undefined,
      '',
      'enterprise_sso',
      'constructor',
      '__proto__',
      'toString',
    ]) {
      assert.deepEqual(links(provider, 'octo/shop'), [], provider);
    }
    for (const repository of [
      undefined,
      '',
      'shop',
      '../../x',
      'a/..',
      './a',
      'a/b?c',
      'a//b',
      'a/b#c',
      '@x/y',
      'a b/c',
    ]) {
      assert.deepEqual(links('github', repository), [], repository);
    }
    assert.deepEqual(links('github', 'octo/shop', []), []);
  });
});

describe('the code host of a conversation', () => {
  it('shows the usual name of a known code host, and otherwise the name from the service', () => {
    assert.deepEqual(
      ['code_host_a', 'gitlab', 'bitbucket', 'forge', undefined].map(
        codeHostName,
      ),
      ['GitHub', 'GitLab', 'Bitbucket', 'forge', undefined],
    );
  });
});
