/**
 * The part of editOracle.ts that concerns tools which are switched on and off.
 */
import assert from 'node:assert/strict';
import type { Edit, Node } from 'jsonc-parser';
import type { SwitchTools } from '../../src/mcp/edit/wantedChange.ts';
import {
  endOf,
  type ScannedText,
  nameOf,
  occurrences,
  valueOf,
} from './look.ts';

/** The names of the tools that a server names. */
export function toolNames(found: ScannedText, server: string): string[] {
  return membersOf(valueOf(toolsOf(found, server))).map(nameOf);
}

/** True if a tool that is to be switched off has no place in the file. */
export function refusesTools(
  found: ScannedText,
  { name, off }: SwitchTools,
): boolean {
  const tools = valueOf(toolsOf(found, name));
  if (off.length === 0 || !tools || tools.type === 'null') return false;
  if (tools.type !== 'object') return true;
  return off.some((tool) => {
    const there = lastOf(tools, tool);
    return there !== undefined && valueOf(there)?.type !== 'object';
  });
}

/**
 * Checks that the right tools are on and off, and that nothing else in the text
 * has changed.
 */
export function checkTools(
  old: ScannedText,
  now: ScannedText,
  change: SwitchTools,
  edits: readonly Edit[],
): void {
  const [was, is] = [toolsOf(old, change.name), toolsOf(now, change.name)];
  assert.deepEqual(
    tokens(now, undefined, is),
    tokens(old, undefined, was),
    'all around "tools" is unchanged',
  );
  const names = new Set([...change.on, ...change.off]);
  const others = (found: ScannedText, tools: Node | undefined) =>
    membersOf(valueOf(tools))
      .filter(
        (tool) =>
          !names.has(nameOf(tool)) ||
          lastOf(valueOf(tools), nameOf(tool)) !== tool,
      )
      .map((tool) => tokens(found, tool));
  assert.deepEqual(
    others(now, is),
    others(old, was),
    'the other tools are unchanged',
  );
  for (const name of names)
    checkTool(old, was, now, is, name, !change.off.includes(name));
  checkComments(old, was, now, is, change);

  const written = edits
    .map(({ content }) => content.replace(/\s+/g, ''))
    .join('');
  const most = change.off.reduce(
    (sum, name) => sum + JSON.stringify(name).length + 25,
    25,
  );
  assert(
    written.length <= most,
    `no more is written than what switches tools off: ${written}`,
  );
  if (is) return;
  assert(
    !was || others(old, was).length === 0,
    'only a "tools" in which nothing is left goes',
  );
}

function checkTool(
  old: ScannedText,
  was: Node | undefined,
  now: ScannedText,
  is: Node | undefined,
  name: string,
  on: boolean,
): void {
  const [before, after] = [
    lastOf(valueOf(was), name),
    lastOf(valueOf(is), name),
  ];
  assert.equal(isOn(after) ?? true, on, `${name} is ${on ? 'on' : 'off'}`);
  if ((isOn(before) ?? true) === on) {
    assert.deepEqual(
      after && tokens(now, after),
      before && tokens(old, before),
      `${name} is unchanged`,
    );
    return;
  }
  const rest = (found: ScannedText, tool: Node | undefined) =>
    membersOf(valueOf(tool))
      .filter((member) => nameOf(member) !== 'enabled')
      .map((member) => tokens(found, member));
  assert.deepEqual(
    rest(now, after),
    rest(old, before),
    `what else is said about ${name} is unchanged`,
  );
  if (!on || !before) return;
  const isSingle =
    membersOf(valueOf(was)).filter((tool) => nameOf(tool) === name).length ===
    1;
  const isBare =
    rest(old, before).length === 0 && !tokens(old, before).some(isComment);
  assert.equal(
    after === undefined,
    isSingle && isBare,
    `${name} is left only where something is in it`,
  );
}

/** A comment goes only with the `enabled` that it is in. */
function checkComments(
  old: ScannedText,
  was: Node | undefined,
  now: ScannedText,
  is: Node | undefined,
  { on, off }: SwitchTools,
): void {
  const gone = membersOf(valueOf(was))
    .filter((tool) => on.includes(nameOf(tool)) || off.includes(nameOf(tool)))
    .flatMap((tool) =>
      membersOf(valueOf(tool)).filter((member) => nameOf(member) === 'enabled'),
    );
  const kept = old.tokens.filter((token, i) => {
    const place = old.places[i] ?? 0;
    return (
      isComment(token) &&
      inside(place, was) &&
      !gone.some((member) => inside(place, member))
    );
  });
  const left = is ? tokens(now, is).filter(isComment) : [];
  let i = 0;
  for (const comment of left) if (comment === kept[i]) i++;
  assert.equal(i, kept.length, 'no comment is lost');
}

/** Undefined where nothing is said about it. */
function isOn(tool: Node | undefined): boolean | undefined {
  if (!tool) return undefined;
  const enabled = valueOf(lastOf(valueOf(tool), 'enabled'));
  if (!enabled) return true;
  const word = String(enabled.value).toLowerCase();
  const isScalar = ['string', 'number', 'boolean'].includes(enabled.type);
  return !isScalar || !['false', 'f', 'no', 'n', 'off', '0'].includes(word);
}

function toolsOf(found: ScannedText, server: string): Node | undefined {
  return lastOf(valueOf(occurrences(found, server).at(-1)), 'tools');
}

function lastOf(object: Node | undefined, name: string): Node | undefined {
  return membersOf(object).findLast((member) => nameOf(member) === name);
}

function membersOf(node: Node | undefined): readonly Node[] {
  return node?.type === 'object' ? (node.children ?? []) : [];
}

const inside = (place: number, node: Node | undefined) =>
  node !== undefined && place >= node.offset && place < endOf(node);

const isComment = (token: string) => /^\/[/*]/.test(token);

/** The tokens in a node, or in all of the text, but those in another node. */
function tokens(found: ScannedText, node?: Node, but?: Node): string[] {
  return found.tokens.filter((_, i) => {
    const place = found.places[i] ?? 0;
    return (!node || inside(place, node)) && !inside(place, but);
  });
}
