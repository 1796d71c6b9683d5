import { mask } from '../secret.ts';
import { maskTokens } from './maskTokens.ts';
import {
  isOpen,
  isOpenName,
  isOpenValue,
  isSecretName,
} from './secretNames.ts';

/** Longer texts are masked as a whole: searching them would take long. */
export const maxMaskedLength = 4000;

/**
 * A password can have in it what ends the host: where a colon is followed by
 * something else than a port, all before the last @ belongs to it, but for one
 * in a query.
 */
const url =
  /^((?:[a-z][a-z\d+.-]*:)?[/\\]+)?([^/\\?#]*@|[^/\\?#:@[\]]*:(?!\d*[/\\?#])(?:(?!\?[\w.-]+=).)*@)?([^?#]*)(\?[^#]*)?(#.*)?$/is;

type Part = string | undefined;

/**
 * The URL without user and password, values of the query, fragment, and what
 * looks like a secret in its path.
 */
export function maskUrl(text: string, cover = mask): string {
  if (text.length > maxMaskedLength) return cover;
  return text.replace(
    url,
    (_, scheme: Part, user: Part, path: string, query: Part, fragment: Part) =>
      [
        scheme,
        user && `${isOpenUser(user) ? user.slice(0, -1) : cover}@`,
        maskPath(path, cover),
        query && maskQuery(query, cover),
        fragment?.replace(/(?<=#).+/s, (value) =>
          isPlace(value) ? value : cover,
        ),
      ].join(''),
  );
}

/**
 * True for a user that is no person: that of Git, and references to variables.
 */
function isOpenUser(user: string): boolean {
  return user === 'git@' || isOpenValue(user.slice(0, -1));
}

/** True if the fragment names a package of a repository or a version. */
function isPlace(fragment: string): boolean {
  return /^(?:(?:subdirectory|egg)=[\w./-]+|semver:.+|v?\d+(?:\.\d+)*|main|master|[\da-f]{40})$/.test(
    fragment,
  );
}

/** A path can have an address in it, and parameters. */
function maskPath(path: string, cover: string): string {
  const open = path
    .replace(/(?<![^/\\])[^/\\:]*:[^/\\]*@/g, `${cover}@`)
    .replace(
      /(?<![\w.-])([\w.-]+=)([^/\\;]+)/g,
      (all, name: string, value: string) =>
        isSecretName(name) && !isOpenValue(value) ? name + cover : all,
    );
  return maskTokens(open, cover);
}

function maskQuery(query: string, cover: string): string {
  return query.replace(
    /([?&;])([^=&;]*)(=?)([^&;]*)/g,
    (_, separator: string, name: string, equals: string, value: string) => {
      if (!equals)
        return (
          separator +
          (isOpenName(name) ? maskTokens(name, cover) : name && cover)
        );
      return `${separator}${maskTokens(name, cover)}=${isOpen(name, value) ? maskTokens(value, cover) : value && cover}`;
    },
  );
}
