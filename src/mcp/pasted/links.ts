/** Links that make an editor add a server. They are only read: nothing is opened. */
import { t } from '../../base/l10n.ts';
import { Refusal } from '../refusal.ts';
import { findServers } from './containers.ts';
import { readObject } from './json.ts';
import { mostParts, shown, tooManyParts } from './sentences.ts';
import type { Findings } from './types.ts';

const link =
  /(\(?)(?:vscode(?:-insiders)?:mcp\/install\?|https?:\/\/(?:insiders\.)?vscode\.dev\/redirect(?:\/mcp\/install)?\?|cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?|https?:\/\/(?:www\.)?cursor\.com\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?install-mcp\?)[^\s"'<>\]`\\]*/gi;

/** Returns the text with blanks where the links were. */
export function readLinksIn(text: string, findings: Findings): string {
  let count = 0;
  return text.replace(link, (all: string, bracket: string) => {
    // In Markdown a link ends at the bracket that closes.
    const address = bracket ? all.slice(1).replace(/^([^()]*(?:\([^()]*\)[^()]*)*).*$/s, '$1') : all;
    if (count < mostParts) readLink(address.replaceAll('&amp;', '&'), findings);
    else if (count === mostParts) findings.problems.push(tooManyParts());
    count++;
    return ' '.repeat(all.length);
  });
}

function readLink(address: string, { found, problems }: Findings): void {
  const query = address.slice(address.indexOf('?') + 1);
  const parameters = new URLSearchParams(query.replaceAll('+', '%2B'));
  const inner = parameters.get('url');
  const config = inner === null ? parameters.get('config') : inner.slice(inner.indexOf('?') + 1);
  const texts = config === null ? [decoded(query)] : [config, decoded(config), fromBase64(config)];
  const json = texts.find((text) => text.trimStart().startsWith('{')) ?? '';
  const root = readObject(json);
  const name = inner === null ? parameters.get('name') : null;
  const inputs = readObject(`{"inputs":${parameters.get('inputs') ?? '[]'}}`);
  const servers =
    root instanceof Refusal
      ? []
      : findServers(inputs instanceof Refusal ? root : new Map([...inputs, ...root]));
  if (servers.length === 0) {
    problems.push(
      name === null
        ? t('The install link says no server that can be read.')
        : t('The install link of {0} says no server that can be read.', shown(name)),
    );
  }
  for (const server of servers) found.push(name === null ? server : { ...server, name });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}
