/** Add MCP Server: asks for its command or URL, shows what will change and what else can be set, and changes it. */
import { t } from '../../../base/l10n.ts';
import { back } from '../../ui/steps.ts';
import { inMessage } from '../../words/foreignText.ts';
import { acceptsExposure, askToContinue } from './confirm.ts';
import {
  type DraftStep,
  emptyServerDraft,
  followTarget,
  optionsOf,
  type ServerDraft,
  serverOfDraft,
  summary,
} from './draft.ts';
import {
  askForAuthentication,
  askForName,
  askForState,
  askForTarget,
  askForTransport,
  titleFor,
} from './questions.ts';
import { askForValues } from './valueQuestions.ts';
import type { Place } from './place.ts';
import type { UnfinishedFlows } from './unfinishedFlows.ts';
import { addPasted } from './textFlow.ts';

export async function askForServer(place: Place, unfinished: UnfinishedFlows): Promise<void> {
  if (!(await place.isReady())) return;
  const draft = await takeUp(unfinished, place.service);
  if (!draft) return;
  // Whatever happens, what is entered is there the next time.
  unfinished.server = draft;
  for (;;) {
    const answer = await ask(place, draft);
    if (answer === undefined) return;
    if (typeof answer === 'object') {
      unfinished.server = undefined;
      await addPasted(place, answer, unfinished);
      return;
    }
    draft.at = 'preview';
    followTarget(draft, place.names());
    const server = serverOfDraft(draft);
    if (!(await acceptsExposure([server]))) {
      draft.at = 'target';
      continue;
    }
    const { name, enabled } = draft;
    const outcome = await place.confirm({
      title: titleFor(draft),
      changes: [{ do: 'add', name, server, enabled }],
      options: optionsOf(draft),
      question: t('Add “{0}”?', inMessage(name)),
      said: enabled ? t('Added “{0}”.', inMessage(name)) : t('Added “{0}”, disabled.', inMessage(name)),
    });
    if (outcome === undefined) return;
    if (outcome === 'done') break;
    draft.at = outcome === back ? 'target' : outcome === 'taken' ? 'name' : outcome.step;
    if (outcome === 'taken') await place.refresh();
  }
  unfinished.server = undefined;
}

async function takeUp(
  { server }: UnfinishedFlows,
  service: string | undefined,
): Promise<ServerDraft | undefined> {
  // An empty draft is dropped without a question.
  if (!server || server.target.trim() === '') return emptyServerDraft(service);
  const answer = await askToContinue(titleFor(server), summary(server));
  if (answer === undefined) return undefined;
  return answer === 'continue' ? server : emptyServerDraft(service);
}

async function ask(place: Place, draft: ServerDraft): ReturnType<typeof askForTarget> {
  const questions: Readonly<Record<DraftStep, () => ReturnType<typeof askForTarget>>> = {
    target: () => askForTarget(draft),
    preview: () => Promise.resolve('next'),
    name: () => askForName(draft, place),
    transport: () => askForTransport(draft),
    values: () => askForValues(draft),
    authentication: () => askForAuthentication(draft),
    enabled: () => askForState(draft),
  };
  return await questions[draft.at]();
}
