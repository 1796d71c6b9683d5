/** switchboard mcp check --run NAME */
import { UserError } from '../base/errors.ts';
import { plainText } from '../base/plainText.ts';
import {
  type ConsentObstacle,
  consentObstacle,
} from '../mcp/format/consent.ts';
import { findServer } from '../mcp/format/document.ts';
import { UsageError } from '../mcp/cli/options.ts';
import { failureSentence } from '../probe/failureWords.ts';
import {
  type FailingServer,
  probe,
  type Probed,
  type WorkingServer,
} from '../probe/probe.ts';
import { shownToolName } from '../probe/probeResult.ts';
import { shownStart } from '../probe/shownStart.ts';
import {
  coloursOf,
  countText,
  inColumns,
  nameText,
  printJson,
} from './output.ts';
import type { CommandContext, TerminalHost } from './host.ts';
import { printWarnings, readServers } from './readServers.ts';

/**
 * Starts or reaches the server if the user agrees, and prints its tools.
 * Resolves to true if it works.
 */
export async function checkRunCommand(
  { host, file, json }: Pick<CommandContext, 'host' | 'file' | 'json'>,
  { name, yes }: { readonly name: string; readonly yes: boolean },
): Promise<boolean> {
  const { entries, warnings } = await readServers(host, file);
  const entry = findServer(entries, name);
  printWarnings(host, file, warnings);
  const { server } = entry;
  if (!server)
    throw new UserError(`${nameText(name)} has neither a command nor a URL.`);
  const target = { server, cwd: entry.string('cwd') ?? folderOf(host) };
  const obstacle = consentObstacle(server, target.cwd);
  if (obstacle && !yes)
    throw new UserError(`${obstacleTexts[obstacle]} Nothing was done.`);
  host.stderr.write(startText(target));
  if (!yes && !(await agrees(host, target))) {
    host.stderr.write('Nothing was done.\n');
    return false;
  }
  const cancelling = new AbortController();
  const forget = host.onInterrupt(() => {
    cancelling.abort();
  });
  try {
    const result = await probe(target, {
      environment: host.env,
      platform: host.platform,
      home: folderOf(host),
      signal: cancelling.signal,
    });
    if (json) printJson(host, { file, name, ...resultJson(name, result) });
    else if (result.kind === 'works')
      host.stdout.write(workingText(host, result));
    if (result.kind === 'fails') printFailure(host, name, result);
    else if (result.ignoresFirstQuestion)
      host.stderr.write(
        'It does not answer the first question of newer clients, which made the check slow.\n',
      );
    return result.kind === 'works';
  } finally {
    forget();
  }
}

const obstacleTexts: Readonly<Record<ConsentObstacle, string>> = {
  tooLong:
    'The server is longer than can be shown. Shorten its command, URL or folder.',
  maskedCode:
    'A masked part of its command could run something. Move its secrets to variables.',
};

/**
 * The folder that agents start in from a shell; the home folder if it is gone.
 */
function folderOf({ home = '/', workingFolder }: TerminalHost): string {
  try {
    return workingFolder();
  } catch {
    return home;
  }
}

async function agrees(
  { ask }: TerminalHost,
  { server }: Probed,
): Promise<boolean> {
  const [question, what] =
    server.transport === 'stdio'
      ? ['Start it?', 'start this program']
      : ['Ask it?', 'ask this address'];
  const answer = await ask(`${question} [y/N] `);
  if (answer === undefined)
    throw new UsageError(
      `Can't ask for confirmation here. Pass --yes to ${what}.`,
    );
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Contains no secrets. */
function startText(target: Probed): string {
  const { commandLine, url, folder, variables, headers } = shownStart(target);
  const lines = [
    commandLine === undefined
      ? 'The server at this address is asked for its tools:'
      : 'This command runs once on this machine to list its tools:',
    `  ${commandLine ?? url ?? ''}`,
    ...(folder === undefined ? [] : [`in ${folder}`]),
    ...(variables.length === 0
      ? []
      : ['with these variables, which can change what runs:']),
    ...variables.map((assignment) => `  ${assignment}`),
    ...(headers.length === 0 ? [] : [`with the headers ${headers.join(', ')}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function workingText(
  host: TerminalHost,
  { tools, milliseconds }: WorkingServer,
): string {
  const colours = coloursOf(host.stdout, host);
  const count =
    tools.length === 0 ? 'No tools' : countText(tools.length, 'tool');
  const head = `${colours.good('✓')} ${colours.bold(`${count} in ${(milliseconds / 1000).toFixed(1)} s`)}`;
  const cells = tools.map((tool) => [shownToolName(tool), hintOf(tool)]);
  const rows = inColumns(cells).map(([name = '', mark = '']) =>
    mark === '' ? `  ${name.trimEnd()}` : `  ${name}  ${colours.dim(mark)}`,
  );
  return `${[head, ...rows].join('\n')}\n`;
}

function hintOf({
  readOnly,
  destructive,
}: WorkingServer['tools'][number]): string {
  if (readOnly) return 'read-only';
  return destructive ? 'destructive' : '';
}

function printFailure(
  host: TerminalHost,
  name: string,
  { failure }: FailingServer,
): void {
  const colours = coloursOf(host.stderr, host);
  const lines = 'lastLines' in failure ? failure.lastLines : [];
  host.stderr.write(
    `${colours.bad('Error:')} ${plainText(failureSentence(name, failure), 2000)}\n`,
  );
  if (lines.length === 0) return;
  host.stderr.write(
    `It printed last:\n${lines.map((line) => `  ${colours.dim(line)}\n`).join('')}`,
  );
}

function resultJson(
  name: string,
  result: WorkingServer | FailingServer,
): object {
  const milliseconds = Math.round(result.milliseconds);
  if (result.kind === 'works') {
    const { serverName = null, serverVersion = null } = result;
    const tools = result.tools.map(({ shownName, ...tool }) => ({
      ...tool,
      name: shownName ?? tool.name,
    }));
    return { works: true, milliseconds, tools, serverName, serverVersion };
  }
  return {
    works: false,
    milliseconds,
    failure: {
      ...result.failure,
      message: failureSentence(name, result.failure),
    },
  };
}
