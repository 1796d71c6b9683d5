/**
 * Rules that accept actions for the user. A rule holds for a program in a
 * folder or a conversation, and never for an action that is on the list of what
 * to ask about.
 */
import {
  type AskRule,
  type Conversation,
  type ConversationKey,
  idKey,
  keyOf,
} from '../../service/model/entities.ts';
import type { WaitingAction } from '../transcript/waiting.ts';
import { plainCommands } from './plainCommands.ts';

export interface AcceptRule {
  /** The words of the command. A last `*` stands for any further words. */
  readonly command: string;
  /** The only conversation it holds for. */
  readonly conversation?: ConversationKey | undefined;
  /** The folder it holds for, at one service. */
  readonly folder?: string | undefined;
  readonly service?: string | undefined;
}

/** The rules of the user. */
export interface ApprovalRules {
  readonly ask: readonly AskRule[];
  readonly accept: readonly AcceptRule[];
}

const anyWords = '*';

/** Inputs of a terminal action that change nothing about its command. */
const harmlessInputs = new Set([
  'command',
  'security_risk',
  'summary',
  'timeout',
]);

/**
 * Returns the command of an action that only runs that in a terminal.
 */
export function commandOf({
  actionKind,
  arguments: json,
}: WaitingAction): string | undefined {
  if (actionKind !== 'TerminalAction') return undefined;
  const inputs = objectIn(json);
  const { command } = inputs;
  const isAlone = Object.entries(inputs).every(
    ([name, value]) => harmlessInputs.has(name) || value === false,
  );
  return isAlone && typeof command === 'string' ? command : undefined;
}

function objectIn(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

/**
 * The folder in rules. Worktrees of one repository share it, because each
 * conversation has its own.
 */
export function ruleFolder({
  id,
  folder,
  repository,
}: Conversation): string | undefined {
  return (
    folder
      ?.split('/')
      .map((part) => (idKey(part) === idKey(id) ? anyWords : part))
      .join('/') ?? repository
  );
}

/**
 * Returns the rules that accept all of these actions; `undefined` if one of
 * them needs the user's answer.
 */
export function acceptingRules(
  actions: readonly WaitingAction[],
  conversation: Conversation,
  { ask, accept }: ApprovalRules,
): readonly AcceptRule[] | undefined {
  const rules = accept.filter((rule) => holdsFor(rule, conversation));
  if (rules.length === 0 || actions.length === 0) return undefined;
  const used = new Set<AcceptRule>();
  for (const action of actions) {
    const command = commandOf(action);
    if (command === undefined || matchingRule(textOf(action), ask))
      return undefined;
    const commands = plainCommands(command);
    if (!commands) return undefined;
    for (const words of commands) {
      const rule = rules.find((candidate) => coversCommand(candidate, words));
      if (!rule) return undefined;
      used.add(rule);
    }
  }
  return [...used];
}

function holdsFor(rule: AcceptRule, conversation: Conversation): boolean {
  if (rule.conversation !== undefined)
    return rule.conversation === keyOf(conversation);
  const folder = ruleFolder(conversation);
  return (
    folder !== undefined &&
    rule.folder === folder &&
    rule.service === conversation.service
  );
}

/** True if the rule accepts a command of these words where it holds. */
export function coversCommand(
  { command }: AcceptRule,
  words: readonly string[],
): boolean {
  const rule = command.split(' ');
  const isOpen = rule.at(-1) === anyWords;
  const first = isOpen ? rule.slice(0, -1) : rule;
  return (
    first.length > 0 &&
    first.every((word, index) => word === words[index]) &&
    (isOpen || first.length === words.length)
  );
}

/** Programs whose first word names what they do. */
const programsWithSubcommands = new Set([
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'npx',
  'git',
  'cargo',
  'go',
  'uv',
  'uvx',
  'pip',
  'poetry',
  'dotnet',
  'gradle',
  './gradlew',
  'mvn',
  'make',
  'just',
  'rake',
  'bundle',
  'composer',
  'swift',
  'mix',
  'deno',
]);

/** Subcommands whose next word names a script or another program. */
const runners = new Set(['run', 'exec', 'task', 'tool', 'dlx']);

/**
 * The narrowest commands of rules that would accept these actions; `undefined`
 * if no rule can.
 */
export function proposedCommands(
  actions: readonly WaitingAction[],
  ask: readonly AskRule[],
): readonly string[] | undefined {
  const proposed = new Set<string>();
  for (const action of actions) {
    const command = commandOf(action);
    const commands = command === undefined ? undefined : plainCommands(command);
    if (!commands || matchingRule(textOf(action), ask)) return undefined;
    for (const words of commands) {
      const rule = proposedCommand(words);
      if (rule === undefined) return undefined;
      proposed.add(rule);
    }
  }
  return proposed.size > 0 ? [...proposed] : undefined;
}

/** Returns `undefined` for words that a rule could not tell apart. */
function proposedCommand(words: readonly string[]): string | undefined {
  const prefix = subcommandOf(words);
  if (prefix !== undefined) return `${prefix} ${anyWords}`;
  const isAmbiguous = words.some((word) => word === '' || /[\s*]/.test(word));
  return isAmbiguous ? undefined : words.join(' ');
}

function subcommandOf(words: readonly string[]): string | undefined {
  const [program = '', subcommand = '', script = ''] = words;
  if (!programsWithSubcommands.has(program)) return undefined;
  const names = runners.has(subcommand)
    ? [program, subcommand, script]
    : [program, subcommand];
  return names.every((name) => /^[A-Za-z0-9./]/.test(name) && !/\s/.test(name))
    ? names.join(' ')
    : undefined;
}

/** The text of an action as its service compares it with patterns. */
export function textOf({
  arguments: json,
  summary = '',
  toolName = '',
}: WaitingAction): string {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null)
      Object.values(value).forEach(collect);
  };
  collect(objectIn(json));
  return [...texts, summary, toolName]
    .join(' ')
    .normalize('NFKC')
    .replace(/\s+/g, ' ');
}

/** Returns the first rule that asks about a text. */
export function matchingRule(
  text: string,
  rules: readonly AskRule[],
): AskRule | undefined {
  return rules.find(({ pattern }) => {
    const expression = expressionOf(pattern);
    // The service may understand a pattern that this program does not.
    return expression === undefined || expression.test(text);
  });
}

/**
 * Returns `undefined` for a malformed pattern. Services ignore the case, too;
 * `(?i)` is how their patterns may say so.
 */
export function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern.replace(/^\(\?i\)/, ''), 'i');
  } catch {
    return undefined;
  }
}
