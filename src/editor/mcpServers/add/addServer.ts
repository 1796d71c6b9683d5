/**
 * Add MCP Server: asks for a command or URL, previews the change with all that
 * can be set, and makes it.
 */
import type { QuickPickItem } from 'vscode';
import { t } from '../../../base/l10n.ts';
import { mask, Secret } from '../../../base/secret.ts';
import {
  askPick,
  askToKeepText,
  askToKeepValue,
  back,
  type StepAnswer,
} from '../../ui/steps.ts';
import { inMessage, inPick } from '../../words/foreignText.ts';
import {
  addPasted,
  loadTextReader,
  recognizedServers,
} from './addServersFromText.ts';
import {
  confirmAdding,
  continueOrStart,
  type ServerDestination,
} from './confirmChanges.ts';
import type { PastedBatch, UnfinishedFlows } from './pastedBatch.ts';
import {
  authenticationLabels,
  authorizationRemark,
  type DraftStep,
  draftOptions,
  draftSummary,
  draftValues,
  emptyServerDraft,
  followTarget,
  nameProblem,
  type ServerDraft,
  serverOfDraft,
  targetProblem,
  targetRemark,
  valueNameProblem,
  valueProblem,
  valueRemark,
  valueWords,
} from './serverDraft.ts';

export async function askForServer(
  destination: ServerDestination,
  unfinished: UnfinishedFlows,
): Promise<void> {
  const { server: last } = unfinished;
  const draft = await continueOrStart(
    titleFor(destination),
    last && last.target.trim() !== ''
      ? { answers: last, summary: draftSummary(last) }
      : undefined,
    () => emptyServerDraft(destination.service),
  );
  if (!draft) return;
  // Kept for the next time, however this flow ends.
  unfinished.server = draft;
  for (;;) {
    const answer = await questions[draft.at](draft, destination);
    if (answer === undefined) return;
    if (typeof answer === 'object') {
      unfinished.server = undefined;
      await addPasted(destination, answer, unfinished);
      return;
    }
    draft.at = 'preview';
    followTarget(draft, destination.names());
    const { name, enabled } = draft;
    const outcome = await confirmAdding(destination, {
      title: titleFor(draft),
      changes: [{ do: 'add', name, server: serverOfDraft(draft), enabled }],
      options: draftOptions(draft),
      question: t('Add “{0}”?', inMessage(name)),
      doneMessage: enabled
        ? t('Added “{0}”.', inMessage(name))
        : t('Added “{0}”, disabled.', inMessage(name)),
    });
    if (outcome === undefined) return;
    if (outcome === 'done') break;
    if (outcome === 'taken') draft.at = 'name';
    else draft.at = outcome === back ? 'target' : outcome.step;
  }
  unfinished.server = undefined;
}

type Question = (
  draft: ServerDraft,
  destination: ServerDestination,
) => Promise<StepAnswer | PastedBatch> | 'next';

/** Questions keep the typed text in the draft, even if they are given up. */
const questions: Readonly<Record<DraftStep, Question>> = {
  target: askForTarget,
  preview: () => 'next',
  name: askForName,
  transport: (draft) => {
    draft.transport = draft.transport === 'http' ? 'sse' : 'http';
    return 'next';
  },
  values: askForValues,
  authentication: askForAuthentication,
  enabled: (draft) => {
    draft.enabled = !draft.enabled;
    return 'next';
  },
};

function titleFor({ service }: Pick<ServerDraft, 'service'>): string {
  return service === undefined
    ? t('Add MCP Server')
    : t('Add MCP Server to {0}', service);
}

/**
 * Settings of a question that is asked only on request, and leads back to the
 * preview.
 */
function optional(draft: ServerDraft) {
  return { title: titleFor(draft), stays: true, hasBack: true };
}

