/**
 * Sending MCP servers to a service: what will be in its settings is shown first, and secrets only go there after a
 * question that names them.
 */
import type { QuickPickItem } from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { t } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { mask } from '../../../base/secret.ts';
import { ServiceError } from '../../../service/serviceError.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import type { ForService } from '../../../state/mcpServers/serverForService.ts';
import { serverText } from '../../../state/mcpServers/serviceServers.ts';
import { confirmLines } from '../../ui/confirmLines.ts';
import { showError, showInformation } from '../../ui/messages.ts';
import { askPick, back } from '../../ui/steps.ts';
import { showPreview } from '../../ui/previews.ts';
import { inMessage, inPick } from '../../words/foreignText.ts';
import { serverName } from '../../words/mcpServers/serverWords.ts';
import {
  type Sending,
  sendingQuestion,
  settingsBeforeAndAfter,
} from '../../words/mcpServers/sendingWords.ts';
import { rowOf } from '../add/confirm.ts';
import type { PlanOption } from '../add/draft.ts';
import { changing } from './chosen.ts';

interface SendPlan {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly hasBack?: boolean;
  readonly options?: readonly PlanOption[];
  readonly question: string;
  /** On the button that goes on. */
  readonly action: string;
  readonly servers: readonly Translated[];
}

interface Translated {
  readonly name: string;
  readonly translated: ForService;
}

/** `taken`: one of the names has become that of another server. */
type SendOutcome = 'done' | 'taken' | typeof back | PlanOption | undefined;

/** What takes the place of another one is replaced. Undefined when it was given up, and its reason has been told. */
export async function sendServers(service: ConnectedService, plan: SendPlan): Promise<SendOutcome> {
  const place = plainText(service.name, 80);
  const wanted = plan.servers.map((each) => sendingOf(service, each));
  const answer = await preview(service, plan, wanted);
  if (answer !== 'send') return answer;
  const { question, lines } = sendingQuestion(wanted, place, service.address);
  const isSure =
    lines.length === 0 ||
    (await confirmLines({
      ...{ question, lines },
      button: t('Send'),
      title: t('What is sent to {0}', place),
      beside: t('What is sent is shown in the editor'),
    }));
  if (!isSure) return undefined;
  const outcome = await store(service, wanted);
  if (outcome === 'done') void tellSent(service, wanted);
  return outcome;
}

function sendingOf(service: ConnectedService, { name, translated }: Translated): Sending {
  const { server, remarks } = translated;
  if (!server) {
    const place = plainText(service.name, 80);
    throw new UserError(
      t('“{0}” cannot be added to {1}. {2}', serverName({ name }), place, remarks.at(-1) ?? ''),
    );
  }
  return { name, server, translated, replaces: service.toolServers.find(name) };
}

type PreviewItem = QuickPickItem & { readonly answer: 'send' | typeof back | PlanOption | undefined };

async function preview(
  { name, address }: ConnectedService,
  { title, step, totalSteps, hasBack = false, options = [], question, action }: SendPlan,
  wanted: readonly Sending[],
): Promise<PreviewItem['answer']> {
  const place = plainText(name, 80);
  const previous: PreviewItem = {
    label: t('Back'),
    description: t('To the previous question'),
    answer: back,
  };
  const items: readonly PreviewItem[] = [
    {
      label: action,
      description: t('Change the settings of {0} as shown', inPick(place)),
      answer: 'send',
    },
    ...options.map((option) => ({ ...rowOf(option), answer: option })),
    ...(hasBack && options.length === 0 ? [previous] : []),
    ...(options.length === 0 ? [{ label: t('Cancel'), answer: undefined }] : []),
  ];
  const lines = [
    t('Preview of the MCP servers in the settings of {0}', place),
    plainText(address, 200),
    t('Secrets are shown as {0}, here only.', mask),
    t('Nothing is sent before you choose {0}.', action),
  ];
  // Above both sides, where the question covers the first lines.
  const head = `${lines.map((line) => `// ${line}`).join('\n')}\n\n\n${'\n'.repeat(options.length)}`;
  const [before, after] = settingsBeforeAndAfter(wanted);
  const shown = await showPreview(
    head + before,
    head + after,
    t('What will change at {0} (secrets masked)', place),
  );
  try {
    const answer = await askPick({
      ...{ title, ...(step !== undefined && { step, totalSteps }), hasBack },
      stays: true,
      items,
      placeholder: `${question} ${t('Secrets are masked in the preview.')}`,
    });
    return answer === undefined || answer === back ? answer : answer.answer;
  } finally {
    shown.dispose();
  }
}

/** Tells why it failed, and goes on with those that are left if the person wants that. */
async function store(service: ConnectedService, wanted: readonly Sending[]): Promise<SendOutcome> {
  const left = [...wanted];
  for (;;) {
    try {
      await service.toolServers.change(async (ability) => {
        const changes = changing(ability);
        for (let next = left[0]; next; next = left[0]) {
          const { name, server, translated, replaces } = next;
          await (replaces
            ? changes.replace(replaces, server, translated.enabled)
            : changes.add(name, server, translated.enabled));
          left.shift();
        }
      });
      return 'done';
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const done = wanted.slice(0, wanted.length - left.length).map(({ name }) => serverName({ name }));
      const why =
        done.length === 0 ? error.message : t('Only {0} got there. {1}', done.join(', '), error.message);
      if (isTaken(error)) {
        // Not waited for: the question that it is about comes again.
        void showError(why);
        return 'taken';
      }
      const again = t('Try Again');
      if ((await showError(why, again)) !== again) return undefined;
    }
  }
}

function isTaken(error: UserError): boolean {
  return error instanceof ServiceError && error.failure.kind === 'rejected' && error.failure.status === 409;
}

/** What has taken the place of another one cannot be undone, because nobody knows the secrets of that one. */
async function tellSent(service: ConnectedService, sent: readonly Sending[]): Promise<void> {
  const place = plainText(service.name, 80);
  const [one] = sent;
  const said =
    sent.length === 1 && one
      ? t('“{0}” is in the settings of {1} now. Agents get it when they start.', serverName(one), place)
      : t(
          '{0} MCP servers are in the settings of {1} now. Agents get them when they start.',
          sent.length,
          place,
        );
  const { toolServers } = service;
  const texts = () =>
    sent.map(({ name }) => {
      const found = toolServers.find(name);
      return found && serverText(found);
    });
  const before = texts();
  const undo = t('Undo');
  const buttons = sent.some(({ replaces }) => replaces) ? [] : [undo];
  if ((await showInformation(inMessage(said), ...buttons)) !== undo) return;
  try {
    await toolServers.refresh();
    if (toolServers.error) throw toolServers.error;
    if (texts().some((text, at) => text !== before[at])) {
      throw new UserError(t('The servers were changed at {0} since, so nothing was undone.', place));
    }
    await toolServers.change(async (ability) => {
      for (const { name } of sent) await changing(ability).remove(name);
    });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    void showError(error.message);
  }
}
