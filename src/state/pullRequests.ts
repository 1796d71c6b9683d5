/** Where the pull requests of a conversation are. */
import type { Conversation } from '../service/types.ts';

/** By what the service calls the code host: the stand-ins of the contract, and the names of real ones. */
const hosts: Readonly<Record<string, { readonly site: string; readonly path: string }>> = {
  github: { site: 'https://github.com', path: 'pull' },
  code_host_a: { site: 'https://github.com', path: 'pull' },
  gitlab: { site: 'https://gitlab.com', path: '-/merge_requests' },
  code_host_b: { site: 'https://gitlab.com', path: '-/merge_requests' },
  bitbucket: { site: 'https://bitbucket.org', path: 'pull-requests' },
  code_host_c: { site: 'https://bitbucket.org', path: 'pull-requests' },
};

export interface PullRequestLink {
  readonly number: number;
  readonly url: string;
}

/** Empty where the code host is not known, or the repository is no path of one. */
export function pullRequestLinks({ provider, repository, pullRequests }: Conversation): PullRequestLink[] {
  const host = provider !== undefined && Object.hasOwn(hosts, provider) ? hosts[provider] : undefined;
  if (
    !host ||
    !repository ||
    !/^[\w.-]+(\/[\w.-]+)+$/.test(repository) ||
    /(^|\/)\.{1,2}(\/|$)/.test(repository)
  )
    return [];
  return pullRequests.map((number) => ({ number, url: `${host.site}/${repository}/${host.path}/${number}` }));
}
