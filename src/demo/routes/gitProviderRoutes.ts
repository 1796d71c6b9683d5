import { failed, json, type HttpAnswer, type Call } from '../wire/http.ts';
import { repositories } from '../world/names.ts';
import type { Routes } from './route.ts';
import { invalid, QueryReader } from '../wire/validate.ts';
import { type ProviderType, providerTypes } from '../wire/wireTypes.ts';

export const gitRoutes: Routes = {
  'GET api/v1/git/repositories/search': searchRepositories,
  'GET api/v1/git/branches/search': searchBranches,
  'GET api/v1/git/suggested-tasks/search': searchTasks,
};

const knownRepositories = [...new Set(repositories)].filter(
  (repository) => repository !== undefined,
);

export const gitProviders: readonly ProviderType[] = providerTypes.filter(
  (type) => knownRepositories.some(({ provider }) => provider === type),
);

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
  const reader = new GitQuery(query);
  const provider = reader.provider();
  const text = reader.text('query') ?? '';
  const matches = knownRepositories.filter(
    (repository) =>
      repository.provider === provider && has(repository.name, text),
  );
  return reader.page(matches, 100, ({ name, provider }) => ({
    id: String(
      knownRepositories.findIndex((candidate) => candidate.name === name) + 1,
    ),
    full_name: name,
    git_provider: provider,
    is_public: false,
    stargazers_count: null,
    link_header: null,
    pushed_at: '2026-01-15T10:00:00Z',
    owner_type: 'organization',
    main_branch: 'main',
  }));
}

function searchBranches({ query }: Call): HttpAnswer {
  const reader = new GitQuery(query);
  const provider = reader.provider();
  const repository = reader.required('repository');
  const text = reader.required('query');
  const isKnown = knownRepositories.some(
    (candidate) =>
      candidate.provider === provider && candidate.name === repository,
  );
  const names = isKnown ? branches.filter((name) => has(name, text)) : [];
  // A search has one page only.
  if (text !== '' && reader.at > 1 && reader.errors.length === 0)
    return failed(400, 'Pagination not yet supported');
  return reader.page(names, 30, (name) => ({
    name,
    commit_sha: Buffer.from(name).toString('hex').padEnd(40, '0').slice(0, 40),
    protected: name === 'main',
    last_push_date: '2026-01-15T10:00:00Z',
  }));
}

function searchTasks({ query }: Call): HttpAnswer {
  return new GitQuery(query).page(
    tasks,
    30,
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

function has(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase());
}

class GitQuery extends QueryReader {
  provider(): ProviderType | undefined {
    this.required('provider');
    return this.oneOf('provider', providerTypes);
  }

  /** Counts from 1. An invalid cursor means the first page. */
  get at(): number {
    const pageNumber = Number(
      Buffer.from(this.text('page_id') ?? '', 'base64url').toString(),
    );
    return Number.isInteger(pageNumber) && pageNumber > 0 ? pageNumber : 1;
  }

  page<T>(
    all: readonly T[],
    otherwise: number,
    record: (item: T) => unknown,
  ): HttpAnswer {
    const limit = this.limit(otherwise);
    if (this.errors.length > 0) return invalid(this.errors);
    const end = this.at * limit;
    const next_page_id =
      end < all.length
        ? Buffer.from(String(this.at + 1)).toString('base64url')
        : null;
    return json({
      items: all.slice(end - limit, end).map(record),
      next_page_id,
    });
  }
}
