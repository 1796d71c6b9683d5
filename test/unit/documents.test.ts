import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../host/paths.ts';
import { documents, withTables } from '../support/documentTables.ts';
import { headingId } from '../support/headingId.ts';

const read = (name: string) => readFile(join(root, name), 'utf8');

/** Documents for users and contributors. */
const names = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'test/README.md',
  ...globSync('docs/*.md', { cwd: root }),
];

/** Targets of the links and pictures in a document. */
function targets(text: string): string[] {
  const prose = text.replace(/^```[^]*?^```/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, picture]) => link ?? picture ?? '',
  );
}

/**
 * Links in a document that lead to a missing file or heading of this
 * repository.
 */
async function brokenLinks(name: string, text: string): Promise<string[]> {
  const broken = await Promise.all(
    targets(text)
      .filter((target) => !/^\w+:/.test(target))
      .map(async (target) => {
        const [path = '', id] = target.split('#');
        const file = path === '' ? name : join(dirname(name), path);
        if (!existsSync(join(root, file))) return target;
        if (id === undefined) return undefined;
        const headings =
          (file === name ? text : await read(file)).match(/^#+ .+$/gm) ?? [];
        return headings.some((heading) => headingId(heading) === id)
          ? undefined
          : target;
      }),
  );
  return broken.filter((target) => target !== undefined);
}

describe('the documentation', () => {
  it('has up-to-date tables (update with npm run docs)', async () => {
    for (const name of documents) {
      const text = await read(name);
      assert.equal(text, await withTables(text), name);
    }
  });

  it('lists all settings and commands', async () => {
    const settings = await read('docs/settings.md');
    const commands = await read('docs/commands.md');
    assert.match(settings, /`switchboard\.services`/);
    assert.match(commands, /`switchboard\.mcp\.add`/);
    for (const [name, text] of [
      ['settings', settings],
      ['commands', commands],
    ] as const)
      assert.equal(
        await withTables(text.replace(/^\| .*\n/gm, '')),
        text,
        name,
      );
  });

  it('has no link to a missing file or heading', async () => {
    for (const name of names)
      assert.deepEqual(await brokenLinks(name, await read(name)), [], name);
    const text =
      '# A heading\n\n[a](#a-heading) [b](#none) [c](docs/none.md) [d](docs/servers.md#none) ![e](none.webp)\n';
    assert.deepEqual(await brokenLinks('README.md', text), [
      '#none',
      'docs/none.md',
      'docs/servers.md#none',
      'none.webp',
    ]);
  });

  it('reaches every page from the README or CONTRIBUTING.md', async () => {
    const linked = targets(
      (await read('README.md')) + (await read('CONTRIBUTING.md')),
    );
    for (const name of globSync('docs/*.md', { cwd: root }))
      assert.ok(
        linked.some(
          (target) => target.split('#')[0] === name.replaceAll('\\', '/'),
        ),
        name,
      );
  });
});

describe('CONTRIBUTING.md', () => {
  it('can be read in ten minutes', async () => {
    assert.ok((await read('CONTRIBUTING.md')).length <= 15_000);
  });

  it('refers only to files that exist, as do the documents beside it', async () => {
    const texts = await Promise.all(
      ['CONTRIBUTING.md', 'test/README.md', 'docs/development.md'].map(read),
    );
    const named = [
      ...texts.join('\n').matchAll(/`([\w./-]+\.(?:ts|mjs|json|md))`/g),
    ];
    const all = globSync(['*', '{src,test,build,docs,l10n}/**/*.*'], {
      cwd: root,
    });
    const paths = all.map((path) => `/${path.replaceAll('\\', '/')}`);
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.flatMap(([, name = '']) =>
        paths.some((path) => path.endsWith(`/${name}`)) ? [] : name,
      ),
      [],
    );
  });

  it('gives a reason for each dependency', async () => {
    const [, table = ''] = (await read('docs/development.md')).split(
      '## Why each dependency is there',
    );
    const patterns = [...table.matchAll(/`([^`]+)`/g)].map(
      ([, name = '']) => name,
    );
    const isNamed = (dependency: string) =>
      patterns.some(
        (name) =>
          name === dependency ||
          (name.endsWith('*') && dependency.startsWith(name.slice(0, -1))),
      );
    const dependencies = Object.keys(manifest.devDependencies);
    assert.deepEqual(
      dependencies.filter((each) => !isNamed(each)),
      [],
    );
  });
});

describe('the README', () => {
  it('has at most 120 lines', async () => {
    assert.ok((await read('README.md')).trimEnd().split('\n').length <= 120);
  });

  it('says in its first line which servers it is for', async () => {
    const [, , first = ''] = (await read('README.md')).split('\n\n');
    for (const name of [
      'OpenHands Agent Server',
      'Agent Canvas',
      'self-hosted web application',
      'OpenHands Cloud',
    ])
      assert.ok(first.includes(name), name);
    assert.match(first, /aren't supported/);
  });

  it('shows pictures of this repository by https, in light and dark', async () => {
    const address = `${manifest.repository.url.replace('github.com', 'raw.githubusercontent.com').replace(/\.git$/, '')}/HEAD/`;
    const readme = await read('README.md');
    const shown = targets(readme).filter((target) => target.endsWith('.webp'));
    assert.ok(shown.length >= 12);
    for (const target of shown) {
      // Marketplaces rewrite the address of an image, but not that of a source.
      assert.ok(target.startsWith(address), target);
      assert.ok(existsSync(join(root, target.slice(address.length))), target);
    }
    for (const [, light = '', dark = ''] of readme.matchAll(
      /<picture>.*?srcset="([^"]+)".*?src="([^"]+)".*?<\/picture>/g,
    ))
      assert.equal(
        light.replace(/-light\.webp$/, ''),
        dark.replace(/-dark\.webp$/, ''),
      );
  });
});

describe('SECURITY.md', () => {
  it('begins with how to report a vulnerability', async () => {
    const [, first = ''] = /^## (.+)$/m.exec(await read('SECURITY.md')) ?? [];
    assert.equal(first, 'Reporting a vulnerability');
  });

  it('quotes the results of the last long runs', async () => {
    const security = await read('SECURITY.md');
    for (const name of ['soak', 'masks', 'mutants'])
      assert.ok(security.includes(`<!-- ${name} -->`), name);
    const older = security.replace(
      '1,000 processes killed',
      '999 processes killed',
    );
    assert.notEqual(older, security);
    assert.equal(await withTables(older), security);
  });
});

describe('the changelog', () => {
  it('sorts each version into Added, Changed, and Fixed', async () => {
    const [, ...versions] = (await read('CHANGELOG.md')).split(/^## /m);
    for (const version of versions) {
      const headings = (version.match(/^### .+$/gm) ?? []).map((heading) =>
        heading.slice(4),
      );
      assert.ok(headings.length > 0, version);
      assert.deepEqual(
        headings,
        ['Added', 'Changed', 'Fixed', 'Removed', 'Security'].filter((heading) =>
          headings.includes(heading),
        ),
      );
    }
  });

  it('has one line for each entry', async () => {
    for (const line of (await read('CHANGELOG.md')).split('\n'))
      assert.match(line, /^(?:#+ .+|- .+|)$/);
  });
});