/** Returns a batch if servers were pasted instead of a command or a URL. */
async function askForTarget(
  draft: ServerDraft,
): Promise<StepAnswer | PastedBatch> {
  const read = await loadTextReader();
  /** Undefined for the command or the URL of one server. */
  const pastedIn = (typed: string) => {
    const batch = read(typed, 'typed');
    const isPasted =
      /^\s*[[{"]/.test(typed) ||
      (typeof batch !== 'string' &&
        batch.items.some(({ pasted }) => !pasted.isGuess));
    return isPasted ? batch : undefined;
  };
  const answer = await askToKeepText(
    {
      title: titleFor(draft),
      stays: true,
      value: draft.target,
      prompt: t(
        'Command or URL of the server, or JSON with servers. Nothing is run or requested now.',
      ),
      placeholder: t(
        'npx -y mcp-server-files "/srv/my files", or https://example.com/mcp',
      ),
      validate: (typed) => {
        const batch = pastedIn(typed) ?? targetProblem(typed);
        return typeof batch === 'string' ? batch : undefined;
      },
      remark: (typed) => {
        const batch = pastedIn(typed);
        return typeof batch === 'object'
          ? recognizedServers(batch)
          : targetRemark(typed);
      },
    },
    (typed) => {
      draft.target = typed;
    },
  );
  const batch = answer === 'next' ? pastedIn(draft.target) : undefined;
  return typeof batch === 'object' ? batch : answer;
}

async function askForName(
  draft: ServerDraft,
  destination: ServerDestination,
): Promise<StepAnswer> {
  const answer = await askToKeepText(
    {
      ...optional(draft),
      value: draft.name,
      prompt: t(
        'Name of the server, as agents and the list of servers show it',
      ),
      placeholder: 'github',
      validate: (name) =>
        destination.nameProblem(name) ?? nameProblem(name, destination.names()),
    },
    (name) => {
      draft.name = name.trim();
    },
  );
  if (answer === 'next') draft.isNamed = true;
  return answer;
}

async function askForAuthentication(draft: ServerDraft): Promise<StepAnswer> {
  const items = [
    {
      value: 'none',
      detail: t(
        'The server needs no sign-in, or has its key in a header already',
      ),
    },
    { value: 'header', detail: t('Such as a bearer token') },
    {
      value: 'oauth',
      detail: t('The program that runs the agent signs in when it needs to'),
    },
  ] as const;
  let chosen = draft.authentication;
  const answer = await askToKeepValue<ServerDraft['authentication']>(
    {
      ...optional(draft),
      items: items.map((item) => ({
        ...item,
        label: authenticationLabels[item.value],
      })),
      placeholder: t('How agents sign in to the server'),
    },
    chosen,
    (authentication) => {
      chosen = authentication;
    },
  );
  const isComplete =
    answer === 'next' && chosen === 'header'
      ? await askForAuthorization(draft)
      : answer;
  if (isComplete === 'next') draft.authentication = chosen;
  return isComplete;
}

async function askForAuthorization(draft: ServerDraft): Promise<StepAnswer> {
  return await askToKeepText(
    {
      ...optional(draft),
      value: draft.authorization.reveal(),
      hidden: true,
      prompt: t(
        'Value of the Authorization header, such as “Bearer”, a space and the token. Your input is hidden.',
      ),
      validate: (value) => valueProblem(draft, value),
      remark: authorizationRemark,
    },
    (value) => {
      draft.authorization = new Secret(value);
    },
  );
}

interface ValueItem extends QuickPickItem {
  readonly does: 'done' | 'add' | 'change';
  readonly name?: string;
}

async function askForValues(draft: ServerDraft): Promise<StepAnswer> {
  for (;;) {
    const names = [...draftValues(draft).keys()];
    const words = valueWords(draft);
    const none = names.length === 0;
    const items: ValueItem[] = [
      {
        does: 'done',
        label: none ? words.none : t('Done'),
        description: none ? '' : words.count(names.length),
      },
      { does: 'add', label: none ? words.add : words.addAnother },
      ...names.map((name) => ({
        does: 'change' as const,
        name,
        label: inPick(name),
        description: mask,
        detail: t('Choose to change its value or remove it'),
      })),
    ];
    const answer = await askPick({
      ...optional(draft),
      items,
      active: items[draft.typing.name === '' ? 0 : 1],
      placeholder: none ? words.needed : words.choose,
    });
    if (answer === undefined || answer === back) return answer;
    if (answer.does === 'done') return 'next';
    const { name } = answer;
    const valueAnswer =
      name === undefined
        ? await askForNewValue(draft)
        : await askToChange(draft, name);
    if (valueAnswer === undefined) return undefined;
  }
}

async function askForNewValue(draft: ServerDraft): Promise<StepAnswer> {
  const words = valueWords(draft);
  const { typing } = draft;
  for (;;) {
    const nameAnswer = await askToKeepText(
      {
        ...optional(draft),
        value: typing.name,
        prompt: words.name,
        placeholder: words.example,
        validate: (text) => valueNameProblem(draft, text),
      },
      (text) => {
        typing.name = text;
      },
    );
    if (nameAnswer !== 'next') return nameAnswer;
    const name = typing.name.trim();
    const answer = await askForValue(draft, name, typing.value, (value) => {
      typing.value = value;
    });
    if (answer === back) continue;
    if (answer === undefined) return undefined;
    draftValues(draft).set(name, typing.value);
    draft.typing = { name: '', value: new Secret('') };
    return 'next';
  }
}

async function askForValue(
  draft: ServerDraft,
  name: string,
  oldValue: Secret,
  keep: (value: Secret) => void,
): Promise<StepAnswer> {
  return await askToKeepText(
    {
      ...optional(draft),
      value: oldValue.reveal(),
      hidden: true,
      prompt: valueWords(draft).value(name),
      validate: (value) => valueProblem(draft, value),
      remark: valueRemark,
    },
    (value) => {
      keep(new Secret(value));
    },
  );
}

async function askToChange(
  draft: ServerDraft,
  name: string,
): Promise<StepAnswer> {
  const values = draftValues(draft);
  const change = { label: t('Change Value') };
  const answer = await askPick({
    ...optional(draft),
    items: [change, { label: t('Remove') }],
    placeholder: valueWords(draft).change(inPick(name)),
  });
  if (answer === undefined || answer === back) return answer;
  if (answer !== change) {
    values.delete(name);
    return 'next';
  }
  let value = values.get(name) ?? new Secret('');
  const valueAnswer = await askForValue(draft, name, value, (typed) => {
    value = typed;
  });
  if (valueAnswer === 'next') values.set(name, value);
  return valueAnswer;
}
