import { words } from '../../base/l10n.ts';
import type { GitHosts } from '../abilities/agentService.ts';
import type {
  GitBranch,
  GitRepository,
  SuggestedTask,
} from '../model/entities.ts';
import { Requests, type Wire } from '../http/requests.ts';
import {
  enumValue,
  identifier,
  integer,
  isObject,
  shownLine,
  type Reader,
  recordReader,
} from '../http/wireValues.ts';

const couldNot = words({
  listGitProviders: 'Could not list the Git providers',
  searchRepositories: 'Could not search the repositories',
  searchBranches: 'Could not search the branches',
  listSuggestedTasks: 'Could not list the suggested tasks',
});

/** More than anyone scrolls through without typing. */
const size = 50;

export function gitV1(wire: Wire): GitHosts {
  const requests = new Requests(wire, couldNot);
  const search = (
    collection: string,
    query: Readonly<Record<string, string | undefined>> = {},
  ) => ({
    path: ['api', 'v1', 'git', collection, 'search'],
    query,
    size,
  });
  return {
    providers: async (call = {}) => {
      const settings = await requests.send(
        'listGitProviders',
        { path: ['api', 'v1', 'settings'] },
        call,
      );
      const tokens = isObject(settings)
        ? settings.provider_tokens_set
        : undefined;
      return isObject(tokens)
        ? Object.keys(tokens).flatMap((name) => identifier(name) ?? [])
        : [];
    },
    repositories: (provider, text, call = {}) => {
      const request = search('repositories', {
        provider,
        query: text || undefined,
      });
      return requests.pager(
        'searchRepositories',
        request,
        repositoryReader(provider),
        ({ name }) => name,
        call,
      );
    },
    branches: ({ name: repository, provider }, query, call = {}) => {
      const request = search('branches', { provider, repository, query });
      return requests.pager(
        'searchBranches',
        request,
        readBranch,
        ({ name }) => name,
        call,
      );
    },
    suggestedTasks: (call = {}) =>
      requests.pager(
        'listSuggestedTasks',
        search('suggested-tasks'),
        readTask,
        ({ repository: { name, provider }, kind, number }) =>
          [provider, name, kind, number].join(' '),
        call,
      ),
  };
}

function repositoryReader(provider: string): Reader<GitRepository> {
  return recordReader('full_name', (name, record) => ({
    name,
    provider: identifier(record.git_provider) ?? provider,
  }));
}

const readBranch = recordReader<GitBranch>('name', (name) => ({ name }));

const taskKinds = {
  MERGE_CONFLICTS: 'mergeConflicts',
  FAILING_CHECKS: 'failingChecks',
  UNRESOLVED_COMMENTS: 'unresolvedComments',
  OPEN_ISSUE: 'openIssue',
  OPEN_PR: 'openPullRequest',
} as const;

const readTask: Reader<SuggestedTask> = (record) => {
  if (!isObject(record)) return undefined;
  const name = identifier(record.repo);
  const provider = identifier(record.git_provider);
  const number = integer(record.issue_number);
  if (name === undefined || provider === undefined || number === undefined)
    return undefined;
  const kind = enumValue(taskKinds, record.task_type) ?? '';
  return {
    kind,
    repository: { name, provider },
    number,
    title: shownLine(record.title) ?? '',
  };
};
