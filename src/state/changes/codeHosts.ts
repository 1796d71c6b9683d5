/** The code host of a conversation, and the addresses of its pull requests. */
import type { Conversation } from '../../service/model/entities.ts';

interface Host {
  readonly name: string;
  readonly site: string;
  readonly path: string;
}

const github: Host = {
  name: 'GitHub',
  site: 'https://github.com',
  path: 'pull',
};
const gitlab: Host = {
  name: 'GitLab',
  site: 'https://gitlab.com',
  path: '-/merge_requests',
};
const bitbucket: Host = {
  name: 'Bitbucket',
  site: 'https://bitbucket.org',
  path: 'pull-requests',
};

/**
 * Keyed by the service's name for the host: placeholders of the contract, and
 * real names.
 */
const hosts: ReadonlyMap<string, Host> = new Map([
  ['github', github],
  ['code_host_a', github],
  ['gitlab', gitlab],
  ['code_host_b', gitlab],
  ['bitbucket', bitbucket],
  ['code_host_c', bitbucket],
]);

/** Falls back to the service's name. */
export function codeHostName(provider: string | undefined): string | undefined {
  return hosts.get(provider ?? '')?.name ?? provider;
}

/** Empty for an unknown code host or an invalid path. */
export function pullRequestLinks({
  provider,
  repository,
  pullRequests,
}: Conversation) {
  const host = hosts.get(provider ?? '');
  if (
    !host ||
    !repository ||
    !/^[\w.-]+(\/[\w.-]+)+$/.test(repository) ||
    /(^|\/)\.{1,2}(\/|$)/.test(repository)
  )
    return [];
  return pullRequests.map((number) => ({
    number,
    url: `${host.site}/${repository}/${host.path}/${number}`,
  }));
}

export function repositoryName(remote: string): string | undefined {
  // https://host/owner/name.git, ssh://git@host:22/owner/name,
  // git@host:owner/name.git
  const path =
    /^(?:[a-z+]+:\/\/[^/]+\/|(?:[^@/\s]+@)?[\w.-]+:(?!\/\/))(.+)$/i.exec(
      remote.trim(),
    )?.[1];
  const name = path
    ?.replace(/[?#].*/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/^\/+/, '');
  return name !== undefined && /^[\w.-]+(\/[\w.-]+)+$/.test(name)
    ? name
    : undefined;
}
