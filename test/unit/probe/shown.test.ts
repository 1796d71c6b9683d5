import assert from 'node:assert/strict';
import { Secret } from '../../../src/base/secret.ts';
import { Redactor } from '../../../src/probe/shown.ts';
import { resolve } from '../../../src/probe/resolved.ts';
import { address, command } from './support.ts';

const canary = 'canary-Zx81';

/** Returns the shown lines of an output of a server with this entry. */
const shownOf = (
  server: Parameters<typeof resolve>[0],
  output: string,
  environment = {},
) =>
  new Redactor(resolve(server, undefined, environment).secrets).lastLines(
    output,
  );

describe('the shown output of a server', () => {
  it('masks a secret of the entry, wherever the entry contains it', () => {
    for (const server of [
      command(['x'], { KEY: canary }),
      command(['x', '--token', canary]),
      command(['x', `--api-key=${canary}`]),
      command(['x', `https://me:${canary}@h/`]),
      command(['x'], { DATABASE_URL: `postgres://me:${canary}@h/db` }),
      address('https://h', { headers: { 'X-Key': canary } }),
      address('https://h', { headers: { Authorization: `Bearer ${canary}` } }),
      address(`https://h/mcp?key=${canary}`),
      address('https://h', { auth: canary }),
    ]) {
      assert.deepEqual(
        shownOf(server, `It is ${canary}, or ${encodeURIComponent(canary)}`),
        ['It is ••••••, or ••••••'],
      );
    }
  });

  it('masks a secret that comes from a variable', () => {
    const server = command(['x', '${THE_TOKEN}'], {
      URL: 'https://h/${THE_TOKEN}',
    });
    assert.deepEqual(shownOf(server, `no ${canary}`, { THE_TOKEN: canary }), [
      'no ••••••',
    ]);
  });

  it('keeps values of the entry that are not secret', () => {
    const server = command(['x', '--root', '/srv/files'], {
      NODE_ENV: 'production',
      PORT: '3000',
    });
    const line = 'production server for /srv/files listens on port 3000';
    assert.deepEqual(shownOf(server, line), [line]);
  });

  it('shows the last 15 lines without terminal sequences, each at most 300 characters', () => {
    const redactor = new Redactor([new Secret(canary)]);
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`);
    assert.deepEqual(redactor.lastLines(lines.join('\r\n')), lines.slice(-15));
    const coloured = `\u001b[31mred\u001b[0m \u001b]8;;https://evil\u0007link\u001b]8;;\u0007 \u202eback\u0000`;
    assert.deepEqual(redactor.lastLines(coloured), ['red link back']);
    assert.deepEqual(redactor.lastLines(`can\u001b[0mary-Zx81`), ['••••••']);
    assert.equal(redactor.lastLines('x '.repeat(1_000))[0]?.length, 300);
  });

  it('shows paths unchanged except for secrets', () => {
    const redactor = new Redactor([new Secret(canary)]);
    const path =
      '/nix/store/3nm1yd9p8ap5ljiyv9zwhkxy4f2lpn7f-nodejs-22.1.0/bin';
    assert.equal(redactor.path(path), path);
    assert.equal(redactor.path(`/srv/${canary}/x`), '/srv/••••••/x');
    assert.equal(
      redactor.path('npx server --token=abcdefghij'),
      'npx server --token=••••••',
    );
  });

  it('shows no part of a secret that was cut off', () => {
    const secret = 'k'.repeat(2_000);
    const redactor = new Redactor([new Secret(secret)]);
    // Whatever the limit is, one of these cuts the secret in two.
    for (let length = 1_000; length < 100_000; length += 1_000) {
      const lines = redactor.lastLines(`${secret} x\n${'y'.repeat(length)}`);
      assert.doesNotMatch(lines.join('\n'), /k/);
    }
    // The same without a line break, and for a secret that no entry has.
    for (let length = 3_000; length < 4_000; length += 1) {
      const lines = redactor.lastLines(`${secret} ${'y'.repeat(length)}`);
      assert.doesNotMatch(lines.join('\n'), /k/);
    }
    const unknown = `token=${'k'.repeat(10)} `;
    for (let at = 0; at < unknown.length; at += 1) {
      const text = unknown + 'y'.repeat(3_500 - at);
      assert.doesNotMatch(redactor.lastLines(text).join('\n'), /k/);
    }
    assert.equal(redactor.text(`x ${secret.repeat(2)}`), 'x ••••••••••••');
  });

  it('keeps the whole lines after one that was cut off', () => {
    const redactor = new Redactor([]);
    assert.deepEqual(redactor.lastLines(`${'y'.repeat(4_000)}\nError: x\ny`), [
      'Error: x',
      'y',
    ]);
    assert.deepEqual(redactor.lastLines(`${'y'.repeat(4_000)}\rError: x`), [
      'Error: x',
    ]);
  });
});
