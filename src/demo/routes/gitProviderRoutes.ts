import type { HttpAnswer, Call } from '../wire/http.ts';
import { answerFrom } from '../wire/paging.ts';
import { repositories } from '../world/names.ts';
import type { Routes } from './route.ts';

export const gitRoutes: Routes = {
  'GET api/v1/git/repositories/search': searchRepositories,
  'GET api/v1/git/branches/search': searchBranches,
  'GET api/v1/git/suggested-tasks/search': searchTasks,
};

const knownRepositories = [...new Set(repositories)].filter(
  (repository) => repository !== undefined,
);

export const gitProviders = [
  ...new Set(knownRepositories.flatMap(({ provider }) => provider ?? [])),
];

const branches = [
  'main',
  'develop',
  'release/2.4',
  'release/2.5',
  'fix/rounding',
  'agent/faster-search',
];

const tasks = [
  [
    'FAILING_CHECKS',
    'northwind/checkout-api',
    214,
    'Retry payments that time out',
  ],
  [
    'MERGE_CONFLICTS',
    'northwind/storefront',
    87,
    "Show prices in the visitor's currency",
  ],
  [
    'UNRESOLVED_COMMENTS',
    'tidewater/ledger',
    31,
    "Close the books in the company's time zone",
  ],
  [
    'OPEN_ISSUE',
    'northwind/checkout-api',
    198,
    'Coupons are applied twice when the page is reloaded',
  ],
  ['OPEN_ISSUE', 'meridian/forecast', 12, 'The forecast is empty on January 1'],
  ['OPEN_PR', 'platform/design-system', 5, 'Dark theme for buttons'],
] as const;

function searchRepositories({ query }: Call): HttpAnswer {
  const matches = knownRepositories.filter(
    ({ name, provider }) =>
      provider === query.get('provider') && has(name, query.get('query')),
  );
  const record = ({ name, provider }: (typeof knownRepositories)[number]) => ({
    id: name,
    full_name: name,
    git_provider: provider,
  });
  return answerFrom(query, matches, ({ name }) => name, record);
}

function searchBranches({ query }: Call): HttpAnswer {
  const isKnown = knownRepositories.some(
    ({ name, provider }) =>
      provider === query.get('provider') && name === query.get('repository'),
  );
  const names = branches.filter(
    (name) => isKnown && has(name, query.get('query')),
  );
  return answerFrom(
    query,
    names,
    (name) => name,
    (name) => ({ name }),
  );
}

function searchTasks({ query }: Call): HttpAnswer {
  return answerFrom(
    query,
    tasks,
    ([, , , title]) => title,
    ([task_type, repo, issue_number, title]) => ({
      git_provider: knownRepositories.find(({ name }) => name === repo)
        ?.provider,
      task_type,
      repo,
      issue_number,
      title,
    }),
  );
}

function has(name: string, text: string | null): boolean {
  return name.toLowerCase().includes((text ?? '').toLowerCase());
}
