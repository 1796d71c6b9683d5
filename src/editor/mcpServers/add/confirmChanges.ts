/**
 * The last step of adding servers: a preview of what will change, and the
 * change itself.
 */
import { type QuickPickItem, ThemeIcon, window } from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { t } from '../../../base/l10n.ts';
import { maskUrl } from '../../../base/masks/maskUrl.ts';
import { mask, type Secret } from '../../../base/secret.ts';
import { editText } from '../../../mcp/edit/editText.ts';
import type { Change } from '../../../mcp/edit/wantedChange.ts';
import type { RemoteServer, Server } from '../../../mcp/format/server.ts';
import { findProblems } from '../../../mcp/problems/findProblems.ts';
import { Refusal } from '../../../mcp/text/refusal.ts';
import { confirm, showInformation, showWarning } from '../../ui/messages.ts';
import { showPreview } from '../../ui/previews.ts';
import { askPick, back } from '../../ui/steps.ts';
import { inMessage, inPick } from '../../words/foreignText.ts';
import { readersOfFile } from '../../words/mcpServers/serverWords.ts';
import { shownPath } from '../../words/shownPath.ts';
import {
  changeServers,
  offerToOpenConfig,
  type ServerFileParts,
} from '../ofFile/changeServers.ts';
import { maskBoth } from './maskConfigText.ts';
import type { DraftOption } from './serverDraft.ts';

/**
 * The place that servers are added to: the file, or the settings of a service.
 */
export interface ServerDestination {
  /** The name of the service; undefined for the file. */
  readonly service: string | undefined;
  /** False if nothing can be added; a message has said why. */
  isReady(): Promise<boolean>;
  refresh(): Promise<void>;
  names(): ReadonlySet<string>;
  /** The reason why this place rejects a name, apart from being taken. */
  nameProblem(name: string): string | undefined;
  confirm(plan: ChangePlan): Promise<ConfirmOutcome>;
}

export interface PlanPosition {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
  /**
   * Rows that lead to a question that changes the plan. They replace Back and
   * Cancel.
   */
  readonly options?: readonly DraftOption[];
  readonly question: string;
}

interface ChangePlan extends PlanPosition {
  readonly changes: readonly Change[];
  /** Entered secrets, which may appear anywhere in the text. */
  readonly secrets?: readonly Secret[];
  readonly doneMessage: string;
}

/**
 * `taken`: another server has got one of the names. Undefined if given up; any
 * failure has been shown.
 */
export type ConfirmOutcome = 'done' | 'taken' | PreviewAnswer;
type PreviewAnswer = typeof back | DraftOption | undefined;

interface Preview extends PlanPosition {
  readonly hasBack: boolean;
  readonly accept: QuickPickItem;
  readonly head: readonly string[];
  readonly before: string;
  readonly after: string;
  readonly editorTitle: string;
}

type PreviewItem = QuickPickItem & {
  readonly answer: 'accept' | PreviewAnswer;
};

/** Shows both texts side by side while it asks. */
export async function askWithPreview(
  preview: Preview,
): Promise<'accept' | PreviewAnswer> {
  const {
    title,
    step,
    totalSteps,
    options = [],
    question,
    hasBack,
    accept,
    head,
    ...texts
  } = preview;
  const goBack: PreviewItem = {
    label: t('Back'),
    description: t('To the previous question'),
    answer: back,
  };
  const cancel: PreviewItem = { label: t('Cancel'), answer: undefined };
  const keptHint = t('Your input is kept for next time');
  const items: PreviewItem[] = [
    { ...accept, answer: 'accept' },
    ...options.map((option) => ({
      label: option.label,
      description: inPick(option.description),
      iconPath: new ThemeIcon('edit'),
      answer: option,
    })),
  ];
  if (options.length === 0)
    items.push(
      ...(hasBack ? [goBack, { ...cancel, description: keptHint }] : [cancel]),
    );
  // The question covers the first lines of both sides.
  const above = `${head.map((line) => `// ${line}`).join('\n')}\n\n\n${'\n'.repeat(options.length)}`;
  const previewEditor = await showPreview(
    above + texts.before,
    above + texts.after,
    texts.editorTitle,
  );
  try {
    const answer = await askPick({
      title,
      ...(step !== undefined && { step, totalSteps }),
      hasBack,
      stays: true,
      items,
      placeholder: `${question} ${t('Secrets are masked in the preview.')}`,
    });
    return typeof answer === 'object' ? answer.answer : answer;
  } finally {
    await previewEditor.close();
  }
}

