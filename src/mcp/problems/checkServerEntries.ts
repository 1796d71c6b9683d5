/** A single server. */
import { t } from '../../base/l10n.ts';
import { quoted } from '../format/document.ts';
import { checkAddress } from './urls.ts';
import { checkDuplicates } from './duplicates.ts';
import { removeFix, renameFix } from './fixes.ts';
import { checkHeaders, checkVariables } from './headersAndVariables.ts';
import { checkKeys } from './unknownKeys.ts';
import { checkKind } from './commandOrUrl.ts';
import { checkLeftovers } from './unfilledValues.ts';
import { checkLineCommand } from './lineCommand.ts';
import type { Review } from './problem.ts';
import { checkTimeout } from './timeout.ts';
import { checkTransport } from './transports.ts';
import { Entry, isObjectEntry, type ObjectEntry } from '../format/entry.ts';
import { type Member, type ObjectNode, nameSpan, stringOf } from '../text/nodes.ts';
import { reportValue } from './badValues.ts';
import { checkEnabled, checkVariableValues } from './oddValues.ts';
import { checkTools } from './checkTools.ts';

export function checkServerEntries(review: Review, servers: ObjectNode): void {
  for (const field of checkDuplicates(review, 'duplicateServer', servers)) {
    checkName(review, servers, field);
    const entry = new Entry(field);
    if (isObjectEntry(entry)) checkEntry(review, entry);
    else reportNoObject(review, servers, field);
  }
}

function checkEntry(review: Review, entry: ObjectEntry): void {
  checkDuplicates(review, 'duplicateKey', entry.object);
  checkKind(review, entry, checkKeys(review, entry));
  if (review.readsEntries) for (const fault of entry.reading.faults) reportValue(review, entry, fault);
  checkTransport(review, entry);
  checkEnabled(review, entry);
  checkVariableValues(review, entry);
  checkTools(review, entry);
  checkTimeout(review, entry);
  checkAddress(review, entry);
  checkCommand(review, entry);
  checkLineCommand(review, entry);
  checkLeftovers(review, entry);
  for (const name of ['env', 'headers']) {
    const record = entry.record(name);
    if (!record) continue;
    checkDuplicates(review, 'duplicateKey', record);
    if (name === 'headers') checkHeaders(review, record);
    else checkVariables(review, record);
  }
}

function checkName(review: Review, servers: ObjectNode, field: Member): void {
  if (field.name.trim() !== '') return;
  const taken = new Set(servers.members.map(({ name }) => name));
  const message = t('This server has no name. Give it one.');
  review.report('emptyName', nameSpan(field), message, {
    fixes: () => {
      let name = 'server';
      for (let i = 2; taken.has(name); i++) name = `server-${i}`;
      return [renameFix(review.found, field, name, false)];
    },
  });
}

function reportNoObject(review: Review, servers: ObjectNode, field: Member): void {
  if (!review.readsEntries) return;
  const message = t('{0} is not an object with "command" or "url". Change or remove it.', quoted(field.name));
  review.refuse('notAnObject', field.value, message, {
    fixes: () => [removeFix(review.found, servers, field)],
  });
}

function checkCommand(review: Review, entry: ObjectEntry): void {
  const field = entry.keys.get('command');
  if (field && stringOf(field.value)?.trim() === '') {
    review.report('emptyCommand', field.value, t('The command is empty. Enter the program to start.'));
  }
}
