import assert from 'node:assert/strict';
import { isPlaceholder } from '../../../../src/mcp/format/placeholders.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

describe('a placeholder value', () => {
  for (const value of [
    'YOUR_KEY',
    'YOUR_API_KEY',
    'your-api-key',
    'your api key',
    'your_token_here',
    'YourApiKey',
    'yourtoken',
    'YOUR_GITHUB_PERSONAL_ACCESS_TOKEN',
    'your-project-id',
    '<token>',
    '<YOUR API KEY>',
    '<BEARER_TOKEN>',
    '[API_KEY]',
    '{api_key}',
    '{{ token }}',
    '%TOKEN%',
    'xxx',
    'XXXXXXXX',
    'xxxx-xxxx-xxxx',
    'sk-xxxxxxxx',
    'sk-ant-xxx',
    'ghp_xxxxxxxxxxxx',
    'ghp_your_token',
    'sk-your-key',
    'sk-...',
    '...',
    '…',
    '********',
    '••••••',
    'changeme',
    'CHANGE_ME',
    'change-it',
    'replace me',
    'replace-with-your-key',
    'insert your token',
    'Enter the API key',
    'replace_with_token',
    'ENTER_PASSWORD_HERE',
    'paste_your_token',
    'API_KEY_HERE',
    'token goes here',
    'my-api-key',
    'MY_SECRET_TOKEN',
    'TODO',
    'placeholder',
    'Bearer YOUR_TOKEN',
    'Bearer <token>',
    'Authorization: Bearer xxx',
    'X-API-Key: YOUR_KEY',
    'API_KEY=changeme',
    '--api-key=YOUR_KEY',
    ' xxx ',
    'https://<host>/mcp',
    'https://example.com/mcp?key=YOUR_KEY',
    'https://your-instance.example.com/mcp',
    'https://example.com/mcp?key=xxxx',
    'https://example.com/{project}/mcp',
    'postgresql://user:<password>@localhost/db',
  ]) {
    it(`counts as a placeholder: ${value}`, () => {
      assert.ok(isPlaceholder(value));
    });
  }
});

describe('a real value', () => {
  it('takes less than 5 s of processor time to check, however repetitive it is', () => {
    for (const part of [
      'x',
      'xx-',
      'my-',
      'your-',
      'key_',
      '{{ ',
      'a ',
      'a.',
      '<',
      'enter-',
    ]) {
      const value = `${part.repeat(298 / part.length)}~~`;
      // Catastrophic backtracking would take minutes.
      assert.ok(cpuMsOf(() => isPlaceholder(value)) < 5_000, part);
    }
  });

  for (const value of [
    '',
    'npx',
    '-y',
    '-e',
    'GITHUB_PERSONAL_ACCESS_TOKEN',
    '@modelcontextprotocol/server-filesystem',
    'https://example.com/mcp',
    'https://example.com/sse?a=b#c',
    'https://yourls.org/mcp',
    'https://xxxlutz.example/mcp',
    'https://example.com/${TENANT}/mcp',
    '${TOKEN}',
    '${input:token}',
    '$HOME',
    'Bearer ',
    'Bearer abc123',
    'Bearer ghp_0a1B2c3D',
    'a "b" // no comment',
    'Bearer /* no comment */ x',
    '/srv/todo',
    'add-user',
    'set key',
    'search here',
    'edit this',
    'change it to that',
    '{{json .}}',
    '{name}s',
    '{branch}',
    '%APPDATA%',
    '[a-z]',
    'track-your-time',
    'https://build-your-own.example/mcp',
    'here',
    'yourls',
    'max',
    'fax',
    'x',
    'xx',
    'oauth',
    '1',
    'true',
    '.',
    '..',
    '*',
    '**',
    '{"a": 1}',
    '[]',
    '[1]',
    'a < b > c',
    'What is your name?',
    'x'.repeat(400),
  ]) {
    it(`passes as a real value: ${value.slice(0, 60)}`, () => {
      assert.ok(!isPlaceholder(value));
    });
  }
});
