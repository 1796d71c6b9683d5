import assert from 'node:assert/strict';
import { readEntries } from '../../../../src/mcp/format/document.ts';
import { placeIn } from '../../../../src/mcp/format/entry.ts';

describe('the place of a message in an entry', () => {
  const text = `{"mcpServers": {
  "other": {"command": "\${TOKEN}"},
  "a": {"url": "https://h/\${TOKEN}", "url": "https://i/\${HOST}", "headers": {"X-Key": "k", "x.y": "v"}}
}}`;
  const found = (...places: string[]) => {
    const entry = readEntries(text)[1] ?? assert.fail();
    const offset = placeIn(entry, text, places);
    return text.slice(offset, offset + 12);
  };

  it('points to the first of the given keys that the entry has', () => {
    assert.equal(found('auth', 'command', 'headers', 'url'), '"headers": {');
    assert.equal(
      found('headers.authorization', 'headers.x-key'),
      '"X-Key": "k"',
    );
    assert.equal(found('headers.X.Y'), '"x.y": "v"}}');
    assert.equal(found('env.A', 'headers'), '"headers": {');
  });

  it('points to the last of two keys, and to a variable reference within the entry', () => {
    assert.equal(found('url'), '"url": "http');
    assert.equal(
      text.slice(text.lastIndexOf('"url"')).startsWith(found('url')),
      true,
    );
    assert.equal(found('${HOST}').startsWith('${HOST}"'), true);
    assert.equal(found('${TOKEN}').startsWith('${TOKEN}"'), true);
  });

  it('points to the start of the entry if it has none of the keys', () => {
    assert.equal(found('cwd', '${NONE}'), '"a": {"url":');
    assert.equal(found(), '"a": {"url":');
  });
});
