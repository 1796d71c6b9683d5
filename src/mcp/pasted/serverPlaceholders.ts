/** Finds placeholders in a server, and fills in the answers. */
import { plainText } from '../../base/plainText.ts';
import { Secret } from '../../base/secret.ts';
import { isPlaceholder, nobodysPath } from '../format/placeholders.ts';
import { scriptOption } from '../format/mask.ts';
import type { Server } from '../format/server.ts';
import { schemeOf } from '../format/serverRules.ts';
import type {
  PastedEntry,
  PastedPlaceholder,
  PlaceInServer,
} from './pastedServer.ts';

export function findPlaceholders(
  server: Server,
  inputs: PastedEntry['inputs'],
): PastedPlaceholder[] {
  return [...parts(server)].flatMap(([place, value]) =>
    placeholdersIn(value, isScript(server, place)).map((text) => ({
      place,
      text,
      description: describe(text, inputs),
    })),
  );
}

export function fillPlaceholder(
  server: Server,
  { place, text }: PastedPlaceholder,
  answer: string,
): Server {
  const fill = (value: string) => value.replaceAll(text, () => answer);
  const fillIn = (values: ReadonlyMap<string, Secret>, name: string) =>
    new Map(
      [...values].map(([key, value]) => [
        key,
        key === name ? new Secret(fill(value.reveal())) : value,
      ]),
    );
  if (server.transport === 'stdio') {
    if (place.in === 'command')
      return { ...server, command: fill(server.command) };
    if (place.in === 'env')
      return { ...server, env: fillIn(server.env, place.name) };
    const index = place.in === 'argument' ? place.index : -1;
    return {
      ...server,
      args: server.args.map((arg, i) => (i === index ? fill(arg) : arg)),
    };
  }
  if (place.in === 'url') return { ...server, url: fill(server.url) };
  if (place.in === 'header')
    return { ...server, headers: fillIn(server.headers, place.name) };
  return server.auth
    ? { ...server, auth: new Secret(fill(server.auth.reveal())) }
    : server;
}

function* parts(
  server: Server,
): Generator<[place: PlaceInServer, value: string]> {
  if (server.transport === 'stdio') {
    yield [{ in: 'command' }, server.command];
    for (const [index, arg] of server.args.entries())
      yield [{ in: 'argument', index }, arg];
    for (const [name, value] of server.env)
      yield [{ in: 'env', name }, value.reveal()];
    return;
  }
  yield [{ in: 'url' }, server.url];
  for (const [name, value] of server.headers)
    yield [{ in: 'header', name }, value.reveal()];
  if (server.auth) yield [{ in: 'auth' }, server.auth.reveal()];
}

/**
 * References that the program replaces: with a default, or to a likely variable
 * of a shell.
 */
const lookedUp = String.raw`\$\{(?:\w+:-[^{}]*|(?!\w*PLUGIN_)([A-Z_][A-Z\d_]*))\}`;
const everyLookedUp = new RegExp(lookedUp, 'g');
const references = new RegExp(
  String.raw`\$\{\{[^{}$]*\}\}|(?!${lookedUp})\$\{[^{}$]+\}|\{(?:env|file):[^{}]+\}`,
  'g',
);
/** Parts that a shell replaces, and nothing else. */
const ofShell =
  /(?<=^|[\s=:])\$[A-Z_][A-Z\d_]+(?=$|[/\\:])|\$env:\w+|\$\([^()]+\)/g;
const partsOfUrl =
  /<[^<>]+>|(?<!\$)\{\{?[^{}]*\}?\}|(?<![a-z\d])your[-_][\w-]*|(?<=[/=])x{3,}(?![a-z])/gi;
/** The part of a value to keep: `Authorization: Bearer ` before `YOUR_KEY`. */
const lead =
  /^\s*(?:[\w.-]+\s*[:=]\s*)?(?:(?:bearer|basic|token|apikey)\s+(?=\S))?/i;

/** The variables without a default that the program replaces. */
export function variablesIn(server: Server): string[] {
  const names = [...parts(server)].flatMap(([, value]) =>
    value.includes('${')
      ? Array.from(value.matchAll(everyLookedUp), ([, name]) => name)
      : [],
  );
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** True for an argument that a shell runs. */
function isScript(server: Server, place: PlaceInServer): boolean {
  if (server.transport !== 'stdio' || place.in !== 'argument') return false;
  return scriptOption.test(server.args[place.index - 1] ?? '');
}

function placeholdersIn(value: string, isScript: boolean): readonly string[] {
  const placeholders = [
    ...all(references, value),
    ...(isScript ? [] : all(ofShell, value)),
    ...all(nobodysPath, value),
  ];
  if (placeholders.length > 0 || !isPlaceholder(value)) return placeholders;
  if (schemeOf(value) !== undefined) return all(partsOfUrl, value);
  const rest = value.replace(lead, '');
  return [isPlaceholder(rest) ? rest : value];
}

function all(pattern: RegExp, value: string): string[] {
  return [...new Set(value.match(pattern))];
}

/** The name of a reference, or the description of its input. */
function describe(
  text: string,
  inputs: PastedEntry['inputs'],
): string | undefined {
  const [, kind, id] =
    /^(?:\$\{{0,2}|\{)\s*(input:|env:|file:|secrets\.)?([^{}()]+?)\s*\}{0,2}$/.exec(
      text,
    ) ?? [];
  if (id === undefined) return undefined;
  return plainText((kind === 'input:' ? inputs?.get(id) : undefined) ?? id);
}
