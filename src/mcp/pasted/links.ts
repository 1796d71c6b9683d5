/** Reads install links of any program. Nothing is opened. */
import { t } from '../../base/l10n.ts';
import { ownName } from '../dialects/dialects.ts';
import { findEntries } from './findEntries.ts';
import { readObject } from './json.ts';
import { argumentsIn, pairsIn } from './lists.ts';
import type { PastedEntry, PasteFindings } from './pastedServer.ts';
import { maxParts, shownName, tooManyParts } from './sentences.ts';
import { Refusal } from '../text/refusal.ts';
import type { Fields, Value } from '../text/values.ts';

/** Any link with a query, unless that is plain JSON. */
const link =
  /(\(?)(\b[a-z][a-z\d+.-]{1,30}:[^\s"'<>\]`\\?#]{1,200})\?(?!\{")([^\s"'<>\]`\\]*)/gi;

/** Install links of known programs. */
const knownLink =
  /^(?:vscode[\w-]*:mcp\/install|https:\/\/(?:insiders\.)?vscode\.dev\/redirect(?:\/mcp\/install)?|https:\/\/aka\.ms\/vs\/mcp-install|https:\/\/vs-open\.link\/mcp-install|cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install|https:\/\/(?:www\.)?cursor\.com\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:install-mcp|link\/mcp\/install)|lmstudio:\/\/add_mcp|https:\/\/lmstudio\.ai\/install-mcp|https:\/\/kiro\.dev\/launch\/mcp\/add|raycast:\/\/mcp\/install|goose:\/\/extension)\/?$/i;

/** Links with a path that says it installs a server. */
const likely =
  /^[^:]*:.*(?:\bmcp[/_-]+(?:install|add|import)|(?:install|add|import)[/_-]+mcp)\b/i;

/** Returns the text with blanks in place of the links. */
export function readLinksIn(text: string, findings: PasteFindings): string {
  let count = 0;
  return text.replace(
    link,
    (all: string, bracket: string, before: string, rest: string) => {
      const path = decoded(before);
      const isKnown = knownLink.test(path);
      if (!isKnown && !likely.test(path)) return all;
      if (count++ >= maxParts) {
        if (count === maxParts + 1) findings.problems.push(tooManyParts());
        return ' '.repeat(all.length);
      }
      // The closing bracket ends a link in Markdown.
      const query = bracket
        ? rest.replace(/^([^()]*(?:\([^()]*\)[^()]*)*).*$/s, '$1')
        : rest;
      const entries = readQuery(query.replaceAll('&amp;', '&'));
      if (entries.length === 0 && !isKnown) return all;
      if (entries.length === 0) findings.problems.push(nothingIn(query));
      for (const entry of entries) findings.entries.push(entry);
      return ' '.repeat(all.length);
    },
  );
}

function nothingIn(query: string): string {
  const name = new URLSearchParams(query).get('name');
  return name === null
    ? t('No server could be read from the install link.')
    : t(
        'No server could be read from the install link for {0}.',
        shownName(name),
      );
}

function readQuery(query: string): PastedEntry[] {
  const parameters = new URLSearchParams(query.replace(/#.*$/, ''));
  const inner = parameters.get('url');
  // A page that redirects to an editor.
  if (inner !== null && /^vscode[\w-]*:/i.test(inner))
    return readQuery(inner.slice(inner.indexOf('?') + 1));
  const config = ['config', 'servers', 'json', 'server']
    .map((key) => parameters.get(key))
    .find((text) => text !== null);
  const texts =
    config === undefined
      ? [query, ...inQuery(query)]
      : [config, ...inQuery(config)];
  const root =
    texts
      .flatMap((text) => [text, fromBase64(text)])
      .map((text) => readObject(text))
      .find((object): object is Fields => !(object instanceof Refusal)) ??
    serverIn(parameters);
  if (!root) return [];
  const inputs = readObject(`{"inputs":${parameters.get('inputs') ?? '[]'}}`);
  const entries = findEntries(
    inputs instanceof Refusal ? root : new Map([...inputs, ...root]),
    'servers',
  );
  const name = parameters.get('name') ?? parameters.get('id');
  const [only] = entries;
  return name !== null && only && entries.length === 1
    ? [{ ...only, name }]
    : entries;
}

/**
 * Decodes a query as VS Code does, keeping each plus, and as a form, where a
 * plus is a blank.
 */
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

/** Base64 has no blank: it was a plus before it was decoded as a form. */
function fromBase64(text: string): string {
  return Buffer.from(text.replaceAll(' ', '+'), 'base64').toString('utf8');
}

/**
 * Reads a server from one parameter for each part:
 * `cmd=npx&arg=-y&arg=weather`.
 */
function serverIn(parameters: URLSearchParams): Fields | undefined {
  const fields = new Map<string, Value>();
  for (const key of new Set(parameters.keys())) {
    const all = parameters.getAll(key);
    const own = ownName(key.replace(/^(arg|header)$/, '$1s'));
    if (own === 'args') fields.set(own, argumentsIn(all));
    else if (own === 'env' || own === 'headers')
      fields.set(own, pairsIn(own, all));
    else fields.set(key, all.join(' '));
  }
  const isServer = [...fields.keys()].some((key) =>
    ['command', 'url'].includes(ownName(key)),
  );
  return isServer ? fields : undefined;
}
