import assert from 'node:assert/strict';
import {
  hasSpaces,
  isHeaderName,
  isHeaderValue,
  isSameHeader,
  isVariableName,
  isVariableValue,
  schemeOf,
  urlFault,
} from '../../../../src/mcp/format/serverRules.ts';

function holds(
  rule: (text: string) => boolean,
  good: readonly string[],
  bad: readonly string[],
): void {
  for (const text of good) assert.equal(rule(text), true, JSON.stringify(text));
  for (const text of bad) assert.equal(rule(text), false, JSON.stringify(text));
}

describe('the validation of a server', () => {
  it('accepts the header names that HTTP allows, and compares them case-insensitively', () => {
    holds(
      isHeaderName,
      ['Authorization', 'X-API-Key', 'x_a.b', '1'],
      ['', 'A B', 'A:', ' A', 'Grüße', 'A/B', 'A"'],
    );
    assert(
      isSameHeader('X-Api-Key', 'x-api-KEY') &&
        !isSameHeader('X-Api-Key', 'X-Api'),
    );
  });

  it('accepts header values without line breaks or control characters other than tabs', () => {
    holds(
      isHeaderValue,
      ['', 'Bearer a', 'a\tb', 'ü'],
      ['a\r\nX: b', 'a\n', '\0', '\u007F'],
    );
  });

  it('accepts every variable that a program can be started with', () => {
    holds(
      isVariableName,
      ['A', 'ProgramFiles(x86)', 'a.b-c', 'ü'],
      ['', 'A=B', 'A B', 'A\t', '\0'],
    );
    holds(isVariableValue, ['', 'a=b', 'two\nlines'], ['a\0']);
  });

  it('accepts http and https URLs, and says what is wrong with others', () => {
    for (const [url, fault] of [
      ['https://example.com/mcp', undefined],
      ['HTTP://localhost:3000', undefined],
      ['https://[::1]/', undefined],
      ['https://example.com/a b', 'spaces'],
      [' https://example.com', 'spaces'],
      ['https://example.com/\0', 'spaces'],
      ['', 'noScheme'],
      ['example.com/mcp', 'noScheme'],
      ['localhost:3000', 'noScheme'],
      ['ftp://example.com', 'otherScheme'],
      ['wss://example.com', 'otherScheme'],
      ['https://', 'invalid'],
      ['https://example.com:port', 'invalid'],
    ] as const) {
      assert.equal(urlFault(url), fault, url);
    }
    holds(hasSpaces, [' ', 'a\tb', '\n', '\0'], ['', 'a%20b']);
    assert.equal(schemeOf(' HTTPS://x'), 'https');
    assert.equal(schemeOf('mailto:x'), undefined);
  });
});
