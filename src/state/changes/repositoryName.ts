/** Owner and name of the repository at the address of a Git remote; undefined if it is not such an address. */
export function repositoryName(remote: string): string | undefined {
  // https://host/owner/name.git, ssh://git@host:22/owner/name, git@host:owner/name.git
  const path = /^(?:[a-z+]+:\/\/[^/]+\/|(?:[^@/\s]+@)?[\w.-]+:(?!\/\/))(.+)$/i.exec(remote.trim())?.[1];
  const name = path
    ?.replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/^\/+/, '');
  return name !== undefined && /^[\w.-]+(\/[\w.-]+)+$/.test(name) ? name : undefined;
}
