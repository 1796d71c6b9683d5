/** Add MCP Server: asks, shows what will change, and changes it. */
import { t } from '../../../base/l10n.ts';
import { askAll, back } from '../../asking/steps.ts';
import { inMessage } from '../../words/foreignText.ts';
import { acceptsExposure, askToContinue, confirmChanges, refuseUnreadable } from './confirm.ts';
import {
  allSteps,
  type ServerDraft,
  emptyServerDraft,
  serverOf,
  type DraftStep,
  stepsOf,
  summary,
} from './draft.ts';
import {
  type StepAnswer,
  askForAuthentication,
  askForAuthorization,
  askForName,
  askForState,
  askForTarget,
  askForTransport,
  title,
} from './questions.ts';
import { askForValues } from './valueQuestions.ts';
import type { ServerParts } from '../handlers.ts';
import type { UnfinishedFlows } from './unfinishedFlows.ts';

export async function askForServer(parts: ServerParts, unfinished: UnfinishedFlows): Promise<void> {
  if (await refuseUnreadable(parts)) return;
  const draft = await takeUp(unfinished);
  if (!draft) return;
  for (;;) {
    // Whatever happens, what is entered is there the next time.
    unfinished.server = draft;
    if (!(await askForAll(parts, draft))) return;
    draft.at = 'preview';
    const server = serverOf(draft);
    if (!(await acceptsExposure([server]))) {
      draft.at = 'target';
      continue;
    }
    const { name, enabled } = draft;
    const steps = stepsOf(draft).length;
    const outcome = await confirmChanges(parts, {
      title: title(),
      step: steps,
      totalSteps: steps,
      changes: [{ do: 'add', name, server, enabled }],
      question: t('Add “{0}”?', inMessage(name)),
      said: enabled ? t('Added “{0}”.', inMessage(name)) : t('Added “{0}”, disabled.', inMessage(name)),
    });
    if (outcome === undefined) return;
    if (outcome === 'done') break;
    draft.at = outcome === back ? 'enabled' : 'name';
    if (outcome === 'taken') await parts.servers.refresh();
  }
  unfinished.server = undefined;
}

async function takeUp({ server }: UnfinishedFlows): Promise<ServerDraft | undefined> {
  if (!server || isEmpty(server)) return emptyServerDraft();
  const answer = await askToContinue(title(), summary(server));
  if (answer === undefined) return undefined;
  return answer === 'continue' ? server : emptyServerDraft();
}

/** Where there is nothing to lose, nothing is asked. */
function isEmpty({ transport, name }: ServerDraft): boolean {
  return transport === undefined && name === '';
}

async function askForAll(parts: ServerParts, draft: ServerDraft): Promise<boolean> {
  const taken = () => new Set(parts.servers.document.entries.map(({ name }) => name));
  const questions: Readonly<Record<DraftStep, () => Promise<StepAnswer>>> = {
    transport: () => askForTransport(draft),
    name: () => askForName(draft, taken),
    target: () => askForTarget(draft),
    values: () => askForValues(draft),
    authentication: () => askForAuthentication(draft),
    authorization: () => askForAuthorization(draft),
    enabled: () => askForState(draft),
    preview: () => Promise.resolve('skip'),
  };
  return await askAll(
    allSteps.map((step) => async () => {
      const answer = await questions[step]();
      if (answer === undefined) draft.at = step;
      return answer;
    }),
    allSteps.indexOf(draft.at),
  );
}
