import assert from 'node:assert/strict';
import { Secret } from '../../../../../src/base/secret.ts';
import {
  actionWords,
  answerProblem,
  changesOf,
  batchMessage,
  isHidden,
  type BatchItem,
  batchItem,
  itemWords,
  namesBefore,
  placeholderWords,
  serverOfItem,
  nameSuggestion,
} from '../../../../../src/editor/mcpServers/add/pastedBatch.ts';
import { showServer } from '../../../../../src/mcp/format/mask.ts';
import { readPasted } from '../../../../../src/mcp/pasted/readPasted.ts';
import type { PastedPlaceholder } from '../../../../../src/mcp/pasted/pastedServer.ts';

const itemsOf = (text: string) => readPasted(text).servers.map(batchItem);

function only(text: string): BatchItem {
  const [item] = itemsOf(text);
  assert.ok(item);
  return item;
}

describe('a batch of pasted servers', () => {
  it('adds, replaces, renames or skips each server as chosen', () => {
    const items = itemsOf(
      JSON.stringify({
        mcpServers: {
          a: { command: 'x' },
          b: { command: 'x', enabled: false },
          c: { command: 'x' },
          d: { command: 'x' },
          e: { command: 'x' },
        },
      }),
    );
    const [, b, c, d, e] = items;
    assert.ok(b && c && d && e);
    b.resolution = 'replace';
    Object.assign(c, { resolution: 'rename', rename: 'f' });
    d.resolution = 'skip';
    e.chosen = false;
    assert.deepEqual(
      changesOf(items).map((change) => [
        change.do,
        'name' in change && change.name,
      ]),
      [
        ['add', 'a'],
        ['replace', 'b'],
        ['add', 'f'],
      ],
    );
    assert.deepEqual([...namesBefore(e, items)], ['a', 'b', 'f']);
    assert.equal(nameSuggestion(c, new Set(['c', 'c-2'])), 'c-3');
    assert.equal(batchMessage(items), 'Added 2 MCP servers and replaced “b”.');
    assert.equal(
      actionWords(items, false),
      'Add 2 MCP servers and replace “b”',
    );
    assert.equal(actionWords([b], true), 'Replaced “b”');
  });

  it('fills in answered placeholders, keeps unanswered ones, and shows no secrets', () => {
    const item = only(
      '{"a": {"url": "https://a.example", "headers": {"Authorization": "Bearer YOUR_TOKEN", "K": "<key>"}}}',
    );
    assert.equal(item.pasted.placeholders.length, 2);
    const [token, key] = item.pasted.placeholders;
    assert.ok(token && key);
    item.answers.set(token, new Secret('canary$&'));
    item.answers.set(key, new Secret(''));
    const shown = showServer(serverOfItem(item), true);
    assert.ok(shown.transport !== 'stdio');
    assert.deepEqual(shown.headers, {
      Authorization: 'Bearer canary$&',
      K: '<key>',
    });
    assert.equal(
      batchMessage([item]),
      'Added “a”. One value still needs to be filled in.',
    );
    assert.match(
      itemWords(item).detail,
      /^You are asked next for: YOUR_TOKEN, <key>\./,
    );
    assert.doesNotMatch(
      JSON.stringify([itemWords(item), batchMessage([item]), item]),
      /canary/,
    );
  });

  it('mentions the fields that are left out', () => {
    const item = only(
      '{"a": {"command": "x", "cwd": "/x", "trust": true, "envFile": ".env"}}',
    );
    assert.match(
      itemWords(item).detail,
      /"trust" and "envFile" are left out\./,
    );
    assert.match(batchMessage([item]), /"trust" and "envFile" are left out\./);
  });

  it('keeps extra fields that mcp.json supports', () => {
    const [change] = changesOf([only('{"a": {"command": "x", "cwd": "/x"}}')]);
    assert.ok(change?.do === 'add');
    assert.deepEqual(change.extra, new Map([['cwd', '/x']]));
  });

  it('says that a server from a plain command line is a guess', () => {
    const item = only('npx -y weather-mcp');
    const { label, description, detail } = itemWords(item);
    assert.equal(label, 'weather (suggested)');
    assert.match(description, /^a guess · stdio · /);
    assert.match(
      detail,
      /This is a guess: the text does not say that it is an MCP server\./,
    );
  });

  it('suggests a name for an unnamed server, and marks a disabled one', () => {
    const item = only(
      '{"command": "npx", "args": ["mcp-server-time"], "disabled": true}',
    );
    const { label, description, detail } = itemWords(item);
    assert.equal(label, 'time (suggested)');
    assert.match(description, / · disabled$/);
    assert.match(detail, /its name/);
  });
});

describe('a placeholder', () => {
  const placeholder = (
    place: PastedPlaceholder['place'],
    text = 'YOUR_KEY',
  ): PastedPlaceholder => ({
    place,
    text,
    description: undefined,
  });

  it('says whether it is a variable, a header, an argument, the command, the URL or the authentication', () => {
    assert.deepEqual(
      (
        [
          { in: 'env', name: 'KEY' },
          { in: 'header', name: 'X-Key' },
          { in: 'argument', index: 0 },
          { in: 'command' },
          { in: 'url' },
          { in: 'auth' },
        ] as const
      ).map((place) => placeholderWords(placeholder(place))),
      [
        'the variable KEY',
        'the header X-Key',
        'argument 1',
        'the command',
        'the URL',
        'the authentication',
      ],
    );
  });

  it('hides its input, except for a path', () => {
    assert.equal(isHidden(placeholder({ in: 'auth' })), true);
    assert.equal(
      isHidden(placeholder({ in: 'argument', index: 1 }, '/path/to/x')),
      false,
    );
  });

  it('rejects an answer that breaks a URL or a token, and accepts spaces in an argument', () => {
    assert.ok(answerProblem(placeholder({ in: 'url' }), 'a b'));
    assert.ok(answerProblem(placeholder({ in: 'auth' }), 'a\nb'));
    assert.equal(
      answerProblem(placeholder({ in: 'argument', index: 0 }), 'a b'),
      undefined,
    );
  });
});
