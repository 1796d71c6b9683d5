/** Proposes a message for a new conversation, from the content of the editor. Sends nothing. */
import { isThisMachine } from '../../../base/loopback.ts';
import { t } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import {
  firstMessageOf,
  type AgentAccess,
  type StartingPoint,
} from '../../../state/newConversation/firstMessage.ts';
import { withoutSecrets } from '../../../state/newConversation/withoutSecrets.ts';
import { confirm } from '../../ui/messages.ts';
import { findHere, type FoundHere } from './collectFromEditor.ts';
import { leftOutLine, startMessage } from '../../words/conversations/startWords.ts';
import {
  draftOf,
  type ConversationDraft,
  type CreationService,
  type MessageAnswers,
} from './newConversationQuestions.ts';

export async function proposeFromHere(
  point: StartingPoint,
  choosePlace: () => Promise<CreationService | undefined>,
): Promise<{ readonly message: string; readonly rest: MessageAnswers } | undefined> {
  const here = await findHere(point);
  const place = await choosePlace();
  if (!place) return undefined;
  const way = await wayOf(place, here);
  const start = firstMessageOf(here.found, way);
  const { origin } = here;
  const message = startMessage(start, origin);
  const draft = draftOf({
    message,
    repository: origin.repository,
    branch: origin.branch,
    folder: way === 'folder' ? here.folder : undefined,
  });
  const fromHere = {
    repository: way === 'repository' ? origin.repository : undefined,
    leftOut: start.leftOut.map((each) => leftOutLine(each)),
  };
  return { message, rest: { address: place.service.address, draft, failedId: undefined, fromHere } };
}

/** An agent in a local folder can read its files, unless another machine has the same address. */
async function wayOf({ service, creation }: CreationService, { folder }: FoundHere): Promise<AgentAccess> {
  if (!creation.folders) return 'repository';
  if (folder === undefined || !isThisMachine(new URL(service.address).hostname)) return 'none';
  const known = await creation.folders.suggested({}).catch(() => []);
  const isBelow = (parent: string) =>
    folder === parent || folder.startsWith(parent.replace(/[/\\]?$/, sep(parent)));
  return known.some(({ path }) => isBelow(path)) ? 'folder' : 'none';
}

function sep(path: string): string {
  return path.includes('\\') ? '\\' : '/';
}

/** Limits for the part of the message that the last question shows. */
const maxLines = 8;
const maxLineLength = 120;

/** Asks before anything is sent. */
export async function confirmFromHere(
  { service }: CreationService,
  draft: ConversationDraft,
  { repository, leftOut }: NonNullable<MessageAnswers['fromHere']>,
): Promise<boolean> {
  const { text, lines } = withoutSecrets(draft.message, 'message.ts');
  const shownLines = text.split('\n').filter((line) => line.trim() !== '');
  const isOther = repository !== undefined && draft.repository !== repository;
  const detail = [
    ...shownLines.slice(0, maxLines).map((line) => plainText(line, maxLineLength)),
    ...(shownLines.length > maxLines ? [t('… and {0} more lines', shownLines.length - maxLines)] : []),
    '',
    t('Nothing has been sent yet.'),
    ...(isOther
      ? [t('It refers to files of {0}, which the agent will not have.', plainText(repository))]
      : []),
    ...(lines.length > 0
      ? [t('These lines may still contain secrets: {0}', lines.slice(0, 20).join(', '))]
      : []),
    ...(leftOut.length > 0 ? ['', t('Left out:'), ...leftOut.slice(0, 20)] : []),
    ...(leftOut.length > 20 ? ['…'] : []),
  ];
  return await confirm(t('Create this conversation at {0}?', service.name), detail, t('Create'));
}
