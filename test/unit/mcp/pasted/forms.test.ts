import assert from 'node:assert/strict';
import { inEnv, local, noServer, paste, refused, remote } from './expected.ts';

describe('reading pasted instructions for a form', () => {
  it('reads numbered instructions as one server', () => {
    const text = `1. Open the settings and click **Add**
2. Server Name: weather
3. Server Type: Local (press 1)
4. Command: docker
5. Arguments: run, -i, --rm, -e, WEATHER_KEY, acme/weather
6. Environment Variables: WEATHER_KEY=<key>, UNITS=metric
7. Name: ignored`;
    assert.deepEqual(paste(text), [
      local(
        'weather',
        ['docker', 'run', '-i', '--rm', '-e', 'WEATHER_KEY', 'acme/weather'],
        {
          env: { WEATHER_KEY: '<key>', UNITS: 'metric' },
          placeholders: [inEnv('WEATHER_KEY', '<key>')],
        },
      ),
    ]);
  });

  it('reads instructions with Markdown around names and values', () => {
    const text =
      '- **Name:** `weather`\n- **Transport**: Streamable HTTP\n- **URL**: `https://weather.example/v1`\n- **Headers**: X-Key: a, X-Team: b';
    assert.deepEqual(paste(text), [
      remote('weather', 'https://weather.example/v1', {
        headers: { 'X-Key': 'a', 'X-Team': 'b' },
      }),
    ]);
  });

  it('reads a server as another program prints it', () => {
    assert.deepEqual(
      paste(
        'weather:\n  Status: connected\n  Type: stdio\n  Command: uvx\n  Args: weather-mcp',
      ),
      [local(undefined, ['uvx', 'weather-mcp'], { suggestedName: 'weather' })],
    );
  });

  for (const text of [
    'Name: Test\nCommand: npm test',
    'Name: weather\nType: unknown',
    'Command: vim',
    'name: weather\nurl: weather',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.match(refused(text), noServer);
    });
  }
});
