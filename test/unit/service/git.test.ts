import assert from 'node:assert/strict';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../support/demo/faults/misbehavingDemo.ts';
import type { GitHosts } from '../../../src/service/abilities/agentService.ts';
import {
  isRefusal,
  ServiceError,
} from '../../../src/service/http/serviceError.ts';
import { allRows, key, Lines, serviceOf } from './support.ts';

describe('the Git API of a service', () => {
  let demo: MisbehavingDemo;
  let git: GitHosts;

  beforeEach(async () => {
    demo = await startMisbehavingDemo({ interface: 'v1', key });
    ({ git } = serviceOf(demo, 'v1', { log: new Lines() }));
  });

  afterEach(() => demo.stop());

  it('lists the providers, and lists and searches their repositories', async () => {
    assert.deepEqual(await git.providers(), ['github', 'gitlab', 'bitbucket']);
    const names = (await allRows(git.repositories('github', ''))).map(
      ({ name }) => name,
    );
    assert.deepEqual(names, [
      'northwind/checkout-api',
      'northwind/storefront',
      'northwind/infrastructure',
    ]);
    assert.deepEqual(await allRows(git.repositories('github', 'STORE')), [
      { name: 'northwind/storefront', provider: 'github' },
    ]);
    assert.deepEqual(
      await allRows(git.repositories('gitlab', 'northwind')),
      [],
    );
  });

  it('lists and searches the branches of a repository, page by page', async () => {
    const repository = { name: 'northwind/storefront', provider: 'github' };
    const names = (
      await allRows(git.branches(repository, '', { size: 4 }))
    ).map(({ name }) => name);
    assert.deepEqual(names.slice(0, 2), ['main', 'develop']);
    assert.equal(names.length, 6);
    assert.deepEqual(await allRows(git.branches(repository, 'release/2.4')), [
      { name: 'release/2.4' },
    ]);
    assert.deepEqual(
      await allRows(git.branches({ ...repository, name: 'a/b' }, '')),
      [],
    );
  });

  it('lists the suggested tasks', async () => {
    const tasks = await allRows(git.suggestedTasks({ size: 2 }));
    assert.equal(tasks.length, 6);
    assert.deepEqual(tasks[0], {
      kind: 'failingChecks',
      repository: { name: 'northwind/checkout-api', provider: 'github' },
      number: 214,
      title: 'Retry payments that time out',
    });
  });

  it('explains a refusal to list the suggested tasks', async () => {
    demo.misbehave({ forbidden: true, only: '/git/' });
    const error: unknown = await git
      .suggestedTasks()
      .next()
      .catch((error: unknown) => error);
    assert.ok(error instanceof ServiceError && isRefusal(error));
    assert.match(
      error.message,
      /^Could not list the suggested tasks: .* does not allow this/,
    );
  });

  it('skips suggested tasks that cannot be read and keeps the others', async () => {
    const log = new Lines();
    const answer = {
      items: [
        {
          git_provider: 'p',
          task_type: 'NEW_KIND',
          repo: 'a/b',
          issue_number: 1,
          title: 'x',
        },
        {
          git_provider: 'p',
          task_type: 'OPEN_ISSUE',
          repo: null,
          issue_number: 2,
        },
        'x',
      ],
    };
    const fetch = () => Promise.resolve(Response.json(answer));
    const { git } = serviceOf(demo, 'v1', { log, fetch });
    assert.deepEqual(
      (await allRows(git.suggestedTasks())).map(({ kind, number }) => [
        kind,
        number,
      ]),
      [['NEW_KIND', 1]],
    );
  });
});
