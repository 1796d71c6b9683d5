/** Which code host a conversation works with, and where its pull requests are there. */
import type { Conversation } from '../service/entities.ts';

interface Host {
  readonly name: string;
  readonly site: string;
  readonly path: string;
}

const github: Host = { name: 'GitHub', site: 'https://github.com', path: 'pull' };
const gitlab: Host = { name: 'GitLab', site: 'https://gitlab.com', path: '-/merge_requests' };
const bitbucket: Host = { name: 'Bitbucket', site: 'https://bitbucket.org', path: 'pull-requests' };

/** By what the service calls the code host: the stand-ins of the contract, and the names of real ones. */
const hosts: ReadonlyMap<string, Host> = new Map([
  ['github', github],
  ['code_host_a', github],
  ['gitlab', gitlab],
  ['code_host_b', gitlab],
  ['bitbucket', bitbucket],
  ['code_host_c', bitbucket],
]);

export interface PullRequestLink {
  readonly number: number;
  readonly url: string;
}

/** What people call the code host; what the service calls it where that is not known. */
export function codeHostName(provider: string | undefined): string | undefined {
  return hosts.get(provider ?? '')?.name ?? provider;
}

/** Empty where the code host is not known, or the repository is no path of one. */
export function pullRequestLinks({ provider, repository, pullRequests }: Conversation): PullRequestLink[] {
  const host = hosts.get(provider ?? '');
  if (
    !host ||
    !repository ||
    !/^[\w.-]+(\/[\w.-]+)+$/.test(repository) ||
    /(^|\/)\.{1,2}(\/|$)/.test(repository)
  )
    return [];
  return pullRequests.map((number) => ({ number, url: `${host.site}/${repository}/${host.path}/${number}` }));
}
