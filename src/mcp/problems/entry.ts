/** A single server. */
import { t } from '../../base/l10n.ts';
import { quoted } from '../document.ts';
import { checkAddress } from './address.ts';
import { checkDuplicates } from './duplicates.ts';
import { removeFix, renameFix } from './fixes.ts';
import { checkHeaders } from './headers.ts';
import { checkKeys } from './keys.ts';
import { checkKind } from './kinds.ts';
import { checkLeftovers } from './leftovers.ts';
import { checkLineCommand } from './lineCommand.ts';
import type { Review } from './problem.ts';
import { checkTransport } from './transport.ts';
import { Entry } from './servers.ts';
import { type Field, type Fields, nameOf, stringOf } from './tree.ts';
import { checkTypes } from './types.ts';

export function checkServers(review: Review, servers: Fields): void {
  for (const field of checkDuplicates(review, 'duplicateServer', servers)) {
    checkName(review, servers, field);
    const fields = field.value.fields;
    if (fields) checkEntry(review, new Entry(field, fields));
    else reportNoObject(review, servers, field);
  }
}

function checkEntry(review: Review, entry: Entry): void {
  checkDuplicates(review, 'duplicateKey', entry.fields);
  checkKind(review, entry, checkKeys(review, entry));
  checkTypes(review, entry);
  checkTransport(review, entry);
  checkAddress(review, entry);
  checkCommand(review, entry);
  checkLineCommand(review, entry);
  checkLeftovers(review, entry);
  for (const name of ['env', 'headers']) {
    const record = entry.record(name);
    if (!record) continue;
    checkDuplicates(review, 'duplicateKey', record);
    if (name === 'headers') checkHeaders(review, record);
  }
}

function checkName(review: Review, servers: Fields, field: Field): void {
  if (field.name.trim() !== '') return;
  const taken = new Set(servers.members.map(({ name }) => name));
  const message = t('This server has no name, so nothing can be said about it. Give it one.');
  review.report('emptyName', nameOf(field), message, {
    fixes: () => {
      let name = 'server';
      for (let i = 2; taken.has(name); i++) name = `server-${i}`;
      return [renameFix(review.found, field, name, false)];
    },
  });
}

function reportNoObject(review: Review, servers: Fields, field: Field): void {
  const message = t('{0} is not an object with "command" or "url". Change or remove it.', quoted(field.name));
  review.report('notAnObject', field.value, message, {
    fixes: () => [removeFix(review.found, servers, field)],
  });
}

function checkCommand(review: Review, entry: Entry): void {
  const field = entry.get('command');
  if (field && stringOf(field.value)?.trim() === '') {
    review.report('emptyCommand', field.value, t('The command is empty. Write the program to start.'));
  }
}
