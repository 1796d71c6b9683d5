/** Git's name for the branch that the current one is pulled from. */
export const upstream = '@{upstream}';

/** Fetches the upstream of the current branch, and prints its name. */
export const fetchUpstream = [
  'env GIT_TERMINAL_PROMPT=0 git fetch --quiet',
  `git rev-parse --abbrev-ref ${upstream}`,
].join(' && ');
