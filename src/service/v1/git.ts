import { words } from '../../base/l10n.ts';
import type { GitHosts } from '../agentService.ts';
import type { GitBranch, GitRepository, SuggestedTask } from '../entities.ts';
import { type FetchPage, Pages } from '../pages.ts';
import { mostPerRequest, Requests, type Wire } from '../requests.ts';
import { enumValue, identifier, integer, isObject, line, type Reader, recordReader } from '../wireValues.ts';

const couldNot = words({
  listGitProviders: 'Could not list the Git providers',
  searchRepositories: 'Could not search the repositories',
  searchBranches: 'Could not search the branches',
  listSuggestedTasks: 'Could not list the suggested tasks',
});

type Search = Exclude<keyof typeof couldNot, 'listGitProviders'>;

/** More than anybody looks through, without typing more. */
const usual = 50;

export function gitV1({ transport, log }: Wire): GitHosts {
  const requests = new Requests(transport, couldNot);

  function search<T>(
    operation: Search,
    collection: string,
    query: Readonly<Record<string, string | undefined>>,
    read: Reader<T>,
  ): FetchPage<T> {
    return async (cursor, { size = usual, ...call }) => {
      const limit = Math.min(Math.max(size, 1), mostPerRequest);
      const path = ['api', 'v1', 'git', collection, 'search'];
      const sent = { path, query: { ...query, page_id: cursor, limit } };
      return await requests.page(operation, sent, call, read);
    };
  }

  return {
    providers: async (call = {}) => {
      const settings = await requests.send('listGitProviders', { path: ['api', 'v1', 'settings'] }, call);
      const known = isObject(settings) ? settings.provider_tokens_set : undefined;
      return isObject(known) ? Object.keys(known).flatMap((name) => identifier(name) ?? []) : [];
    },
    repositories: (provider, text, call = {}) =>
      new Pages(
        search(
          'searchRepositories',
          'repositories',
          { provider, query: text || undefined },
          repositoryReader(provider),
        ),
        ({ name }) => name,
        log,
        call,
      ),
    branches: ({ name: repository, provider }, query, call = {}) =>
      new Pages(
        search('searchBranches', 'branches', { provider, repository, query }, readBranch),
        ({ name }) => name,
        log,
        call,
      ),
    suggestedTasks: (call = {}) =>
      new Pages(
        search('listSuggestedTasks', 'suggested-tasks', {}, readTask),
        ({ repository: { name, provider }, kind, number }) => [provider, name, kind, number].join(' '),
        log,
        call,
      ),
  };
}

function repositoryReader(asked: string): Reader<GitRepository> {
  return recordReader('full_name', (name, record) => ({
    name,
    provider: identifier(record.git_provider) ?? asked,
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
  const [name, provider] = [identifier(record.repo), identifier(record.git_provider)];
  const number = integer(record.issue_number);
  if (name === undefined || provider === undefined || number === undefined) return undefined;
  const kind = enumValue(taskKinds, record.task_type) ?? '';
  return { kind, repository: { name, provider }, number, title: line(record.title) ?? '' };
};