export function fileDestination(parts: ServerFileParts): ServerDestination {
  const { config, servers } = parts;
  return {
    service: undefined,
    isReady: async () => {
      await servers.refresh();
      // Throws if a setting names no valid file.
      await config.read();
      const { problem } = servers;
      if (!problem) return true;
      await offerToOpenConfig(
        t(
          'Nothing can be added to the configuration file until it is valid. {0}',
          inMessage(problem.message),
        ),
      );
      return false;
    },
    refresh: () => servers.refresh(),
    names: () => new Set(servers.entries.map(({ name }) => name)),
    nameProblem: () => undefined,
    confirm: (plan) => confirmInFile(parts, plan),
  };
}

async function confirmInFile(
  parts: ServerFileParts,
  { changes, secrets, doneMessage, ...position }: ChangePlan,
): Promise<ConfirmOutcome> {
  let all = changes;
  for (;;) {
    try {
      const { path, text = '' } = await parts.config.read();
      const changed = all.reduce(
        (now, change) => editText(now, change).text,
        text,
      );
      const answer = await askWithPreview({
        ...position,
        hasBack: true,
        accept: {
          label: t('Add'),
          description: t('Change {0} as shown', inPick(shownPath(path))),
        },
        head: [
          t('Preview of {0}', shownPath(path)),
          readersOfFile(),
          t('Secrets are shown as {0}, here only.', mask),
          t('Nothing changes until you choose Add.'),
        ],
        ...maskBoth(text, changed, secrets),
        editorTitle: t('Changes to mcp.json (secrets masked)'),
      });
      if (answer !== 'accept') return answer;
      if (((await parts.config.read()).text ?? '') !== text) {
        void showInformation(
          t('{0} has changed. Here is an updated preview.', shownPath(path)),
        );
        continue;
      }
      await changeServers(parts, all, doneMessage);
      return 'done';
    } catch (error) {
      const next = await askAfterFailure(error);
      if (next === 'wrap') all = [{ do: 'wrap' }, ...all];
      else if (next !== 'again') return next;
    }
  }
}

async function askAfterFailure(
  error: unknown,
): Promise<'wrap' | 'again' | 'taken' | undefined> {
  if (!(error instanceof UserError)) throw error;
  const kind = error instanceof Refusal ? error.kind : undefined;
  const message = t('Nothing was added. {0}', inMessage(error.message));
  if (kind === 'nameTaken' || kind === 'noSuchServer') {
    // Not awaited: the question about the name follows.
    void showWarning(message);
    return 'taken';
  }
  const wrap = t('Put Them into "mcpServers"');
  const again = t('Try Again');
  const answer = await offerToOpenConfig(
    `${message} ${t('Your input is kept for next time.')}`,
    kind === 'serversAtRoot' ? wrap : again,
  );
  if (answer === wrap) return 'wrap';
  return answer === again ? 'again' : undefined;
}

/**
 * The last step of every way to add servers. Leads back if a secret would
 * travel unencrypted and the user declines that.
 */
export async function confirmAdding(
  destination: ServerDestination,
  plan: ChangePlan,
): Promise<ConfirmOutcome> {
  const servers = plan.changes.flatMap((change) =>
    'server' in change ? [change.server] : [],
  );
  if (!(await acceptsExposure(servers))) return back;
  const outcome = await destination.confirm(plan);
  if (outcome === 'taken') await destination.refresh();
  return outcome;
}

/** True if no secret would travel unencrypted, or the user accepts that. */
async function acceptsExposure(servers: readonly Server[]): Promise<boolean> {
  const exposed = servers.find(isExposed);
  if (!exposed) return true;
  return await confirm(
    t(
      'Secrets would be sent to {0} without encryption.',
      inMessage(maskUrl(exposed.url)),
    ),
    t(
      'Anyone on the network path can read it. Use an https:// URL if there is one.',
    ),
    t('Use It Anyway'),
  );
}

function isExposed(server: Server): server is RemoteServer {
  if (server.transport === 'stdio') return false;
  const { text } = editText('', { do: 'add', name: 'server', server });
  return findProblems(text).some(({ code }) => code === 'insecureUrl');
}

/**
 * Offers to continue with the last answers. Returns fresh ones if there are
 * none, or the user starts over.
 */
export async function continueOrStart<T>(
  title: string,
  unfinished: { readonly answers: T; readonly summary: string } | undefined,
  start: () => T | Promise<T>,
): Promise<T | undefined> {
  if (!unfinished) return await start();
  const go = {
    label: t('Continue Where You Left Off'),
    description: inPick(unfinished.summary),
  };
  const over = {
    label: t('Start Over'),
    description: t('Discards your input'),
  };
  const answer = await window.showQuickPick([go, over], {
    title,
    placeHolder: t('Your last input has not been added yet'),
    ignoreFocusOut: true,
  });
  if (!answer) return undefined;
  return answer === go ? unfinished.answers : await start();
}
