import assert from 'node:assert/strict';
import { guessUrl } from '../../../../src/mcp/pasted/addresses.ts';

describe('the kind of an address', () => {
  for (const [url, expected] of [
    ['https://weather.example/mcp', 'server'],
    ['https://weather.example/api/mcp/v2/', 'server'],
    ['http://localhost:3000/sse', 'server'],
    ['https://mcp.weather.example/', 'server'],
    ['https://weather-mcp.example/', 'server'],
    ['https://weathermcp.example/acme/docs-of-it', 'server'],
    ['https://docs.weather.example/mcp', 'server'],
    ['https://<host>/mcp', 'server'],
    ['https://{region}.weather.example:<port>/mcp', 'server'],
    ['https://github.com/acme/mcp', 'page'],
    ['https://gitlab.com/acme/weather-mcp', 'page'],
    ['https://smithery.ai/server/weather-mcp', 'page'],
    ['https://weather.example/docs/mcp', 'page'],
    ['https://weather.example/mcp.json', 'page'],
    ['https://weather.example/', undefined],
    ['https://weather.example/forecast', undefined],
    ['not an address', undefined],
  ] as const) {
    it(`returns ${String(expected)} for ${url}`, () => {
      assert.equal(guessUrl(url), expected);
    });
  }
});
