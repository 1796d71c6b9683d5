/** Add MCP Server: asks, shows what will change, and changes it. */
import { t } from '../../../base/l10n.ts';
import { askAll, back } from '../../asking/steps.ts';
import { inMessage } from '../../words/foreignText.ts';
import { acceptsExposure, askToContinue } from './confirm.ts';
import {
  allSteps,
  type ServerDraft,
  emptyServerDraft,
  serverOfDraft,
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
  titleFor,
} from './questions.ts';
import { askForValues } from './valueQuestions.ts';
import type { Place } from './place.ts';
import type { UnfinishedFlows } from './unfinishedFlows.ts';

export async function askForServer(place: Place, unfinished: UnfinishedFlows): Promise<void> {
  if (!(await place.isReady())) return;
  const draft = await takeUp(unfinished, place.service);
  if (!draft) return;
  for (;;) {
    // Whatever happens, what is entered is there the next time.
    unfinished.server = draft;
    if (!(await askForAll(place, draft))) return;
    draft.at = 'preview';
    const server = serverOfDraft(draft);
    if (!(await acceptsExposure([server]))) {
      draft.at = 'target';
      continue;
    }
    const { name, enabled } = draft;
    const steps = stepsOf(draft).length;
    const outcome = await place.confirm({
      title: titleFor(draft),
      step: steps,
      totalSteps: steps,
      changes: [{ do: 'add', name, server, enabled }],
      question: t('Add “{0}”?', inMessage(name)),
      said: enabled ? t('Added “{0}”.', inMessage(name)) : t('Added “{0}”, disabled.', inMessage(name)),
    });
    if (outcome === undefined) return;
    if (outcome === 'done') break;
    draft.at = outcome === back ? 'enabled' : 'name';
    if (outcome === 'taken') await place.refresh();
  }
  unfinished.server = undefined;
}

async function takeUp(
  { server }: UnfinishedFlows,
  service: string | undefined,
): Promise<ServerDraft | undefined> {
  if (!server || isEmpty(server)) return emptyServerDraft(service);
  const answer = await askToContinue(titleFor(server), summary(server));
  if (answer === undefined) return undefined;
  return answer === 'continue' ? server : emptyServerDraft(service);
}

/** Where there is nothing to lose, nothing is asked. */
function isEmpty({ transport, name }: ServerDraft): boolean {
  return transport === undefined && name === '';
}

async function askForAll(place: Place, draft: ServerDraft): Promise<boolean> {
  const questions: Readonly<Record<DraftStep, () => Promise<StepAnswer>>> = {
    transport: () => askForTransport(draft),
    name: () => askForName(draft, place),
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
