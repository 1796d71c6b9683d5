/** The question before a check: what will be started or asked, and what is different since the person agreed to it. */
import { t } from '../../../base/l10n.ts';
import type { Entry } from '../../../mcp/format/entry.ts';
import { shownStart } from '../../../probe/shownStart.ts';
import type { CheckChanges } from '../../../state/mcpServers/checkChanges.ts';
import { probedOf } from '../../../state/mcpServers/serverChecks.ts';
import { changeLines } from './checkWords.ts';
import { serverName } from './serverWords.ts';

export interface Asked {
  readonly entry: Entry;
  readonly changes: CheckChanges | undefined;
}

interface AgreementQuestion {
  readonly question: string;
  readonly lines: readonly string[];
}

export function agreementQuestion(asked: readonly Asked[], isSaved: boolean): AgreementQuestion {
  const [one] = asked;
  const isSingle = asked.length === 1 && one !== undefined;
  const question = isSingle
    ? t('Check “{0}”?', serverName(one.entry))
    : t('Check {0} MCP servers?', asked.length);
  const lines = asked
    .flatMap((each) => [...startLines(each, !isSingle), ''])
    .filter((line, i, all) => line !== '' || all[i - 1] !== '');
  return {
    question,
    lines: [
      ...lines,
      ...(isSaved ? [] : [t('The file has unsaved changes. What is in the editor is checked.')]),
      isSingle
        ? t('You are asked again only if that changes.')
        : t('You are asked again only for those that change.'),
    ],
  };
}

function startLines({ entry, changes }: Asked, isNamed: boolean): string[] {
  const probed = probedOf(entry);
  if (!probed) return [];
  const start = shownStart(probed);
  const { commandLine, url, folder, variables, codeVariables = [], headers } = start;
  const name = serverName(entry);
  return [
    commandLine === undefined
      ? isNamed
        ? t('“{0}” is asked for its tools at this address:', name)
        : t('It is asked for its tools at this address, as an agent would:')
      : isNamed
        ? t('“{0}” is started on this machine, asked for its tools, and ended:', name)
        : t('It is started on this machine as an agent would start it, asked for its tools, and ended:'),
    // Apart from our own words, unless there are many.
    ...(isNamed ? [commandLine ?? url ?? ''] : ['', commandLine ?? url ?? '', '']),
    ...(folder === undefined ? [] : [t('Folder: {0}', folder)]),
    ...(variables.length > 0 ? [t('Variables: {0}', variables.join(', '))] : []),
    ...(codeVariables.length > 0 ? [t('These variables change what runs:'), ...codeVariables] : []),
    ...(headers.length > 0 ? [t('Headers: {0}', headers.join(', '))] : []),
    ...(changes ? changeLines(changes, start).map((line) => `● ${line}`) : []),
  ];
}
