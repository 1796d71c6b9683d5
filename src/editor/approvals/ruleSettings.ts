/** Reads and changes the approval rules in the settings of the user. */
import {
  type AskRule,
  type ConversationKey,
  isConversationKey,
} from '../../service/model/entities.ts';
import type {
  AcceptRule,
  ApprovalRules,
} from '../../state/approvalRules/acceptRules.ts';
import { changeSetting, setting } from '../settings.ts';

/**
 * The rules in force. Malformed ones are ignored, but not a malformed pattern:
 * the action that it is for would no longer be asked for.
 */
export function approvalRules(): ApprovalRules {
  return {
    ask: setting('approval.askFor').flatMap(askRule),
    accept: setting('approval.accept').flatMap(acceptRule),
  };
}

function askRule(entry: unknown): AskRule | readonly [] {
  const { sentence, pattern } = fieldsOf(entry);
  return typeof sentence === 'string' && typeof pattern === 'string'
    ? { sentence, pattern }
    : [];
}

function acceptRule(entry: unknown): AcceptRule | readonly [] {
  const { command, conversation, folder, service } = fieldsOf(entry);
  if (typeof command !== 'string') return [];
  if (isConversationKey(conversation)) return { command, conversation };
  return typeof folder === 'string' && typeof service === 'string'
    ? { command, folder, service }
    : [];
}

function fieldsOf(entry: unknown): Readonly<Record<string, unknown>> {
  return typeof entry === 'object' && entry !== null
    ? (entry as Record<string, unknown>)
    : {};
}

export async function setAskRules(rules: readonly AskRule[]): Promise<void> {
  await changeSetting('approval.askFor', rules);
}

export async function setAcceptRules(
  rules: readonly AcceptRule[],
): Promise<void> {
  await changeSetting('approval.accept', rules);
}

/** Drops the rules of a deleted conversation. */
export async function forgetRulesOf(key: ConversationKey): Promise<void> {
  const { accept } = approvalRules();
  const others = accept.filter(({ conversation }) => conversation !== key);
  if (others.length < accept.length) await setAcceptRules(others);
}
