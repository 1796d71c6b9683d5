/** Links that make an editor add a server. They are only read: nothing is opened. */
import { t } from '../../base/l10n.ts';
import { Refusal } from '../refusal.ts';
import type { Fields } from '../server.ts';
import { findEntries } from './findEntries.ts';
import { readObject } from './json.ts';
import type { PasteFindings } from './pastedServer.ts';
import { mostParts, shown, tooManyParts } from './sentences.ts';

const link =
  /(\(?)(?:vscode(?:-insiders)?:mcp\/install\?|https?:\/\/(?:insiders\.)?vscode\.dev\/redirect(?:\/mcp\/install)?\?|cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?|https?:\/\/(?:www\.)?cursor\.com\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?install-mcp\?)[^\s"'<>\]`\\]*/gi;

/** Returns the text with blanks where the links were. */
export function readLinksIn(text: string, findings: PasteFindings): string {
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

function readLink(address: string, { entries, problems }: PasteFindings): void {
  const query = address.slice(address.indexOf('?') + 1);
  const parameters = new URLSearchParams(query);
  const inner = parameters.get('url');
  const config = inner === null ? parameters.get('config') : inner.slice(inner.indexOf('?') + 1);
  const root = (config === null ? inQuery(query) : [config, ...inQuery(config), fromBase64(config)])
    .map(readObject)
    .find((each): each is Fields => !(each instanceof Refusal));
  const name = inner === null ? parameters.get('name') : null;
  const inputs = readObject(`{"inputs":${parameters.get('inputs') ?? '[]'}}`);
  const found = root ? findEntries(inputs instanceof Refusal ? root : new Map([...inputs, ...root])) : [];
  if (found.length === 0) {
    problems.push(
      name === null
        ? t('No server could be read from the install link.')
        : t('No server could be read from the install link for {0}.', shown(name)),
    );
  }
  for (const entry of found) entries.push(name === null ? entry : { ...entry, name });
}

/** What a query says: as VS Code reads it, with each plus as it is, and as a form, where a plus is a blank. */
function inQuery(text: string): string[] {
  return [decoded(text), decoded(text.replaceAll('+', ' '))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** In Base64 there is a plus, and no blank: a blank was a plus before the address was read as a form. */
function fromBase64(text: string): string {
  return Buffer.from(text.replaceAll(' ', '+'), 'base64').toString('utf8');
}
