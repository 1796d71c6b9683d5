import { userError } from '../../base/l10n.ts';
import { isThisMachine } from '../../base/loopback.ts';

/**
 * The address of a service as it is kept and compared: http or https, without
 * query, fragment or trailing slash. The scheme is optional. Throws a UserError
 * if the text is not a valid address.
 */
export function serviceAddress(text: string): URL {
  const trimmed = text.trim();
  const url = URL.parse(
    /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
      ? trimmed
      : `${scheme(trimmed)}://${trimmed}`,
  );
  const isNone = () =>
    userError(
      '"{0}" is not an address. An address looks like https://agents.example.com.',
      trimmed,
    );
  if (!url?.hostname) throw isNone();
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw userError(
      '"{0}//" is not supported. The address of a service starts with https:// or http://.',
      url.protocol,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw userError(
      'The address contains a user name or a password. Remove them: you are asked for the key separately.',
    );
  }
  if (/\s/.test(trimmed) || !/^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname))
    throw isNone();
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** The default scheme: http for this machine, https for any other. */
function scheme(text: string): string {
  const url = URL.parse(`http://${text}`);
  return url && isThisMachine(url.hostname) ? 'http' : 'https';
}

/** True if a key sent to this address could be read on the way. */
export function isExposed(url: URL): boolean {
  return url.protocol === 'http:' && !isThisMachine(url.hostname);
}

/**
 * The address as it is shown and stored: without the slash that URL adds to a
 * bare origin.
 */
export function showAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname === '/' ? '' : pathname}`;
}

/**
 * The address that gets the requests. Without TLS, `localhost` is 127.0.0.1
 * alone: the name also stands for [::1], where another user of the machine can
 * listen at the same port.
 */
export function requestAddress(url: URL): URL {
  const address = new URL(url);
  if (url.protocol === 'http:' && url.hostname === 'localhost')
    address.hostname = '127.0.0.1';
  return address;
}
