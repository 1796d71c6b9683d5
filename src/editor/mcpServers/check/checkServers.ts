import { commands, workspace } from 'vscode';
import { t, userError } from '../../../base/l10n.ts';
import { joinParts } from '../../../base/parts.ts';
import { homeFolder } from '../../../files/homeFolder.ts';
import type { Entry } from '../../../mcp/format/entry.ts';
import { type ProbeResult, probe } from '../../../probe/probe.ts';
import type {
  ProbeRunner,
  ServerChecks,
} from '../../../state/mcpServers/serverChecks.ts';
import {
  offerAction,
  offerActions,
  showError,
  showInformation,
  showWarning,
  withProgress,
} from '../../ui/messages.ts';
import {
  changesShort,
  checkedMessage,
  failureName,
  resultMessage,
  stepSentences,
  agreementQuestion,
} from '../../words/mcpServers/checkWords.ts';
import { failureActions } from '../../words/failureActions.ts';
import { serverName } from '../../words/mcpServers/serverWords.ts';
import { confirmLines } from '../../ui/previews.ts';
import { runOwnCommand } from '../../ui/runOwnCommand.ts';
import type { ServerFileParts } from '../ofFile/changeServers.ts';
import { entriesNow } from '../ofFile/pickServer.ts';

/** Each check takes a process or a connection. */
const maxChecksAtOnce = 4;

export async function checkAllServers(parts: ServerFileParts): Promise<void> {
  const entries = (await entriesNow(parts.servers)).filter(
    ({ enabled, server }) => enabled && server,
  );
  if (entries.length === 0)
    throw userError('No MCP server is enabled, so there is nothing to check.');
  await checkServers(parts, entries);
}

export async function checkServers(
  parts: ServerFileParts,
  entries: readonly Entry[],
): Promise<void> {
  if (entries.length === 0 || !(await isTrusted())) return;
  const checks = await parts.checks();
  const able = entries.filter(
    ({ name, server }) => server && !checks.isUnderWay(name),
  );
  const isSaved = parts.servers.file?.saved !== false;
  const unknown = able.filter((entry) => !checks.isAgreed(entry));
  if (unknown.length > 0 && !(await agreeTo(checks, unknown, isSaved))) return;
  const probeHere: ProbeRunner = (server, signal, onProgress) =>
    probe(server, {
      environment: process.env,
      platform: process.platform,
      home: homeFolder() ?? '',
      signal,
      onProgress,
    });
  const [firstEntry] = entries;
  if (entries.length === 1 && firstEntry)
    await checkOne(checks, firstEntry, probeHere);
  else await checkMany(checks, able, probeHere);
}

/** False in an untrusted workspace; a message has said why. */
async function isTrusted(): Promise<boolean> {
  if (workspace.isTrusted) return true;
  const why = t(
    'A check starts programs, so MCP servers are checked only in a workspace that you trust.',
  );
  await offerAction(showWarning, why, t('Manage Workspace Trust'), () =>
    commands.executeCommand('workbench.trust.manage'),
  );
  return false;
}

async function checkOne(
  checks: ServerChecks,
  entry: Entry,
  probe: ProbeRunner,
) {
  const name = serverName(entry);
  const result = await withProgress(
    t('Checking “{0}”', name),
    async (signal, report) =>
      checks.check(
        entry,
        (server, combinedSignal, onProgress) =>
          probe(server, combinedSignal, (step) => {
            report(stepSentences[step]);
            onProgress(step);
          }),
        signal,
      ),
  );
  // Not awaited: the message may stay open.
  void showResult(checks, entry, result);
}

async function showResult(
  checks: ServerChecks,
  entry: Entry,
  result: ProbeResult,
) {
  const message = resultMessage(serverName(entry), result);
  const details = {
    [t('Show Details')]: () => runOwnCommand('switchboard.mcp.get', entry.name),
  };
  if (result.kind === 'fails') {
    if (result.failure.reason === 'cancelled') return;
    const actions = failureActions(result.failure, entry).map(
      ({ label, command, args }) =>
        [label, () => commands.executeCommand(command, ...args)] as const,
    );
    await offerActions(showError, message, {
      ...Object.fromEntries(actions),
      ...details,
    });
    return;
  }
  const { changes } = checks.of(entry);
  await offerActions(
    changes ? showWarning : showInformation,
    joinParts(
      ' ',
      message,
      changes && t('Since you allowed it: {0}.', changesShort(changes)),
    ),
    {
      ...(result.tools.length > 0 && {
        [t('Choose Tools')]: () =>
          runOwnCommand('switchboard.mcp.chooseTools', entry.name),
      }),
      ...details,
    },
  );
}

async function checkMany(
  checks: ServerChecks,
  entries: readonly Entry[],
  probe: ProbeRunner,
) {
  const failed: string[] = [];
  let done = 0;
  const isCancelled = await withProgress(
    t('Checking {0} MCP servers', entries.length),
    async (signal, report) => {
      const left = [...entries];
      const work = async () => {
        for (
          let entry = left.shift();
          entry && !signal.aborted;
          entry = left.shift()
        ) {
          // Another command may have started a check.
          if (checks.isUnderWay(entry.name)) continue;
          const result = await checks.check(entry, probe, signal);
          if (result.kind === 'fails') {
            if (result.failure.reason === 'cancelled') return;
            failed.push(failureName(serverName(entry), result.failure));
          }
          report(t('{0} of {1}', ++done, entries.length));
        }
      };
      await Promise.all(Array.from({ length: maxChecksAtOnce }, work));
      return signal.aborted;
    },
  );
  void showResults(failed, done, isCancelled);
}

async function showResults(
  failed: readonly string[],
  done: number,
  isCancelled: boolean,
) {
  await offerAction(
    failed.length > 0 ? showWarning : showInformation,
    checkedMessage(failed, done, isCancelled),
    t('Show MCP Servers'),
    () => commands.executeCommand('switchboard.servers.focus'),
  );
}

/** True if the user agrees to all of them. */
async function agreeTo(
  checks: ServerChecks,
  entries: readonly Entry[],
  isSaved: boolean,
): Promise<boolean> {
  const asked = entries.map((entry) => ({
    entry,
    changes: checks.of(entry).changes,
  }));
  const { question, lines } = agreementQuestion(asked, isSaved);
  const isAgreed = await confirmLines({
    question,
    lines,
    button: t('Check'),
    title: t('What a check runs and contacts'),
    beside: t('The editor shows what the check runs and contacts'),
  });
  if (isAgreed) await checks.agree(entries);
  return isAgreed;
}
