/** The end of adding servers: a preview of what will change in the file, and the change itself. */
import { commands, type QuickPickItem, ThemeIcon, window } from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { t } from '../../../base/l10n.ts';
import { maskUrl } from '../../../base/maskUrl.ts';
import { mask, type Secret } from '../../../base/secret.ts';
import { findProblems } from '../../../mcp/problems/findProblems.ts';
import type { Change } from '../../../mcp/edit/wantedChange.ts';
import { editText } from '../../../mcp/edit/editText.ts';
import { Refusal } from '../../../mcp/text/refusal.ts';
import type { RemoteServer, Server } from '../../../mcp/format/server.ts';
import { confirm, showError, showInformation, showWarning } from '../../ui/messages.ts';
import { showPreview } from '../../ui/previews.ts';
import { askPick, back } from '../../ui/steps.ts';
import { inMessage, inPick } from '../../words/foreignText.ts';
import { shownPath } from '../../words/shownPath.ts';
import type { PlanOption } from './draft.ts';
import { maskBoth } from './masks.ts';
import { changeServers, type ServerFileParts } from '../ofFile/changeServers.ts';

/** What is about to be done. */
export interface ChangePlan {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
  /** Rows that change the plan before it is accepted; with them, Back and Cancel need no rows. */
  readonly options?: readonly PlanOption[];
  readonly changes: readonly Change[];
  /** What was entered as a secret and can be anywhere. */
  readonly secrets?: readonly Secret[];
  /** What the person is asked. */
  readonly question: string;
  /** The message when it is done. */
  readonly said: string;
}

/** `taken`: a name has become that of another server. Undefined when it was given up, and its reason has been told. */
export type ConfirmOutcome = 'done' | 'taken' | typeof back | PlanOption | undefined;

/** Shows what will change, asks, and changes it. */
export async function confirmChanges(parts: ServerFileParts, plan: ChangePlan): Promise<ConfirmOutcome> {
  let { changes } = plan;
  for (;;) {
    try {
      const { path, text = '' } = await parts.config.read();
      const after = changes.reduce((now, change) => editText(now, change).text, text);
      const answer = await preview(plan, path, text, after);
      if (answer !== 'add') return answer;
      // What is done is what was shown.
      if (((await parts.config.read()).text ?? '') !== text) {
        void showInformation(t('{0} has changed. Here is an updated preview.', shownPath(path)));
        continue;
      }
      await changeServers(parts, changes, plan.said);
      return 'done';
    } catch (error) {
      const way = await wayOut(error);
      if (way === 'wrap') changes = [{ do: 'wrap' }, ...changes];
      else if (way !== 'again') return way;
    }
  }
}

type PreviewItem = QuickPickItem & { readonly answer: 'add' | typeof back | PlanOption | undefined };

async function preview(
  { question, secrets, options = [], ...place }: ChangePlan,
  path: string,
  before: string,
  after: string,
): Promise<PreviewItem['answer']> {
  const ways: readonly PreviewItem[] =
    options.length > 0
      ? options.map((option) => ({ ...rowOf(option), answer: option }))
      : [
          { label: t('Back'), description: t('To the previous question'), answer: back },
          {
            label: t('Cancel'),
            description: t('What you entered is kept for next time'),
            answer: undefined,
          },
        ];
  const items: readonly PreviewItem[] = [
    { label: t('Add'), description: t('Change {0} as shown', inPick(shownPath(path))), answer: 'add' },
    ...ways,
  ];
  const both = maskBoth(before, after, secrets);
  const head = headOf(path) + '\n'.repeat(options.length);
  const shown = await showPreview(
    head + both.before,
    head + both.after,
    t('What will change in mcp.json (secrets masked)'),
  );
  try {
    const placeholder = `${question} ${t('Secrets are masked in the preview.')}`;
    const answer = await askPick({ ...place, stays: true, hasBack: true, items, placeholder });
    return typeof answer === 'object' ? answer.answer : answer;
  } finally {
    shown.dispose();
  }
}

/** A row of the preview that leads to a question. */
export function rowOf({ label, description }: PlanOption): QuickPickItem {
  return { label, description: inPick(description), iconPath: new ThemeIcon('edit') };
}

/** Above both sides, where the question covers the first lines. */
function headOf(path: string): string {
  const lines = [
    t('Preview of {0}', shownPath(path)),
    t('Secrets are shown as {0}, here only.', mask),
    t('Nothing is changed before you choose Add.'),
  ];
  return `${lines.map((line) => `// ${line}`).join('\n')}\n\n\n`;
}

/** Tells why it cannot be done, and what can be done about it. */
async function wayOut(error: unknown): Promise<'wrap' | 'again' | 'taken' | undefined> {
  if (!(error instanceof UserError)) throw error;
  const kind = error instanceof Refusal ? error.kind : undefined;
  const message = t('Nothing was added. {0}', inMessage(error.message));
  if (kind === 'nameTaken' || kind === 'noSuchServer') {
    // Not waited for: the question that it is about comes again.
    void showWarning(message);
    return 'taken';
  }
  const wrap = t('Put Them into "mcpServers"');
  const again = t('Try Again');
  const open = t('Open Configuration File');
  const buttons = kind === 'serversAtRoot' ? [wrap, open] : [again, open];
  const reassurance = t('What you entered is kept for next time.');
  const answer = await showError(`${message} ${reassurance}`, ...buttons);
  if (answer === open) await commands.executeCommand('switchboard.mcp.openConfig');
  return answer === wrap ? 'wrap' : answer === again ? 'again' : undefined;
}

/** Why nothing can be added to the file, told before anybody has typed anything. */
export async function refuseUnreadable(parts: ServerFileParts): Promise<boolean> {
  await parts.servers.refresh();
  // Says which setting is wrong, where it is one.
  await parts.config.read();
  const { problem } = parts.servers;
  if (!problem) return false;
  const open = t('Open Configuration File');
  const message = t(
    'Nothing can be added to the configuration file as it is. {0}',
    inMessage(problem.message),
  );
  if ((await showError(message, open)) === open) {
    await commands.executeCommand('switchboard.mcp.openConfig');
  }
  return true;
}

/** Whether the person wants these servers though what is secret in them can be read on the way; also if it cannot. */
export async function acceptsExposure(servers: readonly Server[]): Promise<boolean> {
  const [exposed] = servers.filter((server): server is RemoteServer => isExposed(server));
  if (!exposed) return true;
  return await confirm(
    t('Secrets would be sent to {0} without encryption.', inMessage(maskUrl(exposed.url))),
    t('Anyone on the network path can read it. Use an https:// URL if there is one.'),
    t('Use It Anyway'),
  );
}

function isExposed(server: Server): boolean {
  if (server.transport === 'stdio') return false;
  const { text } = editText('', { do: 'add', name: 'server', server });
  return findProblems(text).some(({ code }) => code === 'insecureUrl');
}

/** A pick of what was entered the last time; undefined when it was given up. */
export async function askToContinue(title: string, what: string): Promise<'continue' | 'over' | undefined> {
  const go = {
    label: t('Continue Where You Left Off'),
    description: inPick(what),
    answer: 'continue' as const,
  };
  const over = { label: t('Start Over'), description: t('Forget what was entered'), answer: 'over' as const };
  const placeHolder = t('What you entered last time has not been added yet');
  const answer = await window.showQuickPick([go, over], { title, placeHolder, ignoreFocusOut: true });
  return answer?.answer;
}
