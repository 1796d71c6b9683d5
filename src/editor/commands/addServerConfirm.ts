/** The end of adding servers: a preview of what will change in the file, and the change itself. */
import { commands, type QuickPickItem, window } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { plainText } from '../../base/plainText.ts';
import { mask, type Secret } from '../../base/secret.ts';
import { findProblems } from '../../mcp/problems/problems.ts';
import { type Change, editText } from '../../mcp/edit.ts';
import { maskUrl } from '../../mcp/mask.ts';
import { Refusal } from '../../mcp/refusal.ts';
import type { RemoteServer, Server } from '../../mcp/server.ts';
import { showPreview } from '../previews.ts';
import { askPick, back } from '../steps.ts';
import { inMessage, inPick } from '../views/words.ts';
import { maskBoth } from './addServerMasks.ts';
import { changeServers, type ServerParts } from './servers.ts';

/** What is about to be done. */
export interface Plan {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  readonly changes: readonly Change[];
  /** What was entered as a secret and can stand anywhere. */
  readonly secrets?: readonly Secret[];
  /** What the person is asked. */
  readonly question: string;
  /** What is said when it is done. */
  readonly said: string;
}

/** `taken`: a name has become that of another server. Undefined when it was given up, and its reason has been told. */
export type Outcome = 'done' | 'taken' | typeof back | undefined;

/** Shows what will change, asks, and changes it. */
export async function confirmChanges(parts: ServerParts, plan: Plan): Promise<Outcome> {
  let { changes } = plan;
  for (;;) {
    try {
      const { path, text = '' } = await parts.config.read();
      const after = changes.reduce((now, change) => editText(now, change).text, text);
      const answer = await preview(plan, path, text, after);
      if (answer !== 'add') return answer;
      // What is done is what was shown.
      if (((await parts.config.read()).text ?? '') !== text) {
        void window.showInformationMessage(
          `${inMessage(path)} has been changed meanwhile. Here is the preview again.`,
        );
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

type Answer = QuickPickItem & { readonly answer: 'add' | typeof back | undefined };

async function preview(
  { title, step, totalSteps, question, secrets }: Plan,
  path: string,
  before: string,
  after: string,
): Promise<Answer['answer']> {
  const items: readonly Answer[] = [
    { label: 'Add', description: `Change ${inPick(path)} as shown`, answer: 'add' },
    { label: 'Back', description: 'To the question before', answer: back },
    { label: 'Cancel', description: 'What you have entered is kept for the next time', answer: undefined },
  ];
  const both = maskBoth(before, after, secrets);
  const head = headOf(path);
  const shown = await showPreview(
    head + both.before,
    head + both.after,
    'What will change in mcp.json (secrets masked)',
  );
  try {
    const placeholder = `${question} Secrets are masked in the preview.`;
    const answer = await askPick({ title, step, totalSteps, items, placeholder });
    return answer === undefined || answer === back ? answer : answer.answer;
  } finally {
    shown.dispose();
  }
}

/** Above both sides, where the question covers the first lines. */
function headOf(path: string): string {
  const lines = [
    `Preview of ${plainText(path, 500)}`,
    `Secrets are shown as ${mask}, here only.`,
    'Nothing is changed before you choose Add.',
  ];
  return `${lines.map((line) => `// ${line}`).join('\n')}\n\n\n`;
}

/** Tells why it cannot be done, and what can be done about it. */
async function wayOut(error: unknown): Promise<'wrap' | 'again' | 'taken' | undefined> {
  if (!(error instanceof UserError)) throw error;
  const kind = error instanceof Refusal ? error.kind : undefined;
  const message = `Nothing was added. ${inMessage(error.message)}`;
  if (kind === 'nameTaken' || kind === 'noSuchServer') {
    // Not waited for: the question that it is about comes again.
    void window.showWarningMessage(message);
    return 'taken';
  }
  const wrap = 'Put Them into "mcpServers"';
  const again = 'Try Again';
  const open = 'Open Configuration File';
  const buttons = kind === 'serversAtRoot' ? [wrap, open] : [again, open];
  const kept = 'What you have entered is kept for the next time.';
  const answer = await window.showErrorMessage(`${message} ${kept}`, ...buttons);
  if (answer === open) await commands.executeCommand('switchboard.mcp.openConfig');
  return answer === wrap ? 'wrap' : answer === again ? 'again' : undefined;
}

/** What is wrong with a file to which nothing can be added, before anybody has typed anything. */
export async function refuseUnreadable(parts: ServerParts): Promise<boolean> {
  await parts.servers.refresh();
  // Says which setting is wrong, where it is one.
  await parts.config.read();
  const { problem } = parts.servers;
  if (!problem) return false;
  const open = 'Open Configuration File';
  const message = `Nothing can be added to the configuration file as it is. ${inMessage(problem.message)}`;
  if ((await window.showErrorMessage(message, open)) === open) {
    await commands.executeCommand('switchboard.mcp.openConfig');
  }
  return true;
}

/** Whether the person wants these servers though what is secret in them can be read on the way; also if it cannot. */
export async function acceptsExposure(servers: readonly Server[]): Promise<boolean> {
  const [exposed] = servers.filter((server): server is RemoteServer => isExposed(server));
  if (!exposed) return true;
  const use = 'Use It Anyway';
  const answer = await window.showWarningMessage(
    `What is secret would be sent to ${inMessage(maskUrl(exposed.url))} without encryption.`,
    {
      modal: true,
      detail: 'Anybody on the way can read it. Use a URL that begins with https:// if there is one.',
    },
    use,
  );
  return answer === use;
}

function isExposed(server: Server): boolean {
  if (server.transport === 'stdio') return false;
  const { text } = editText('', { do: 'add', name: 'server', server });
  return findProblems(text).some(({ code }) => code === 'insecureUrl');
}

/** A pick of what was entered the last time; undefined when it was given up. */
export async function askToContinue(title: string, what: string): Promise<'continue' | 'over' | undefined> {
  const go = { label: 'Continue Where You Left Off', description: inPick(what), answer: 'continue' as const };
  const over = { label: 'Start Over', description: 'Forget what was entered', answer: 'over' as const };
  const placeHolder = 'What you entered the last time has not been added yet';
  const answer = await window.showQuickPick([go, over], { title, placeHolder, ignoreFocusOut: true });
  return answer?.answer;
}
