import assert from 'node:assert/strict';
import { maskUrl } from '../../../../src/base/masks/maskUrl.ts';

describe('the masking of a long URL', () => {
  it('masks a URL of more than 4,000 characters as a whole', () => {
    const path = 'https://example.com/'.padEnd(4000, 'a-');
    assert.equal(maskUrl(path), path);
    assert.equal(maskUrl(`${path}a`), '••••••');
    assert.equal(maskUrl(`https://u:${'p'.repeat(5_600_000)}@h/`), '••••••');
  });
});

describe('URL masking', () => {
  for (const [url, shown] of [
    ['https://example.com/mcp', 'https://example.com/mcp'],
    [
      'https://example.com:8443/a/b.c/sse/',
      'https://example.com:8443/a/b.c/sse/',
    ],
    ['https://canary@example.com/', 'https://••••••@example.com/'],
    ['https://user:canary@example.com', 'https://••••••@example.com'],
    ['https://us@er:can@ary@example.com/x', 'https://••••••@example.com/x'],
    ['HTTPS:/user:canary@example.com/', 'HTTPS:/••••••@example.com/'],
    ['https:\\\\user:canary@example.com\\x', 'https:\\\\••••••@example.com\\x'],
    ['ht\ntps://user:canary@example.com', 'ht\ntps://••••••@example.com'],
    ['//user:canary@example.com', '//••••••@example.com'],
    ['//canary@example.com', '//••••••@example.com'],
    ['s3://canary@bucket', 's3://••••••@bucket'],
    ['canary:@example.com', '••••••@example.com'],
    [
      'https://h/?a=canary&b=canary;c=can?ary',
      'https://h/?a=••••••&b=••••••;c=••••••',
    ],
    ['https://h/?a=&b', 'https://h/?a=&••••••'],
    ['https://h/?canary', 'https://h/?••••••'],
    ['https://h/?=canary&&', 'https://h/?=••••••&&'],
    ['https://h/?', 'https://h/?'],
    ['https://h/#canary?x', 'https://h/#••••••'],
    ['https://h/?a=b#', 'https://h/?a=••••••#'],
    ['https://h/s/Zm9vYmFy0TEx9QdX7bN2aa/mcp', 'https://h/s/••••••/mcp'],
    [
      'https://h/s/123e4567-e89b-12d3-a456-426614174000/mcp',
      'https://h/s/••••••/mcp',
    ],
    ['https://h/T024BE7LD/sk-proj-canary1', 'https://h/T024BE7LD/••••••'],
    ['postgres://u:p/canary@h/db', 'postgres://••••••@h/db'],
    ['postgres://u:p#canary@h', 'postgres://••••••@h'],
    ['postgres://user:p/canary@h/db', 'postgres://••••••@h/db'],
    ['postgres://u:p/canary@h/db?name=b@c', 'postgres://••••••@h/db?name=b@c'],
    [
      'postgres://u:p?can/ary@can@h/db?a=b@c',
      'postgres://••••••@h/db?a=••••••',
    ],
    ['https://h:8080/@scope/x@1', 'https://h:8080/@scope/x@1'],
    ['https://[::1]:80/@scope/x', 'https://[::1]:80/@scope/x'],
    ['https://h/x;token=canary/mcp', 'https://h/x;token=••••••/mcp'],
    [
      'https://h/x;a=b;api_key=canary;c=d/mcp',
      'https://h/x;a=b;api_key=••••••;c=d/mcp',
    ],
    ['https://h/mcp/key=canary/sse', 'https://h/mcp/key=••••••/sse'],
    [
      'https://auth:8080/region=eu/token/mcp',
      'https://auth:8080/region=eu/token/mcp',
    ],
    ['HTTPS://canary@example.com/', 'HTTPS://••••••@example.com/'],
    ['git+https://h/x#egg=a', 'git+https://h/x#egg=a'],
    ['git+https://h/x#semver:^1.2', 'git+https://h/x#semver:^1.2'],
    ['git+https://h/x#master', 'git+https://h/x#master'],
    ['git+https://h/x#main', 'git+https://h/x#main'],
    ['git+https://h/x#12.10.2', 'git+https://h/x#12.10.2'],
    ['git+https://h/x#mainly', 'git+https://h/x#••••••'],
    ['git+https://h/x#a=egg=b', 'git+https://h/x#••••••'],
    [
      `git+https://h/x#${'ab3de67f9c'.repeat(4)}`,
      `git+https://h/x#${'ab3de67f9c'.repeat(4)}`,
    ],
    [`git+https://h/x#${'ab3de67f9c'.repeat(4)}0`, 'git+https://h/x#••••••'],
    [
      `git+https://h/x#${'ab3de67f9c'.repeat(4).slice(1)}`,
      'git+https://h/x#••••••',
    ],
    ['https://:canary@example.com/', 'https://••••••@example.com/'],
    ['https://git@example.com/x', 'https://git@example.com/x'],
    [
      'git+ssh://git@example.com/x.git#v1.2',
      'git+ssh://git@example.com/x.git#v1.2',
    ],
    [
      'git+https://h/x.git@main#subdirectory=a/b',
      'git+https://h/x.git@main#subdirectory=a/b',
    ],
    ['https://${USER}:${PASS}@h/', 'https://${USER}:${PASS}@h/'],
    ['https://${USER}:canary@h/', 'https://••••••@h/'],
    ['https://<token>@h/', 'https://<token>@h/'],
    ['https://h/?login', 'https://h/?login'],
    [
      'https://h/?read_only=true&project_ref=abc&n=5&x=${X}',
      'https://h/?read_only=true&project_ref=abc&n=5&x=${X}',
    ],
    [
      'https://h/?limit=ghp_canarycanary&ghp_canarycanary=1',
      'https://h/?limit=••••••&••••••=1',
    ],
    [
      'https://h/?session_id=canary&state=canary&code=canary',
      'https://h/?session_id=••••••&state=••••••&code=••••••',
    ],
    ['https://h/token=${TOKEN}/x', 'https://h/token=${TOKEN}/x'],
    ['', ''],
  ] as const) {
    it(`shows ${JSON.stringify(url)} as ${shown}`, () => {
      assert.equal(maskUrl(url), shown);
    });
  }
});
