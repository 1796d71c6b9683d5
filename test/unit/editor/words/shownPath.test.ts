import assert from 'node:assert/strict';
import { shownPath } from '../../../../src/editor/words/shownPath.ts';

describe('a path', () => {
  it('begins with ~ in the home folder, except on Windows', () => {
    assert.equal(
      shownPath('/users-of-it/me/.agent/mcp.json', '/users-of-it/me', 'linux'),
      '~/.agent/mcp.json',
    );
    assert.equal(
      shownPath('/users-of-it/me/.agent/mcp.json', '/users-of-it/me', 'win32'),
      '/users-of-it/me/.agent/mcp.json',
    );
  });

  it('stays whole outside the home folder, on one line', () => {
    assert.equal(
      shownPath('/users-of-it/melanie/mcp.json', '/users-of-it/me', 'linux'),
      '/users-of-it/melanie/mcp.json',
    );
    assert.equal(
      shownPath('/srv/odd\nname.json', '/users-of-it/me', 'linux'),
      '/srv/odd name.json',
    );
  });
});
